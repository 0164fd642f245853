"""Rematches, removed players, bots that stand in, and deleted games."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path

import msgspec
import pytest

from tamaya import IllegalError, MalformedError, TamayaError
from tamaya.bots import DEFAULT_BOT
from tamaya.record import native
from tamaya.storage import SqliteStore
from tamaya.table import (
    AnyEvent,
    ChatPolicy,
    ClueMemory,
    Decision,
    Phase,
    SpectatorMode,
    Table,
    TableService,
    commands,
    import_game,
)
from tamaya.table.events import Readmitted, Rematched, Sat, SeatFreed, decode, encode
from tests.support.fakes import (
    ANN,
    BOB,
    CID,
    EVE,
    a_table,
    bot_moves,
    deal_of,
    decided,
    ended,
    full_table,
    game_of,
    plain_settings,
    play_to_the_end,
    run,
    sits,
    started,
    starts,
    tables_over,
    to_the_end,
    two_people,
)
from tests.support.memory_store import MemoryStore

DEAL = partial(deal_of, 7)


def test_a_rematch_keeps_all_players_and_the_next_one_begins() -> None:
    table = ended(plain_settings(memory=ClueMemory.SAID, talk=ChatPolicy.FREE, starter="custom"), bots=[1])
    old, new = commands.rematch(table, CID, "b" * 10)
    assert old == [Rematched("b" * 10)]
    following = Table("b" * 10, new)
    assert following.seats == table.seats[1:] + table.seats[:1]
    assert (following.host, following.phase, following.said, following.rematch) == (CID, Phase.OPEN, [], "")
    assert following.settings == msgspec.structs.replace(table.settings, starter="1")
    begun = decided(following, lambda now: commands.start(now, CID, now.settings.first(lambda _: 2), DEAL))
    assert (begun.seats, begun.to_move) == (following.seats, 0), "the player of the second seat begins"


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_player_for_whom_a_bot_played_has_the_seat_back_in_the_rematch(seat: int) -> None:
    away = started().seats[seat].person
    table = decided(started(), lambda now: commands.take_over(now, ANN if seat else BOB, seat, DEFAULT_BOT, away=True))
    while table.phase is Phase.PLAYING:
        table = decided(table, lambda now: _next(now))
    assert [player.person for player in table.seats if player.bot] == [away]
    following = Table("b" * 10, commands.rematch(table, BOB, "b" * 10)[1])
    assert {player.person: player.bot for player in following.seats} == dict.fromkeys((ANN, BOB, CID), "")


def _next(table: Table) -> list[AnyEvent]:
    assert table.to_move is not None
    player = table.seats[table.to_move]
    text = str(game_of(table).legal_actions()[0])
    return bot_moves(table, text, table.turn) if player.bot else commands.move(table, player.person, text, table.turn)


def refusal(table: Table, decide: Decision) -> str:
    """The code of a refusal."""
    with pytest.raises(TamayaError) as problem:
        table.after(decide(table))
    return problem.value.code


def removed(seat: int = 1, table: Table | None = None) -> Table:
    """Ann's table after she has removed the player of a seat."""
    return decided(table or full_table(), lambda now: commands.leave_seat(now, ANN, seat))


def test_a_removed_player_may_not_sit_down_again() -> None:
    table = removed()
    for name, seat in (("Bob", None), ("Bob", 1), ("Somebody else", 1)):
        assert refusal(table, partial(commands.sit, person=BOB, name=name, seat=seat)) == "removed"
    assert decided(table, sits(EVE, "Eve")).names == ("Ann", "Eve", "Cid"), "the seat is free for others"


def test_the_refusal_of_a_removed_player_names_the_host() -> None:
    with pytest.raises(IllegalError, match="only the host can let you sit down again"):
        commands.sit(removed(), BOB, "Bob")


def test_the_host_readmits_a_player_once() -> None:
    table = decided(removed(), lambda now: commands.readmit(now, ANN, 0), sits(BOB, "Bob"))
    assert table.names == ("Ann", "Bob", "Cid")
    assert refusal(table, lambda now: commands.readmit(now, ANN, 0)) == "not_removed"
    again = removed(1, table)
    assert refusal(again, sits(BOB, "Bob")) == "removed", "a readmission counts once"
    assert decided(again, lambda now: commands.readmit(now, ANN, 1), sits(BOB, "Bob")).seat_of(BOB) == 1


def test_only_the_host_readmits_and_only_removed_players() -> None:
    table = removed()
    assert refusal(table, lambda now: commands.readmit(now, BOB, 0)) == "not_host"
    assert refusal(table, lambda now: commands.readmit(now, CID, 0)) == "not_host"
    assert refusal(table, lambda now: commands.readmit(now, ANN, 1)) == "not_removed"
    assert refusal(table, lambda now: commands.readmit(now, ANN, -1)) == "not_removed"
    dealt = decided(table, sits(EVE, "Eve"), lambda now: commands.start(now, ANN, 0, partial(deal_of, 1)))
    assert refusal(dealt, lambda now: commands.readmit(now, ANN, 0)) == "started"


def test_readmitting_a_player_readmits_no_other_of_the_same_name() -> None:
    table = removed(1, decided(removed(), sits(EVE, "Bob")))
    assert [(one.person, one.name) for one in table.removals] == [(BOB, "Bob"), (EVE, "Bob")]
    table = decided(table, lambda now: commands.readmit(now, ANN, 0))
    assert refusal(table, sits(EVE, "Bob")) == "removed"
    assert decided(table, sits(BOB, "Bob")).seat_of(BOB) == 1


def test_a_player_who_left_their_seat_may_sit_down_again() -> None:
    for person, name, seat in ((BOB, "Bob", 1), (ANN, "Ann", 0)):
        table = decided(full_table(), partial(commands.leave_seat, person=person, seat=seat))
        assert table.removals == ()
        assert decided(table, sits(person, name)).seat_of(person) == seat
    moved = decided(a_table(), lambda now: commands.sit(now, ANN, "Ann", 2), lambda now: commands.sit(now, ANN, "Ann", 0))
    assert moved.removals == ()


def test_taking_a_bot_away_is_no_removal() -> None:
    table = removed(2, full_table(bots=[2]))
    assert table.removals == ()
    assert decided(table, sits(CID, "Cid")).seat_of(CID) == 2


@pytest.mark.parametrize("watching", SpectatorMode)
def test_a_removed_player_may_watch(watching: SpectatorMode) -> None:
    table = removed(1, full_table(plain_settings(watching=watching)))
    assert table.may_look(BOB), "they can read why they may not sit"
    table = decided(table, sits(EVE, "Eve"), lambda now: commands.start(now, ANN, 0, partial(deal_of, 1)))
    assert table.may_look(BOB) is (watching is not SpectatorMode.NOBODY)


def test_removals_survive_a_reload() -> None:
    table = full_table()
    events = [*commands.leave_seat(table, ANN, 1), Readmitted(0), Sat(1, BOB, "Bob"), SeatFreed(1, removed=True)]
    kept = table.after(map(decode, map(encode, events)))
    assert [one.let_back for one in kept.removals] == [True, False]
    assert kept.is_removed(BOB)


def test_logs_without_the_removed_flag_are_still_read() -> None:
    old = full_table().after([decode('{"event":"stood","seat":1}')])
    assert old.removals == ()
    assert decided(old, sits(BOB, "Bob")).seat_of(BOB) == 1
    assert encode(SeatFreed(1)) == '{"event":"stood","seat":1}'


async def is_unknown(tables: TableService, code: str) -> bool:
    """Whether a table no longer exists."""
    try:
        await tables.get(code)
    except MalformedError as problem:
        return problem.code == "unknown_table"
    return False


async def with_bots(tables: TableService) -> Table:
    """A game that Ann has played to its end with bots."""
    bots = [partial(commands.seat_bot, person=ANN, seat=seat, bot="simple") for seat in (1, 2)]
    return await play_to_the_end(tables, await tables.create(plain_settings(3), ANN, "Ann", *bots, starts()))


def test_other_players_keep_the_game_and_its_names() -> None:
    async def steps() -> None:
        tables = tables_over(MemoryStore())
        table = await to_the_end(tables, await two_people(tables, watching=SpectatorMode.NOBODY))
        await tables.remove_game(table.code, ANN)
        left = await tables.get(table.code)
        assert (left.names, left.people, left.seat_of(ANN), left.host) == (table.names, (BOB,), None, "")
        assert native.to_json(left.record()) == native.to_json(table.record())
        assert (left.may_look(ANN), left.may_look(BOB), left.may_look(EVE)) == (False, True, False), "Ann is a stranger now"
        assert await tables.store.finished_codes(ANN) == []
        assert await tables.store.finished_codes(BOB) == [table.code]
        with pytest.raises(IllegalError) as refusal:
            await tables.remove_game(table.code, ANN)
        assert refusal.value.code == "not_yours"
        await tables.remove_game(table.code, BOB)
        assert await is_unknown(tables, table.code)
        assert await tables.store.read_events(table.code) == []

    run(steps())


def test_a_game_with_bots_is_deleted_at_once() -> None:
    async def steps() -> None:
        tables = tables_over(MemoryStore())
        table = await with_bots(tables)
        await tables.remove_game(table.code, ANN)
        assert await is_unknown(tables, table.code)
        with pytest.raises(MalformedError):
            await tables.remove_game(table.code, ANN)
        with pytest.raises(MalformedError):
            await tables.update(table.code, partial(commands.send_message, person=ANN, remark="thanks"))

    run(steps())


def test_an_imported_game_belongs_to_the_person_who_imported_it() -> None:
    async def steps() -> None:
        tables = tables_over(MemoryStore())
        record = (await with_bots(tables)).record()
        table = await tables.begin(import_game(record, BOB))
        assert await tables.store.finished_codes(BOB) == [table.code]
        with pytest.raises(IllegalError):
            await tables.remove_game(table.code, ANN)
        await tables.remove_game(table.code, BOB)
        assert await is_unknown(tables, table.code)

    run(steps())


@pytest.mark.parametrize("person", [ANN, EVE, ""])
def test_running_games_and_games_of_others_are_not_deleted(person: str) -> None:
    async def steps() -> None:
        tables = tables_over(MemoryStore())
        waiting = await tables.create(plain_settings(2), ANN, "Ann")
        running = await two_people(tables)
        deal = partial(commands.start, person=CID, first=0, deal=partial(deal_of, 5))
        over = await to_the_end(tables, await tables.create(plain_settings(2), CID, "Cid", sits(BOB, "Bob"), deal))
        for table in (waiting, running, over):
            with pytest.raises(IllegalError) as refusal:
                await tables.remove_game(table.code, person)
            own = person == ANN and table is not over
            assert refusal.value.code == ("game_not_over" if own else "not_yours")
            assert (await tables.get(table.code)).sequence == table.sequence

    run(steps())


def test_in_a_rematch_the_seat_of_a_player_who_deleted_the_game_is_free() -> None:
    table = ended(plain_settings(3))
    place = table.seat_of(ANN)
    table = decided(table, partial(commands.remove_game, person=ANN))
    following = Table("b" * 10, commands.rematch(table, BOB, "b" * 10)[1])
    assert place is not None
    assert [seat.name for seat in following.seats if not seat.free] == [
        seat.name for seat in table.seats[1:] + table.seats[:1] if seat.name != table.seats[place].name
    ]


def test_all_finished_games_of_a_person_are_deleted_and_running_ones_stay() -> None:
    async def steps() -> None:
        tables = tables_over(MemoryStore())
        alone, shared = await with_bots(tables), await to_the_end(tables, await two_people(tables))
        running = await two_people(tables)
        await tables.remove_all_games(ANN)
        assert await is_unknown(tables, alone.code)
        assert (await tables.get(shared.code)).people == (BOB,)
        assert [listing.code for listing in await tables.store.tables_of(ANN)] == [running.code]
        await tables.remove_all_games(ANN)
        assert [record async for record in tables.records_of(ANN)] == []
        assert [record.names async for record in tables.records_of(BOB)] == [shared.names]

    run(steps())


def test_another_process_notices_that_a_cached_table_was_deleted(tmp_path: Path) -> None:
    async def steps() -> None:
        both = [tables_over(await SqliteStore.open(tmp_path / "tables.db"), seed) for seed in (1, 2)]
        alone, shared = await with_bots(both[0]), await to_the_end(both[0], await two_people(both[0]))
        for table in (alone, shared):
            assert (await both[1].get(table.code)).phase is Phase.ENDED
            await both[0].remove_game(table.code, ANN)
        assert await is_unknown(both[1], alone.code)
        assert (await both[1].get(shared.code)).seat_of(ANN) is None
        for tables in both:
            await tables.close()

    run(steps())


def test_concurrent_deletions_in_two_processes_leave_nothing(tmp_path: Path) -> None:
    async def steps() -> None:
        both = [tables_over(await SqliteStore.open(tmp_path / "tables.db"), seed) for seed in (1, 2)]
        for _ in range(5):
            table = await to_the_end(both[0], await two_people(both[0]))
            await both[1].get(table.code)
            talking = both[1].update(table.code, partial(commands.send_message, person=BOB, remark="thanks"))
            found = await asyncio.gather(
                both[0].remove_game(table.code, ANN), both[1].remove_game(table.code, BOB), talking, return_exceptions=True
            )
            assert not any(found[:2])
            assert isinstance(found[2], (Table, TamayaError))
            assert await both[0].store.read_events(table.code) == []
            assert [await is_unknown(tables, table.code) for tables in both] == [True, True]
        for tables in both:
            await tables.close()

    run(steps())
