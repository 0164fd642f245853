"""Situations for the convention bot, and what it makes of them."""

from __future__ import annotations

from typing import NamedTuple

from tamaya.bots.convention.explaining import Facts, facts_of
from tamaya.bots.policies import POLICIES

from tamaya import Game
from tamaya.bots.convention import explain_convention
from tamaya.bots.convention.memory import Memory, plan_memory
from tamaya.bots.convention.weights import Worth
from tamaya.bots.sights import Sights
from tamaya.engine.kernel import interpreted, interpreted_kernel
from tamaya.engine.layout import layout_of
from tamaya.rules import Action, Message, Rules, action_of


class Thought(NamedTuple):
    """What the bot at the seat to move does, and why."""

    action: Action
    facts: Facts
    words: Message


def asked(game: Game) -> Thought:
    """The bot takes the seat to move, having seen everything that seat saw."""
    memory, sights = _remembered(game)
    choose = POLICIES["convention"](interpreted_kernel(game.rules), interpreted, tuple).choose
    action = action_of(choose(memory, sights.now), game.rules, sights.seat)
    facts, words = facts_of(game.rules, memory), explain_convention(game.rules, memory)
    assert facts is not None
    assert words is not None
    return Thought(action, facts, words)


def taken_for(game: Game, slot: int) -> str:
    """What the player to move takes a card of its own for, written ``"R1 R2"``."""
    rules, (memory, sights) = game.rules, _remembered(game)
    POLICIES["convention"](interpreted_kernel(rules), interpreted, tuple).choose(memory, sights.now)
    options = memory[places(rules).view + sights.seat * rules.hand_size + slot - 1]
    return " ".join(str(card) for number, card in enumerate(rules.cards) if (options >> number) & 1)


def places(rules: Rules) -> Memory:
    """Where the bot's memory holds what."""
    return plan_memory(layout_of(rules), len(Worth))


def _remembered(game: Game) -> tuple[list[int], Sights]:
    """The memory of a bot at the seat to move, and what that seat sees."""
    assert game.to_move is not None
    policy = POLICIES["convention"](interpreted_kernel(game.rules), interpreted, tuple)
    memory, view = [0] * policy.words, game.view(game.to_move)
    sights = Sights(view)
    policy.begin(memory)
    for before, after in sights.follow(view):
        policy.notice(memory, sights.seat, before, after)
    return memory, sights
