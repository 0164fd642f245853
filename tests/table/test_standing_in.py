"""Which bot may play for whom: a teammate who is away gets the usual one, and oneself may choose."""

from __future__ import annotations

import pytest

from tamaya import TamayaError
from tamaya.bots import BOTS, DEFAULT_BOT, offered_bots
from tamaya.table import Decision, Table, commands
from tamaya.table.events import BotSat, TakenOver
from tests.table.fakes import ANN, a_table, plain_settings, started

KEPT_BACK = sorted(set(BOTS) - set(offered_bots()))


def refusal(table: Table, decide: Decision) -> str:
    """The code with which a table refuses."""
    with pytest.raises(TamayaError) as problem:
        decide(table)
    return problem.value.code


def test_random_is_offered_and_there_are_bots_that_are_not() -> None:
    assert "random" in offered_bots()
    assert {"cheat", "faultless"} <= set(KEPT_BACK)


@pytest.mark.parametrize("bot", sorted({*offered_bots()} - {DEFAULT_BOT, "learned"}))
def test_a_teammate_puts_no_bot_of_their_choice_on_the_seat_of_somebody_away(bot: str) -> None:
    assert refusal(started(), lambda now: commands.take_over(now, ANN, 1, bot, away=True)) == "not_your_bot"
    assert refusal(started(), lambda now: commands.take_over(now, ANN, 1, bot, away=False)) == "not_away"
    assert commands.take_over(started(), ANN, 0, bot, away=False) == [TakenOver(0, bot)], "for oneself, any"
    assert commands.seat_bot(a_table(), ANN, 1, bot) == [BotSat(1, bot, "Kiku")], "before the game, everybody sees it"


def test_a_bot_that_does_not_know_the_rules_of_a_table_gets_no_seat_there() -> None:
    assert len(started().seats) == 3
    assert refusal(started(), lambda now: commands.take_over(now, ANN, 0, "learned", away=False)) == "unknown_rules"
    assert refusal(a_table(), lambda now: commands.seat_bot(now, ANN, 1, "learned")) == "unknown_rules"
    for_two = a_table(settings=plain_settings(players=2))
    assert commands.seat_bot(for_two, ANN, 1, "learned") == [BotSat(1, "learned", "Kiku")]


def test_the_usual_bot_plays_for_somebody_away() -> None:
    assert commands.take_over(started(), ANN, 1, DEFAULT_BOT, away=True) == [TakenOver(1, DEFAULT_BOT)]


@pytest.mark.parametrize("bot", KEPT_BACK)
def test_a_bot_that_is_not_offered_gets_no_seat_at_all(bot: str) -> None:
    assert refusal(started(), lambda now: commands.take_over(now, ANN, 1, bot, away=True)) == "unknown_bot"
    assert refusal(started(), lambda now: commands.take_over(now, ANN, 0, bot, away=False)) == "unknown_bot"
    assert refusal(a_table(), lambda now: commands.seat_bot(now, ANN, 1, bot)) == "unknown_bot"
