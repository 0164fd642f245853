"""The hat bot's reasons are true in the full game, and readable in every language."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest

from tamaya import Clue, Discard, Game, Play, Rules
from tamaya.bots.hat import HAT
from tamaya.bots.hat.memory import HatMemory
from tamaya.bots.hat.turns import HatReason, explain_hat
from tamaya.bots.policy_bot import PolicyBot
from tamaya.i18n import LANGUAGES, catalogue
from tamaya.rules import Action, Card, Message
from tests.bots.hat.support import blank, turns

NOT_NEEDED = (HatReason.USELESS, HatReason.CODE_DISCARD)
RULES = [*(Rules(players=players) for players in (2, 3, 4, 5)), Rules(players=3, all_or_nothing=True, announced_plays=True)]


class Left(NamedTuple):
    """What the bot's memory holds after it has chosen."""

    reason: HatReason
    subject: int
    amount: int
    looked_ahead: bool


def left_in(memory: HatMemory) -> Left:
    return Left(HatReason(memory.reason), memory.subject, memory.amount, bool(memory.looked_ahead))


def choices(table: Rules, seed: int) -> Iterator[tuple[Game, Action, Left, Message]]:
    """Each turn of a game before it is taken: the action, the bot's notes, and its words."""
    game, bots = Game(table, seed=seed), [PolicyBot(HAT) for _ in range(table.players)]
    while game.to_move is not None:
        bot = bots[game.to_move]
        action = bot.act(game.view(game.to_move))
        why = bot.explain()
        assert why is not None
        yield game, action, left_in(HAT.named(table, memoryview(bot._memory))), why
        game.act(action)


def is_needed(game: Game, card: Card) -> bool:
    view = game.view(0)
    return view.fireworks[card.colour] < card.value <= view.reach[card.colour]


def is_held_twice(game: Game, seat: int, slot: int) -> bool:
    """Whether some hand holds another copy of the card."""
    hands = [[seen.card for seen in hand] for hand in game.reveal_hands().hands]
    others = [card for place, hand in enumerate(hands) for at, card in enumerate(hand) if (place, at) != (seat, slot)]
    return hands[seat][slot] in others


@pytest.mark.slow
@pytest.mark.parametrize("table", RULES, ids=str)
def test_its_reasons_are_true(table: Rules) -> None:
    for seed in range(12):
        for game, action, (reason, subject, amount, _), _ in choices(table, seed):
            seat = game.to_move
            assert seat is not None
            if isinstance(action, Clue):
                assert reason in (HatReason.CODE, HatReason.LITERAL)
                assert 0 <= subject < max(amount, 1)
                continue
            assert subject == action.slot
            card = game.reveal_hands().hands[seat][action.slot].card
            assert card is not None
            if reason is HatReason.SURE_PLAY:
                assert isinstance(action, Play)
                assert game.view(0).is_playable(card)
                assert (amount >> table.cards.index(card)) & 1
            elif reason is HatReason.HARMLESS:
                assert game.view(0).is_playable(card) or not is_needed(game, card)
            elif reason in NOT_NEEDED:
                assert isinstance(action, Discard)
                assert not is_needed(game, card) or is_held_twice(game, seat, action.slot)


@pytest.mark.slow
def test_each_reason_occurs() -> None:
    lefts = (left_in(moment.memory) for table in RULES for seed in range(12) for moment in turns(table, seed))
    found = {(left.reason, left.looked_ahead) for left in lefts}
    assert {reason for reason, _ in found} >= set(HatReason) - {HatReason.LITERAL, HatReason.GAMBLE}
    assert {looked for _, looked in found} == {True, False}


@pytest.mark.parametrize("language", LANGUAGES)
def test_reasons_exist_in_every_language(language: str) -> None:
    table = Rules(players=3)
    memory = HAT.named(table, blank(table))
    told = set()
    for reason in HatReason:
        for looked in (0, 1):
            memory.reason, memory.subject, memory.amount, memory.looked_ahead = reason, 2, 1, looked
            why = explain_hat(table, memory)
            assert why is not None
            told.add(catalogue(language)(why))
    assert len(told) == 2 * len(HatReason)
    assert not any("{" in text for text in told)
