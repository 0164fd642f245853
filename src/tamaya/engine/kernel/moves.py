"""The three actions, and what they do to the game."""

from __future__ import annotations

from collections.abc import Callable

from tamaya.engine.kernel.dialect import Jit, Row
from tamaya.engine.kernel.ending import EndOfGame
from tamaya.engine.kernel.hands import Hands
from tamaya.engine.layout import (
    CLUES,
    ENDED,
    HEIGHT,
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
    Layout,
)

SILENT = -1


def build_apply(layout: Layout, jit: Jit, hands: Hands, ending: EndOfGame) -> Callable[[Row, int], None]:
    """The function that takes one whole turn: the action, the draw, the end of the turn."""
    multicolour_bit = 1 << layout.multicolour if layout.multicolour >= 0 else 0

    @jit
    def regain(state: Row) -> None:
        """One clue token comes back, unless all are there."""
        if state[CLUES] < layout.clue_tokens:
            state[CLUES] += 1
            state[LAST_GAINED] += 1

    @jit
    def take_up(state: Row, seat: int, slot: int) -> int:
        """The card in that slot leaves the hand and is seen by all."""
        number = hands.take(state, seat, slot)
        card = state[layout.deck + number]
        state[LAST_NUMBER] = number
        state[LAST_CARD] = card
        return card

    @jit
    def discard(state: Row, seat: int, slot: int) -> None:
        """A card for a clue token."""
        card = take_up(state, seat, slot)
        state[layout.discards + card] += 1
        regain(state)
        ending.finish_card(state, card, True)

    @jit
    def play(state: Row, seat: int, slot: int, announced: int) -> None:
        """A card that continues its firework, in the colour announced if one was, is placed; any other is a mistake."""
        card = take_up(state, seat, slot)
        colour, value = card // HEIGHT, card % HEIGHT
        placed = state[layout.fireworks + colour] == value and (announced == SILENT or announced == colour)
        if placed:
            state[layout.fireworks + colour] += 1
            state[LAST_PLACED] = 1
            if value == HEIGHT - 1:
                regain(state)
            if announced != SILENT:
                regain(state)
        else:
            state[layout.discards + card] += 1
            state[MISTAKES] += 1
        ending.finish_card(state, card, not placed)

    @jit
    def clue(state: Row, seat: int, action: int) -> None:
        """One clue token for one colour or one value; a multicolour that no clue can name matches every colour."""
        state[CLUES] -= 1
        if action < layout.value_action:
            place = action - layout.colour_action
            target, named = (seat + 1 + place // layout.named_colours) % layout.players, place % layout.named_colours
            state[LAST_TOUCHED] = hands.tell(state, target, POSSIBLE_COLOURS, named, 1 << named | multicolour_bit)
        else:
            place = action - layout.value_action
            target, named = (seat + 1 + place // HEIGHT) % layout.players, place % HEIGHT
            state[LAST_TOUCHED] = hands.tell(state, target, POSSIBLE_VALUES, named, 1 << named)

    @jit
    def apply(state: Row, action: int) -> None:
        """Take a turn with an action, which must be legal."""
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
            hands.draw(state, seat)
        ending.finish_turn(state, last_turns)

    return apply
