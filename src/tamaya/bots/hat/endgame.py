"""The endgame search: the chance of making every point that is still possible if all play as well as they can.

All players are assumed to see all hands, as hats have told nearly everything by then; none sees the deck. A card that its
player does not know yet can be played once a clue has been given.

A *position* is one number: the heights of the fireworks, then clue tokens, cards in the deck, turns left, whose turn it is,
whether a clue has told all players what they hold, and who drew which of the tracked cards. A *move* is the colour to play, or
a clue, or a discard. The rules of a turn are restated here because the search has no time for whole games; a test compares them
with the kernel.
"""

from __future__ import annotations

from typing import NamedTuple

from tamaya.bots import cards
from tamaya.bots.hat.inference import SURE, is_open, public_options
from tamaya.bots.hat.memory import CACHE_SIZE, TRACKED, WEIGHTS, HatMemory, weights
from tamaya.engine.instances import Options, Row, derived
from tamaya.engine.kernel.deal import mix
from tamaya.engine.kernel.ending import is_useless, next_card, reach
from tamaya.engine.kernel.hands import card_at, hand_count
from tamaya.engine.layout import CLUES, DRAWN, LAST_TURNS, NO_CARD, SEAT, TURN, Layout, layout, order
from tamaya.rules import RulesError, say

OPTIONS = Options()
CLUE, DISCARD, NO_DECISION = -1, -2, -3
"""Decisions other than the slot of a card to play."""
CLUE_MOVE: int = derived(layout, lambda layout: layout.colours)
"""The move that gives a clue; lower moves are the colours to play."""
DISCARD_MOVE: int = derived(layout, lambda layout: layout.colours + 1)
"""The last move."""
BEST, NO_MOVE = -1, -1
"""Instead of a move: the best one, and none."""
NO_POSITION = -1
"""Instead of a position: the move is impossible."""
NOT_TRACKED = -1
"""Instead of a card."""
GOALS = 2
"""The number of goals: every point that can still be made, then one point less."""

HEIGHT_BITS, TOKEN_BITS, DECK_BITS, SEAT_BITS = 3, 5, 4, 3
MAX_HEIGHT, MAX_TOKENS, MAX_DECK, MAX_SEAT = ((1 << bits) - 1 for bits in (HEIGHT_BITS, TOKEN_BITS, DECK_BITS, SEAT_BITS))
"""The largest numbers that the parts of a position can hold; turns left have the same width as seats."""
POSITION_BITS = 63
BITS_BEHIND_HEIGHTS = TOKEN_BITS + DECK_BITS + 2 * SEAT_BITS + 1 + TRACKED * SEAT_BITS
MAX_COLOURS, MAX_PLAYERS = (POSITION_BITS - BITS_BEHIND_HEIGHTS) // HEIGHT_BITS, max(WEIGHTS)


class PositionBits(NamedTuple):
    """The first bit of each part of a position."""

    tokens: int
    deck: int
    turns: int
    seat: int
    told: int
    drawers: int


def bits_of(layout: Layout) -> PositionBits:
    """The layout of a position; refuses rules that a position cannot hold."""
    if layout.players > MAX_PLAYERS or layout.clue_tokens > MAX_TOKENS or layout.colours > MAX_COLOURS:
        message = say("These rules have {players} players, {tokens} clue tokens and {colours} colours; the bot {bot} knows at "
                      "most {most_players}, {most_tokens} and {most_colours}.", players=layout.players,
                      tokens=layout.clue_tokens, colours=layout.colours, bot="hat", most_players=MAX_PLAYERS,
                      most_tokens=MAX_TOKENS, most_colours=MAX_COLOURS)  # fmt: skip
        raise RulesError("rules_too_wide", message)
    tokens = HEIGHT_BITS * layout.colours
    deck = tokens + TOKEN_BITS
    turns = deck + DECK_BITS
    seat = turns + SEAT_BITS
    told = seat + SEAT_BITS
    return PositionBits(tokens, deck, turns, seat, told, drawers=told + 1)


bits: PositionBits = derived(layout, bits_of)


def position_of(sight: Row) -> int:
    """The position that a seat sees: no player has been told or has drawn anything."""
    position = (sight[CLUES] + 0) << bits.tokens | (layout.deck_size - sight[DRAWN]) << bits.deck
    position |= (sight[LAST_TURNS] + 0) << bits.turns | (sight[SEAT] + 0) << bits.seat
    for colour in range(layout.colours):
        position |= (sight[layout.fireworks + colour] + 0) << (HEIGHT_BITS * colour)
    return position


def height_in(position: int, colour: int) -> int:
    """The height of a firework."""
    return (position >> HEIGHT_BITS * colour) & MAX_HEIGHT


def points_in(position: int) -> int:
    """The number of cards in the fireworks."""
    total = 0
    for _ in range(layout.colours):
        total += position & MAX_HEIGHT
        position >>= HEIGHT_BITS
    return total


def tokens_in(position: int) -> int:
    """The available clue tokens."""
    return (position >> bits.tokens) & MAX_TOKENS


def deck_in(position: int) -> int:
    """The number of cards in the deck."""
    return (position >> bits.deck) & MAX_DECK


def turns_in(position: int) -> int:
    """The turns left once the deck is empty; 0 before."""
    return (position >> bits.turns) & MAX_SEAT


def seat_in(position: int) -> int:
    """Whose turn it is."""
    return (position >> bits.seat) & MAX_SEAT


def drawer_in(position: int, place: int) -> int:
    """The seat that drew a tracked card, plus one; 0 if none has."""
    return (position >> (bits.drawers + SEAT_BITS * place)) & MAX_SEAT


def plays_left(position: int) -> int:
    """The number of turns in which cards can still be played before the game ends."""
    left = deck_in(position)
    return left + layout.players if left > 0 else turns_in(position)


def can_play(memory: HatMemory, position: int, seat: int, card: int) -> bool:
    """Whether a seat holds a card and knows it."""
    if (memory.known_by[card] >> seat) & 1:
        return True
    if not (position >> bits.told) & 1:
        return False
    for place in range(TRACKED):
        if memory.tracked[place] == card and drawer_in(position, place) == seat + 1:
            return True
    return (memory.held_by[card] >> seat) & 1 == 1


def after_move(memory: HatMemory, position: int, seat: int, move: int) -> int:
    """The position with fireworks and tokens as a move leaves them, or `NO_POSITION`; plays are announced if that pays."""
    available = tokens_in(position)
    if move == CLUE_MOVE:
        return (position - (1 << bits.tokens)) | 1 << bits.told if available > 0 else NO_POSITION
    if move == DISCARD_MOVE:
        return position + (1 << bits.tokens) if available < layout.clue_tokens else NO_POSITION
    height = height_in(position, move)
    if height >= memory.reaches[move] or not can_play(memory, position, seat, order[move * layout.values + height]):
        return NO_POSITION
    earned = (1 if layout.announced_plays else 0) + (1 if height == layout.values - 1 else 0)
    return position + (1 << HEIGHT_BITS * move) + (min(earned, layout.clue_tokens - available) << bits.tokens)


def after_turn(memory: HatMemory, position: int, move: int) -> int:
    """The position after a turn, or `NO_POSITION`; a card may have left the deck that is in no hand yet."""
    seat = seat_in(position)
    position = after_move(memory, position, seat, move)
    if position == NO_POSITION:
        return NO_POSITION
    position = (position & ~(MAX_SEAT << bits.seat)) | ((seat + 1) % layout.players) << bits.seat
    if turns_in(position) > 0:
        position -= 1 << bits.turns
    elif move != CLUE_MOVE and deck_in(position) > 0:
        position -= 1 << bits.deck
        if deck_in(position) == 0:
            position |= layout.players << bits.turns
    return position


def after_draw(position: int, seat: int, place: int) -> int:
    """The position in which a seat has drawn a tracked card, which it knows after the next clue."""
    return (position | (seat + 1) << (bits.drawers + SEAT_BITS * place)) & ~(1 << bits.told)


def cache_value(memory: HatMemory, place: int, position: int, value: int) -> None:
    """Cache the value of a position. Entries of an earlier search need not be cleared: only the first `cache_size` count."""
    entry = memory.cache_size
    memory.cache_index[place] = entry
    memory.cached_positions[entry] = position
    memory.cached_values[entry] = value
    memory.cache_size = entry + 1


def move_value(memory: HatMemory, position: int, move: int, goal: int) -> int:  # noqa: C901
    """The chance, in parts of `SURE`, to make this many points after a move, or after the best one if `move` is `BEST`; -1 for
    an impossible move, and 0 once the budget is spent.

    Each tracked card may be drawn next, with a chance by its copies; all other cards count as useless. The function calls
    itself with run-time numbers only: the compiler cannot cache any other recursion on disk.
    """
    if move == BEST:
        missing = goal - points_in(position)
        if missing <= 0 or missing > plays_left(position):
            return SURE if missing <= 0 else 0
        place = mix(position ^ (position >> 32)) & (CACHE_SIZE - 1)
        entry = memory.cache_index[place]
        if 0 <= entry < memory.cache_size and memory.cached_positions[entry] == position:
            return memory.cached_values[entry]
        memory.budget -= 1
        best = 0
        if memory.budget < 0:
            return best
        for other in range(DISCARD_MOVE + 1):
            best = max(best, move_value(memory, position, other, goal))
            if best == SURE:
                break
        cache_value(memory, place, position, best)
        return best
    following, best_move = after_turn(memory, position, move), min(move, BEST)
    if following == NO_POSITION:
        return -1
    left = deck_in(position)
    if move == CLUE_MOVE or left == 0:
        return move_value(memory, following, best_move, goal)
    total, others, seat = 0, left, seat_in(position)
    for place in range(TRACKED):
        count = min(memory.tracked_copies[place], others)
        if count > 0 and drawer_in(following, place) == 0:
            total += count * move_value(memory, after_draw(following, seat, place), best_move, goal)
            others -= count
    if others > 0:
        total += others * move_value(memory, following, best_move, goal)
    return total // left


def lay_out(memory: HatMemory, sight: Row, playable: int) -> int:
    """Write who holds which cards, with some possible cards for the player's own; return the position to search from."""
    me = sight[SEAT] + 0
    for card in range(layout.cards):
        memory.known_by[card] = 0
        memory.held_by[card] = 0
    for colour in range(layout.colours):
        memory.reaches[colour] = reach(sight, colour)
    for seat in range(layout.players):
        if seat != me:
            for slot in range(hand_count(sight, seat)):
                hold(memory, seat, card_at(sight, seat, slot), public_options(memory, sight, seat, slot), playable)
    track(memory, sight, lay_out_own(memory, sight, me, playable))
    return position_of(sight)


def hold(memory: HatMemory, seat: int, card: int, options: int, playable: int) -> None:
    """Write that a seat holds a card, and whether it knows enough of it to play it."""
    if not is_open(options) or options & ~playable == 0:
        memory.known_by[card] |= 1 << seat
    else:
        memory.held_by[card] |= 1 << seat


def lay_out_own(memory: HatMemory, sight: Row, me: int, playable: int) -> int:
    """Draw the player's own cards, known ones first, from the unseen ones; return how many are left for the deck."""
    count, random_bits = 0, mix(sight[TURN] + 1)
    for card in range(layout.cards):
        for _ in range(memory.unseen[card]):
            memory.unseen_list[count] = card
            count += 1
    for known in (True, False):
        for slot in range(hand_count(sight, me)):
            options, drawn, fitting = memory.own_hand[slot], -1, 0
            if is_open(options) == known:
                continue
            for place in range(count):
                if (options >> memory.unseen_list[place]) & 1:
                    fitting += 1
                    random_bits = mix(random_bits + 0x9E3779B9)
                    if (random_bits * fitting) >> 32 == 0:
                        drawn = place
            if drawn >= 0:
                hold(memory, me, memory.unseen_list[drawn], options, playable)
                count -= 1
                memory.unseen_list[drawn] = memory.unseen_list[count]
    return count


def track(memory: HatMemory, sight: Row, count: int) -> None:
    """List the first few different needed cards among those left for the deck, and the number of copies of each."""
    found = 0
    for place in range(TRACKED):
        memory.tracked[place] = NOT_TRACKED
        memory.tracked_copies[place] = 0
    for at in range(count):
        card = memory.unseen_list[at]
        if not is_useless(sight, card):
            place = 0
            while place < found and memory.tracked[place] != card:
                place += 1
            if place < TRACKED:
                memory.tracked[place] = card
                memory.tracked_copies[place] += 1
                found = max(found, place + 1)


def move_of(memory: HatMemory, decision: int) -> int:
    """The move that a decision stands for; `NO_MOVE` for playing a card that may be of several colours."""
    if decision < 0:
        return CLUE_MOVE if decision == CLUE else DISCARD_MOVE
    options = memory.own_hand[decision]
    return NO_MOVE if is_open(options) else cards.index_of(options) // layout.values


def decision_for(memory: HatMemory, sight: Row, me: int, move: int) -> int:
    """The decision that a move stands for; `NO_DECISION` to play a card that the player does not know it holds."""
    if move >= CLUE_MOVE:
        return CLUE if move == CLUE_MOVE else DISCARD
    card = next_card(sight, move)
    if card != NO_CARD:
        for slot in range(hand_count(sight, me)):
            if memory.own_hand[slot] == 1 << card:
                return slot
    return NO_DECISION


def best_move(memory: HatMemory, sight: Row, me: int, position: int, first: int, goal: int) -> int:
    """The move with the best chance to reach the goal, the first one on a tie; writes down the chances."""
    memory.cache_size = 0
    memory.budget = weights.budget
    memory.move_values[first] = move_value(memory, position, first, goal)
    best = first
    for move in range(DISCARD_MOVE + 1):
        if memory.move_values[best] == SURE:
            break
        if move != first and decision_for(memory, sight, me, move) != NO_DECISION:
            memory.move_values[move] = move_value(memory, position, move, goal)
            if memory.move_values[move] > memory.move_values[best]:
                best = move
    return best


def solve_endgame(memory: HatMemory, sight: Row, me: int, decision: int, playable: int) -> int:
    """The given decision, or a better one: the move with the best chance to make the most points."""
    first = move_of(memory, decision)
    if first == NO_MOVE:
        return decision
    position, goal = lay_out(memory, sight, playable), 0
    for colour in range(layout.colours):
        goal += reach(sight, colour)
    for missing in range(GOALS):
        best = best_move(memory, sight, me, position, first, goal - missing)
        if memory.budget < 0 or (best == first and memory.move_values[best] > 0):
            return decision
        if memory.move_values[best] > 0:
            return decision_for(memory, sight, me, best)
    return decision
