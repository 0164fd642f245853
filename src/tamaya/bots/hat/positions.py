"""Positions of the search for the end of a game, and what a turn makes of them.

A *position* is one number: the heights of the fireworks, and behind them clue tokens, cards in the deck, turns left, whose
turn it is, whether a clue has told everybody what they hold, and who drew which of the needed cards. An *option* is a turn:
the colour to play, or a clue, or a discard. The rules of a turn stand here a second time because a search has no time for
whole games; a test plays them against the kernel.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tamaya.bots.hat.habits import HABITS
from tamaya.bots.hat.memory import FOLLOWED, HatMemory
from tamaya.engine.kernel import Jit, Row
from tamaya.engine.layout import CLUES, DRAWN, HEIGHT, LAST_TURNS, SEAT, Layout
from tamaya.rules import RulesError, say

HEIGHT_BITS, TOKEN_BITS, DECK_BITS, SEAT_BITS = 3, 5, 4, 3
MOST_HEIGHT, MOST_TOKENS, MOST_DECK, MOST_SEAT = ((1 << bits) - 1 for bits in (HEIGHT_BITS, TOKEN_BITS, DECK_BITS, SEAT_BITS))
"""The highest numbers that the parts of a position can hold; turns left have as many bits as seats."""
POSITION_BITS = 63
BITS_BEHIND_HEIGHTS = TOKEN_BITS + DECK_BITS + 2 * SEAT_BITS + 1 + FOLLOWED * SEAT_BITS
MOST_COLOURS, MOST_PLAYERS = (POSITION_BITS - BITS_BEHIND_HEIGHTS) // HEIGHT_BITS, max(HABITS)
NOT_THERE = -1
"""In place of a position: the option is not there."""


class PositionBits(NamedTuple):
    """Where in a position the first bit of each part lies."""

    tokens: int
    deck: int
    turns: int
    seat: int
    told: int
    drawers: int


def bits_of(layout: Layout) -> PositionBits:
    """Where the parts of a position lie; rules that it cannot hold are refused."""
    if layout.players > MOST_PLAYERS or layout.clue_tokens > MOST_TOKENS or layout.colours > MOST_COLOURS:
        message = say("These rules have {players} players, {tokens} clue tokens and {colours} colours; the bot {bot} knows at "
                      "most {most_players}, {most_tokens} and {most_colours}.", players=layout.players,
                      tokens=layout.clue_tokens, colours=layout.colours, bot="hat", most_players=MOST_PLAYERS,
                      most_tokens=MOST_TOKENS, most_colours=MOST_COLOURS)  # fmt: skip
        raise RulesError("rules_too_wide", message)
    tokens = HEIGHT_BITS * layout.colours
    deck = tokens + TOKEN_BITS
    turns = deck + DECK_BITS
    seat = turns + SEAT_BITS
    told = seat + SEAT_BITS
    return PositionBits(tokens, deck, turns, seat, told, drawers=told + 1)


class Positions(NamedTuple):
    """The functions that make positions and read them."""

    clue: int
    """The option of giving a clue; lower ones are the colours to play."""
    discard: int
    """The option of discarding, the last one."""
    pack: Callable[[Row], int]
    after: Callable[[Row, int, int], int]
    is_drawn: Callable[[int, int], bool]
    draw: Callable[[int, int, int], int]
    points: Callable[[int], int]
    plays_left: Callable[[int], int]
    deck: Callable[[int], int]
    seat: Callable[[int], int]


def build_positions(layout: Layout, jit: Jit, notes: HatMemory) -> Positions:
    """The functions that make positions and read them."""
    bits, clue_option, discard_option = bits_of(layout), layout.colours, layout.colours + 1

    @jit
    def pack(sight: Row) -> int:
        """The position that is seen: nobody was told anything, nobody drew anything."""
        position = (sight[CLUES] + 0) << bits.tokens | (layout.deck_size - sight[DRAWN]) << bits.deck
        position |= (sight[LAST_TURNS] + 0) << bits.turns | (sight[SEAT] + 0) << bits.seat
        for colour in range(layout.colours):
            position |= (sight[layout.fireworks + colour] + 0) << (HEIGHT_BITS * colour)
        return position

    @jit
    def height(position: int, colour: int) -> int:
        """How high a firework is."""
        return (position >> HEIGHT_BITS * colour) & MOST_HEIGHT

    @jit
    def points(position: int) -> int:
        """The sum of all heights."""
        total = 0
        for _ in range(layout.colours):
            total += position & MOST_HEIGHT
            position >>= HEIGHT_BITS
        return total

    @jit
    def plays_left(position: int) -> int:
        """How many cards can be played before the game ends."""
        left = deck(position)
        return left + layout.players if left > 0 else turns(position)

    @jit
    def tokens(position: int) -> int:
        """The clue tokens that are there."""
        return (position >> bits.tokens) & MOST_TOKENS

    @jit
    def deck(position: int) -> int:
        """The cards in the deck."""
        return (position >> bits.deck) & MOST_DECK

    @jit
    def turns(position: int) -> int:
        """The turns left once the deck is empty; 0 before."""
        return (position >> bits.turns) & MOST_SEAT

    @jit
    def seat_to_move(position: int) -> int:
        """Whose turn it is."""
        return (position >> bits.seat) & MOST_SEAT

    @jit
    def can_play(memory: Row, position: int, seat: int, card: int) -> bool:
        """Whether a seat can play a card, if it fits: it holds it and knows it."""
        if (memory[notes.known_by + card] >> seat) & 1:
            return True
        if not (position >> bits.told) & 1:
            return False
        for place in range(FOLLOWED):
            drawer = (position >> (bits.drawers + SEAT_BITS * place)) & MOST_SEAT
            if memory[notes.followed + place] == card and drawer == seat + 1:
                return True
        return (memory[notes.held_by + card] >> seat) & 1 == 1

    @jit
    def act(memory: Row, position: int, seat: int, option: int) -> int:
        """What an option does to fireworks and tokens, or `NOT_THERE`; cards are announced where that earns a token."""
        available = tokens(position)
        if option == clue_option:
            return (position - (1 << bits.tokens)) | 1 << bits.told if available > 0 else NOT_THERE
        if option == discard_option:
            return position + (1 << bits.tokens) if available < layout.clue_tokens else NOT_THERE
        value = height(position, option)
        if value >= memory[notes.reach + option] or not can_play(memory, position, seat, option * HEIGHT + value):
            return NOT_THERE
        earned = (1 if layout.announced_plays else 0) + (1 if value == HEIGHT - 1 else 0)
        return position + (1 << HEIGHT_BITS * option) + (min(earned, layout.clue_tokens - available) << bits.tokens)

    @jit
    def after(memory: Row, position: int, option: int) -> int:
        """The position after a turn, a card having left the deck that is nobody's yet; `NOT_THERE` where it cannot be taken."""
        seat = seat_to_move(position)
        position = act(memory, position, seat, option)
        if position == NOT_THERE:
            return NOT_THERE
        position = (position & ~(MOST_SEAT << bits.seat)) | ((seat + 1) % layout.players) << bits.seat
        if turns(position) > 0:
            position -= 1 << bits.turns
        elif option != clue_option and deck(position) > 0:
            position -= 1 << bits.deck
            if deck(position) == 0:
                position |= layout.players << bits.turns
        return position

    @jit
    def is_drawn(position: int, place: int) -> bool:
        """Whether somebody has drawn one of the followed cards."""
        return (position >> (bits.drawers + SEAT_BITS * place)) & MOST_SEAT != 0

    @jit
    def draw(position: int, seat: int, place: int) -> int:
        """The position in which a seat has drawn one of the followed cards, of which a clue must tell."""
        return (position | (seat + 1) << (bits.drawers + SEAT_BITS * place)) & ~(1 << bits.told)

    return Positions(clue_option, discard_option, pack, after, is_drawn, draw, points, plays_left, deck, seat_to_move)
