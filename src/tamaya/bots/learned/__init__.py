"""Bots that taught themselves: small networks trained by self-play (`docs/learned.md`).

The meaning of clues is learned, not programmed. A network is a file of integer weights, written by training (`training/`), and
plays by the rules that it was trained for. The bundled one is for two players.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from tamaya.bots.learned.features import LearnedMemory, forget, list_cells, remember
from tamaya.bots.learned.network import judge
from tamaya.bots.learned.weights import HASH, TRAINED_FOR, Network, rules_of, weights_in, write_weights
from tamaya.bots.policy import Policy
from tamaya.engine.instances import Options, Row
from tamaya.engine.layout import layout
from tamaya.rules import Message, Rules, say

__all__ = ["LEARNED", "learned_from"]

OPTIONS = Options()


def learned_from(path: str | Path) -> Policy[LearnedMemory]:
    """A policy with the network of a file written by ``./dev train export``.

    It plays by the rules that the network was trained for. A relative path is resolved against the current folder. The file is
    read at once, so that a bad one is refused before any game begins.
    """
    weights = weights_in(Path(path))
    rules = rules_of(weights, str(path))
    return policy_with(Network(rules, hashlib.sha256(write_weights(weights)).hexdigest(), weights))


def start(memory: LearnedMemory, sight: Row) -> None:
    """Prepare for a game, with no past actions."""
    forget(memory)


def choose(memory: LearnedMemory, sight: Row, mask: Row, random_bits: int) -> int:
    """The legal action that is worth most to the network."""
    list_cells(memory, sight)
    judge(memory)
    best = -1
    for action in range(layout.actions):
        if mask[action] and (best < 0 or memory.worth[action] > memory.worth[best]):
            best = action
    return best


def update(memory: LearnedMemory, seat: int, before: Row, after: Row) -> None:
    """Remember the action before this one."""
    remember(memory, before)


def explain_learned(rules: Rules, memory: LearnedMemory) -> Message | None:
    """Say that it cannot give a reason."""
    return say("I have learned that this goes well; I have no words for it.")


def policy_with(network: Network) -> Policy[LearnedMemory]:
    """A policy that plays with this network. It remembers actions, which all players see."""
    return Policy(
        choose,
        start,
        update,
        LearnedMemory,
        public_memory=True,
        explain=explain_learned,
        supports=network.supports,
        setting=network.setting,
        plays_with=network.digest,
    )


LEARNED = policy_with(Network(TRAINED_FOR, HASH))
"""The policy with the bundled network, which is read when a game with it first begins."""
