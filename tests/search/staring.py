"""A policy that does all its looking at the start: what it does later follows from the hands that it saw then."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from tamaya.bots import Blueprint, PolicyFunctions
from tamaya.bots.cards import build_cards
from tamaya.bots.policy import NOTHING, ONE, plan
from tamaya.engine.kernel import Constants, Jit, Kernel, Row


class StaringMemory(NamedTuple):
    """The cards that it saw, added up."""

    seen: Annotated[int, ONE]
    scratch: Annotated[int, NOTHING]
    words: Annotated[int, NOTHING]


def build_staring(kernel: Kernel, jit: Jit, constants: Constants) -> PolicyFunctions:
    """Takes the legal action that the cards of the start add up to."""
    layout, notes = kernel.layout, plan(StaringMemory, kernel.layout)
    cards = build_cards(kernel, jit, constants)

    @jit
    def begin(memory: Row, sight: Row) -> None:
        memory[notes.seen] = 0
        for seat in range(layout.players):
            for slot in range(kernel.hand_count(sight, seat)):
                face = cards.face_at(sight, seat, slot)
                if face < layout.cards:
                    memory[notes.seen] += face

    @jit
    def choose(memory: Row, sight: Row, mask: Row, luck: int) -> int:
        action = memory[notes.seen] % layout.actions
        while not mask[action]:
            action = (action + 1) % layout.actions
        return action

    @jit
    def notice(memory: Row, seat: int, before: Row, after: Row) -> None:
        """It looks no more."""

    return PolicyFunctions(notes.scratch, notes.words, begin, choose, notice)


STARING = Blueprint(build_staring, shared=False)
