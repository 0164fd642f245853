"""The three actions, and what they do to the game."""

from __future__ import annotations

from typing import Any

from tamaya.engine.kernel.parts import Jit, Parts
from tamaya.engine.layout import (
    CLUES,
    COLOURS,
    ENDED,
    LAST_ACTION,
    LAST_CARD,
    LAST_GAINED,
    LAST_NUMBER,
    LAST_PLACED,
    LAST_TOUCHED,
    LAST_TURNS,
    MISTAKES,
    RUNNING,
    SEAT,
    TURN,
    VALUES,
    Layout,
)

SILENT = -1


def build_cards(rules: Layout, jit: Jit, hands: Parts, ending: Parts) -> Parts:
    """Playing and discarding."""
    clue_tokens, deck, fireworks, discards = rules.clue_tokens, rules.deck, rules.fireworks, rules.discards
    take, finish_card = hands.take, ending.finish_card

    @jit
    def regain(state: Any) -> None:
        """One clue token comes back, unless all are there."""
        if state[CLUES] < clue_tokens:
            state[CLUES] += 1
            state[LAST_GAINED] += 1

    @jit
    def take_up(state: Any, seat: int, slot: int) -> int:
        """The card in that slot leaves the hand and is seen by all."""
        number = take(state, seat, slot)
        card: int = state[deck + number]
        state[LAST_NUMBER] = number
        state[LAST_CARD] = card
        return card

    @jit
    def discard(state: Any, seat: int, slot: int) -> None:
        """A card for a clue token."""
        card = take_up(state, seat, slot)
        state[discards + card] += 1
        regain(state)
        finish_card(state, card, True)

    @jit
    def play(state: Any, seat: int, slot: int, announced: int) -> None:
        """A card that continues its firework, in the colour announced if one was, is placed; any other is a mistake."""
        card = take_up(state, seat, slot)
        colour, value = card // 5, card % 5
        placed = state[fireworks + colour] == value and (announced == SILENT or announced == colour)
        if placed:
            state[fireworks + colour] += 1
            state[LAST_PLACED] = 1
            if value == 4:
                regain(state)
            if announced != SILENT:
                regain(state)
        else:
            state[discards + card] += 1
            state[MISTAKES] += 1
        finish_card(state, card, not placed)

    return Parts(discard=discard, play=play)


def build_apply(rules: Layout, jit: Jit, hands: Parts, ending: Parts, cards: Parts) -> Parts:
    """One whole turn: the action, the draw, the end of the turn."""
    players, colours, named_colours = rules.players, rules.colours, rules.named_colours
    multicolour_bit = 1 << rules.multicolour if rules.multicolour >= 0 else 0
    play_action, colour_action, value_action = rules.play_action, rules.colour_action, rules.value_action
    announce_action = rules.announce_action
    draw, tell, finish_turn, play, discard = hands.draw, hands.tell, ending.finish_turn, cards.play, cards.discard

    @jit
    def clue(state: Any, seat: int, action: int) -> None:
        """One clue token for one colour or one value; a multicolour that no clue can name matches every colour."""
        state[CLUES] -= 1
        if action < value_action:
            distance, named = (action - colour_action) // named_colours, (action - colour_action) % named_colours
            target = (seat + 1 + distance) % players
            state[LAST_TOUCHED] = tell(state, target, COLOURS, named, 1 << named | multicolour_bit)
        else:
            distance, named = (action - value_action) // 5, (action - value_action) % 5
            target = (seat + 1 + distance) % players
            state[LAST_TOUCHED] = tell(state, target, VALUES, named, 1 << named)

    @jit
    def apply(state: Any, action: int) -> None:
        """Take a turn with an action, which must be legal."""
        seat, last_turns = state[SEAT] + 0, state[LAST_TURNS] + 0  # plain numbers: a compiled byte would wrap
        state[TURN] += 1
        for at in range(LAST_ACTION, LAST_GAINED + 1):
            state[at] = 0
        state[LAST_ACTION] = action
        if action < play_action:
            discard(state, seat, action)
        elif action < colour_action:
            play(state, seat, action - play_action, SILENT)
        elif action < announce_action:
            clue(state, seat, action)
        else:
            play(state, seat, (action - announce_action) // colours, (action - announce_action) % colours)
        if state[ENDED] == RUNNING and (action < colour_action or action >= announce_action):
            draw(state, seat)
        finish_turn(state, last_turns)

    return Parts(apply=apply)
