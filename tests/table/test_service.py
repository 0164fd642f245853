"""The service of all tables: concurrent requests, several services over one store, and failures at bad moments."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path

import pytest

from tamaya import Card, IllegalError, MalformedError, Rules, TamayaError
from tamaya.rules import say
from tamaya.storage import SqliteStore
from tamaya.table import Decision, EventBatch, Phase, Runtime, Settings, Table, TableService, commands, import_game
from tamaya.table.events import AnyEvent, Moved, decode
from tamaya.table.ports import CODE_LENGTH, CODE_LETTERS, new_code, shuffled_deck
from tests.support.fakes import (
    ANN,
    BOB,
    EVE,
    bot_moves,
    deal_of,
    plain_settings,
    random_decision,
    run,
    sits,
    standing,
    starts,
    steady_chance,
    tables_over,
    to_the_end,
    two_people,
)
from tests.support.games import a_record
from tests.support.memory_store import MemoryStore


@asynccontextmanager
async def two_services(folder: Path) -> AsyncIterator[tuple[TableService, TableService]]:
    """Two services over one file, like those of two processes."""
    both = [tables_over(await SqliteStore.open(folder / "tables.db"), seed) for seed in (1, 2)]
    try:
        yield both[0], both[1]
    finally:
        for tables in both:
            await tables.close()


def test_a_table_opens_with_all_decisions_or_not_at_all() -> None:
    async def steps() -> None:
        store = MemoryStore()
        tables = tables_over(store)
        table = await two_people(tables)
        assert (table.phase, table.names, len(store.kept[table.code])) == (Phase.PLAYING, ("Ann", "Bob"), 4)
        with pytest.raises(IllegalError):
            await tables.create(plain_settings(2), ANN, "Ann", starts())
        assert len(store.kept) == 1

    run(steps())


def test_several_tables_are_created_together_or_not_at_all() -> None:
    async def steps() -> None:
        store = MemoryStore()
        tables = tables_over(store)
        whole = import_game(a_record(stop_at=1), ANN)
        broken = import_game(a_record(stop_at=1), ANN, say("{what}", what="\ud800"))
        with pytest.raises(UnicodeEncodeError):
            await tables.begin_all([whole, broken, whole])
        assert store.kept == {}
        begun = await tables.begin_all([whole, whole])
        assert store.kept.keys() == {table.code for table in begun}
        assert len(begun) == 2

    run(steps())


@pytest.mark.parametrize("code", ["", "abc", "a" * 9, "a" * 11, "aaaaaaaaa1", "A" * 10, "a" * 10, "../../etc/", "'" * 10])
def test_an_unknown_code_finds_nothing(code: str) -> None:
    async def steps() -> None:
        with pytest.raises(MalformedError) as refusal:
            await tables_over(MemoryStore()).get(code)
        assert refusal.value.code == "unknown_table"

    run(steps())


def test_codes_come_from_the_systems_secure_randomness(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(set(CODE_LETTERS)) == len(CODE_LETTERS) == 31
    assert not set(CODE_LETTERS) & set("0o1il"), "characters that are easily mistaken"
    assert len(CODE_LETTERS) ** CODE_LENGTH > 2**49
    assert Runtime().code is new_code
    drawn = iter(range(CODE_LENGTH))
    monkeypatch.setattr("secrets.choice", lambda letters: letters[next(drawn)] if letters == CODE_LETTERS else "?")
    assert new_code() == CODE_LETTERS[:CODE_LENGTH], "each letter is drawn separately"


def test_a_shuffled_deck_is_complete() -> None:
    rules = Rules(players=4)
    decks = [shuffled_deck(rules) for _ in range(3)]
    assert all(sorted(deck) == sorted(decks[0]) and len(deck) == rules.deck_size for deck in decks)
    assert len({tuple(deck) for deck in decks}) == 3


def test_a_refused_change_is_neither_stored_nor_published() -> None:
    async def steps() -> None:
        store = MemoryStore()
        tables = tables_over(store)
        table = await two_people(tables)
        with tables.bus.subscribe(table.code) as subscription:
            for refused in (
                partial(commands.move, person=BOB, text="play 1", turn=0),
                partial(commands.move, person=ANN, text="play 9", turn=0),
                partial(commands.start, person=ANN, first=0, deal=partial(deal_of, 1)),
            ):
                with pytest.raises(TamayaError):
                    await tables.update(table.code, refused)
            assert await tables.update(table.code, partial(bot_moves, text="play 1", turn=0)) is table
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(subscription.news(), 0.01)
        assert standing(await tables.get(table.code)) == standing(table)
        assert len(store.kept[table.code]) == table.sequence

    run(steps())


def outcomes(found: Sequence[Table | BaseException]) -> list[str]:
    """The outcomes of several requests: codes of refusals, or “accepted”."""
    assert all(isinstance(one, (Table, TamayaError)) for one in found), found
    return sorted(one.code if isinstance(one, TamayaError) else "accepted" for one in found)


def test_many_clicks_at_once_make_one_move() -> None:
    async def steps() -> None:
        store = MemoryStore()
        tables = tables_over(store)
        table = await two_people(tables)
        click = partial(commands.move, person=ANN, text="play 1", turn=0)
        found = await asyncio.gather(*(tables.update(table.code, click) for _ in range(20)), return_exceptions=True)
        assert outcomes(found) == ["accepted", *["turn_over"] * 19]
        assert (await tables.get(table.code)).turn == 1
        assert len(store.kept[table.code]) == 5

    run(steps())


def test_many_clicks_in_two_processes_make_one_move(tmp_path: Path) -> None:
    async def steps() -> None:
        async with two_services(tmp_path) as both:
            table = await two_people(both[0])
            assert standing(await both[1].get(table.code)) == standing(table)
            click = partial(commands.move, person=ANN, text="play 1", turn=0)
            clicks = [tables.update(table.code, click) for tables in both for _ in range(10)]
            assert outcomes(await asyncio.gather(*clicks, return_exceptions=True)) == ["accepted", *["turn_over"] * 19]
            assert [(await tables.refresh(table.code, 5)).turn for tables in both] == [1, 1]

    run(steps())


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_two_processes_that_race_for_every_event_stay_consistent(tmp_path: Path, seed: int) -> None:
    async def guest(tables: TableService, code: str, choice: random.Random) -> None:
        table = await tables.get(code)
        for _ in range(40):
            table = await tables.refresh(code, table.sequence + 1)
            with suppress(TamayaError):
                await tables.update(code, random_decision(table, choice))

    async def steps() -> None:
        async with two_services(tmp_path) as both:
            codes = [(await tables.create(plain_settings(3), ANN, "Ann")).code for tables in both]
            seeds = random.Random(seed)
            await asyncio.gather(*(guest(tables, code, random.Random(seeds.random())) for tables in both for code in codes))
            for code in codes:
                written = len(await both[0].store.read_events(code))
                assert written > 10
                for tables in both:
                    table = await tables.refresh(code, written)
                    assert table.sequence >= written
                    lines = await both[0].store.read_events(code)  # a bot may still be playing on
                    assert standing(table) == standing(Table(code, map(decode, lines[: table.sequence])))

    run(steps())


def test_concurrent_visitors_take_each_seat_once(tmp_path: Path) -> None:
    async def steps() -> None:
        async with two_services(tmp_path) as both:
            table = await both[0].create(plain_settings(5), ANN, "Ann")
            people = [f"p-{number}" for number in range(12)]
            found = await asyncio.gather(
                *(both[place % 2].update(table.code, sits(person, person)) for place, person in enumerate(people)),
                return_exceptions=True,
            )
            assert outcomes(found) == [*["accepted"] * 4, *["table_full"] * 8]
            seated = [seat.person for seat in (await both[0].refresh(table.code, 6)).seats]
            assert len(set(seated)) == 5
            assert all(seated)

    run(steps())


def test_the_change_of_a_cancelled_request_is_still_published() -> None:
    async def steps() -> None:
        store = MemoryStore()
        tables = tables_over(store)
        table = await two_people(tables)
        store.gate.clear()
        store.waiting.clear()
        with tables.bus.subscribe(table.code) as subscription:
            request = asyncio.create_task(tables.update(table.code, partial(commands.move, person=ANN, text="play 1", turn=0)))
            await store.waiting.wait()
            request.cancel()
            with pytest.raises(asyncio.CancelledError):
                await request
            store.gate.set()
            assert await subscription.news() == 5
        assert (await tables.get(table.code)).turn == 1

    run(steps())


def test_a_move_that_cannot_be_stored_did_not_happen() -> None:
    class BrokenStore(MemoryStore):
        broken = False

        async def append(self, batches: Sequence[EventBatch]) -> None:
            if self.broken:
                raise OSError("disk full")
            await super().append(batches)

    async def steps() -> None:
        store = BrokenStore()
        tables = tables_over(store)
        table = await two_people(tables)
        move = partial(commands.move, person=ANN, text="play 1", turn=0)
        store.broken = True
        with pytest.raises(OSError, match="disk full"):
            await tables.update(table.code, move)
        assert standing(await tables.get(table.code)) == standing(table)
        store.broken = False
        assert (await tables.update(table.code, move)).turn == 1

    run(steps())


def test_repeated_requests_for_a_rematch_open_one_table(tmp_path: Path) -> None:
    async def steps() -> None:
        async with two_services(tmp_path) as both:
            first = await to_the_end(both[0], await two_people(both[0]))
            found = await asyncio.gather(*(tables.rematch(first.code, who) for tables in both for who in (ANN, BOB, ANN)))
            assert len({table.code for table in found}) == 1
            second = found[0]
            assert second.code != first.code
            assert second.names == ("Bob", "Ann"), "the next player begins"
            for tables in both:
                assert (await tables.refresh(first.code, first.sequence + 1)).rematch == second.code
                assert (await tables.rematch(first.code, BOB)).code == second.code
            assert {listing.code for listing in await both[1].store.tables_of(BOB)} == {first.code, second.code}

    run(steps())


def test_a_rematch_is_refused_to_strangers_and_before_the_end() -> None:
    async def steps() -> None:
        store = MemoryStore()
        tables = tables_over(store)
        table = await two_people(tables)
        with pytest.raises(IllegalError) as refusal:
            await tables.rematch(table.code, ANN)
        assert refusal.value.code == "game_not_over"
        table = await to_the_end(tables, table)
        with pytest.raises(IllegalError) as refusal:
            await tables.rematch(table.code, EVE)
        assert refusal.value.code == "no_seat"
        assert list(store.kept) == [table.code]

    run(steps())


def test_a_table_that_another_process_swept_is_gone_here_too(tmp_path: Path) -> None:
    async def steps() -> None:
        async with two_services(tmp_path) as both:
            table = await both[0].create(plain_settings(2), ANN, "Ann")
            for days in (100, 200):
                both[1].runtime = steady_chance(days, clock=lambda days=days: days * 86400.0)  # type: ignore[misc]
                await two_people(both[1])
                swept = await both[1].sweep()
            assert swept.forgotten == (table.code,)
            for _ in range(2):
                with pytest.raises(MalformedError) as refusal:
                    await both[0].update(table.code, sits(BOB, "Bob"))
                assert refusal.value.code == "unknown_table"

    run(steps())


def test_tables_evicted_from_the_cache_are_read_again() -> None:
    async def steps() -> None:
        tables = tables_over(MemoryStore(), cache_size=2)
        opened = [await two_people(tables) for _ in range(6)]
        for turn in (0, 1):
            for table in opened:
                assert (await tables.get(table.code)).turn == turn
                await tables.update(table.code, _play)
        assert [(await tables.get(table.code)).turn for table in opened] == [2] * 6

    run(steps())


def _play(table: Table) -> list[AnyEvent]:
    assert table.to_move is not None
    events = commands.move(table, table.seats[table.to_move].person, "play 1", table.turn)
    assert isinstance(events[0], Moved)
    return events


def test_listings_name_the_players_and_reveal_nothing_of_the_game() -> None:
    async def steps() -> None:
        store = MemoryStore()
        tables = tables_over(store)
        table = await two_people(tables, listed=True)
        listing = store.listings[table.code]
        assert (listing.names, listing.player_ids, listing.phase) == (("Ann", "Bob"), (ANN, BOB), Phase.PLAYING)
        assert (listing.edition, listing.players, listing.listed, listing.updated_at) == ("standard", 2, True, 1000.0)

    run(steps())


def test_a_listed_table_is_offered_while_a_seat_is_free() -> None:
    async def steps() -> None:
        store = MemoryStore()
        tables = tables_over(store)
        table = await tables.create(Settings(str(Rules(players=2)), listed=True), ANN, "Ann")
        friends = await tables.create(Settings(str(Rules(players=2))), ANN, "Ann")
        assert (store.listings[table.code].offered, store.listings[friends.code].offered) == (ANN, "")
        await tables.update(table.code, lambda now: commands.sit(now, BOB, "Bob"))
        assert store.listings[table.code].offered == "", "it is full"
        await tables.update(table.code, lambda now: commands.leave_seat(now, ANN, 0))
        assert store.listings[table.code].offered == ANN, "it is still hers"

    run(steps())


def test_a_given_deck_is_dealt_in_its_order() -> None:
    rules = Rules(players=2)
    deck: Sequence[Card] = deal_of(11, rules)

    async def steps() -> None:
        tables = tables_over(MemoryStore())
        begin: Decision = lambda now: commands.start(now, ANN, 1, lambda _: deck)  # noqa: E731
        table = await tables.create(Settings(str(rules)), ANN, "Ann", sits(BOB, "Bob"), begin)
        assert table.names == ("Bob", "Ann")
        assert [seen.card for seen in table.view_for(ANN).hands[0]] == list(deck[:5])
        assert [seen.card for seen in table.view_for(BOB).hands[1]] == list(deck[5:10])

    run(steps())
