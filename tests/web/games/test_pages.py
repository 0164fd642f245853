"""My games: lists, filters, statistics, export and deletion."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlencode

import pytest
from starlette.applications import Starlette

from tamaya import EDITIONS, TamayaError
from tamaya.i18n import LANGUAGES, catalogue
from tamaya.record import native
from tamaya.record.files import read_file
from tamaya.rules import say
from tamaya.table import EventBatch, GameFilter, GameKind, GameProgress, GameState, Phase, TableSummary, import_game
from tamaya.web.games.filters import filter_fields, games_address, read_filter, read_page
from tamaya.web.http.rate_limits import RateLimiter
from tamaya.web.services import services_of
from tests.support.client import Browser, end_game, kept_lines, member, open_table, start_game, the_table, with_app

DAY = 24 * 3600.0
PLAIN = TableSummary(
    "aaaaaaaaaa",
    Phase.ENDED,
    False,
    "standard",
    2,
    ("Ann", "Bob"),
    ("p-ann", "p-bob"),
    0.0,
    GameProgress(20),
    ("Ann", "Bob"),
    ("", ""),
)


async def keep(app: Starlette, *games: TableSummary) -> None:
    """Store these games as played."""
    await services_of(app).tables.store.append([EventBatch(game, 1, ("{}",)) for game in games])


def game(number: int, **more: object) -> TableSummary:
    """One of many games, which ended on consecutive days."""
    letters = "abcdefghjk"
    code = "".join(letters[int(digit)] for digit in f"{number:010}")
    told = replace(PLAIN, code=code, updated_at=number * DAY, ended=number * DAY)
    return replace(told, **more)  # type: ignore[arg-type]


def codes(page: str) -> list[str]:
    """The games that a page lists, in order."""
    listed = page.split('class="tables games"')[1].split("</ul>")[0] if 'class="tables games"' in page else ""
    return re.findall(r'href="/t/(\w+)(?:/replay)?"', listed)


def test_all_of_a_persons_games_are_listed_running_ones_first(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob, eve = member(app, "Ann"), member(app, "Bob"), member(app, "Eve")
        over, running = await start_game(ann, bob), await start_game(ann, bob)
        await end_game(app, over, ann, bob)
        waiting = await open_table(ann, players=2)
        page = (await ann.get("/games")).words
        assert sorted(codes(page)[:2]) == sorted([waiting, running])
        assert codes(page)[2:] == [over]
        assert f'href="/t/{over}/replay"' in page
        line = page.split(f"/t/{over}/replay")[1].split("</li>")[0]
        score = (await the_table(app, over)).points
        assert all(words in line for words in ("<b>Bob</b>", "Jan 1, 1970", "Standard rules", f"<b>{score} point"))
        assert "Your turn" in page
        assert "Ann's turn" in (await bob.get("/games")).words
        assert codes((await eve.get("/games")).words) == []
        assert "Your games will be here" in (await Browser(app).get("/games")).words
        assert 'href="/games"' in (await ann.get("/")).text

    with_app(tmp_path, steps)


@pytest.mark.parametrize("language", LANGUAGES)
def test_lists_say_which_games_are_perfect_lost_or_not_counted(tmp_path: Path, language: str) -> None:
    speak = catalogue(language)

    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann", language=language.replace("_", "-"))
        brought = {"kind": GameKind.BROUGHT, "player_ids": ("p-ann",), "player_names": ("",), "names": ("Xi", "Yu")}
        await keep(
            app,
            game(1, progress=GameProgress(25, perfect=True)),
            game(2, progress=GameProgress(7, lost=True)),
            game(3, **brought),
            game(4, kind=GameKind.LESSON),
            game(5, kind=GameKind.PLAYED_ON),
            game(6, progress=None, player_names=(), bots=()),
        )
        page = (await ann.get("/games")).words
        lines = {one: page.split(f"/t/{one}/replay")[1].split("</li>")[0] for one in codes(page)}
        old, played_on, lesson, elsewhere, lost, perfect = lines.values()
        assert f"★ {speak(say('Perfect'))}" in perfect
        assert f"<b>{speak(say('Lost'))}</b>" in lost
        assert speak.join(("Xi", "Yu")) in elsewhere
        assert all(" · " in line.split("</small>")[0].replace(" · ", "", 1) for line in (elsewhere, lesson, played_on))
        assert speak.join(("Ann", "Bob")) in old, "an older database does not know which is Ann's name"
        sums = re.findall(r'<dd class="number">([^<]*)</dd>', page)
        assert sums[0] == "2", "the perfect and the lost one"
        assert sums[2:] == ["25", "1", "1"]

    with_app(tmp_path, steps)


def many_games(choice: random.Random) -> list[TableSummary]:
    games = []
    for number in range(60):
        players = choice.randrange(2, 6)
        names = ("Ann", *choice.sample(("Bob", "Cléo & <Co>", "Dot", "Eli"), players - 1))
        bots = ("", *(choice.choice(("", "hat")) for _ in names[1:]))
        points, lost = choice.randrange(26), choice.random() < 0.2
        games.append(
            game(
                number,
                players=players,
                names=names,
                bots=bots,
                player_ids=("p-ann",),
                player_names=("Ann",),
                edition=choice.choice(list(EDITIONS)),
                progress=GameProgress(points, lost, perfect=points == 25 and not lost),
            )
        )
    return games


def test_every_filter_is_in_the_address_and_shows_what_it_says(tmp_path: Path) -> None:
    games = many_games(random.Random(4))

    def of(**fields: str) -> list[str]:
        """The games that match a filter, newest first."""

        def fits(one: TableSummary) -> bool:
            people = [name for name, bot in zip(one.names, one.bots, strict=True) if not bot]
            assert one.progress
            return (
                fields.get("edition", one.edition) == one.edition
                and fields.get("players", str(one.players)) == str(one.players)
                and ("partner" not in fields or fields["partner"] in people[1:])
                and ("bot" not in fields or fields["bot"] in one.bots)
                and ("from" not in fields or one.updated_at >= 10 * DAY)
                and ("to" not in fields or one.updated_at < 21 * DAY)
                and (fields.get("state") != "lost" or one.progress.lost)
            )

        return [one.code for one in reversed(games) if fits(one)]

    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        await keep(app, *games)
        for fields in (
            {"edition": "french"},
            {"players": "3"},
            {"partner": "Cléo & <Co>"},
            {"partner": "Ann"},
            {"bot": "hat", "players": "2"},
            {"from": "1970-01-11", "to": "1970-01-21"},
            {"state": "lost"},
            {"state": "lost", "partner": "Bob", "edition": "", "players": ""},
            {"edition": "standard", "players": "5", "partner": "Bob", "bot": "hat"},
        ):
            asked = {name: value for name, value in fields.items() if value}
            found = (await ann.get(f"/games?{urlencode(fields)}")).words
            wanted = of(**asked)
            assert codes(found) == wanted[:25], fields
            for name, value in asked.items():
                assert name == "state" or f'value="{value}"' in found, "the form shows what is chosen"
        page = (await ann.get("/games?players=3&state=over")).words
        assert 'href="/games?players=3&state=lost"' in page
        assert 'href="/games?state=over"' in page, "a filter can be taken off"
        none = (await ann.get("/games?partner=Nobody+at+all")).words
        assert "There is no such game." in none
        assert 'href="/games"' in none

    with_app(tmp_path, steps)


def test_a_filter_comes_back_from_its_own_address() -> None:
    for wanted in (
        GameFilter(),
        GameFilter("french", 4, "A & B", "hat", GameState.PERFECT, 10 * DAY, 20 * DAY),
        GameFilter(partner="/?#=&%+ é李", before=DAY),
    ):
        assert read_filter(filter_fields(wanted)) == wanted
    assert games_address({}) == games_address({"edition": "x"}, edition="") == "/games"
    assert games_address({"players": "3"}, page=2) == "/games?players=3&page=2"


def test_a_filter_that_the_database_cannot_express_never_reaches_it() -> None:
    assert read_filter({"partner": "An\0n", "bot": "\0"}) == GameFilter(partner="Ann")


NONSENSE = (
    *("edition=german", "players=9", "players=x", "state=won"),
    *("from=yesterday", "to=2026-02-30", "to=0001-01-01", "page=0", "page=x"),
)


def test_a_senseless_filter_is_refused_in_words(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        for language in LANGUAGES:
            ann = member(app, "Ann", language=language.replace("_", "-"))
            for query in NONSENSE:
                name, _, value = query.partition("=")
                answer = await ann.get(f"/games?{query}")
                with pytest.raises(TamayaError) as refusal:
                    (read_page if name == "page" else read_filter)({name: value})
                assert answer.status == 400
                assert value in str(refusal.value.message)
                assert catalogue(language)(refusal.value.message) in answer.words

    with_app(tmp_path, steps)


def test_many_games_come_in_pages(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        games = [game(number, players=2 + number % 2) for number in range(120)]
        await keep(app, *games)
        seen, to = [], "/games?players=2"
        for _ in range(3):
            page = (await ann.get(to)).words
            seen += codes(page)
            following = re.search(r'rel="next" href="([^"]*)"', page)
            to = following[1] if following else ""
        assert seen == [one.code for one in reversed(games) if one.players == 2]
        assert not to, "the third page is the last"
        assert 'rel="prev" href="/games?players=2&page=2"' in page
        assert "Games 51–60 of 60" in page
        assert codes((await ann.get("/games?page=9")).words) == []

    with_app(tmp_path, steps)


def test_the_page_stays_small_however_many_games_there_are(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, choice = member(app, "Ann"), random.Random(1)
        await keep(app, *(game(number, progress=GameProgress(choice.randrange(26))) for number in range(2, 42)))
        few = (await ann.get("/games")).text
        assert few.split('class="dots" d="')[1].split('"')[0].count("M") == 40, "each game is a dot"
        await keep(app, *(game(number, progress=GameProgress(choice.randrange(26))) for number in range(100, 2100)))
        many = (await ann.get("/games")).text
        assert many.split('class="dots" d="')[1].split('"')[0].count("M") < 130
        assert len(many) < 60_000

    with_app(tmp_path, steps)


def test_every_ended_game_is_exported_as_a_record_and_no_running_one(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        ended = [await start_game(ann, bob) for _ in range(3)]
        for code in ended:
            await end_game(app, code, ann, bob)
        await start_game(ann, bob)
        other = await start_game(bob, ann, players=2)
        await end_game(app, other, ann, bob)
        await ann.post("/games/delete", {"code": other})
        tables = services_of(app).tables
        records = [(await tables.get(code)).record() for code in ended]
        brought = await tables.begin(import_game(records[0], "p-ann"))
        tables._cache._tables.clear()
        answer = await ann.get("/games/export")
        assert not tables._cache._tables, "tables in use stay in the cache"
        assert answer.headers["content-disposition"] == 'attachment; filename="tamaya-games.jsonl"'
        (tmp_path / "saved.jsonl").write_bytes(answer.body)
        found = [entry.replay for entry in read_file(tmp_path / "saved.jsonl")]
        wanted = sorted(native.write(record) for record in (*records, brought.record()))
        assert sorted(native.write(one.record) for one in found if one) == wanted
        assert (await Browser(app).get("/games/export")).body == b""

    with_app(tmp_path, steps)


def test_the_number_of_exports_is_limited(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        services_of(app).limits._clock = lambda: 1000.0
        ann = member(app, "Ann")
        found = [(await ann.get("/games/export")).status for _ in range(RateLimiter.EXPORTS.person + 1)]
        assert found == [200] * RateLimiter.EXPORTS.person + [429]
        assert (await member(app, "Bob").get("/games/export")).status == 200

    with_app(tmp_path, steps, limits=True)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_question_says_what_deleting_means_and_only_the_answer_deletes(tmp_path: Path, language: str) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann", language=language.replace("_", "-")), member(app, "Bob")
        code = await start_game(ann, bob, watching="nobody")
        running = await start_game(ann, bob)
        await end_game(app, code, ann, bob)
        before = await kept_lines(app)
        question = await ann.get(f"/games/delete?code={code}")
        assert question.status == 200
        assert "Bob" in question.words.split("<h1>")[1]
        assert f'name="code" value="{code}"' in question.text
        assert (await ann.get("/games/delete")).status == 200
        for asked in (f"/games/delete?code={running}", "/games/delete?code=zzzzzzzzzz"):
            assert (await ann.get(asked)).status in (404, 409)
        assert (await member(app, "Eve").get(f"/games/delete?code={code}")).status == 409
        for fields in ({}, {"code": running}, {"code": "zzzzzzzzzz"}, {"all": "no"}):
            assert (await ann.post("/games/delete", fields)).status >= 400
        assert await kept_lines(app) == before
        answer = await ann.post("/games/delete", {"code": code})
        assert (answer.status, answer.headers["location"]) == (303, "/games")
        assert codes((await ann.get("/games")).words) == [running]
        assert codes((await bob.get("/games")).words) == [running, code]
        assert (await ann.get(f"/t/{code}")).status == 403, "like any stranger"
        assert "Ann" in (await bob.get(f"/t/{code}")).words
        await bob.post("/games/delete", {"all": "yes"})
        assert [(await who.get(f"/t/{code}")).status for who in (ann, bob)] == [404, 404]
        assert codes((await bob.get("/games")).words) == [running]

    with_app(tmp_path, steps)


def test_deleting_a_game_ends_the_live_pages_of_those_who_lost_it_only(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        code = await start_game(ann, bob, watching="nobody")
        await end_game(app, code, ann, bob)
        streams = [who.stream(f"/t/{code}/stream") for who in (ann, bob)]
        for stream in streams:
            await stream.until(b"id: ")
        await ann.post("/games/delete", {"code": code})
        assert (await bob.act(code, "say", remark="thanks")).status == 200
        await streams[1].until(b"id: %d" % (await the_table(app, code)).sequence)
        sent = await streams[0].close()
        await streams[1].close()
        assert b"Thanks" not in sent.body

    with_app(tmp_path, steps)
