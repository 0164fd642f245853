"""Situations for the convention bot, and what it makes of them."""

from __future__ import annotations

from typing import NamedTuple

from tamaya import Game
from tamaya.bots.convention import CONVENTION
from tamaya.bots.convention.memory import ConventionMemory
from tamaya.bots.convention.reasons import Facts, explain_convention, facts_of
from tamaya.bots.memory import plan
from tamaya.bots.policy import interpreted_policy
from tamaya.bots.sights import Sights
from tamaya.engine.layout import layout_of
from tamaya.rules import Action, Message, action_of
from tests.bots.convention.turns import LUCK


class Thought(NamedTuple):
    """What the bot at the seat to move does, and why."""

    action: Action
    facts: Facts
    words: Message


def asked(game: Game) -> Thought:
    """The bot takes the seat to move, having seen everything that seat saw."""
    memory, seat, number = _thinking(game)
    facts, words = facts_of(game.rules, memory), explain_convention(game.rules, memory)
    assert facts is not None
    assert words is not None
    return Thought(action_of(number, game.rules, seat), facts, words)


def taken_for(game: Game, slot: int) -> str:
    """What the player to move takes a card of its own for, written ``"R1 R2"``."""
    rules, (memory, seat, _) = game.rules, _thinking(game)
    options = memory[plan(ConventionMemory, layout_of(rules)).belief + seat * rules.hand_size + slot - 1]
    return " ".join(str(card) for number, card in enumerate(rules.cards) if (options >> number) & 1)


def _thinking(game: Game) -> tuple[list[int], int, int]:
    """The memory of a bot at the seat to move that has just chosen, its seat and its choice."""
    assert game.to_move is not None
    policy, view = interpreted_policy(CONVENTION, game.rules), game.view(game.to_move)
    sights, memory = Sights(view), [0] * policy.words
    policy.begin(memory, sights.now)
    for before, after in sights.follow(view):
        policy.notice(memory, sights.seat, before, after)
    return memory, sights.seat, policy.choose(memory, sights.now, bytearray(sights.layout.actions), LUCK)
