"""Totals do not depend on the number of processes, and a process that dies loses nothing."""

from __future__ import annotations

import multiprocessing
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest

from tamaya.league import (
    CHUNK,
    Cluster,
    InProcess,
    LeagueError,
    MatchResult,
    Processes,
    Runner,
    choose_runner,
    chunks_of,
    play_matches,
)
from tamaya.league.workers.processes import usable_cores
from tests.league import support
from tests.league.support import match_of
from tests.limits import WAIT

pytestmark = pytest.mark.slow

MATCHES = [match_of("quick", 3 * CHUNK + 5, players=2), match_of("quick", 2 * CHUNK + 1, players=4)]


def totals(standings: list[MatchResult]) -> list[MatchResult]:
    """The standings without their times."""
    return [MatchResult(standing.match, standing.totals) for standing in standings]


@cache
def expected() -> list[MatchResult]:
    """The totals of one process that plays all games itself."""
    return totals(play_matches(MATCHES, InProcess(), work=support.played))


def test_the_expected_totals_are_not_trivial() -> None:
    assert [standing.totals.games for standing in expected()] == [match.games for match in MATCHES]
    assert all(0 < standing.statistics.lost < 1 for standing in expected())
    assert all(sum(map(bool, standing.totals.histogram)) >= 3 for standing in expected())


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_totals_are_the_same_for_any_number_of_processes(workers: int) -> None:
    heard: list[int] = []
    standings = play_matches(MATCHES, Processes(workers), heard.append, support.played)
    assert totals(standings) == expected()
    assert all(standing.nanoseconds > 0 for standing in standings)
    assert sorted(heard) == sorted(len(chunk.numbers) for chunk in chunks_of(MATCHES))


def test_a_process_killed_in_the_middle_of_a_game_loses_nothing(tmp_path: Path) -> None:
    mark = tmp_path / "died"
    match = match_of("dying", 4 * CHUNK)
    standings = play_matches([match], Processes(2), work=support.leaving_a_mark(mark))
    assert mark.exists(), "a process did die"
    assert totals(standings) == totals(play_matches([match], InProcess(), work=support.leaving_a_mark(mark)))


def test_processes_killed_from_outside_lose_nothing() -> None:
    before = multiprocessing.active_children()
    standings = {match: MatchResult.before(match) for match in MATCHES}
    with closing(Processes(2).run(support.played, chunks_of(MATCHES))) as results:
        for done in results:
            standings[done.chunk.match] += done.result
            if done.number < 2:
                for process in set(multiprocessing.active_children()) - set(before):
                    process.kill()
                    process.join(WAIT)
    assert totals(list(standings.values())) == expected()


def test_a_bot_that_kills_every_process_is_given_up_with_a_message() -> None:
    with pytest.raises(LeagueError, match="games 0 to 19 of seed 5 with the bot dying was lost 3 times"):
        play_matches([match_of("dying", CHUNK)], Processes(2), work=support.played)


def test_a_bot_that_raises_ends_the_league_and_all_processes() -> None:
    before = multiprocessing.active_children()
    with pytest.raises(LeagueError, match=r"The bot raising failed .* KeyError: 'a mistake of its author'"):
        play_matches([match_of("raising", 6 * CHUNK)], Processes(2), work=support.played)
    assert set(multiprocessing.active_children()) <= set(before)


def test_stopping_early_ends_the_processes() -> None:
    before = multiprocessing.active_children()
    results = Processes(2).run(support.stalling, match_of("quick", 10**6).chunks())
    assert next(results).number == 0
    assert len(set(multiprocessing.active_children()) - set(before)) == 2
    results.close()
    assert set(multiprocessing.active_children()) <= set(before)


@pytest.mark.parametrize(
    ("workers", "cluster", "kind"),
    [(None, None, Processes), (1, None, InProcess), (4, None, Processes), (None, "local", Cluster), (3, "h:1", Cluster)],
)
def test_the_chosen_runner_is_the_one_requested(workers: int | None, cluster: str | None, kind: type[Runner]) -> None:
    runner = choose_runner(workers, cluster)
    assert isinstance(runner, kind)
    if isinstance(runner, Processes):
        assert runner.workers == (workers or usable_cores())
    if isinstance(runner, Cluster):
        assert (runner.address, runner.workers) == (cluster, workers)
