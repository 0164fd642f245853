"""Positions of the search for the end of a game: hidden cards laid in some way that can be, and what a turn makes of them.

A *position* is one number: the heights of the fireworks, and behind them clue tokens, cards in the deck, turns left, whose
turn it is, whether a clue has told everybody what they hold, and who drew which of the needed cards. An *option* is a turn:
the colour to play, or a clue, or a discard. The rules of a turn stand here a second time because a search has no time for
whole games; a test plays them against the kernel.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tamaya.bots.cards import Cards
from tamaya.bots.hat.habits import HABITS
from tamaya.bots.hat.memory import FOLLOWED, Memory
from tamaya.bots.hat.picture import Picture
from tamaya.engine.kernel import Jit, Kernel, Row
from tamaya.engine.layout import CLUES, DRAWN, HEIGHT, LAST_TURNS, SEAT, TURN, Layout
from tamaya.rules import RulesError, say

HEIGHT_BITS, TOKEN_BITS, DECK_BITS, SEAT_BITS = 3, 5, 4, 3
HEIGHTS, TOKENS, DECK, SEATS = ((1 << bits) - 1 for bits in (HEIGHT_BITS, TOKEN_BITS, DECK_BITS, SEAT_BITS))
"""The highest numbers that the parts of a position can hold; turns left and seats are of one kind."""
POSITION_BITS = 63
NOT_THERE = -1
"""In place of a position: the option is not there."""


class Bits(NamedTuple):
    """Where in a position the first bit of each part lies; behind them is nothing."""

    tokens: int
    deck: int
    turns: int
    seat: int
    told: int
    drawers: int
    end: int


def bits_of(layout: Layout) -> Bits:
    """Where the parts of a position lie; rules that it cannot hold are refused."""
    tokens = HEIGHT_BITS * layout.colours
    turns = tokens + TOKEN_BITS + DECK_BITS
    told = turns + 2 * SEAT_BITS
    bits = Bits(tokens, tokens + TOKEN_BITS, turns, turns + SEAT_BITS, told, told + 1, told + 1 + FOLLOWED * SEAT_BITS)
    if layout.players not in HABITS or layout.clue_tokens > TOKENS or bits.end > POSITION_BITS:
        raise too_wide(layout, layout.colours - -(-(bits.end - POSITION_BITS) // HEIGHT_BITS))
    return bits


def too_wide(layout: Layout, most_colours: int) -> RulesError:
    """The refusal of rules whose positions need more bits than a number has."""
    message = say("These rules have {players} players, {tokens} clue tokens and {colours} colours; the bot {bot} knows at most "
                  "{most_players}, {most_tokens} and {most_colours}.", players=layout.players, tokens=layout.clue_tokens,
                  colours=layout.colours, bot="hat", most_players=max(HABITS), most_tokens=TOKENS,
                  most_colours=most_colours)  # fmt: skip
    return RulesError("rules_too_wide", message)


class Positions(NamedTuple):
    """The functions that make positions and read them."""

    clue: int
    """The option of giving a clue; lower ones are the colours to play."""
    discard: int
    """The option of discarding, the last one."""
    imagine: Callable[[Row, Row, int], int]
    after: Callable[[Row, int, int], int]
    draw: Callable[[Row, int, int, int], int]
    height: Callable[[int, int], int]
    tokens: Callable[[int], int]
    deck: Callable[[int], int]
    turns: Callable[[int], int]
    seat: Callable[[int], int]


def build_positions(kernel: Kernel, jit: Jit, notes: Memory, cards: Cards, picture: Picture) -> Positions:
    """The functions that make positions and read them."""
    layout, bits = kernel.layout, bits_of(kernel.layout)
    clue_option, discard_option = layout.colours, layout.colours + 1

    @jit
    def height(position: int, colour: int) -> int:
        """How high a firework is."""
        return (position >> HEIGHT_BITS * colour) & HEIGHTS

    @jit
    def tokens(position: int) -> int:
        """The clue tokens that are there."""
        return (position >> bits.tokens) & TOKENS

    @jit
    def deck(position: int) -> int:
        """The cards in the deck."""
        return (position >> bits.deck) & DECK

    @jit
    def turns(position: int) -> int:
        """The turns left once the deck is empty; 0 before."""
        return (position >> bits.turns) & SEATS

    @jit
    def seat_to_move(position: int) -> int:
        """Whose turn it is."""
        return (position >> bits.seat) & SEATS

    @jit
    def can_play(memory: Row, position: int, seat: int, card: int) -> bool:
        """Whether a seat can play a card, if it fits: it holds it and knows it."""
        if (memory[notes.known_by + card] >> seat) & 1:
            return True
        if not (position >> bits.told) & 1:
            return False
        for place in range(FOLLOWED):
            drawer = (position >> (bits.drawers + SEAT_BITS * place)) & SEATS
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
        seat, last_turns, left = seat_to_move(position), turns(position), deck(position)
        position = act(memory, position, seat, option)
        if position == NOT_THERE:
            return NOT_THERE
        if last_turns > 0:
            position -= 1 << bits.turns
        position = (position & ~(SEATS << bits.seat)) | ((seat + 1) % layout.players) << bits.seat
        if option != clue_option and left > 0:
            position -= 1 << bits.deck
            if left == 1:
                position |= layout.players << bits.turns
        return position

    @jit
    def draw(memory: Row, position: int, seat: int, place: int) -> int:
        """The position in which a seat has drawn one of the followed cards, of which a clue must tell; `NOT_THERE` where it is
        drawn already, or is none."""
        at = bits.drawers + SEAT_BITS * place
        if memory[notes.followed_copies + place] == 0 or (position >> at) & SEATS:
            return NOT_THERE
        return (position | (seat + 1) << at) & ~(1 << bits.told)

    @jit
    def imagine(memory: Row, sight: Row, playable: int) -> int:
        """Lay the own unknown cards in some way that can be, the rest being the deck; returns the position."""
        me = sight[SEAT] + 0
        for card in range(layout.cards):
            memory[notes.known_by + card] = 0
            memory[notes.held_by + card] = 0
        position = (sight[CLUES] + 0) << bits.tokens | (layout.deck_size - sight[DRAWN]) << bits.deck
        position |= (sight[LAST_TURNS] + 0) << bits.turns | me << bits.seat
        for colour in range(layout.colours):
            memory[notes.reach + colour] = kernel.reach(sight, colour)
            position |= (sight[layout.fireworks + colour] + 0) << (HEIGHT_BITS * colour)
        for seat in range(layout.players):
            if seat != me:
                for slot in range(kernel.hand_count(sight, seat)):
                    options = picture.pictured(memory, sight, seat, slot)
                    hold(memory, seat, cards.face_at(sight, seat, slot), options, playable)
        follow(memory, sight, lay_own(memory, sight, me, playable))
        return position

    @jit
    def hold(memory: Row, seat: int, card: int, options: int, playable: int) -> None:
        """A seat has a card of which it knows so much."""
        if not picture.is_open(options) or options & ~playable == 0:
            memory[notes.known_by + card] |= 1 << seat
        else:
            memory[notes.held_by + card] |= 1 << seat

    @jit
    def lay_own(memory: Row, sight: Row, me: int, playable: int) -> int:
        """Take the own cards, known ones first, from those that are not seen; returns how many are left for the deck."""
        count, chance = 0, kernel.shuffle.mix(sight[TURN] + 1)
        for card in range(layout.cards):
            for _ in range(memory[notes.unseen + card]):
                memory[notes.unseen_list + count] = card
                count += 1
        for known in (True, False):
            for slot in range(kernel.hand_count(sight, me)):
                options, pick, fitting = memory[notes.own_hand + slot], -1, 0
                if picture.is_open(options) == known:
                    continue
                for place in range(count):
                    if (options >> memory[notes.unseen_list + place]) & 1:
                        fitting += 1
                        chance = kernel.shuffle.mix(chance + 0x9E3779B9)
                        if (chance * fitting) >> 32 == 0:
                            pick = place
                if pick >= 0:
                    hold(memory, me, memory[notes.unseen_list + pick], options, playable)
                    count -= 1
                    memory[notes.unseen_list + pick] = memory[notes.unseen_list + count]
        return count

    @jit
    def follow(memory: Row, sight: Row, count: int) -> None:
        """List the needed cards among those left for the deck."""
        found = 0
        for place in range(FOLLOWED):
            memory[notes.followed + place] = -1
            memory[notes.followed_copies + place] = 0
        for place in range(count):
            card = memory[notes.unseen_list + place]
            colour = card // HEIGHT
            if sight[layout.fireworks + colour] <= card % HEIGHT < memory[notes.reach + colour]:
                known = 0
                while known < found and memory[notes.followed + known] != card:
                    known += 1
                if known < FOLLOWED:
                    memory[notes.followed + known] = card
                    memory[notes.followed_copies + known] += 1
                    found = max(found, known + 1)

    return Positions(
        clue_option, discard_option, imagine, after, draw, height, tokens, deck, turns, seat_to_move
    )  # fmt: skip
