"""My slips: a player's own costly moves, to try them again without spoilers."""

from __future__ import annotations

import re
from pathlib import Path

from starlette.applications import Starlette

from tamaya.review.analysis import GameAnalysis
from tamaya.web.services import services_of
from tests.support.analyses import RECORD, made_up_analysis
from tests.support.client import Browser, brought, end_game, member, start_game, the_table, with_app
from tests.support.fakes import steady_chance


async def own_game(app: Starlette, *players: Browser) -> tuple[str, GameAnalysis]:
    """A game that these people have played, and the coach's analysis of it."""
    code = await start_game(*players)
    await end_game(app, code, *players)
    coaching = made_up_analysis((await the_table(app, code)).record())
    await services_of(app).tables.store.save_analysis(code, coaching.to_text())
    return code, coaching


def test_my_slips_are_my_own_newest_first_and_without_spoilers(tmp_path: Path) -> None:
    time = [1000.0]

    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        games = []
        for _ in range(3):
            games.append(await own_game(app, ann, bob))
            time[0] += 3600
        assert "/games/slips" in (await ann.get("/games")).text
        page = await ann.get("/games/slips")
        expected = [
            f"/t/{code}/replay?turn={one.turn - 1}&eyes=1&try=yourself"
            for code, coaching in reversed(games)
            for one in reversed(coaching.of(0))
            if one.verdict.is_flag
        ]
        assert len(expected) > len(games), "some game has more than one"
        codes = [code for code, _ in games]
        assert codes not in (sorted(codes), sorted(codes, reverse=True)), "no other order looks like this one"
        assert re.findall(r'<li><a href="([^"]+)"', page.words) == expected
        for words in ("Worth", "better found", "The move played"):
            assert words not in page.words
        code, coaching = games[0]
        slip = next(one for one in coaching.of(0) if one.verdict.is_flag)
        view = (await the_table(app, code)).past().view(slip.turn - 1, 0)
        assert f"Turn {slip.turn}. Points: {view.points}; clue tokens: {view.clue_tokens};" in page.words
        tried = await ann.get(f"/t/{code}/replay?turn={slip.turn - 1}&eyes=1&try=yourself&then={slip.best}")
        assert f'data-solved="{code} {slip.turn}"' in tried.text
        assert f'data-slip="{code} {slip.turn}"' in page.text

    with_app(tmp_path, steps, chance=steady_chance(clock=lambda: time[0]))


def test_a_slip_is_solved_only_by_the_player_who_made_it_without_help(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        code, coaching = await own_game(app, ann, bob)
        slip = next(one for one in coaching.of(0) if one.verdict.is_flag)
        good = next(one for one in coaching.of(0) if not one.verdict.is_flag and one.best != one.played)

        async def solved(who: Browser, turn: int, way: str, best: str) -> bool:
            page = await who.get(f"/t/{code}/replay?turn={turn - 1}&eyes=1&try={way}&then={best}")
            assert "Worth" in page.words
            return "data-solved" in page.text

        assert await solved(ann, slip.turn, "yourself", slip.best)
        assert not await solved(ann, slip.turn, "yes", slip.best), "a player who was shown the better line has not found it"
        assert not await solved(bob, slip.turn, "yourself", slip.best), "it was not Bob's"
        assert not await solved(ann, good.turn, "yourself", good.best), "it was no slip"

    with_app(tmp_path, steps)


def test_moves_of_others_before_a_game_was_played_on_are_not_my_slips(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        eve, tom, begun = member(app, "Eve"), member(app, "Tom"), 20
        went_on = await eve.post(f"/t/{await brought(app, RECORD)}/play-on", {"turn": begun})
        code = went_on.headers["location"].rpartition("/")[2]
        await tom.act(code, "sit")
        await eve.act(code, "start", first=0)
        await end_game(app, code, eve, tom)
        table = await the_table(app, code)
        own, coaching = table.seat_of(eve.person), made_up_analysis(table.record())
        assert own is not None
        await services_of(app).tables.store.save_analysis(code, coaching.to_text())
        flags = [one.turn for one in coaching.of(own) if one.verdict.is_flag]
        assert min(flags) <= begun < max(flags)
        page = await eve.get("/games/slips")
        told = [int(turn) + 1 for turn in re.findall(r'<li><a href="[^"]+turn=(\d+)', page.words)]
        assert told == [turn for turn in reversed(flags) if turn > begun]

    with_app(tmp_path, steps)


def test_a_player_without_slips_is_told_how_to_get_some(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        assert "What was each move worth?" in (await ann.get("/games/slips")).words
        code = await start_game(ann, bob)
        await end_game(app, code, ann, bob)
        assert "What was each move worth?" in (await ann.get("/games/slips")).words
        assert "No slips in those of these games" in (await ann.get("/games/slips?page=2")).words
        assert (await ann.get("/games/slips?page=x")).status == 400

    with_app(tmp_path, steps)
