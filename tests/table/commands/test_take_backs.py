"""Take-backs need the consent of all players, and are recorded without rewriting events."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from functools import partial

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamaya import Rules, TamayaError
from tamaya.bots import BotRunner, make_bot, offered_bots
from tamaya.record import MAX_TAKE_BACKS, TakeBack, from_text, native, undone
from tamaya.table import Decision, Phase, Settings, Table, TableService, commands, continue_from
from tamaya.table.events import AnyEvent, TakeBackApproved, TakeBackRequested, TakenBack, decode, encode
from tests.support.fakes import (
    ALLOWED,
    ANN,
    BOB,
    CID,
    EVE,
    HeldExecutor,
    answers,
    bot_moves,
    decided,
    ended,
    evening,
    full_table,
    game_of,
    moves,
    plain_settings,
    refusal,
    run,
    sits,
    standing,
    started,
    starts,
    tables_over,
    takes_back,
    until_people_move,
)
from tests.support.memory_store import MemoryStore

NEVER = msgspec.structs.replace(ALLOWED, take_backs=False)
GUIDED = msgspec.structs.replace(ALLOWED, lesson=True)


def alone(*texts: str) -> Table:
    """Ann with two bots, after these actions."""
    return decided(started(ALLOWED, bots=(1, 2)), *moves(*texts))


def three(*texts: str) -> Table:
    """Ann, Bob and Cid, after these actions."""
    return decided(started(ALLOWED), *moves(*texts))


def test_a_bots_turns_for_a_player_are_not_theirs_after_take_backs_either() -> None:
    def away(table: Table) -> list[AnyEvent]:
        return commands.take_over(table, BOB, 1, "simple", away=False)

    table = decided(started(ALLOWED), *moves("clue 2 1"), away, *moves("discard 1", "clue 2 2"))
    assert [table.acted_here(turn) for turn in (1, 2, 3)] == [True, False, True]
    assert table.bot_turns == {2}
    back = decided(alone("clue 2 1", "discard 1", "clue 2 2"), takes_back(ANN))
    assert back.bot_turns == frozenset()


def test_with_bots_alone_a_take_back_happens_at_once() -> None:
    before = alone("clue 2 1", "discard 1", "clue 2 2")
    table = decided(before, *moves("discard 1", "play 2"), takes_back(ANN))
    assert (table.turn, table.to_move, table.branch, table.question) == (3, 0, 1, None)
    assert game_of(table) == game_of(before)
    assert [str(move) for move in table.undone[0].take_back.moves] == ["discard 1", "play 2"]
    assert (table.undone[0].seat, table.undone[0].turn, table.undone[0].take_back.after) == (0, 3, 3)


def test_messages_and_notes_survive_a_take_back_and_reasons_of_bots_do_not() -> None:
    table = decided(
        alone(),
        *moves("clue 2 1"),
        lambda now: bot_moves(now, "play 1", now.turn),
        lambda now: commands.send_message(now, ANN, "oops"),
        lambda now: commands.note(now, ANN, "a one", card=5),
        lambda now: commands.note(now, ANN, "too early", turn=2),
        takes_back(ANN),
    )
    assert [(spoken.turn, spoken.name) for spoken in table.said] == [(1, "Ann")]
    assert [(note.written, note.text, note.turn) for note in table.notes_for(ANN)] == [(1, "a one", None), (1, "too early", 0)]
    assert not table._reasons
    assert not table.failed_turns


def test_all_other_people_have_to_agree() -> None:
    table = decided(three("clue 2 1"), takes_back(ANN))
    assert (table.turn, table.question and table.question.awaited_from(table.human_seats)) == (1, (1, 2))
    table = decided(table, answers(CID, True))
    assert (table.turn, table.question and table.question.awaited_from(table.human_seats)) == (1, (1,))
    assert answers(BOB, True)(table) == [TakeBackApproved(1), TakenBack(0, 0)]
    table = decided(table, answers(BOB, True))
    assert (table.turn, table.question, len(table.undone)) == (0, None, 1)


def test_one_refusal_closes_the_request_for_good() -> None:
    table = decided(three("clue 2 1"), takes_back(ANN), answers(CID, True), answers(BOB, False))
    assert (table.turn, table.question, table.undone) == (1, None, ())
    assert refusal(table, takes_back(ANN)) == "refused_before"
    assert refusal(table, answers(CID, True)) == "question_closed"
    later = decided(table, *moves("play 1", "play 1", "clue 2 2"), takes_back(ANN))
    assert later.question, "another action is another question"


def test_a_player_may_withdraw_their_request_and_ask_again() -> None:
    table = decided(three("clue 2 1"), takes_back(ANN), answers(ANN, False))
    assert table.question is None
    assert decided(table, takes_back(ANN)).question


def test_an_action_closes_the_request_and_a_rearrangement_does_not() -> None:
    table = decided(three("clue 2 1"), takes_back(ANN))
    arranged = decided(table, lambda now: commands.arrange(now, CID, "14 13 12 11 10"))
    assert arranged.question
    back = decided(arranged, answers(BOB, True), answers(CID, True))
    assert back.hand_numbers(2) == (10, 11, 12, 13, 14), "it came later, so it is taken back, too"
    assert decided(table, *moves("play 1")).question is None


def test_players_for_whom_a_bot_plays_need_not_agree() -> None:
    leave = partial(commands.take_over, person=CID, seat=2, bot="simple", away=False)
    table = decided(three("clue 2 1"), leave, takes_back(ANN))
    assert table.question
    assert table.question.awaited_from(table.human_seats) == (1,)
    assert refusal(table, answers(CID, True)) == "not_asked"
    assert decided(table, answers(BOB, True)).turn == 0
    waiting = decided(three("clue 2 1"), takes_back(ANN), answers(BOB, True))
    assert decided(waiting, leave).turn == 0, "no player is left who has to agree"
    gone = decided(waiting, partial(commands.take_over, person=ANN, seat=0, bot="simple", away=False))
    assert (gone.turn, gone.question) == (1, None), "the player who asked has left"


def test_bots_wait_while_a_request_is_open() -> None:
    table = decided(decided(started(ALLOWED, bots=(1,)), *moves("clue 2 1")), takes_back(ANN))
    assert table.question
    assert table.bot_to_move == ""
    assert bot_moves(table, "play 1", 1) == []
    assert decided(table, answers(CID, False)).bot_to_move == "simple"


@pytest.mark.parametrize(
    ("table", "decide", "code"),
    [
        (full_table(ALLOWED), takes_back(ANN), "not_started"),
        (ended(ALLOWED), lambda now: commands.take_back(now, ANN, 1), "game_over"),
        (three("clue 2 1"), takes_back(EVE), "no_seat"),
        (three("clue 2 1"), takes_back(BOB), "nothing_to_undo"),
        (decided(started(NEVER), *moves("clue 2 1")), takes_back(ANN), "no_take_backs"),
        (decided(started(GUIDED), *moves("clue 2 1")), takes_back(ANN), "no_take_backs"),
        (three("clue 2 1"), lambda now: commands.take_back(now, ANN, 2), "turn_over"),
        (three("clue 2 1"), lambda now: commands.take_back(now, ANN, 1, 1), "turn_over"),
        (decided(three("clue 2 1", "play 1"), takes_back(ANN)), takes_back(BOB), "asked_already"),
        (three("clue 2 1"), answers(BOB, True), "question_closed"),
        (decided(three("clue 2 1"), takes_back(ANN)), answers(ANN, True), "not_asked"),
        (decided(three("clue 2 1"), takes_back(ANN)), answers(EVE, True), "no_seat"),
        (decided(three("clue 2 1"), takes_back(ANN), answers(BOB, True)), answers(BOB, False), "not_asked"),
        (decided(three("clue 2 1"), takes_back(ANN)), lambda now: commands.answer(now, BOB, True, 2), "question_closed"),
    ],
)  # fmt: skip
def test_invalid_requests_are_refused(table: Table, decide: Decision, code: str) -> None:
    assert refusal(table, decide) == code


def test_a_second_click_takes_nothing_more_back() -> None:
    table = alone("clue 2 1", "play 1", "clue 2 3", "clue 2 2", "play 1")
    click = partial(commands.take_back, person=ANN, turn=4, line=0)
    assert refusal(decided(table, click), click) == "turn_over"


def test_take_backs_are_limited() -> None:
    table = alone()
    for _ in range(MAX_TAKE_BACKS):
        table = decided(table, *moves("clue 2 1"), takes_back(ANN))
    assert refusal(decided(table, *moves("clue 2 1")), takes_back(ANN)) == "too_many"


def test_a_continued_game_is_not_taken_back_beyond_its_start() -> None:
    over = ended(ALLOWED, bots=(1, 2))
    table = Table("abcdefghjm", continue_from(over, ANN, "Ann", 1))
    table = decided(table, *moves("clue 1 1", "clue 1 2"))
    assert (table.turn, table.to_move) == (3, 0)
    assert refusal(table, takes_back(ANN)) == "nothing_to_undo"
    assert decided(table, *moves("clue 2 1"), takes_back(ANN)).turn == 3


def test_moves_for_a_position_that_was_taken_back_are_refused() -> None:
    table = decided(three("clue 2 1"), takes_back(ANN), answers(BOB, True), answers(CID, True), *moves("clue 2 2"))
    assert (table.turn, table.branch) == (1, 1)
    assert refusal(table, lambda now: commands.move(now, BOB, "play 1", 1)) == "turn_over"
    assert commands.move(table, BOB, "play 1", 1, line=1)
    other = decided(alone("clue 2 1"), takes_back(ANN), *moves("clue 2 2"))
    assert bot_moves(other, "play 1", 1) == []
    assert bot_moves(other, "play 1", 1, line=1) != []


@pytest.mark.parametrize(
    ("texts", "seen"),
    [(["clue 2 1"], False), (["clue 2 1", "clue 3 1"], False), (["clue 2 1", "play 1"], True), (["play 1"], True)],
)
def test_a_take_back_says_whether_a_card_was_revealed(texts: Sequence[str], seen: bool) -> None:
    table = decided(alone(*texts), takes_back(ANN))
    assert table.undone[0].take_back.seen is seen


def test_an_earlier_take_back_is_shown_no_later_than_the_turn_returned_to() -> None:
    table = alone("clue 2 1", "play 1", "play 1", "clue 2 2")
    table = decided(table, takes_back(ANN), takes_back(ANN))
    assert [(undone.turn, undone.take_back.after) for undone in table.undone] == [(0, 3), (0, 0)]


async def with_bot(tables: TableService, bot: str = "simple") -> Table:
    """Ann and a bot; Ann begins."""
    settings = Settings(str(Rules(players=2, empty_clues=True)), take_backs=True)
    return await tables.create(settings, ANN, "Ann", partial(commands.seat_bot, person=ANN, seat=1, bot=bot), starts())


def test_a_bot_whose_position_is_taken_back_while_it_thinks_does_not_move() -> None:
    async def steps() -> None:
        thinker = HeldExecutor()
        tables = tables_over(MemoryStore(), executor=thinker)
        code = (await with_bot(tables)).code
        await tables.update(code, partial(commands.move, person=ANN, text="clue 2 1", turn=0))
        while not thinker.shown:
            await asyncio.sleep(0)
        await tables.update(code, takes_back(ANN))
        table = await tables.update(code, partial(commands.move, person=ANN, text="clue 2 2", turn=0, line=1))
        assert (table.turn, table.branch) == (1, 1), "the same turn, another position"
        thinker.answer.set()
        table = await until_people_move(tables, table)
        assert table.turn == 2
        assert [len(view.log) for view in thinker.shown] == [1, 1]
        assert thinker.shown[0].log != thinker.shown[1].log, "it chose again in the new position"

    run(steps())


def test_bots_continue_when_the_request_is_closed() -> None:
    async def steps() -> None:
        tables = tables_over(MemoryStore(), executor=(thinker := HeldExecutor()))
        seated: list[Decision] = [sits(BOB, "Bob"), partial(commands.seat_bot, person=ANN, seat=2, bot="simple"), starts(1)]
        table = await tables.create(ALLOWED, ANN, "Ann", *seated)
        await tables.update(table.code, partial(commands.move, person=BOB, text="clue 2 1", turn=0))
        while not thinker.shown:
            await asyncio.sleep(0)
        await tables.update(table.code, takes_back(BOB))
        thinker.answer.set()
        for _ in range(30):
            await asyncio.sleep(0)
        assert (await tables.get(table.code)).turn == 1
        await tables.update(table.code, answers(ANN, False))
        assert (await until_people_move(tables, table)).turn == 2

    run(steps())


@pytest.mark.parametrize("seed", range(2))
def test_of_a_consent_and_a_move_in_two_processes_the_first_written_counts(seed: int) -> None:
    """The last consent and the next move arrive at the same time: the first one written counts in both processes."""

    async def steps() -> None:
        store = MemoryStore()
        one, other = tables_over(store, 1), tables_over(store, 2)
        table = await one.create(ALLOWED, ANN, "Ann", sits(BOB, "Bob"), sits(CID, "Cid"), starts())
        for decide in (*moves("clue 2 1"), takes_back(ANN), answers(CID, True)):
            table = await one.update(table.code, decide)
        await other.get(table.code)
        agree, move = answers(BOB, True), partial(commands.move, person=BOB, text="clue 1 1", turn=1)
        tasks = [one.update(table.code, agree), other.update(table.code, move)]
        results = await asyncio.gather(*(tasks if seed % 2 else tasks[::-1]), return_exceptions=True)
        assert sum(isinstance(result, TamayaError) for result in results) == 1, "the second one is refused"
        sequence = len(store.kept[table.code])
        first, second = await one.refresh(table.code, sequence), await other.refresh(table.code, sequence)
        assert standing(first) == standing(second) == standing(Table(table.code, map(decode, store.kept[table.code])))
        assert (first.turn, first.branch, first.question) in ((0, 1, None), (2, 0, None))

    run(steps())


@pytest.mark.parametrize(
    "bot", [name for name, entry in offered_bots().items() if not entry.base_policy and entry.knows(plain_settings().rules)]
)
def test_after_a_take_back_bots_play_as_if_they_had_not_seen_it(bot: str) -> None:
    choice, company = random.Random(bot), BotRunner(make_bot)
    table = started(plain_settings(take_backs=True), bots=(1, 2), seed=11)
    for _ in range(24):
        if table.phase is not Phase.PLAYING:
            break
        if table.to_move == 0:
            if table.last_turn_of(0) and choice.random() < 0.4:
                table = decided(table, takes_back(ANN))
            table = decided(table, *moves(str(choice.choice(game_of(table).legal_actions()))))
            continue
        assert table.to_move is not None
        view = table.view_of_seat(table.to_move)
        thought = company.think(bot, view, table.code)
        fresh = BotRunner(make_bot).think(bot, view)
        assert (thought.action, thought.problem) == (fresh.action, "")
        table = table.after(commands.bot_move(table, thought, table.turn, line=table.branch))
    assert table.undone


@given(st.integers(0, 2**32))
def test_a_reloaded_table_equals_the_one_in_memory(seed: int) -> None:
    table, happened = evening(seed)
    begun = started(ALLOWED, bots=(1,) if seed % 2 else (), seed=seed)
    assert standing(begun.after(decode(encode(event)) for event in happened)) == standing(table)


def test_random_games_contain_take_backs() -> None:
    happened = [event for seed in range(12) for event in evening(seed)[1]]
    assert sum(isinstance(event, TakenBack) for event in happened) > 10
    assert sum(isinstance(event, TakeBackRequested) for event in happened) > 10


@given(st.integers(0, 2**32))
def test_records_keep_what_was_taken_back(seed: int) -> None:
    table, choice = evening(seed)[0], random.Random(seed)
    while table.phase is Phase.PLAYING:
        if table.question:
            table = decided(table, answers(table.seats[table.question.seat].person, False))
        table = decided(table, *moves(str(choice.choice(game_of(table).legal_actions()))))
    record = table.record()
    again = from_text(native.write(record))
    assert (again.record, again.error) == (record, None)
    assert undone(record) == table.undone
    assert record.taken_back == tuple(TakeBack(back.take_back.after, back.take_back.moves) for back in table.undone)
