"""Games from elsewhere: pasted, uploaded or named by a link; whole, damaged or many at once."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.applications import Starlette

from tamaya import Game, Rules
from tamaya.i18n import LANGUAGES, catalogue
from tamaya.record import MAX_ARRANGEMENTS, Record, Stop, from_text, hanab_live, native
from tamaya.rules import Arrange, UnavailableError, say
from tamaya.table import EventBatch, Phase, Table
from tamaya.web.games.imports import MAX_GAMES
from tamaya.web.http.rate_limits import RateLimiter
from tamaya.web.http.security import MAX_UPLOAD_SIZE, TooLargeError
from tamaya.web.services import services_of
from tests.support.client import Answer, Browser, kept_lines, member, the_table, with_app
from tests.support.games import a_record
from tests.support.harmful_text import NAMES, shows
from tests.tables import careful_action, moves_of_a_game

Steps = Callable[[Starlette, Browser], Awaitable[None]]


RECORD = a_record()
FORMS: dict[str, str] = {
    "tamaya": native.write(RECORD),
    "tamaya in one line": json.dumps(native.to_json(RECORD)),
    "hanab-live": json.dumps({"id": 7, **hanab_live.to_json(RECORD), "notes": [["a note"], [], []], "seed": "p3v0s1"}),
    "wrapped": json.dumps({"id": "g1", "expected": {}, "game": hanab_live.to_json(RECORD)}),
    "link": hanab_live.write_link(RECORD),
    "the end of a link": hanab_live.write_link(RECORD).removeprefix(hanab_live.ADDRESS) + "#12",
}


def visiting(folder: Path, steps: Steps, **options: object) -> None:
    async def visit(app: Starlette) -> None:
        await steps(app, Browser(app))

    with_app(folder, visit, **options)


async def brought(app: Starlette, answer: Answer) -> Table:
    """The table whose replay an answer redirects to."""
    assert answer.status == 303, answer.words
    _, _, code, page = answer.headers["location"].split("/")
    assert page == "replay"
    return await the_table(app, code)


@pytest.mark.parametrize("way", ["pasted", "uploaded"])
@pytest.mark.parametrize("form", FORMS)
def test_a_game_in_any_format_becomes_a_table_to_look_at(tmp_path: Path, form: str, way: str) -> None:
    async def steps(app: Starlette, ann: Browser) -> None:
        text = FORMS[form]
        if way == "pasted":
            answer = await ann.post("/bring", {"text": f"\n {text.replace(chr(10), chr(13) + chr(10))} "})
        else:
            answer = await ann.upload("/bring", b"\xef\xbb\xbf" + text.encode(), {"text": ""})
        table = await brought(app, answer)
        assert (table.phase, table.problem, table.turn) == (Phase.ENDED, None, len(RECORD.moves))
        assert table.record().moves == RECORD.moves
        assert table.record().names == (("1", "2", "3") if "link" in form else RECORD.names)
        assert table.people == (ann.person,), "the person who imported it finds it again"

    visiting(tmp_path, steps)


@pytest.mark.parametrize("stop", [None, Stop.TERMINATED, Stop.TIMEOUT])
@pytest.mark.parametrize("turns", [0, 1, 17, None])
def test_an_imported_game_is_exported_in_every_format_finished_or_not(
    tmp_path: Path, turns: int | None, stop: Stop | None
) -> None:
    record = a_record(stop_at=turns)
    record = replace(record, stopped=stop if turns is not None else None)

    async def steps(app: Starlette, ann: Browser) -> None:
        for text in (native.write(record), json.dumps(hanab_live.to_json(record)), hanab_live.write_link(record)):
            table = await brought(app, await ann.post("/bring", {"text": text}))
            first = from_text(text).record
            for form in ("tamaya", "hanab-live", "link"):
                file = await Browser(app).get(f"/t/{table.code}/record/{form}")
                assert file.status == 200, file.words
                again = from_text(file.text)
                assert again.error is None
                expected = replace(first, names=("1", "2", "3")) if form == "link" else first
                assert again.record == expected

    visiting(tmp_path, steps)


def test_rearranged_hands_and_bots_survive_in_our_own_format(tmp_path: Path) -> None:
    game = Game(Rules(players=2, announced_plays=True), seed=3)
    list(moves_of_a_game(game, random.Random(3), careful_action))
    record = Record.of(game, ("Ann", "Bot"), (None, "a bot of somebody's own"))
    assert any(isinstance(move, Arrange) for move in record.moves)

    async def steps(app: Starlette, ann: Browser) -> None:
        table = await brought(app, await ann.post("/bring", {"text": native.write(record)}))
        assert from_text((await ann.get(f"/t/{table.code}/record/tamaya")).text).record == record
        assert (await ann.get(f"/t/{table.code}/record/link")).status == 400
        assert (await ann.get(f"/t/{table.code}/replay")).status == 200
        played_on = await ann.post(f"/t/{table.code}/play-on", {"turn": 3})
        assert played_on.status == 303, "an unknown bot is replaced by a known one"

    visiting(tmp_path, steps)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_damaged_game_is_shown_up_to_the_damage_with_the_reason(tmp_path: Path, language: str) -> None:
    cut = FORMS["tamaya"][:-60]
    moves = len(from_text(cut).record.moves)

    async def steps(app: Starlette, ann: Browser) -> None:
        table = await brought(app, await ann.post("/bring", {"text": cut}))
        assert table.turn == moves < len(RECORD.moves)
        assert table.problem is not None
        reader = Browser(app, language=language.replace("_", "-"))
        page = await reader.get(f"/t/{table.code}/replay?turn=end")
        assert catalogue(language)(table.problem) in page.words
        assert from_text((await reader.get(f"/t/{table.code}/record/tamaya")).text).record.moves == RECORD.moves[:moves]

    visiting(tmp_path, steps)


REFUSED = {
    "nothing": ("", "Paste a game or its link, or choose a file."),
    "blanks": ("  \n ", "Paste a game or its link, or choose a file."),
    "words": ("hello", "This is no record"),
    "a number": ("123", "Open https://hanab.live/export/123"),
    "a number with a sign": ("#123", "Open https://hanab.live/export/123"),
    "a replay there": ("https://hanab.live/replay/123", "Open https://hanab.live/export/123"),
    "a turn of one": ("hanab.live/replay/123#45", "Open https://hanab.live/export/123"),
    "a shared one": ("https://hanab.live/shared-replay/123?x=y", "Open https://hanab.live/export/123"),
    "another site": ("https://example.org/game/1", "This is no whole Hanab Live link"),
    "a variant": (json.dumps({**hanab_live.to_json(RECORD), "options": {"variant": "Cow & Pig"}}), "is not played here"),
    "no options": (
        json.dumps({**hanab_live.to_json(RECORD), "actions": "", "options": ""})[:-40],
        "The file is damaged in line 1",
    ),
}


@pytest.mark.parametrize("wrong", REFUSED)
def test_an_unreadable_text_is_refused_in_words_and_kept_in_the_form(tmp_path: Path, wrong: str) -> None:
    text, message = REFUSED[wrong]

    async def steps(app: Starlette, ann: Browser) -> None:
        for answer in (await ann.post("/bring", {"text": text}), await ann.upload("/bring", b"", {"text": text})):
            assert answer.status == 400
            assert message in answer.words
            assert text in answer.words
        assert (await ann.upload("/bring", text.encode())).status == 400
        assert await kept_lines(app) == {}

    visiting(tmp_path, steps)


def test_a_game_cut_off_before_its_options_says_why_it_cannot_be_shown(tmp_path: Path) -> None:
    game = hanab_live.to_json(RECORD)
    text = json.dumps({key: game[key] for key in ("players", "deck", "actions", "options")})[:-30]

    async def steps(app: Starlette, ann: Browser) -> None:
        assert "does not say which variant was played" in (await ann.post("/bring", {"text": text})).words

    visiting(tmp_path, steps)


def test_several_games_go_to_the_list_and_a_reload_imports_none_again(tmp_path: Path) -> None:
    lines = [hanab_live.write_link(a_record(seed=seed)) for seed in range(3)]

    async def steps(app: Starlette, ann: Browser) -> None:
        answer = await ann.post("/bring", {"text": "\n".join(lines)})
        assert (answer.status, answer.headers["location"]) == (303, "/games")
        codes = await kept_lines(app)
        assert len(codes) == len(lines)
        for _ in range(2):
            page = await ann.get("/games")
            assert all(f'href="/t/{code}/replay"' in page.text for code in codes)
        assert await kept_lines(app) == codes

    visiting(tmp_path, steps)


def test_a_file_of_many_games_imports_them_all_and_lists_the_errors(tmp_path: Path) -> None:
    games = [a_record(seed=seed, names=(f"Ann {seed}", "Bob", "Cid")) for seed in range(4)]
    lines = [json.dumps(native.to_json(game)) for game in games]
    lines[2] = lines[2][:-30]
    lines.insert(1, '{"format": "chess"}')

    async def steps(app: Starlette, ann: Browser) -> None:
        answer = await ann.upload("/bring", "\n".join(lines).encode(), {"text": FORMS["link"]})
        assert answer.status == 200
        tables = {table.names[0]: table for table in [await the_table(app, code) for code in await kept_lines(app)]}
        assert tables.keys() == {"1", "Ann 0", "Ann 1", "Ann 2", "Ann 3"}, "pasted games are imported, too"
        damaged = tables["Ann 2"]
        assert damaged.problem is not None
        assert catalogue("en")(damaged.problem) in answer.words
        assert [f"Game {place}" in answer.words for place in range(1, 7)] == [False, False, True, False, True, False]
        assert "This reads the format" in answer.words
        assert 'href="/games"' in answer.text
        assert "Ann" not in answer.words, "games not looked at yet reveal nothing"
        assert "point" not in answer.words

    visiting(tmp_path, steps)


def test_of_too_many_games_only_the_first_are_imported(tmp_path: Path) -> None:
    lines = [hanab_live.write_link(a_record(stop_at=1))] * (MAX_GAMES + 1)

    async def steps(app: Starlette, ann: Browser) -> None:
        answer = await ann.post("/bring", {"text": "\n".join(lines)})
        assert f"Only the first {MAX_GAMES} games were brought" in answer.words
        assert len(await kept_lines(app)) == MAX_GAMES

    visiting(tmp_path, steps)


def test_the_number_of_imports_is_limited(tmp_path: Path) -> None:
    most = RateLimiter.IMPORTS.person

    async def steps(app: Starlette, ann: Browser) -> None:
        services_of(app).limits._clock = lambda: 1000.0
        text = "\n".join([hanab_live.write_link(a_record(stop_at=1))] * (most // 4))
        assert {(await ann.post("/bring", {"text": text})).status for _ in range(3)} == {303}
        assert (await ann.post("/bring", {"text": f"{text}\n{FORMS['link']}"})).status == 429
        assert (await ann.post("/bring", {"text": text})).status == 303, "refused games do not count"
        assert (await ann.post("/bring", {"text": FORMS["link"]})).status == 429
        assert len(await kept_lines(app)) == most

    visiting(tmp_path, steps, limits=True)


def test_endless_rearrangements_are_refused_however_they_are_written(tmp_path: Path) -> None:
    data = native.to_json(a_record(stop_at=1)) | {"moves": ["arrange 1: 2 1 3 4 5"] * MAX_ARRANGEMENTS}
    more = json.dumps(data | {"moves": [*data["moves"], data["moves"][0]]})

    async def steps(app: Starlette, ann: Browser) -> None:
        for text in (more, more.replace("arrange", "\\u0061rrange")):
            answer = await ann.post("/bring", {"text": text})
            assert answer.status == 400
            assert f"rearranged too often; the most is {MAX_ARRANGEMENTS} times" in answer.words
        assert await kept_lines(app) == {}
        await brought(app, await ann.post("/bring", {"text": json.dumps(data)}))

    visiting(tmp_path, steps)


HALVES: dict[str, dict[str, object]] = {
    "a move": {"moves": ["play 1", "\ud83c"]},
    "a name": {"players": ["Ann", "B\udf86b", "Cid"]},
    "a card": {"deck": "R1 \ud800"},
    "a field": {"\udfff": 1},
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("part", HALVES)
def test_a_game_with_half_a_character_is_refused_and_nothing_is_kept(tmp_path: Path, part: str, language: str) -> None:
    text = json.dumps(native.to_json(a_record(stop_at=1)) | HALVES[part])
    half = re.findall(r"\\ud[89a-f]..", text)[0]

    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann", language=language.replace("_", "-"))
        wrong = say(
            "“{half}” is only half a character; write the other half beside it, as in “{whole}”, or leave it out.",
            half=half,
            whole="\\ud83c\\udf86",
        )
        answer = await ann.post("/bring", {"text": text})
        assert answer.status == 400
        assert catalogue(language)(wrong) in answer.words
        assert await kept_of(app, ann) == 0
        answer = await ann.post("/bring", {"text": f"{FORMS['tamaya in one line']}\n{text}"})
        assert (answer.status, await kept_of(app, ann)) == (200, 1), "whole games are imported, and the page names the others"
        assert catalogue(language)(wrong) in answer.words

    with_app(tmp_path, steps)


def test_of_several_games_all_are_stored_or_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "\n".join(hanab_live.write_link(a_record(seed=seed)) for seed in range(3))

    async def steps(app: Starlette) -> None:
        ann, store, room = member(app, "Ann"), services_of(app).tables.store, 2
        append = store.append

        async def until_full(batches: Sequence[EventBatch]) -> None:
            nonlocal room
            room -= len(batches)
            if room < 0:
                raise UnavailableError
            await append(batches)

        monkeypatch.setattr(store, "append", until_full)
        answer = await ann.post("/bring", {"text": text})
        assert (answer.status, await kept_of(app, ann)) == (503, 0)
        assert "nothing was changed" in answer.words
        room = 3
        assert ((await ann.post("/bring", {"text": text})).status, await kept_of(app, ann)) == (303, 3)

    with_app(tmp_path, steps)


async def kept_of(app: Starlette, who: Browser) -> int:
    """The number of stored games of a person."""
    return len(await services_of(app).tables.store.tables_of(who.person))


def test_names_and_errors_stay_text_whatever_they_hold(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        for name, ann in ((name, Browser(app)) for name in NAMES):
            data = native.to_json(a_record(stop_at=2, names=(name, "Bob", "Cid")))
            data["moves"] = [*data["moves"], name]
            table = await brought(app, await ann.post("/bring", {"text": json.dumps(data)}))
            for page in (f"/t/{table.code}/replay", f"/t/{table.code}/replay?turn=end&eyes=1", "/"):
                assert shows((await ann.get(page)).text, name), page
            assert shows((await ann.post("/bring", {"text": f"</textarea>{name}"})).text, f"</textarea>{name}")
            several = json.dumps(data) + "\n" + json.dumps(data | {"players": [name]})
            assert shows((await ann.post("/bring", {"text": several})).text, name)

    with_app(tmp_path, steps)


def test_the_first_page_links_to_the_import_form(tmp_path: Path) -> None:
    async def steps(app: Starlette, ann: Browser) -> None:
        assert 'href="/bring"' in (await ann.get("/")).text
        page = await ann.get("/bring")
        assert 'enctype="multipart/form-data"' in page.text
        assert catalogue("en")(say("Bring a game from elsewhere")) in page.words

    visiting(tmp_path, steps)


def test_an_imported_game_is_not_played_on(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        table = await brought(app, await ann.post("/bring", {"text": native.write(a_record(stop_at=5))}))
        before = await kept_lines(app)
        for command, fields in (
            ("move", {"move": "play 1", "turn": 5}),
            ("sit", {"seat": 0}),
            ("start", {"first": 0}),
            ("rematch", {}),
        ):
            assert (await ann.act(table.code, command, **fields)).status == 409, command
        assert await kept_lines(app) == before

    with_app(tmp_path, steps)


def test_files_may_be_larger_for_imports_and_are_bounded_there_too(tmp_path: Path) -> None:
    async def steps(app: Starlette, ann: Browser) -> None:
        assert (await ann.upload("/bring", b"y" * (MAX_UPLOAD_SIZE - 1024))).status == 400
        answer = await ann.upload("/bring", b"y" * MAX_UPLOAD_SIZE)
        assert answer.status == 413
        assert catalogue("en")(TooLargeError(MAX_UPLOAD_SIZE).message) in answer.words
        assert (await ann.upload("/play", b"y")).status == 400

    visiting(tmp_path, steps)
