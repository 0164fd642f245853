"""Trying other moves than those that the coach has judged: they are evaluated in the background, and compared."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from starlette.applications import Starlette

from tamaya.coach.coach import Coach, TriedMove, TriedMoves
from tamaya.record import Record
from tamaya.review.analysis import MoveGrade
from tamaya.rules import Action
from tamaya.web.http.rate_limits import RateLimiter, TooOftenError
from tamaya.web.services import services_of
from tests.support.analyses import COACHING, at, coached, of_kind
from tests.support.client import member, the_table, with_app


def test_a_player_who_tries_a_move_sees_what_the_player_saw_and_is_told_afterwards(tmp_path: Path) -> None:
    slip = of_kind(MoveGrade.SLIP)
    place = f"turn={slip.turn - 1}&seen=999&try=yourself"

    async def steps(app: Starlette) -> None:
        code, eve = await coached(app), member(app, "Eve")
        before = await at(eve, code, place)
        assert f'data-eyes="{slip.seat + 1}"' in before
        hidden = (await the_table(app, code)).past().view(slip.turn - 1, slip.seat).hand
        assert before.count('class="card back') + before.count("known face") == len(hidden)
        for words in ("Worth", "verdict", "facts-plot", "coach-", "points lost"):
            assert words not in before
        best = await at(eve, code, f"{place}&then={slip.best}")
        assert f"Worth {slip.best_value:.1f} points; nothing better was found." in best
        assert "data-solved" not in best, "it was no slip of hers"
        assert "Go on with every hand open" in best
        assert 'id="sheet"' not in best, "then it is another player's turn"
        openly = await at(eve, code, f"turn={slip.turn - 1}&seen=999&then={slip.best}")
        assert f"Worth {slip.best_value:.1f} points; nothing better was found." in openly
        assert "Go on with every hand open" not in openly, "every hand is open already"
        same = await at(eve, code, f"{place}&then={slip.played}")
        assert "This is what was played." in same
        assert "data-solved" not in same

    with_app(tmp_path, steps)


def test_another_move_is_evaluated_in_the_background_and_then_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slip, asked = of_kind(MoveGrade.SLIP), list[str]()

    async def weigh(self: TriedMoves, record: Record, turn: int, action: Action, found: TriedMove) -> None:
        asked.append(str(action))
        found.analysis = msgspec.structs.replace(slip, played=str(action), loss=0.1, verdict=MoveGrade.GOOD)
        found.done = True

    monkeypatch.setattr(TriedMoves, "_analyse", weigh)

    async def steps(app: Starlette) -> None:
        code, eve = await coached(app), member(app, "Eve")
        legal = (await the_table(app, code)).past().view(slip.turn - 1, slip.seat).legal_actions
        other = next(str(action) for action in legal if str(action) not in (slip.best, slip.played))
        place = f"turn={slip.turn - 1}&seen=999&try=yourself&then={other}"
        first = await at(eve, code, place)
        assert "Working out what this move is worth" in first
        assert "data-coaching" in first, "the page asks again"
        then = await at(eve, code, place)
        assert f"Worth {slip.best_value - 0.1:.1f} points; the best found is worth {slip.best_value:.1f}" in then
        assert asked == [other]
        assert (await eve.get(f"/t/{code}/replay?turn=3&seen=999&then=play+9")).status == 409
        assert asked == [other], "illegal moves are not evaluated"

    with_app(tmp_path, steps)


def test_too_many_tried_moves_show_the_board_and_ask_to_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[tuple[int, str]]()

    async def weigh(self: TriedMoves, record: Record, turn: int, action: Action, found: TriedMove) -> None:
        asked.append((turn, str(action)))
        found.analysis, found.done = COACHING.judgements[turn - 1], True

    monkeypatch.setattr(TriedMoves, "_analyse", weigh)

    async def steps(app: Starlette) -> None:
        time = [1000.0]
        services_of(app).limits._clock = lambda: time[0]
        code, eve, bob = await coached(app), member(app, "Eve"), member(app, "Bob")
        past, places = (await the_table(app, code)).past(), list[str]()
        for judged in COACHING.judgements[:5]:
            others = (str(one) for one in past.view(judged.turn - 1, judged.seat).legal_actions)
            places += [
                f"turn={judged.turn - 1}&seen=999&then={one}" for one in others if one not in (judged.played, judged.best)
            ]
        most, wait = RateLimiter.TRIED_MOVES.person, str(TooOftenError().message)
        for place in places[:most]:
            assert wait not in await at(eve, code, place)
        refused = await at(eve, code, places[most])
        assert wait in refused
        assert 'class="hand' in refused
        assert "data-coaching" not in refused, "the page does not ask by itself"
        assert wait not in await at(eve, code, places[0]), "results already known are shown all the same"
        assert len(asked) == most
        assert wait not in await at(bob, code, places[most]), "other visitors are not limited"
        time[0] += RateLimiter.TRIED_MOVES.seconds
        assert wait not in await at(eve, code, places[most + 1]), "after a while, the same visitor may try again"

    with_app(tmp_path, steps, limits=True)


def test_a_move_that_cannot_be_evaluated_is_reported_as_such(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Coach, "try_move", lambda self, *asked: TriedMove(done=True))

    async def steps(app: Starlette) -> None:
        code = await coached(app)
        page = await at(member(app, "Eve"), code, f"turn=3&seen=999&then={COACHING.judgements[3].played}")
        assert "could not work out what this move is worth" in page
        assert "data-coaching" not in page

    with_app(tmp_path, steps)
