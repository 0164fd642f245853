"""Bots that taught themselves: small networks that learned from games with themselves what to do (`docs/learned.md`).

Nobody told them what a clue means. A network is a file of whole numbers, which training wrote (`training/`), and plays by the
rules that it was trained for. The one that the package brings is for two players.
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
    """A policy that plays with the network of a file that ``./dev train export`` has written.

    It plays by the rules that the network was trained for. A relative path counts from the current folder. The file is read at
    once, so that a wrong one is refused before any game begins.
    """
    weights = weights_in(Path(path))
    rules = rules_of(weights, str(path))
    return policy_with(Network(rules, hashlib.sha256(write_weights(weights)).hexdigest(), weights))


def start(memory: LearnedMemory, sight: Row) -> None:
    """Prepare for a game: nothing has happened that it knows of."""
    forget(memory)


def choose(memory: LearnedMemory, sight: Row, mask: Row, random_bits: int) -> int:
    """Return the legal action that is worth most to the network."""
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
    """Say that it cannot say why."""
    return say("I have learned that this goes well; I have no words for it.")


def policy_with(network: Network) -> Policy[LearnedMemory]:
    """The policy that plays with a network. What it remembers are actions, which all players see."""
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
"""With the network that the package brings, which is read when a game with it first begins."""
