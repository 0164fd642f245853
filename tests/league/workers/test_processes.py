"""Totals are the same whatever the number of processes, and a process that dies loses nothing."""

from __future__ import annotations

import multiprocessing
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest

from tamaya.league import (
    CHUNK,
    Cluster,
    Here,
    LeagueError,
    Processes,
    Runner,
    Standing,
    choose_runner,
    chunks_of,
    play_runs,
)
from tamaya.league.workers.processes import cores
from tests.league import support
from tests.league.support import run_of
from tests.limits import WAIT

pytestmark = pytest.mark.slow

RUNS = [run_of("quick", 3 * CHUNK + 5, players=2), run_of("quick", 2 * CHUNK + 1, players=4)]


def totals(standings: list[Standing]) -> list[Standing]:
    """The standings without the time they took."""
    return [Standing(standing.run, standing.totals) for standing in standings]


@cache
def expected() -> list[Standing]:
    """The totals of one process that plays all games itself."""
    return totals(play_runs(RUNS, Here(), work=support.played))


def test_the_expected_totals_are_worth_comparing() -> None:
    assert [standing.totals.games for standing in expected()] == [run.games for run in RUNS]
    assert all(0 < standing.statistics.lost < 1 for standing in expected())
    assert all(sum(map(bool, standing.totals.histogram)) >= 3 for standing in expected())


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_totals_are_the_same_for_any_number_of_processes(workers: int) -> None:
    heard: list[int] = []
    standings = play_runs(RUNS, Processes(workers), heard.append, support.played)
    assert totals(standings) == expected()
    assert all(standing.nanoseconds > 0 for standing in standings)
    assert sorted(heard) == sorted(len(chunk.numbers) for chunk in chunks_of(RUNS))


def test_a_process_that_is_killed_in_the_middle_of_a_game_loses_nothing(tmp_path: Path) -> None:
    mark = tmp_path / "died"
    run = run_of("dying", 4 * CHUNK)
    standings = play_runs([run], Processes(2), work=support.leaving_a_mark(mark))
    assert mark.exists(), "a process did die"
    assert totals(standings) == totals(play_runs([run], Here(), work=support.leaving_a_mark(mark)))


def test_processes_that_are_killed_from_outside_lose_nothing() -> None:
    before = multiprocessing.active_children()
    standings = {run: Standing.before(run) for run in RUNS}
    with closing(Processes(2).run(support.played, chunks_of(RUNS))) as results:
        for done in results:
            standings[done.chunk.run] += done.played
            if done.place < 2:
                for process in set(multiprocessing.active_children()) - set(before):
                    process.kill()
                    process.join(WAIT)
    assert totals(list(standings.values())) == expected()


def test_a_bot_that_kills_every_process_is_given_up_in_words() -> None:
    with pytest.raises(LeagueError, match="games 0 to 19 of seed 5 with the bot dying was lost 3 times"):
        play_runs([run_of("dying", CHUNK)], Processes(2), work=support.played)


def test_a_bot_that_raises_ends_the_run_in_words_and_all_processes() -> None:
    before = multiprocessing.active_children()
    with pytest.raises(LeagueError, match=r"The bot raising failed .* KeyError: 'a mistake of its author'"):
        play_runs([run_of("raising", 6 * CHUNK)], Processes(2), work=support.played)
    assert set(multiprocessing.active_children()) <= set(before)


def test_stopping_early_ends_the_processes_whatever_they_do() -> None:
    before = multiprocessing.active_children()
    results = Processes(2).run(support.stalling, run_of("quick", 10**6).chunks())
    assert next(results).place == 0
    assert len(set(multiprocessing.active_children()) - set(before)) == 2
    results.close()
    assert set(multiprocessing.active_children()) <= set(before)


@pytest.mark.parametrize(
    ("workers", "cluster", "kind"),
    [(None, None, Processes), (1, None, Here), (4, None, Processes), (None, "local", Cluster), (3, "h:1", Cluster)],
)
def test_the_runner_is_the_one_that_was_asked_for(workers: int | None, cluster: str | None, kind: type[Runner]) -> None:
    runner = choose_runner(workers, cluster)
    assert isinstance(runner, kind)
    if isinstance(runner, Processes):
        assert runner.workers == (workers or cores())
    if isinstance(runner, Cluster):
        assert (runner.address, runner.workers) == (cluster, workers)
