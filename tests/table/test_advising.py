"""Advice: who may ask, that it is known who asked, and that nothing else is kept of it."""

from __future__ import annotations

from functools import partial

import msgspec
import pytest

from tamaya import EDITIONS
from tamaya.bots import DEFAULT_BOT
from tamaya.record import AdvisedTurn, from_text, native
from tamaya.table import AdviceFor, Decision, Phase, Settings, Table, commands
from tamaya.table.events import AdviceTaken, decode, encode
from tamaya.table.lesson import right_actions
from tests.table.fakes import ANN, BOB, CID, EVE, a_table, deal_of, decided, ended, full_table, run, started, tables_over
from tests.table.memory_store import MemoryStore
from tests.table.second_thoughts import ALLOWED, answers, moves, refusal, takes_back

SHARED = msgspec.structs.replace(ALLOWED, advice=AdviceFor.EVERYBODY)
NEVER = msgspec.structs.replace(ALLOWED, advice=AdviceFor.NOBODY)


def asks(person: str, turn: int | None = None, line: int | None = None) -> Decision:
    """Somebody asks for advice, on the table as it is or as they say it was."""
    return lambda now: commands.take_advice(now, person, now.turn if turn is None else turn, now.line if line is None else line)


def test_whoever_plays_with_bots_alone_may_ask_unless_the_table_says_otherwise() -> None:
    assert asks(ANN)(started(ALLOWED, bots=(1, 2))) == [AdviceTaken(0)]
    assert refusal(started(NEVER, bots=(1, 2)), asks(ANN)) == "no_advice"


def test_among_people_nobody_may_ask_unless_the_table_was_opened_so() -> None:
    assert refusal(started(ALLOWED), asks(ANN)) == "no_advice"
    assert asks(ANN)(started(SHARED)) == [AdviceTaken(0)]


def test_a_bot_that_stands_in_does_not_make_a_table_of_people_one_of_bots() -> None:
    table = decided(started(ALLOWED, bots=(2,)), lambda now: commands.take_over(now, ANN, 1, DEFAULT_BOT, away=True))
    assert refusal(table, asks(ANN)) == "no_advice"


def test_asking_again_before_acting_is_the_same_advice() -> None:
    table = decided(started(SHARED), asks(ANN))
    assert asks(ANN)(table) == []
    assert table.advised == (AdvisedTurn(0, 1),)


def test_only_the_player_whose_turn_it_is_may_ask_and_only_on_this_turn() -> None:
    table = decided(started(SHARED), *moves("clue 2 1"))
    assert refusal(table, asks(ANN)) == "not_your_turn"
    assert refusal(table, asks(EVE)) == "no_seat"
    assert refusal(table, asks(BOB, turn=0)) == "turn_over"
    assert refusal(table, asks(BOB, line=1)) == "turn_over"
    resting = decided(table, lambda now: commands.take_over(now, BOB, 1, "simple", away=False))
    assert refusal(resting, asks(BOB)) == "bot_plays"


def test_before_the_deal_and_after_the_end_there_is_nothing_to_ask() -> None:
    assert refusal(a_table(settings=SHARED), asks(ANN)) == "not_started"
    assert refusal(ended(SHARED), asks(ANN)) == "game_over"


def test_the_guided_first_deal_gives_its_own_advice() -> None:
    guided = Settings(str(EDITIONS["standard"].rules(3)), lesson=True)
    table = decided(full_table(guided, bots=(1, 2)), lambda now: commands.start_lesson(now, ANN, partial(deal_of, 1)))
    while table.bot_to_move:
        assert table.to_move is not None
        table = decided(table, *moves(str(right_actions(table.view_of_seat(table.to_move))[0])))
    assert refusal(table, asks(ANN)) == "guided"


def test_what_was_taken_back_does_not_take_back_that_somebody_asked() -> None:
    table = decided(started(SHARED), asks(ANN), *moves("clue 2 1"), asks(BOB), *moves("clue 3 1"), asks(CID))
    table = decided(table, *moves("discard 1"), takes_back(ANN), answers(BOB, True), answers(CID, True))
    assert table.turn == 0
    assert table.advised == (AdvisedTurn(0, 1), AdvisedTurn(1, 1), AdvisedTurn(2, 1))


def test_the_record_says_who_took_advice_and_when() -> None:
    table = decided(started(SHARED), asks(ANN), *moves("clue 2 1"), asks(BOB))
    while table.phase is Phase.PLAYING:
        table = decided(table, *moves("play 1"))
    record = table.record()
    assert record.advised == (AdvisedTurn(0, 1), AdvisedTurn(1, 2))
    assert from_text(native.write(record)).record == record


def test_lists_of_games_know_that_advice_was_taken() -> None:
    async def steps() -> None:
        store = MemoryStore()
        tables = tables_over(store)
        settings = Settings(ALLOWED.rules_text, starter="1")
        seats = [lambda now, seat=seat: commands.seat_bot(now, ANN, seat, "simple") for seat in (1, 2)]
        table = await tables.open(settings, ANN, "Ann", *seats, lambda now: commands.start(now, ANN, 0, tables.chance.deal))
        before = store.listings[table.code].progress
        await tables.change(table.code, asks(ANN))
        after = store.listings[table.code].progress
        assert before is not None
        assert after is not None
        assert (before.advised, after.advised) == (0, 1)
        await tables.close()

    run(steps())


def test_of_advice_the_log_keeps_that_it_was_asked_for_and_nothing_else() -> None:
    line = encode(AdviceTaken(2))
    assert line == '{"event":"advised","seat":2}'
    assert decode(line) == AdviceTaken(2)


@pytest.mark.parametrize("settings", [ALLOWED, SHARED, NEVER])
def test_a_rematch_keeps_what_was_agreed(settings: Settings) -> None:
    table = ended(settings, bots=(1, 2))
    _, events = commands.rematch(table, ANN, "zzzzzzzzzz")
    assert Table("zzzzzzzzzz", events).settings.advice is settings.advice
