"""A turn: the legal actions, and what a clue (limited by the clue tokens), a play or a discard changes."""

from __future__ import annotations

from tamaya.engine.instances import Options, Row
from tamaya.engine.kernel import ending
from tamaya.engine.kernel.clues import named_by, names_colour, naming_colours, target_of, touched_colours
from tamaya.engine.kernel.hands import card_at, draw, hand_count, take, tell
from tamaya.engine.layout import (
    CLUES,
    ENDED,
    LAST_ACTION,
    LAST_CARD,
    LAST_GAINED,
    LAST_NUMBER,
    LAST_PLACED,
    LAST_TOUCHED,
    LAST_TURNS,
    MISTAKES,
    POSSIBLE_COLOURS,
    POSSIBLE_VALUES,
    RUNNING,
    SEAT,
    TURN,
    heights,
    layout,
)

OPTIONS = Options("inline")
SILENT = -1
"""In place of an announced colour: the play was not announced."""


def may_discard(state: Row) -> bool:
    """Whether cards may be discarded: not while all clue tokens are available."""
    return state[CLUES] < layout.clue_tokens


def legal_cards(state: Row, mask: Row) -> None:
    """Allow playing any card of the hand, and discarding it unless all clue tokens are available."""
    for slot in range(hand_count(state, state[SEAT])):
        mask[layout.discard_action + slot] = may_discard(state)
        mask[layout.play_action + slot] = 1
        if layout.announced_plays:
            for colour in range(layout.colours):
                mask[layout.announce_action + slot * layout.colours + colour] = 1


def legal_clues(state: Row, mask: Row, distance: int) -> None:
    """Allow clues to one teammate: the colours and values in the hand, or all where empty clues are allowed."""
    seat = (state[SEAT] + 1 + distance) % layout.players
    colours, values = 0, 0
    if layout.empty_clues:
        colours, values = layout.every_named_colour, layout.every_value
    else:
        for slot in range(hand_count(state, seat)):
            card = card_at(state, seat, slot)
            colours |= naming_colours(card // layout.values)
            values |= 1 << (card % layout.values)
    for colour in range(layout.named_colours):
        mask[layout.colour_action + distance * layout.named_colours + colour] = (colours >> colour) & 1
    for value in range(layout.values):
        mask[layout.value_action + distance * layout.values + value] = (values >> value) & 1


def legal(state: Row, mask: Row) -> None:
    """Write 1 for each legal action and 0 for all others into `mask`."""
    for action in range(layout.actions):
        mask[action] = 0
    if state[ENDED] == RUNNING:
        legal_cards(state, mask)
        if state[CLUES] > 0:
            for distance in range(layout.players - 1):
                legal_clues(state, mask, distance)


def regain(state: Row) -> None:
    """Regain one clue token, unless all are available."""
    if state[CLUES] < layout.clue_tokens:
        state[CLUES] += 1
        state[LAST_GAINED] += 1


def show(state: Row, seat: int, slot: int) -> int:
    """Take the card in a slot out of the hand and show it to all."""
    number = take(state, seat, slot)
    card = state[layout.deck + number]
    state[LAST_NUMBER] = number
    state[LAST_CARD] = card
    return card


def discard(state: Row, seat: int, slot: int) -> None:
    """Discard a card and regain a clue token."""
    card = show(state, seat, slot)
    state[layout.discards + card] += 1
    regain(state)
    ending.finish_card(state, card, True)


def play(state: Row, seat: int, slot: int, announced: int) -> None:
    """Place a card that continues its firework, in the colour announced if any; any other card is a mistake."""
    card = show(state, seat, slot)
    colour = card // layout.values
    placed = state[layout.fireworks + colour] == heights[card] and (announced == SILENT or announced == colour)
    if placed:
        state[layout.fireworks + colour] += 1
        state[LAST_PLACED] = 1
        if heights[card] == layout.values - 1:
            regain(state)
        if announced != SILENT:
            regain(state)
    else:
        state[layout.discards + card] += 1
        state[MISTAKES] += 1
    ending.finish_card(state, card, not placed)


def clue(state: Row, seat: int, action: int) -> None:
    """Spend one clue token to tell a teammate one colour or one value."""
    state[CLUES] -= 1
    target, named = target_of(seat, action), named_by(action)
    if names_colour(action):
        state[LAST_TOUCHED] = tell(state, target, POSSIBLE_COLOURS, named, touched_colours(named))
    else:
        state[LAST_TOUCHED] = tell(state, target, POSSIBLE_VALUES, named, 1 << named)


def apply(state: Row, action: int) -> None:
    """Take a turn with an action, which must be legal: act, draw, pass the turn."""
    seat, last_turns = state[SEAT] + 0, state[LAST_TURNS] + 0
    state[TURN] += 1
    for at in range(LAST_ACTION, LAST_GAINED + 1):
        state[at] = 0
    state[LAST_ACTION] = action
    if action < layout.play_action:
        discard(state, seat, action)
    elif action < layout.colour_action:
        play(state, seat, action - layout.play_action, SILENT)
    elif action < layout.announce_action:
        clue(state, seat, action)
    else:
        announced = action - layout.announce_action
        play(state, seat, announced // layout.colours, announced % layout.colours)
    if state[ENDED] == RUNNING and (action < layout.colour_action or action >= layout.announce_action):
        draw(state, seat)
    ending.finish_turn(state, last_turns)
