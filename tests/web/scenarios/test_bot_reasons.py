"""What bots say of their actions, who reads it and when; failed bots; and which bots visitors can name."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.applications import Starlette

from tamaya.bots import BotMove
from tamaya.engine import View
from tamaya.i18n import LANGUAGES, catalogue
from tamaya.rules import Message, say
from tamaya.rules.message import quote
from tamaya.table import SpectatorMode, Table
from tests.bots.support import GOOD, MARKING, install, site
from tests.support.client import Browser, member, open_table, the_table, with_app
from tests.support.fakes import InlineExecutor, game_of

SECRET = "SECRET: you hold"


class Telling(InlineExecutor):
    """Plays a bot's own action, with reasons that name the cards of the player before it, or with a failure."""

    def __init__(self, why: Message | None = None, problem: str = "") -> None:
        super().__init__()
        self._why, self._problem = why, problem

    async def choose_move(self, bot: str, view: View, table: str = "", lineup: Sequence[str] = ()) -> BotMove:
        thought = await super().choose_move(bot, view, table)
        cards = " ".join(str(seen.card) for seen in view.hands[0])
        return replace(thought, why=self._why or quote(f"{SECRET} {cards}"), problem=self._problem)


async def bots_have_moved(app: Starlette, code: str) -> Table:
    while (table := await the_table(app, code)).bot_to_move:
        await asyncio.sleep(0)
    return table


async def with_a_bot(app: Starlette, ann: Browser, watching: SpectatorMode = SpectatorMode.TABLE, **fields: object) -> str:
    code = await open_table(ann, players=2, who="some", bots=1, bot="simple", watching=watching, **fields)
    assert (await ann.act(code, "start", first=0)).status == 200
    return code


async def moves(app: Starlette, ann: Browser, code: str, kind: str = "clue") -> str:
    """Ann moves and the bot answers; everything that Ann is sent."""
    table = await the_table(app, code)
    action = next((a for a in map(str, game_of(table).legal_actions()) if a.startswith(kind)), "")
    answer = await ann.act(code, "move", move=action, turn=table.turn)
    assert answer.status == 200
    await bots_have_moved(app, code)
    return answer.text + (await ann.get(f"/t/{code}")).text


@pytest.mark.parametrize("watching", SpectatorMode)
def test_reasons_are_shown_to_viewers_of_every_hand_and_after_the_end_to_all(tmp_path: Path, watching: SpectatorMode) -> None:
    async def steps(app: Starlette) -> None:
        ann, eve = member(app, "Ann"), member(app, "Eve")
        code = await with_a_bot(app, ann, watching)
        live = ann.stream(f"/t/{code}/stream")
        sent = await moves(app, ann, code)
        await live.until(b'data-turn="2"')
        assert SECRET not in sent + (await live.close()).text, "it would tell Ann her own cards"
        taken = await ann.act(code, "take-over")
        assert SECRET not in taken.text, "letting a bot play for her does not reveal them either"
        await ann.act(code, "give-back")
        assert (SECRET in (await eve.get(f"/t/{code}")).text) is (watching is SpectatorMode.HANDS)
        while (await bots_have_moved(app, code)).to_move is not None:
            assert SECRET not in (await ann.get(f"/t/{code}")).text
            await moves(app, ann, code, "play")
        page = (await ann.get(f"/t/{code}")).text
        assert page.count(SECRET) == len((await the_table(app, code)).explanations_for("p-ann")) > 0
        if watching is not SpectatorMode.NOBODY:
            assert SECRET in (await eve.get(f"/t/{code}")).text

    with_app(tmp_path, steps, thinker=Telling())


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_reasons_are_in_each_readers_language_also_after_a_restart(tmp_path: Path, language: str) -> None:
    why = say("It is {player}'s turn.", player="<b>Zoë</b>")

    async def play(app: Starlette) -> None:
        ann = member(app, "Ann")
        code = await with_a_bot(app, ann, SpectatorMode.HANDS)
        await moves(app, ann, code)
        codes.append(code)

    async def look(app: Starlette) -> None:
        page = (await member(app, "Eve", language=language.replace("_", "-")).get(f"/t/{codes[0]}")).text
        assert "<b>Zoë" not in page
        assert catalogue(language)(why) in page.replace("&lt;", "<").replace("&gt;", ">").replace("&#39;", "'")

    codes: list[str] = []
    with_app(tmp_path, play, thinker=Telling(why))
    with_app(tmp_path, look)


def test_every_page_says_when_a_bot_failed(tmp_path: Path) -> None:
    words = say("The bot could not decide; a safe action was taken for it.")

    async def steps(app: Starlette) -> None:
        ann, eve = member(app, "Ann"), member(app, "Eve", language="fr")
        code = await with_a_bot(app, ann)
        page = await moves(app, ann, code)
        assert page.count(str(words)) == 2, "beside the board and in the log"
        assert "KeyError" not in page
        assert catalogue("fr")(words) in (await eve.get(f"/t/{code}")).words

    with_app(tmp_path, steps, thinker=Telling(problem="KeyError (bot.py:3)"))


@pytest.mark.parametrize("name", ["trap:GoodBot", "trap", "os:getcwd", "trap:GoodBot simple", "../trap:GoodBot"])
def test_a_visitor_cannot_make_the_server_import_anything(tmp_path: Path, name: str) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        code = await open_table(ann, players=2)
        refused = [
            await ann.act(code, "bot", seat=1, bot=name),
            await ann.post("/play", {"bot": name}),
            await ann.post("/new", {"edition": "standard", "players": 2, "who": "bots", "bot": name}),
        ]
        await ann.act(code, "bot", seat=1)
        await ann.act(code, "start", first=0)
        refused.append(await ann.act(code, "take-over", seat=0, bot=name))
        assert [answer.status for answer in refused] == [400] * 4
        assert all("There is no bot" in answer.words for answer in refused)

    with site(tmp_path):
        install(tmp_path, "trap", MARKING + GOOD)
        with_app(tmp_path / "data", steps)
        assert not list(tmp_path.glob("*.mark"))


def test_bots_of_installed_packages_are_offered_in_their_authors_words(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        form = (await ann.get("/new")).text
        assert '<p class="about">Plays &lt;i&gt;well&lt;/i&gt; {0}. <a' in form, "as text, not as markup"
        assert 'name="bot" value="friendly"' in form
        code = await open_table(ann, players=2, who="some", bots=1, bot="friendly")
        assert (await the_table(app, code)).seats[1].bot == "friendly"

    with site(tmp_path):
        source = GOOD + "\n    summary = 'Plays <i>well</i> {0}.'\n"
        install(tmp_path, "friendly", source, {"friendly": "friendly:GoodBot"})
        with_app(tmp_path / "data", steps)
