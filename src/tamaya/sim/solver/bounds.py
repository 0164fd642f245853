"""Two proofs that a position cannot be won. Both make the game easier for the players, so what is lost there is lost.

**Cards come too late.** Take hands without limit, clue tokens without end and turns in any order. A card can then be played
as soon as it has been drawn and the one below it has been played. Each *card action* (a play, or a card thrown away) draws one
card, so the card that lies q deep can be played by card action q + 2 at the earliest, and one that is held by the first. By
the rules with last turns there are only as many card actions left as the deck has cards, plus one for each player; who draws
the last card has the last of them, so that this card can be played no earlier. Whatever is done, a plan that completes the
fireworks places every missing card at one of these actions, and none before its time: for every x, the cards that cannot be
played before action x have to fit into the actions from x on.

**Hands are too small.** Let everybody play from one hand as large as all hands together, with clue tokens without end and in
any order. Every line of the real game is one of this game too. And this game has hardly any choices:

- A card that fits is played at once. If a plan throws x away now and plays the fitting card later, then playing that card
  now and throwing x away later keeps the hand no fuller at any time, and hinders no other card.
- Otherwise a spare card is thrown away, if there is one: a needed one in its place does all that the spare one did.
- Only when the whole hand is needed and nothing fits, one has to choose what to throw away, among the cards that come again.

So the search forks only there, and remembers where it has been.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from tamaya.engine.kernel import Jit, Row
from tamaya.engine.layout import HEIGHT, Layout
from tamaya.sim.solver.positions import HANDS, NEVER, PLACED, SET_BITS, TURNS_LEFT, deck_row
from tamaya.sim.solver.steps import Choices
from tamaya.sim.solver.workspace import DEEPEST, FRAME, SEEN, SEEN_STAMP, Workspace

WINS, LOSES, OPEN = range(3)
"""What becomes of the common hand: it wins, so the real ones might; it loses, so they do; it has to choose."""


class Bounds(NamedTuple):
    """The two proofs: each function is given a position and how many cards have left the deck, and is True if it is lost."""

    comes_too_late: Callable[[Row, int, Row, Row], bool]
    """With what is known of the deck, and a row to count in."""
    has_too_small_hands: Callable[[Row, int, Workspace, int], bool]
    """With so many forks to be looked at, after which nothing is proved."""


class Remaining(NamedTuple):
    """What is left to play with."""

    card_actions: Callable[[Row, int], int]
    in_hands: Callable[[Row], int]


ForcedPlay: TypeAlias = Callable[[int, int, int, int, Row], tuple[int, int, int, int]]


def build_bounds(layout: Layout, jit: Jit, choices: Choices) -> Bounds:
    """The two proofs."""
    remaining = build_remaining(layout, jit)
    return Bounds(build_lateness(layout, jit, remaining), build_common_hand(layout, jit, choices, remaining))


def build_remaining(layout: Layout, jit: Jit) -> Remaining:
    """What is left to play with."""

    @jit
    def card_actions(position: Row, drawn: int) -> int:
        """How many card actions are left by the rules with last turns."""
        return position[TURNS_LEFT] if drawn == layout.deck_size else layout.deck_size - drawn + layout.players

    @jit
    def in_hands(position: Row) -> int:
        """The needed cards that somebody holds."""
        held = 0
        for seat in range(layout.players):
            held |= position[HANDS + seat]
        return held

    return Remaining(card_actions, in_hands)


def build_lateness(layout: Layout, jit: Jit, remaining: Remaining) -> Callable[[Row, int, Row, Row], bool]:
    """Whether cards come too late."""
    row = deck_row(layout)

    @jit
    def count_by_time(position: Row, drawn: int, left: int, deck: Row, times: Row) -> bool:
        """Count the missing cards by the first card action that can play them; False where one comes too late, or never."""
        placed, held = position[PLACED], remaining.in_hands(position)
        for time in range(left + 1):
            times[time] = 0
        for colour in range(layout.colours):
            time = 0
            for card in range(HEIGHT * colour, HEIGHT * (colour + 1)):
                if placed >> card & 1:
                    continue
                time += 1
                if not held >> card & 1:
                    place = deck[row.next_places + drawn * layout.cards + card]
                    if place == NEVER:
                        return False
                    is_last = place == layout.deck_size - 1 and not layout.all_or_nothing
                    time = max(time, left if is_last else place - drawn + 2)
                if time > left:
                    if not layout.all_or_nothing:
                        return False
                else:
                    times[time] += 1
        return True

    @jit
    def comes_too_late(position: Row, drawn: int, deck: Row, times: Row) -> bool:
        left = remaining.card_actions(position, drawn)
        if not count_by_time(position, drawn, left, deck, times):
            return True
        if layout.all_or_nothing:
            return False
        waiting = 0
        for time in range(left, 0, -1):
            waiting += times[time]
            if waiting > left - time + 1:
                return True
        return False

    return comes_too_late


def build_forced_play(layout: Layout, jit: Jit, choices: Choices) -> ForcedPlay:
    """What the common hand does where nothing is to be chosen."""
    capacity = layout.players * layout.hand_size

    @jit
    def play_on(placed: int, held: int, drawn: int, left: int, deck: Row) -> tuple[int, int, int, int]:
        """Play until it is over, or OPEN at a fork; then the cards placed, held and drawn. `left` card actions remain."""
        while placed != layout.every_card:
            fits = held & choices.playable(placed)
            if not layout.all_or_nothing and layout.cards - choices.count(placed) > left:
                return LOSES, placed, held, drawn
            if fits:
                placed |= fits & -fits
                held &= ~placed
            elif drawn == layout.deck_size:
                return LOSES, placed, held, drawn
            elif choices.count(held) == capacity:
                return OPEN, placed, held, drawn
            if drawn < layout.deck_size:
                held |= 1 << deck[drawn] & ~placed
                drawn += 1
            left -= 1
        return WINS, placed, held, drawn

    return play_on


def build_common_hand(
    layout: Layout, jit: Jit, choices: Choices, remaining: Remaining
) -> Callable[[Row, int, Workspace, int], bool]:
    """Whether hands are too small."""
    row, play_on = deck_row(layout), build_forced_play(layout, jit, choices)

    @jit
    def is_new_fork(placed: int, held: int, drawn: int, workspace: Workspace) -> bool:
        """Whether the search comes to a fork for the first time since this call began; it is remembered if so."""
        seen, stamp = workspace.seen, workspace.figures[SEEN_STAMP]
        key = placed | held << SET_BITS
        slot = (((key & 0xFFFFFFFF) * 0x2C1B3C6D ^ (key >> 32) * 0x297A2D39 ^ drawn * 0x9E3779) >> 7) & (SEEN - 1)
        while seen[2 * slot + 1] >= stamp:
            if seen[2 * slot] == key and seen[2 * slot + 1] == stamp + drawn:
                return False
            slot = (slot + 1) & (SEEN - 1)
        seen[2 * slot], seen[2 * slot + 1] = key, stamp + drawn
        return True

    @jit
    def push(workspace: Workspace, depth: int, placed: int, held: int, drawn: int) -> None:
        """A fork is to be looked at: each card that comes again may be thrown away."""
        stack, at = workspace.stack, depth * FRAME
        stack[at], stack[at + 1], stack[at + 2] = placed, held, drawn
        stack[at + 3] = held & workspace.deck[row.below + drawn]

    @jit
    def has_too_small_hands(position: Row, drawn: int, workspace: Workspace, forks: int) -> bool:
        stack, deck, figures = workspace.stack, workspace.deck, workspace.figures
        left = remaining.card_actions(position, drawn)
        found, placed, held, drawn = play_on(position[PLACED], remaining.in_hands(position), drawn, left, deck)
        figures[DEEPEST] = drawn
        if found != OPEN:
            return found == LOSES
        figures[SEEN_STAMP] += layout.deck_size + 1
        push(workspace, 0, placed, held, drawn)
        depth = 0
        while depth >= 0:
            at = depth * FRAME
            thrown = stack[at + 3]
            if thrown == 0:
                depth -= 1
                continue
            stack[at + 3] = thrown & (thrown - 1)
            placed, drawn = stack[at], stack[at + 2]
            held = stack[at + 1] & ~(thrown & -thrown) | 1 << deck[drawn] & ~placed
            found, placed, held, drawn = play_on(placed, held, drawn + 1, layout.deck_size - drawn - 1 + layout.players, deck)
            figures[DEEPEST] = max(figures[DEEPEST], drawn)
            if found == WINS:
                return False
            if found == OPEN and is_new_fork(placed, held, drawn, workspace):
                forks -= 1
                if forks <= 0:
                    return False
                depth += 1
                push(workspace, depth, placed, held, drawn)
        return True

    return has_too_small_hands
