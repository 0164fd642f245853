"""Fireworks and endings: playable, useless and last cards, reachable points, when a game is over, and its score."""

from __future__ import annotations

from tamaya.engine.instances import Options, Row
from tamaya.engine.kernel.hands import hand_count
from tamaya.engine.layout import (
    CLUES,
    DRAWN,
    ENDED,
    LAST_TURNS,
    MISTAKES,
    NO_CARD,
    RUNNING,
    SEAT,
    copies,
    heights,
    layout,
    order,
)
from tamaya.rules import Ending

OPTIONS = Options("inline")
WON, POINTS, LOST_BY_MISTAKES = int(Ending.WON), int(Ending.POINTS), int(Ending.MISTAKES)
MISSING_CARD, DEADLOCK = int(Ending.MISSING_CARD), int(Ending.DEADLOCK)
LOST = LOST_BY_MISTAKES
"""The first of the endings by which a game is lost; all later ones are losses too."""


def points(state: Row) -> int:
    """The number of cards in the fireworks."""
    total = 0
    for colour in range(layout.colours):
        total += state[layout.fireworks + colour]
    return total


def score(state: Row) -> int:
    """The current score: the points, or 0 where the rules void them at the end."""
    ended = state[ENDED]
    if (layout.all_or_nothing and ended > WON) or (ended >= LOST and not layout.keeps_points):
        return 0
    return points(state)


def next_card(state: Row, colour: int) -> int:
    """The card that continues a firework, or `NO_CARD` if it is complete."""
    height = state[layout.fireworks + colour] + 0
    return order[colour * layout.values + height] + 0 if height < layout.values else NO_CARD


def card_after(card: int) -> int:
    """The card that continues a firework after this one, or `NO_CARD` if this one completes it."""
    height = heights[card] + 1
    return order[card // layout.values * layout.values + height] + 0 if height < layout.values else NO_CARD


def is_playable(state: Row, card: int) -> bool:
    """Whether a card continues its firework now."""
    return state[layout.fireworks + card // layout.values] == heights[card]


def reach(state: Row, colour: int) -> int:
    """How high a firework can still get: up to the first card whose copies are all discarded."""
    height = state[layout.fireworks + colour] + 0
    while height < layout.values:
        card = order[colour * layout.values + height]
        if state[layout.discards + card] >= copies[card]:
            break
        height += 1
    return height


def is_useless(state: Row, card: int) -> bool:
    """Whether a card can never be placed any more."""
    colour, height = card // layout.values, heights[card]
    return height < state[layout.fireworks + colour] or height >= reach(state, colour)


def is_last_copy(state: Row, card: int) -> bool:
    """Whether all other copies of a card are discarded, and it can still be placed."""
    return state[layout.discards + card] == copies[card] - 1 and not is_useless(state, card)


def maximum(state: Row) -> int:
    """The points that can still be reached, judging by the cards on the table."""
    made = points(state)
    if state[ENDED] != RUNNING:
        return made
    total = 0
    for colour in range(layout.colours):
        total += reach(state, colour)
    if state[LAST_TURNS] > 0:
        total = min(total, made + state[LAST_TURNS])
    return total


def spare_turns(state: Row, goal: int) -> int:
    """The pace: how many turns before the deck is empty need no play if `goal` points are to be reached."""
    return points(state) + layout.deck_size - state[DRAWN] + layout.players - goal


def finish_card(state: Row, card: int, thrown_away: bool) -> None:
    """Set the ending that a played or discarded card causes at once; the last mistake takes precedence."""
    if state[MISTAKES] == layout.mistakes:
        state[ENDED] = LOST_BY_MISTAKES
    elif points(state) == layout.maximum:
        state[ENDED] = WON
    elif layout.all_or_nothing and thrown_away and reach(state, card // layout.values) < layout.values:
        state[ENDED] = MISSING_CARD


def finish_turn(state: Row, last_turns: int) -> None:
    """Pass the turn clockwise, unless it was the very last one; `last_turns` were left when it began."""
    state[SEAT] = (state[SEAT] + 1) % layout.players
    if state[ENDED] != RUNNING:
        return
    if last_turns > 0:
        state[LAST_TURNS] = last_turns - 1
        if last_turns == 1:
            state[ENDED] = POINTS
    elif layout.all_or_nothing and state[CLUES] == 0 and hand_count(state, state[SEAT]) == 0:
        state[ENDED] = DEADLOCK
