"""The facts and the solver under a replay tell the reader only of turns already seen."""

from __future__ import annotations

import asyncio
import gc
import re
from dataclasses import replace
from html import unescape
from multiprocessing.synchronize import SemLock
from pathlib import Path

import pytest
from starlette.applications import Starlette

from tamaya import Game, Rules
from tamaya.coach.solver import MAX_PENDING, SolverProgress, WinSolver
from tamaya.i18n import LANGUAGES
from tamaya.review import facts_of
from tamaya.review.winnability import Reply, Winnability, winnability_of
from tamaya.rules import Action
from tamaya.web.replay.facts_view import render_game, render_turn, render_winnability
from tamaya.web.services import services_of
from tests.support.client import brought, member, start_game, with_app
from tests.support.fakes import run
from tests.support.games import break_down, first_turns, played_game, record_of, with_another_end

RECORD = record_of(played_game(Rules(players=2), 12))
"""A long game in which cards were lost, and which the solver answers quickly."""


class Replay:
    """Addresses like those of a replay."""

    def at(self, turn: int) -> str:
        return f"/replay?turn={turn}"

    def after(self, turn: int, then: tuple[Action, ...]) -> str:
        return f"/replay?turn={turn}&then={len(then)}"


def facts_in(page: str) -> str:
    """The part of a page about the facts of its game."""
    found = re.search(r'<div id="facts">(.*?)<div class="row">.*?<div id="story">(.*?)</section>', page, re.DOTALL)
    assert found
    return found[1] + found[2]


def test_a_page_says_nothing_of_turns_that_its_reader_has_not_seen(tmp_path: Path) -> None:
    """Two games are the same up to a turn: up to there, their pages are the same, too."""
    turns = 30

    async def steps(app: Starlette) -> None:
        codes = [await brought(app, record) for record in (RECORD, with_another_end(RECORD, turns))]
        eve = member(app, "Eve")
        for turn, seen in ((0, 0), (3, turns), (turns, turns)):
            pages = [await eve.get(f"/t/{code}/replay?turn={turn}&seen={seen}&eyes=2") for code in codes]
            one, other = (facts_in(page.text).replace(code, "CODE") for page, code in zip(pages, codes, strict=True))
            assert one == other
        ends = [facts_in((await eve.get(f"/t/{code}/replay?turn=end")).text) for code in codes]
        assert ends[0] != ends[1].replace(codes[1], codes[0])
        assert "/replay/solver" in ends[0]
        assert "/replay/solver" not in one, "the answer would reveal later turns"

    with_app(tmp_path, steps)


def test_links_to_turns_keep_the_viewpoint(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        code = await brought(app, RECORD)
        page = await member(app, "Eve").get(f"/t/{code}/replay?turn=end&eyes=2")
        links = re.findall(r'href="([^"#]+)"', facts_in(page.text))
        turns = {play.turn for play in facts_of(RECORD).mistakes} | {loss.turn for loss in facts_of(RECORD).losses}
        assert turns
        assert {f"/t/{code}/replay?turn={turn}&amp;eyes=2" for turn in turns} <= set(links)

    with_app(tmp_path, steps)


def test_the_solver_names_the_last_winnable_turn_and_links_each_move_of_its_line(tmp_path: Path) -> None:
    winning = winnability_of(RECORD, 20_000)
    assert winning.until is not None

    async def steps(app: Starlette) -> None:
        code, eve = await brought(app, RECORD), member(app, "Eve")
        asking = f"/t/{code}/replay/solver?turn=end&eyes=hands"
        for _ in range(300):
            answer = await eve.get(asking)
            assert answer.status == 200
            if "every 2s" not in answer.text:
                break
            await asyncio.sleep(0.1)
        assert f"could be won until turn {winning.until}." in answer.words
        links = re.findall(r'href="([^"]+)"', answer.text)
        assert len(links) == len(winning.line)
        end = await eve.get(unescape(links[-1]))
        assert "25 of 25 points" in end.words
        assert "could be won until" in (await eve.get(f"/t/{code}/replay?turn=end")).words, "the result is cached"

    with_app(tmp_path, steps)


def test_the_solver_refuses_running_games_and_readers_who_have_not_seen_the_end(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        running = await start_game(ann, member(app, "Bob"))
        over = await brought(app, RECORD)
        assert (await ann.get(f"/t/{running}/replay/solver?turn=end")).status == 409
        assert "facts-plot" not in (await ann.get(f"/t/{running}/replay")).text
        refused = await ann.get(f"/t/{over}/replay/solver?turn=3", hx_request="true")
        assert (refused.status, refused.text) == (
            409,
            "Look at the end of the game first: what could have been tells how it went.",
        )
        assert services_of(app).solver.progress(RECORD) == SolverProgress()

    with_app(tmp_path, steps)


def test_a_solver_without_time_answers_that_it_does_not_know() -> None:
    async def steps() -> None:
        solver = WinSolver(timeout=0)
        progress = solver.request(RECORD)
        for _ in range(100):
            await asyncio.sleep(0)
        assert progress.result is not None
        assert (progress.result.until, progress.result.exact) == (None, False)
        await solver.close()

    run(steps())


@pytest.mark.slow
def test_a_solver_whose_process_dies_does_not_know_and_solves_the_next_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def steps() -> None:
        solver = WinSolver()
        monkeypatch.setattr("tamaya.coach.solver.answer_to", break_down)
        broken = solver.request(RECORD)
        await found(broken)
        assert broken.result
        assert not broken.result.exact
        monkeypatch.undo()
        whole = solver.request(first_turns(RECORD, 40))
        await found(whole)
        assert whole.result
        assert whole.result.exact
        await solver.close()

    run(steps())


def test_a_solver_that_fails_says_so_and_a_button_retries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(*what: object, limit: float) -> Reply:
        raise MemoryError

    async def steps(app: Starlette) -> None:
        code, eve, solver = await brought(app, RECORD), member(app, "Eve"), services_of(app).solver
        asking = f"/t/{code}/replay/solver?turn=end&eyes=hands"
        with monkeypatch.context() as failing:
            failing.setattr(solver._worker, "run", fails)
            assert "every 2s" in (await eve.get(asking)).text
            for _ in range(100):
                await asyncio.sleep(0)
            for address in (asking, f"/t/{code}/replay?turn=end"):
                answer = await eve.get(address)
                assert "The solver failed" in answer.words
                assert "every 2s" not in answer.text, "no page polls forever"
        button = re.search(r'hx-get="([^"]+)"', (await eve.get(asking)).text)
        assert button
        assert "every 2s" in (await eve.get(unescape(button[1]))).text
        progress = solver.progress(RECORD)
        await found(progress)
        assert progress.result
        assert progress.result.exact

    with_app(tmp_path, steps)


async def found(progress: SolverProgress) -> None:
    """Wait until the solver has a result."""
    for _ in range(300):
        if progress.result:
            return
        await asyncio.sleep(0.1)
    raise AssertionError("waited 30 s for the solver")


def test_a_stopping_server_cancels_the_solver() -> None:
    async def steps() -> None:
        solver = WinSolver()
        progress = solver.request(RECORD)
        await asyncio.sleep(0)
        await solver.close()
        assert progress.result is None

    run(steps())


def test_a_full_queue_takes_no_more_games() -> None:
    async def steps() -> None:
        solver = WinSolver()
        records = [record_of(Game(Rules(players=2), seed=seed)) for seed in range(30)]
        for record in records:
            solver.request(record)
        assert solver._jobs.pending == MAX_PENDING
        assert solver.request(records[-1]).result is None
        await solver.close()
        assert solver._jobs.pending == 0

    run(steps())


@pytest.mark.parametrize("language", LANGUAGES)
def test_facts_are_shown_in_every_language(language: str) -> None:
    facts, winning = facts_of(RECORD), winnability_of(RECORD, 20_000)
    solver = render_winnability(RECORD, winning, Replay(), language)
    drawn = render_turn(facts, 20, Replay(), language) + render_game(facts, Replay(), language, solver)
    assert "{" not in drawn
    assert (language == "en") == ("best still possible" in drawn)
    assert solver in drawn


def test_names_are_escaped() -> None:
    names = ("<b>Ann</b>", '"><script>')
    record = replace(RECORD, names=names)
    for winning in (winnability_of(record, 20_000), Winnability(None, 5, exact=False)):
        facts, solver = facts_of(record), render_winnability(record, winning, Replay(), "en")
        drawn = render_turn(facts, 20, Replay(), "en") + render_game(facts, Replay(), "en", solver)
        assert "<b>" not in drawn
        assert "<script" not in drawn


def test_a_game_without_turns_has_a_plot() -> None:
    facts = facts_of(first_turns(RECORD, 0))
    assert "facts-plot" in render_turn(facts, 0, Replay(), "en")


def test_a_server_that_stops_while_the_solver_works_leaks_no_semaphores() -> None:
    def semaphores() -> int:
        return sum(isinstance(one, SemLock) for one in gc.get_objects())

    async def steps() -> None:
        before, solver = semaphores(), WinSolver()
        solver.request(RECORD)
        while semaphores() <= before:  # the process has not started
            await asyncio.sleep(0.01)
        await solver.close()
        assert semaphores() <= before

    run(steps())
