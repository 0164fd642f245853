"""The contract of every store for a player's games: lists, statistics and deletion."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import pytest

from tamaya.table import (
    ConflictError,
    EventBatch,
    GameCount,
    GameFilter,
    GameKind,
    GameProgress,
    GameState,
    GameStats,
    Partner,
    Period,
    Phase,
    Store,
    TableSummary,
)
from tests.contract.batches import SHORT_RETENTION, advance_time, batch
from tests.contract.place import PersistentPlace, Place, read_until_killed
from tests.support.games import some_filter, some_game

DAY = 24 * 3600.0


def partners(game: TableSummary) -> set[Partner]:
    """The partners in one of Ann's games."""
    own = game.player_names[game.player_ids.index("p-ann")]
    seats = zip(game.names, game.bots, strict=True)
    return {Partner(bot=bot) if bot else Partner(name) for name, bot in seats if bot or name != own}


def counts(game: TableSummary) -> bool:
    return game.ended is not None and game.kind is GameKind.PLAIN and game.progress is not None


def score(game: TableSummary) -> int:
    assert game.progress
    return 0 if game.progress.lost else game.progress.points


def is_wanted(game: TableSummary, wanted: GameFilter) -> bool:
    """Whether one game passes a filter."""
    result = game.progress if game.ended is not None else None
    states = {
        None: True,
        GameState.GOING: game.ended is None,
        GameState.OVER: game.ended is not None,
        GameState.PERFECT: bool(result and result.perfect),
        GameState.LOST: bool(result and result.lost),
    }
    return (
        wanted.edition in ("", game.edition)
        and wanted.players in (0, game.players)
        and (not wanted.partner or Partner(wanted.partner) in partners(game))
        and (not wanted.bot or Partner(bot=wanted.bot) in partners(game))
        and states[wanted.state]
        and (wanted.since is None or (game.ended is not None and game.ended >= wanted.since))
        and (wanted.before is None or (game.ended is not None and game.ended < wanted.before))
    )


def counted(games: Iterable[TableSummary]) -> GameCount:
    results = [(score(game), game.progress) for game in games if game.progress]
    perfect, lost = (sum(getattr(progress, what) for _, progress in results) for what in ("perfect", "lost"))
    return GameCount(
        len(results),
        sum(points for points, _ in results),
        max(points for points, _ in results),
        perfect,
        lost,
    )


def sorted_by(games: Sequence[TableSummary], key: Callable[[TableSummary], Iterable[object]]) -> dict[object, GameCount]:
    keys = {one for game in games for one in key(game)}
    return {one: counted(game for game in games if one in key(game)) for one in keys}


@pytest.mark.parametrize(("seed", "number"), [(1, 5), (2, 60), (3, 400)])
def test_games_are_filtered_and_added_up_correctly(place: Place, seed: int, number: int) -> None:
    choice = random.Random(seed)
    games = [some_game(choice, one) for one in range(number)]

    async def steps(store: Store) -> None:
        await store.append([EventBatch(game, 1, ("one",)) for game in games])
        for wanted in (GameFilter(), *(some_filter(choice) for _ in range(60))):
            mine = [game for game in games if is_wanted(game, wanted)]
            going = sorted((game for game in mine if game.ended is None), key=lambda game: (-game.updated_at, game.code))
            over = sorted((game for game in mine if game.ended is not None), key=lambda game: (-(game.ended or 0), game.code))
            found = await store.tables_of("p-ann", wanted, limit=1000)
            assert found == going + over
            skip = choice.randrange(10)
            assert await store.tables_of("p-ann", wanted, limit=7, skip=skip) == found[skip : skip + 7]
            check(await store.summary_of("p-ann", wanted), mine)
        often = sorted_by([game for game in games if game.ended is not None], partners)
        assert set(await store.partners_of("p-ann")) == set(often)
        assert (await store.partners_of("p-ann", limit=1))[0] in {
            one for one in often if sum(one in partners(game) for game in games if game.ended is not None)
        }
        over_first = sorted((game for game in games if game.ended is not None), key=lambda game: (game.ended or 0, game.code))
        assert await store.finished_codes("p-ann") == [game.code for game in over_first]

    def check(summary: GameStats, mine: Sequence[TableSummary]) -> None:
        counted_games = [game for game in mine if counts(game)]
        assert summary.found == len(mine)
        assert summary.by_edition == sorted_by(counted_games, lambda game: (game.edition,))
        assert summary.by_players == sorted_by(counted_games, lambda game: (game.players,))
        with_whom = sorted_by(counted_games, partners)
        assert summary.by_partner.items() <= with_whom.items()
        assert len(summary.by_partner) == min(len(with_whom), 12)
        assert summary.total == (counted(counted_games) if counted_games else GameCount())
        assert_over_time(summary, counted_games)

    place.use(steps)


def assert_over_time(summary: GameStats, counted_games: Sequence[TableSummary]) -> None:
    """Every counted game is in one period, and there are few enough periods to draw."""
    assert len(summary.stretches) <= 121
    assert list(summary.stretches) == sorted(summary.stretches, key=lambda one: one.begins)
    if not summary.days:
        assert [one.begins for one in summary.stretches] == sorted(game.ended or 0 for game in counted_games)
    length = summary.days * DAY
    for stretch in summary.stretches:
        ends = stretch.begins + length
        inside = [
            score(game) for game in counted_games if game.ended == stretch.begins or stretch.begins <= (game.ended or -1) < ends
        ]
        assert stretch == Period(stretch.begins, len(inside), sum(inside), min(inside), max(inside))
    assert sum(stretch.games for stretch in summary.stretches) == len(counted_games)


def test_many_games_are_grouped_by_days_or_by_weeks_from_monday(place: Place) -> None:
    async def steps(store: Store) -> None:
        game = replace(some_game(random.Random(5), 0), phase=Phase.ENDED, kind=GameKind.PLAIN, progress=GameProgress(20))
        for years, days in ((0.2, 1), (2, 7), (20, 91)):
            times = [number * years * 365 * DAY / 500 for number in range(500)]
            await store.append([EventBatch(replace(game, code=f"{days} {time}", ended=time), 1, ("one",)) for time in times])
            summary = await store.summary_of("p-ann", GameFilter(before=years * 365 * DAY))
            assert summary.days == days
            monday = 4 * DAY
            assert all((stretch.begins - (monday if days > 1 else 0)) % (days * DAY) == 0 for stretch in summary.stretches)
            await store.delete_solo_games("p-ann")
            for person in game.player_ids:
                await store.delete_solo_games(person)

    place.use(steps)


def over(code: str, first: int, *lines: str, **fields: object) -> EventBatch:
    """The plain table with a finished game of Ann and Bé, and these fields changed."""
    values: dict[str, object] = {"phase": Phase.ENDED, "progress": GameProgress(20), "player_names": ("Ann", "Bé"), **fields}
    return batch(code, first, *lines, **values)


def test_later_events_do_not_change_when_a_game_ended(place: Place) -> None:
    async def steps(store: Store) -> None:
        await store.append([batch("amber", 1, "one", updated_at=5.0, progress=GameProgress(19))])
        assert [table.ended for table in await store.tables_of("p-ann")] == [None]
        await store.append([over("amber", 2, "two", updated_at=6.0), over("amber", 3, "talk", updated_at=7.0)])
        await store.append([over("amber", 4, "talk", updated_at=8.0)])
        await store.append([over("amber", 5, "parted", updated_at=9.0, player_ids=("p-ann",), player_names=("Ann",))])
        [table] = await store.tables_of("p-ann", GameFilter(since=6.0, before=6.5))
        assert (table.ended, table.updated_at) == (6.0, 9.0)
        assert (await store.summary_of("p-ann")).stretches == (Period(6.0, 1, 20, 20, 20),)
        await store.append([batch("amber", 6, "taken back", updated_at=10.0)])
        assert (await store.summary_of("p-ann")).by_edition == {}
        await store.append([over("amber", 7, "played", updated_at=11.0)])
        assert [table.ended for table in await store.tables_of("p-ann")] == [11.0], "it went on, and ended again"
        won = over("amber", 9, "played", updated_at=13.0, progress=GameProgress(25))
        await store.append([batch("amber", 8, "taken back", updated_at=12.0), won])
        assert (await store.summary_of("p-ann")).stretches == (Period(13.0, 1, 25, 25, 25),), "also with both in one call"

    place.use(steps)


def test_a_table_is_removed_only_with_its_last_event_number(place: Place) -> None:
    async def remove(store: Store) -> None:
        await store.append([over("amber", 1, "one", "two"), over("birch", 1, "one")])
        for sequence in (1, 3):
            with pytest.raises(ConflictError):
                await store.remove("amber", sequence)
        assert (await store.last_sequence("amber"), await store.read_events("amber")) == (2, ["one", "two"])
        await store.remove("amber", 2)
        with pytest.raises(ConflictError):
            await store.remove("amber", 2)

    async def look(store: Store) -> None:
        assert (await store.last_sequence("amber"), await store.read_events("amber")) == (0, [])
        for person in ("p-ann", "p-bé"):
            assert [table.code for table in await store.tables_of(person)] == await store.finished_codes(person) == ["birch"]
            assert (await store.summary_of(person)).total.games == 1
        await store.append([over("amber", 1, "anew")])
        assert await store.read_events("amber") == ["anew"]

    place.use(remove, look)


@pytest.mark.slow
def test_removals_of_a_killed_process_are_complete_and_lasting(persistent: PersistentPlace) -> None:
    with persistent.child("remove") as child:
        removed = [line.strip() for line in read_until_killed(child, 30, "the next table to be removed")]

    async def look(store: Store) -> None:
        for code in removed:
            assert (await store.last_sequence(code), await store.read_events(f"{code} of others")) == (0, ["one", "two"])
        left = {summary.code for summary in await store.tables_of("p-ann", limit=1000)}
        assert left.isdisjoint(removed)
        for code in left:
            assert await store.read_events(code) == ["one", "two"], "whole"

    persistent.use(look)


def test_deleting_solo_games_keeps_shared_and_unfinished_ones(place: Place) -> None:
    async def remove(store: Store) -> None:
        alone: dict[str, object] = {"player_ids": ("p-ann",), "player_names": ("Ann",)}
        await store.append([over("amber", 1, "one", **alone), over("birch", 1, "one"), batch("cedar", 1, "one", **alone)])
        await store.append(
            [over("daisy", 1, "one", player_ids=("p-bé",), player_names=("Bé",)), over("elder", 1, "one", **alone)]
        )
        assert sorted(await store.delete_solo_games("p-ann")) == ["amber", "elder"]
        assert await store.delete_solo_games("p-ann") == await store.delete_solo_games("") == ()

    async def look(store: Store) -> None:
        assert await store.read_events("amber") == await store.read_events("elder") == []
        assert [table.code for table in await store.tables_of("p-ann")] == ["cedar", "birch"]
        assert [table.code for table in await store.tables_of("p-bé")] == ["birch", "daisy"]

    place.use(remove, look)


def test_finished_games_are_never_swept(place: Place) -> None:
    async def steps(store: Store) -> None:
        await store.append([over("amber", 1, "one", updated_at=1.0)])
        for now in (1e9, 2e9, 3e9):
            await advance_time(store, now)
            assert not (await store.sweep(SHORT_RETENTION, now)).forgotten
        assert await store.finished_codes("p-ann") == ["amber"]

    place.use(steps)
