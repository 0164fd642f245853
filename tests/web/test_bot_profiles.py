"""Notices on search bots that are not compiled yet: where they are chosen, in the lobby and at the table."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.applications import Starlette

from tamaya.i18n import LANGUAGES, catalogue
from tamaya.rules import EDITIONS, Message
from tamaya.web.bot_profiles import compile_notice, prewarm_common
from tamaya.web.services import services_of
from tamaya.workers.search_pool import CompileKey, CompileState, SearchPool
from tests.support.client import member, open_table, with_app
from tests.support.fakes import HeldExecutor

RULES = EDITIONS["standard"].rules(2)
KEY = CompileKey.of(RULES, ["convention"])


def set_state(pool: SearchPool, key: CompileKey, state: CompileState) -> None:
    """Set the pool's state for a key, without compiling anything."""
    pool._to_load.clear()
    pool._to_compile.clear()
    if state is CompileState.COMPILING:
        pool._to_load.append(key)
    else:
        pool._states.settle(key, state)


def notice_for(pool: SearchPool, bot: str = "search") -> Message | None:
    return compile_notice(pool, bot, RULES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_show_a_notice_until_the_bot_is_compiled(tmp_path: Path, language: str) -> None:
    speak = catalogue(language)

    async def steps(app: Starlette) -> None:
        pool, ann = services_of(app).search_pool, member(app, "Ann", language=language)
        choosing = "/new?edition=standard&players=2&who=bots&bot=search"
        table, said = f"/t/{await open_table(ann, players=2, who='bots', bot='search', starter=1)}", set[str]()
        for state in (CompileState.COLD, CompileState.COMPILING, CompileState.IMPOSSIBLE):
            set_state(pool, KEY, state)
            words = notice_for(pool)
            assert words is not None, state
            for page in (choosing, table):
                assert speak(words) in (await ann.get(page)).words, (state, page)
            said.add(speak(words))
        assert len(said) == 3
        set_state(pool, KEY, CompileState.READY)
        for page in (choosing, table):
            shown = (await ann.get(page)).words
            assert not any(words in shown for words in said), page

    with_app(tmp_path, steps, thinker=HeldExecutor())


def test_the_lobby_shows_a_notice_on_its_bots(tmp_path: Path) -> None:
    key = CompileKey.of(EDITIONS["standard"].rules(3), ["convention"])

    async def steps(app: Starlette) -> None:
        pool, ann = services_of(app).search_pool, member(app, "Ann")
        code = await open_table(ann, players=3)
        assert "The Thinker" not in (await ann.get(f"/t/{code}")).words
        await ann.act(code, "bot", seat=1, bot="search")
        expected = {
            CompileState.COLD: "The Thinker has not warmed up for these rules yet; until it has, it plays as the",
            CompileState.COMPILING: "The Thinker is still warming up; until it has, it plays as the Companion does.",
            CompileState.IMPOSSIBLE: "The Thinker cannot think ahead on this server: it plays as the Companion does.",
        }
        for state, words in expected.items():
            set_state(pool, key, state)
            assert words in (await ann.get(f"/t/{code}")).words

    with_app(tmp_path, steps, thinker=HeldExecutor())


def test_rules_that_were_never_requested_do_not_count_as_compiling(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        for players in (2, 4, 5):
            page = await member(app, "Ann").get(f"/new?edition=standard&players={players}&who=bots&bot=search")
            assert "warming up" not in page.words, players
            assert "The Thinker has not warmed up for these rules yet" in page.words, players

    with_app(tmp_path, steps, thinker=HeldExecutor())


def test_bots_without_a_search_have_no_notice(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        pool = services_of(app).search_pool
        assert [notice_for(pool, bot) for bot in ("convention", "an unknown bot", "")] == [None] * 3
        assert pool._preparation is None, "viewing pages compiles nothing"

    with_app(tmp_path, steps, thinker=HeldExecutor())


def test_every_edition_is_compiled_for_two_players_first_then_for_three(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted: list[CompileKey] = []
    monkeypatch.setattr(SearchPool, "prewarm", lambda pool, rules, policies: wanted.append(CompileKey.of(rules, policies)))
    prewarm_common(SearchPool())
    assert wanted[0] == KEY
    assert wanted == [
        CompileKey.of(edition.rules(players), ["convention"]) for players in (2, 3) for edition in EDITIONS.values()
    ]
