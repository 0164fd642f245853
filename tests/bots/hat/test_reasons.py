"""What the hat bot gives as its reasons is true in the full game, and can be read in every language."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tamaya import Clue, Discard, Game, Play, Rules
from tamaya.bots.hat.explaining import explain_hat
from tamaya.bots.hat.memory import plan_memory
from tamaya.bots.hat.reasons import AMOUNT, LOOKED, REASON, REASONS, SUBJECT, Reason
from tamaya.bots.seated_policy import PolicyBot
from tamaya.engine.layout import layout
from tamaya.i18n import LANGUAGES, catalogue
from tamaya.rules import Action, Card, Message

NEEDS_NOBODY = (Reason.USELESS, Reason.CODE_DISCARD)
RULES = [*(Rules(players=players) for players in (2, 3, 4, 5)), Rules(players=3, all_or_nothing=True, announced_plays=True)]


def choices(table: Rules, seed: int) -> Iterator[tuple[Game, Action, list[int], Message]]:
    """Each turn of a game before it is taken: the action, what the bot left in its memory, and its words."""
    first = plan_memory(layout(table)).reason
    game, bots = Game(table, seed=seed), [PolicyBot("hat", explain_hat) for _ in range(table.players)]
    while game.to_move is not None:
        bot = bots[game.to_move]
        action = bot.act(game.view(game.to_move))
        why = bot.explain()
        assert why is not None
        yield game, action, bot._memory[first : first + REASONS], why
        game.act(action)


def is_needed(game: Game, card: Card) -> bool:
    view = game.view(0)
    return view.fireworks[card.colour] < card.value <= view.reach[card.colour]


def is_held_twice(game: Game, seat: int, slot: int) -> bool:
    """Whether another card in some hand is the same."""
    hands = [[seen.card for seen in hand] for hand in game.reveal_hands().hands]
    others = [card for place, hand in enumerate(hands) for at, card in enumerate(hand) if (place, at) != (seat, slot)]
    return hands[seat][slot] in others


@pytest.mark.slow
@pytest.mark.parametrize("table", RULES, ids=str)
def test_its_reasons_are_true(table: Rules) -> None:
    for seed in range(12):
        for game, action, words, _ in choices(table, seed):
            reason, seat = Reason(words[REASON]), game.to_move
            assert seat is not None
            if isinstance(action, Clue):
                assert reason in (Reason.CODE, Reason.WORDS)
                assert 0 <= words[SUBJECT] < max(words[AMOUNT], 1)
                continue
            assert words[SUBJECT] == action.slot
            card = game.reveal_hands().hands[seat][action.slot].card
            assert card is not None
            if reason is Reason.SURE_PLAY:
                assert isinstance(action, Play)
                assert game.view(0).is_playable(card)
                assert (words[AMOUNT] >> table.cards.index(card)) & 1
            elif reason is Reason.HARMLESS:
                assert game.view(0).is_playable(card) or not is_needed(game, card)
            elif reason in NEEDS_NOBODY:
                assert isinstance(action, Discard)
                assert not is_needed(game, card) or is_held_twice(game, seat, action.slot)


@pytest.mark.slow
def test_each_reason_is_given_some_time() -> None:
    found = {
        (Reason(words[REASON]), bool(words[LOOKED]))
        for table in RULES
        for seed in range(12)
        for _, _, words, _ in choices(table, seed)
    }
    assert {reason for reason, _ in found} >= set(Reason) - {Reason.WORDS, Reason.TRY}
    assert {looked for _, looked in found} == {True, False}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_can_be_read_in_every_language(language: str) -> None:
    table = Rules(players=3)
    memory = [0] * plan_memory(layout(table)).words
    told = set()
    for reason in Reason:
        for looked in (0, 1):
            memory[plan_memory(layout(table)).reason :] = [int(reason), 2, 1, looked]
            why = explain_hat(table, memory)
            assert why is not None
            told.add(catalogue(language)(why))
    assert len(told) == 2 * len(Reason)
    assert not any("{" in text for text in told)
