"""The queue of background jobs: bounded, remembering, and cancelled on close."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass

import pytest

from tamaya.coach.coach import Coach
from tamaya.coach.jobs import JobQueue
from tests.support.analyses import COACHING, RECORDS, FakeSearchPool, ended
from tests.support.fakes import run
from tests.support.memory_store import MemoryStore


@dataclass
class Flags:
    done: bool = False
    failed: bool = False

    def fail(self) -> None:
        self.failed = True


async def finish(progress: Flags) -> None:
    progress.done = True


async def never(progress: Flags) -> None:
    await asyncio.Event().wait()


def queue(max_pending: int = 2, max_results: int = 3) -> JobQueue[str, Flags]:
    return JobQueue("a test job", max_pending, max_results)


async def until_idle(jobs: JobQueue[str, Flags]) -> None:
    while jobs.pending:
        await asyncio.sleep(0)


def test_a_queue_is_full_while_its_jobs_are_pending() -> None:
    async def steps() -> None:
        jobs = queue()
        jobs.start("a", Flags(), never)
        assert not jobs.is_full
        jobs.start("b", Flags(), never)
        assert jobs.is_full
        await jobs.close()
        assert not jobs.is_full

    run(steps())


def test_the_progress_used_least_recently_is_forgotten() -> None:
    async def steps() -> None:
        jobs = queue(max_pending=9)
        for key in "abc":
            jobs.start(key, Flags(), finish)
        assert jobs.get("a") is not None
        jobs.start("d", Flags(), finish)
        await until_idle(jobs)
        assert [jobs.get(key) for key in "abcd"] == [Flags(done=True), None, Flags(done=True), Flags(done=True)]

    run(steps())


def test_a_job_that_raises_ends_as_failed_and_its_message_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def broken(progress: Flags) -> None:
        raise ValueError("red 1")

    async def steps() -> None:
        jobs, progress = queue(), Flags()
        jobs.start("a", progress, broken)
        await until_idle(jobs)
        assert progress == Flags(failed=True)
        jobs.start("a", progress, finish)
        await until_idle(jobs)
        assert progress.done, "it can be started again"

    with caplog.at_level(logging.WARNING):
        run(steps())
    assert caplog.messages == ["a test job failed: ValueError"]


def test_closing_cancels_jobs_and_their_progress_does_not_fail() -> None:
    async def steps() -> None:
        jobs, progress = queue(), Flags()
        jobs.start("a", progress, never)
        await asyncio.sleep(0)
        await jobs.close()
        assert (progress, jobs.pending) == (Flags(), 0)

    run(steps())


def test_a_tried_move_whose_analysis_raises_is_done_and_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*asked: object) -> None:
        raise OSError

    async def steps() -> None:
        (table,) = await ended(MemoryStore(), RECORDS[0])
        coach, known = Coach(None, FakeSearchPool()), COACHING.judgements[0]
        action = next(one for one in table.past().view(0, 0).legal_actions if str(one) not in (known.played, known.best))
        monkeypatch.setattr(coach._worker, "analyse_other_move", broken)
        move = coach.try_move(table, 1, action, COACHING, lambda: None)
        while not move.done:
            await asyncio.sleep(0)
        assert move.analysis is None
        assert coach.try_move(table, 1, action, COACHING, lambda: None) is move, "the failure is reported once"
        assert coach.try_move(table, 1, action, COACHING, lambda: None) is not move
        await coach.close()

    run(steps())
