"""The coach beneath a replay: nothing later than the reader has seen, and nothing while a game goes on."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette

from tamaya.coach.coach import AnalysisProgress, Coach
from tamaya.coach.worker import AnalysisWorker
from tamaya.i18n import LANGUAGES
from tamaya.record import Record
from tamaya.review.analysis import GameAnalysis, MoveGrade
from tamaya.rules import say
from tamaya.web.services import services_of
from tests.support.analyses import COACHING, RECORD, at, coached, made_up_analysis, of_kind
from tests.support.client import brought, end_game, member, start_game, the_table, with_app
from tests.support.games import with_another_end

TURNS = 30
END = "turn=end"


def test_a_page_says_nothing_of_turns_that_its_reader_has_not_seen(tmp_path: Path) -> None:
    """Two games that differ after a turn read the same up to there, to the last byte."""
    tried = COACHING.judgements[3].best

    async def steps(app: Starlette) -> None:
        codes = [await coached(app, record) for record in (RECORD, with_another_end(RECORD, TURNS))]
        eve = member(app, "Eve")
        places = (
            *("turn=0&seen=0", f"turn=3&seen={TURNS}", f"turn={TURNS}&eyes=2", f"turn={TURNS}&eyes=hands"),
            *(f"turn=3&seen={TURNS}&then={tried}", f"turn=3&seen={TURNS}&try=yourself", f"turn={TURNS}&try=yourself"),
            f"turn={TURNS}&try=yes",
        )
        for place in places:
            one, other = [(await at(eve, code, place)).replace(code, "CODE") for code in codes]
            assert one == other, place
        one, other = [(await at(eve, code, END)).replace(code, "CODE") for code in codes]
        assert one != other

    with_app(tmp_path, steps)


def test_totals_and_lines_are_shown_only_at_the_end(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        code, eve = await coached(app), member(app, "Eve")
        early, end = await at(eve, code, f"turn={TURNS}"), await at(eve, code, END)
        for words in ("Accuracy", "were to be expected", "The better line", "Show the better line"):
            assert words not in early
        assert "What cost most" in early
        for words in ("Accuracy", "were to be expected", "The better line"):
            assert words in end
        assert "Judged" not in early + end, "no work is left"

    with_app(tmp_path, steps)


def test_each_move_has_its_verdict_and_a_slip_says_what_was_better(tmp_path: Path) -> None:
    slip = of_kind(MoveGrade.SLIP)

    async def steps(app: Starlette) -> None:
        code, eve = await coached(app), member(app, "Eve")
        page = await at(eve, code, f"turn={slip.turn}&seen=999")
        worth = f"Worth {slip.value:.1f} points; the best found is worth {slip.best_value:.1f}: "
        assert worth in page
        assert "Companion would say for it" in page
        assert f"turn={slip.turn - 1}&eyes={slip.seat + 1}&try=yourself" in page
        log = re.search(r'<ol class="log".*?</ol>', page, re.DOTALL)
        assert log
        kinds = [one.verdict.value for one in reversed(COACHING.judgements[: slip.turn])]
        assert re.findall(r'<small class="verdict (\w+)">', log[0]) == kinds
        assert "0.5 points lost" in log[0]
        best = await at(eve, code, f"turn={of_kind(MoveGrade.BEST).turn}&seen=999")
        assert "nothing better was found" in best

    with_app(tmp_path, steps)


def test_slips_and_blunders_are_dots_of_two_shapes_on_the_line(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        code = await coached(app)
        page = await at(member(app, "Eve"), code, END)
        plot = re.search(r'<svg class="facts-plot".*?</svg>', page, re.DOTALL)
        assert plot
        assert "plot-expected" in plot[0]
        dots = [re.findall(mark, plot[0]) for mark in (r'<circle class="plot-slip"', r'<path class="plot-slip blunder"')]
        for verdict, found in zip((MoveGrade.SLIP, MoveGrade.BLUNDER), dots, strict=True):
            assert len(found) == sum(one.verdict is verdict for one in COACHING.judgements)
        flag = of_kind(MoveGrade.BLUNDER)
        assert f'href="/t/{code}/replay?turn={flag.turn}&eyes=hands" aria-label="Turn {flag.turn}, ' in plot[0]

    with_app(tmp_path, steps)


def test_a_better_line_can_be_stepped_through(tmp_path: Path) -> None:
    slip = of_kind(MoveGrade.SLIP)

    async def steps(app: Starlette) -> None:
        code, eve = await coached(app), member(app, "Eve")
        page = await at(eve, code, f"turn={slip.turn}&seen=999")
        link = re.search(r'href="([^"]+)">Show the better line', page)
        for tried in range(1, len(slip.line)):
            assert link, tried
            page = (await eve.get(f"{unescape(link[1])}&seen=999")).words
            link = re.search(r'data-step="onward" href="([^"]+)"', page)
        assert link
        page = (await eve.get(f"{unescape(link[1])}&seen=999")).words
        assert f"{len(slip.line)} moves tried after turn {slip.turn - 1}" in page
        assert 'data-step="onward"' not in page

    with_app(tmp_path, steps)


def test_a_coach_that_gave_up_can_be_asked_again_from_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = say("The coach gave up: it could not weigh turn {turn}.", turn=8)
    progress = AnalysisProgress(made_up_analysis(RECORD, 7), requested=False, compiled=True, error=refused)
    ask = "What was each move worth?"

    async def of(self: Coach, table: Any) -> AnalysisProgress:
        progress.requested, progress.error = True, None
        return progress

    monkeypatch.setattr(Coach, "request", of)

    async def steps(app: Starlette) -> None:
        code, eve = await brought(app, RECORD), member(app, "Eve")
        services_of(app).coach._games.put(code, progress)
        page = await at(eve, code, END)
        assert "could not weigh turn 8" in page
        assert ask in page
        assert "data-coaching" not in page
        early = await at(eve, code, "turn=5&seen=7")
        assert "could not weigh" not in early
        assert ask not in early, "there may be no turn 8"
        assert (await eve.post(f"/t/{code}/replay/coach?turn=1")).status == 303
        page = await at(eve, code, END)
        assert f"Judged 7 of {COACHING.turns} moves." in page
        assert "could not weigh" not in page

    with_app(tmp_path, steps)


def test_a_viewer_starts_the_coach_and_sees_its_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    progress = AnalysisProgress(made_up_analysis(RECORD, 0), requested=True)
    asked = list[str]()

    async def of(self: Coach, table: Any) -> AnalysisProgress:
        asked.append(table.code)
        self._games.put(table.code, progress)
        return progress

    monkeypatch.setattr(Coach, "request", of)

    async def steps(app: Starlette) -> None:
        code, eve = await brought(app, RECORD), member(app, "Eve")
        page = await at(eve, code, END)
        start = re.search(r'action="([^"]+)"[^>]*><button class="quiet">What was each move worth\?', page)
        assert start
        assert asked == [], "not started yet"
        assert (await eve.post(start[1])).status == 303
        assert asked == [code]
        assert "The coach is getting ready." in await at(eve, code, END)
        progress.compiled, progress.analysis = True, made_up_analysis(RECORD, 7)
        page = await at(eve, code, "turn=5&seen=999")
        assert f"Judged 7 of {COACHING.turns} moves." in page
        assert "data-coaching" in page
        assert "Worth" in page, "the first verdicts are there already"
        assert "Judged 7 of 20 moves." in await at(eve, code, "turn=20")
        assert "Judged" not in await at(eve, code, "turn=5&seen=7"), "all turns that the reader has seen are judged"
        progress.error = say("The coach gave up: it could not weigh turn {turn}.", turn=8)
        assert "could not weigh turn 8" in await at(eve, code, END)
        assert "could not weigh" not in await at(eve, code, "turn=5&seen=7"), "there may be no turn 8"
        again = await eve.post(start[1], hx_request="true")
        assert (again.status, asked) == (200, [code])
        assert "facts-plot" in again.text

    with_app(tmp_path, steps)


def test_a_busy_coach_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def of(self: Coach, table: Any) -> AnalysisProgress:
        return AnalysisProgress(GameAnalysis((), table.turn))

    monkeypatch.setattr(Coach, "request", of)

    async def steps(app: Starlette) -> None:
        code = await brought(app, RECORD)
        refused = await member(app, "Eve").post(f"/t/{code}/replay/coach?turn=1", hx_request="true")
        assert (refused.status, refused.text) == (409, "The coach has too much to do just now; ask again in a few minutes.")

    with_app(tmp_path, steps)


def test_the_coach_judges_no_game_that_goes_on(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        code = await start_game(ann, member(app, "Bob"))
        assert (await ann.post(f"/t/{code}/replay/coach?turn=0")).status == 409
        assert (await ann.get(f"/t/{code}/replay?turn=0&try=yourself")).status == 409
        assert "coach-" not in (await ann.get(f"/t/{code}/replay")).text
        assert services_of(app).coach._games.get(code) is None

    with_app(tmp_path, steps)


def test_players_are_told_once_that_the_coach_has_its_own_conventions(tmp_path: Path) -> None:
    bots = replace(RECORD, bots=("convention", "convention"))

    async def steps(app: Starlette) -> None:
        eve = member(app, "Eve")
        people, programs = [await at(eve, await coached(app, record), END) for record in (RECORD, bots)]
        for page in (people, programs):
            assert page.count("The coach judges a move only by what its player could know.") == 1
        assert people.count("by the agreements of the Companion") == 1
        assert "by the agreements of the Companion" not in programs

    with_app(tmp_path, steps)


def test_a_person_for_whom_bots_stood_in_is_judged_as_a_person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = list[Record]()

    async def remember(self: object, record: Record, *what: object) -> None:
        given.append(record)

    monkeypatch.setattr(AnalysisWorker, "is_ready", remember)

    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        code = await start_game(ann, bob)
        for seat, player in enumerate((ann, bob)):
            assert (await player.act(code, "take-over", seat=seat, bot="convention")).status == 200
        await end_game(app, code, ann, bob)
        table = await the_table(app, code)
        assert table.record().bots == ("convention", "convention"), (
            "stored and exported records name the seats' owners at the end"
        )
        saved = (await ann.get(f"/t/{code}/record/tamaya")).text
        assert saved.count("convention") == 2
        assert (await ann.post(f"/t/{code}/replay/coach?turn=0")).status == 303
        coaching = made_up_analysis(table.record())
        services_of(app).coach._games.forget(code)
        await services_of(app).tables.store.save_analysis(code, coaching.to_text())
        assert "by the agreements of the Companion" in await at(ann, code, END)
        judged, other = coaching.judgements[0], table.past().view(0, 0).legal_actions
        tried = next(str(one) for one in other if str(one) not in (judged.played, judged.best))
        await at(ann, code, f"turn=0&seen=999&then={tried}")
        await asyncio.sleep(0)
        assert [record.bots for record in given] == [(None, None)] * 2, "asked about the game, and about a move"
        assert given[0] == replace(table.record(), bots=(None, None))

    with_app(tmp_path, steps)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_coach_speaks_every_language(tmp_path: Path, language: str) -> None:
    slip = of_kind(MoveGrade.SLIP)

    async def steps(app: Starlette) -> None:
        code = await coached(app)
        eve = member(app, "Eve", language=language.replace("_", "-"))
        pages = [
            await at(eve, code, place) for place in (END, f"turn={slip.turn}&seen=999", f"turn={slip.turn - 1}&try=yourself")
        ]
        for words in ("Worth", "Try it yourself", "Accuracy", "What cost most", "expected score"):
            assert (words in "".join(pages)) == (language == "en"), words

    with_app(tmp_path, steps)


def test_names_are_shown_and_never_run(tmp_path: Path) -> None:
    record = replace(RECORD, names=("<b>Ann</b>", '"><script>'))

    async def steps(app: Starlette) -> None:
        code, eve = await coached(app, record), member(app, "Eve")
        for turn in (END, f"turn={of_kind(MoveGrade.SLIP).turn}&seen=999"):
            page = (await eve.get(f"/t/{code}/replay?{turn}")).text
            assert "<b>Ann" not in page
            assert '"><script' not in page

    with_app(tmp_path, steps)
