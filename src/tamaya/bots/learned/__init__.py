"""Bots that taught themselves: small networks that learned from games with themselves what to do (`docs/learned.md`).

Nobody told them what a clue means. A network is a file of whole numbers, which training wrote (`training/`), and plays by the
rules that it was trained for. The one of the house is for two players.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

from tamaya.bots.cards import build_cards
from tamaya.bots.learned.features import build_features
from tamaya.bots.learned.memory import LearnedMemory
from tamaya.bots.learned.network import build_network
from tamaya.bots.learned.weights import (
    HASH,
    TRAINED_FOR,
    LearnedWeights,
    learned_weights,
    rules_of,
    shape_of,
    weights_in,
    write_weights,
)
from tamaya.bots.memory import plan
from tamaya.bots.policy import Blueprint, PolicyFunctions
from tamaya.engine.kernel import Constants, Jit, Kernel, Row
from tamaya.engine.layout import Layout, layout_of
from tamaya.rules import Message, Rules, say

__all__ = ["LEARNED", "learned_from"]


def learned_from(path: str | Path) -> Blueprint:
    """A policy that plays with the network of a file that ``./dev train export`` has written, by the rules that it was trained
    for; a relative path counts from the current folder. The file is read here and now, so that whoever names a wrong one hears
    of it before any game begins."""
    weights = weights_in(Path(path))
    rules = rules_of(weights, str(path))
    return _blueprint(lambda: weights, rules, hashlib.sha256(write_weights(weights)).hexdigest())


def build_with_weights(kernel: Kernel, jit: Jit, constants: Constants, weights: LearnedWeights) -> PolicyFunctions:
    """The policy with some network."""
    layout, cards, shape = kernel.layout, build_cards(kernel, jit, constants), shape_of(weights, kernel.layout)
    notes = plan(LearnedMemory, shape)
    features = build_features(kernel, jit, constants, notes, cards, shape)
    judge = build_network(jit, notes, weights)
    kept = notes.scratch

    @jit
    def begin(memory: Row, sight: Row) -> None:
        """Nothing has happened that it knows of."""
        for at in range(kept):
            memory[at] = 0

    @jit
    def choose(memory: Row, sight: Row, mask: Row, luck: int) -> int:
        """The legal action that is worth most."""
        features.look(memory, sight)
        judge(memory)
        best = -1
        for action in range(layout.actions):
            if mask[action] and (best < 0 or memory[notes.worth + action] > memory[notes.worth + best]):
                best = action
        return best

    @jit
    def notice(memory: Row, seat: int, before: Row, after: Row) -> None:
        """Remember what had happened before this action."""
        features.remember(memory, before)

    return PolicyFunctions(kept, notes.words, begin, choose, notice)


def explain_learned(rules: Rules, memory: Sequence[int]) -> Message | None:
    """It cannot say why."""
    return say("I have learned that this goes well; I have no words for it.")


def _look(layout: Layout) -> tuple[object, ...]:
    """What makes a difference to what a network sees and can do: not what an empty clue, or the last mistake, leads to."""
    cards = layout.players, layout.hand_size, layout.copies, layout.colours, layout.named_colours, layout.multicolour
    return (*cards, layout.clue_tokens, layout.mistakes, layout.actions)


def _blueprint(weights: Callable[[], LearnedWeights], rules: Rules, digest: str) -> Blueprint:
    """What it remembers are actions, which everybody sees."""
    known = _look(layout_of(rules))

    def build(kernel: Kernel, jit: Jit, constants: Constants) -> PolicyFunctions:
        """Plays with a network that was trained for games that look like these."""
        return build_with_weights(kernel, jit, constants, weights())

    def knows(layout: Layout) -> bool:
        """Whether a game looks like those it has learned from."""
        return _look(layout) == known

    return Blueprint(build, public=True, explain=explain_learned, knows=knows, plays_with=digest)


LEARNED = _blueprint(learned_weights, TRAINED_FOR, HASH)
"""With the network of the house, which is read when somebody first plays with it."""
