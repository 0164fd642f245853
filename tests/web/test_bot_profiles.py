"""Where a bot that thinks ahead cannot do so yet, pages say so: where it is chosen, in the lobby and at its table."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.applications import Starlette

from tamaya.i18n import LANGUAGES, catalogue
from tamaya.rules import EDITIONS, Message
from tamaya.web.bot_profiles import compile_notice, prewarm_common
from tamaya.web.services import Services, services_of
from tamaya.workers.search_pool import CompileKey, CompileState, SearchPool
from tests.support.client import member, open_table, with_app
from tests.support.fakes import Held

RULES = EDITIONS["standard"].rules(2)
NEED = CompileKey.of(RULES, ["convention"])


def house_of(app: Starlette) -> Services:
    services = services_of(app)
    assert isinstance(services, Services)
    return services


def stand_at(pool: SearchPool, need: CompileKey, warmth: CompileState) -> None:
    """Let the pool be so far with a need, without compiling anything."""
    pool._wanted.clear()
    pool._missing.clear()
    if warmth is CompileState.COMPILING:
        pool._wanted.append(need)
    else:
        pool._needs.settle(need, warmth)


def words_for(pool: SearchPool, bot: str = "search") -> Message | None:
    return compile_notice(pool, bot, RULES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_say_how_far_it_is_until_it_is_ready(tmp_path: Path, language: str) -> None:
    speak = catalogue(language)

    async def steps(app: Starlette) -> None:
        pool, ann = house_of(app).search_pool, member(app, "Ann", language=language)
        choosing = "/new?edition=standard&players=2&who=bots&bot=search"
        table, said = f"/t/{await open_table(ann, players=2, who='bots', bot='search', starter=1)}", set[str]()
        for warmth in (CompileState.COLD, CompileState.COMPILING, CompileState.IMPOSSIBLE):
            stand_at(pool, NEED, warmth)
            words = words_for(pool)
            assert words is not None, warmth
            for page in (choosing, table):
                assert speak(words) in (await ann.get(page)).words, (warmth, page)
            said.add(speak(words))
        assert len(said) == 3
        stand_at(pool, NEED, CompileState.READY)
        for page in (choosing, table):
            shown = (await ann.get(page)).words
            assert not any(words in shown for words in said), page

    with_app(tmp_path, steps, thinker=Held())


def test_the_lobby_says_so_while_friends_are_on_their_way(tmp_path: Path) -> None:
    need = CompileKey.of(EDITIONS["standard"].rules(3), ["convention"])

    async def steps(app: Starlette) -> None:
        pool, ann = house_of(app).search_pool, member(app, "Ann")
        code = await open_table(ann, players=3)
        assert "The Thinker" not in (await ann.get(f"/t/{code}")).words
        await ann.act(code, "bot", seat=1, bot="search")
        expected = {
            CompileState.COLD: "The Thinker has not warmed up for these rules yet; until it has, it plays as the",
            CompileState.COMPILING: "The Thinker is still warming up; until it has, it plays as the Companion does.",
            CompileState.IMPOSSIBLE: "The Thinker cannot think ahead on this server: it plays as the Companion does.",
        }
        for warmth, words in expected.items():
            stand_at(pool, need, warmth)
            assert words in (await ann.get(f"/t/{code}")).words

    with_app(tmp_path, steps, thinker=Held())


def test_nothing_is_said_to_warm_up_that_nobody_has_wanted(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        for players in (2, 4, 5):
            page = await member(app, "Ann").get(f"/new?edition=standard&players={players}&who=bots&bot=search")
            assert "warming up" not in page.words, players
            assert "The Thinker has not warmed up for these rules yet" in page.words, players

    with_app(tmp_path, steps, thinker=Held())


def test_nothing_is_said_of_bots_that_need_nothing(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        pool = house_of(app).search_pool
        assert [words_for(pool, bot) for bot in ("convention", "nobody has heard of it", "")] == [None] * 3
        assert pool._preparing is None, "and looking at pages compiles nothing"

    with_app(tmp_path, steps, thinker=Held())


def test_a_server_warms_up_for_every_edition_first_for_two_players_then_for_three(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted: list[CompileKey] = []
    monkeypatch.setattr(SearchPool, "prewarm", lambda pool, rules, policies: wanted.append(CompileKey.of(rules, policies)))
    prewarm_common(SearchPool())
    assert wanted[0] == NEED
    assert wanted == [
        CompileKey.of(edition.rules(players), ["convention"]) for players in (2, 3) for edition in EDITIONS.values()
    ]
