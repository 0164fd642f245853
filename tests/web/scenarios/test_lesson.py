"""Learning by playing: the guided first deal through the pages, what helps newcomers, and the tips."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from starlette.applications import Starlette

from tamaya.i18n import LANGUAGES, catalogue
from tamaya.table import guidance
from tamaya.table.lesson import LEARNER, RIGHT_BY_TURN, STEPS
from tamaya.web.http.cookies import FIRST_GAMES, Profile
from tamaya.web.services import services_of
from tests.support.client import (
    Answer,
    Browser,
    end_game,
    kept_lines,
    member,
    serving,
    signed_by,
    start_game,
    the_table,
    with_app,
)
from tests.support.fakes import deal_of, game_of, run, steady_chance, until_people_move


async def open_lesson(browser: Browser) -> str:
    """Press the button on the home page; the table's code when it is the learner's turn."""
    answer = await browser.post("/learn")
    assert answer.status == 303
    code = answer.headers["location"].rpartition("/")[2]
    await until_people_move(services_of(browser.app).tables, await the_table(browser.app, code))
    return code


def hinted_moves(page: Answer) -> list[str]:
    """The moves that the page points at."""
    return re.findall(r'class="chip[^"]* hinted[^"]*"><input type="radio" name="move" value="([^"]+)"', page.text)


async def follow(browser: Browser, code: str) -> Answer:
    """Make the move that the page points at, and wait for the next turn."""
    page = await browser.get(f"/t/{code}")
    answer = await browser.act(code, "move", move=hinted_moves(page)[0], turn=(await the_table(browser.app, code)).turn)
    assert answer.status == 200, answer.text
    await until_people_move(services_of(browser.app).tables, await the_table(browser.app, code))
    return await browser.get(f"/t/{code}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_press_opens_the_first_deal_and_its_hints_lead_through_it(tmp_path: Path, language: str) -> None:
    async def steps(app: Starlette) -> None:
        browser = Browser(app, language=language.replace("_", "-"))
        assert 'formaction="/learn"' in (await browser.get("/")).text
        code = await open_lesson(browser)
        page = await browser.get(f"/t/{code}")
        speak, table = catalogue(language), await the_table(app, code)
        while (table := await the_table(app, code)).turn < len(RIGHT_BY_TURN):
            guide = guidance(table.view_for(browser.person), table.names)
            assert guide is not None
            assert f'aria-live="polite" tabindex="-1">{speak(guide.sentence)}</p>' in page.words
            assert guide.why
            assert speak(guide.why) in page.words
            page = await follow(browser, code)
        assert table.turn == len(RIGHT_BY_TURN) + 2
        assert 'id="lesson"' in page.text
        assert hinted_moves(page) == []
        assert f'href="/t/{code}"' in (await browser.get("/")).text, "My games has it like any other"
        assert (await Browser(app).get(f"/t/{code}")).status == 403, "it has no spectators"

    with_app(tmp_path, steps)


def test_a_wrong_move_is_refused_with_the_sentence_on_its_chip(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        browser = Browser(app)
        code = await open_lesson(browser)
        page, before = await browser.get(f"/t/{code}"), await kept_lines(app)
        shown = dict(re.findall(r'name="move" value="([^"]+)"[^>]* data-objection="([^"]+)"', page.words))
        assert len(shown) > 10
        assert not set(shown) & set(hinted_moves(page))
        for move, words in shown.items():
            answer = await browser.act(code, "move", move=move, turn=2)
            assert (answer.status, answer.text) == (409, words)
        assert await kept_lines(app) == before

    with_app(tmp_path, steps)


def test_the_next_step_is_marked_on_the_board(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        browser = Browser(app)
        code = await open_lesson(browser)
        marked = []
        for _ in [step for step in STEPS if step.answer]:
            text = (await browser.get(f"/t/{code}")).text
            cards = re.findall(r'id="card-(\d+)" class="card [^"]* hinted"', text)
            hands = re.findall(r'id="hand-(\d)" class="hand other[^"]* hinted"', text)
            marked.append((cards, hands))
            page = await follow(browser, code)
        assert marked == [(["11", "13"], []), ([], ["1"]), ([], ["0"]), (["12", "14", "15"], []), (["13"], [])]
        assert " hinted" not in page.text

    with_app(tmp_path, steps)


def test_the_game_goes_on_after_the_steps_without_the_lesson(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        browser = Browser(app)
        code = await open_lesson(browser)
        while (await the_table(app, code)).turn < len(RIGHT_BY_TURN):
            await follow(browser, code)
        assert (await the_table(app, code)).seat_of(browser.person) == LEARNER
        page = await browser.act(code, "move", move="discard 1", turn=len(RIGHT_BY_TURN) + 2)
        assert page.status == 200
        assert 'id="lesson"' not in page.text
        assert "Meanwhile you can look at your cards" in page.text

    with_app(tmp_path, steps)


async def pages_of_the_steps(folder: Path, seed: int) -> tuple[list[Answer], str]:
    """Everything the learner is sent while the prepared cards are drawn, and the deck."""
    async with serving(folder, chance=replace(steady_chance(), deal=partial(deal_of, seed))) as app:
        ann = member(app, "Ann")
        code = await open_lesson(ann)
        pages = [await ann.get(f"/t/{code}")]
        while (await the_table(app, code)).turn < 11:
            pages.append(await follow(ann, code))
        return pages, str(game_of(await the_table(app, code)).reveal_deck())


def test_the_pages_of_the_steps_reveal_no_card_still_to_be_drawn(tmp_path: Path) -> None:
    one, other = (run(pages_of_the_steps(tmp_path / str(seed), seed)) for seed in (1, 2))
    assert one[1] != other[1]
    assert len(one[0]) == 4
    assert one[0] == other[0]


# Newcomers.


def advised(page: Answer) -> int:
    """The approximate number of moves with a tip."""
    return sum(len(moves.split("|")) for moves in re.findall('data-moves="([^"]+)"', page.text))


async def play_now(browser: Browser) -> tuple[str, Answer]:
    """A game with bots: its code, and its page on the person's turn."""
    answer = await browser.post("/play")
    code = answer.headers["location"].rpartition("/")[2]
    await until_people_move(services_of(browser.app).tables, await the_table(browser.app, code))
    return code, await browser.get(f"/t/{code}")


def test_a_newcomer_starts_has_patient_bots_and_gets_tips(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        for _ in range(6):
            browser = Browser(app)
            code, page = await play_now(browser)
            table = await the_table(app, code)
            assert (table.turn, table.seat_of(browser.person), table.settings.slow_games) == (0, 0, FIRST_GAMES)
            assert advised(page) > 10
            assert "You know nothing about this card." in page.text

    with_app(tmp_path, steps)


def test_an_experienced_player_gets_random_seats_quick_bots_and_no_tips(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        cookie = services_of(app).cookies.serialize(Profile("p-old", games=FIRST_GAMES))
        seats = set()
        for _ in range(12):
            browser = Browser(app, cookie=cookie)
            code, page = await play_now(browser)
            table = await the_table(app, code)
            assert table.settings.slow_games == 0
            assert advised(page) == 0
            seats.add(table.seat_of("p-old"))
        assert len(seats) > 1

    with_app(tmp_path, steps)


@pytest.mark.parametrize(
    ("games", "wish", "speaks"),
    [(0, "auto", True), (0, "off", False), (0, "on", True), (9, "auto", False), (9, "on", True), (9, "off", False)],
)
def test_tips_are_on_in_first_games_unless_the_player_chooses_otherwise(
    tmp_path: Path, games: int, wish: str, speaks: bool
) -> None:
    async def steps(app: Starlette) -> None:
        browser = Browser(app, cookie=services_of(app).cookies.serialize(Profile("p-ann", games=games)))
        code, _ = await play_now(browser)
        assert (await browser.post("/preferences", {"coach": wish, "back": f"/t/{code}"})).status == 303
        page = await browser.get(f"/t/{code}")
        assert (advised(page) > 0) == speaks
        assert f'<option value="{wish}" selected>' in page.text.split('name="coach"')[1].split("</select>")[0]

    with_app(tmp_path, steps)


def test_finished_games_are_counted_until_a_player_is_no_newcomer(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        for finished in range(1, FIRST_GAMES + 2):
            code = await start_game(ann, bob)
            await end_game(app, code, ann, bob)
            first = await ann.get("/")
            assert len(first.cookies) == (1 if finished <= FIRST_GAMES else 0), "one cookie for each game that counts"
            assert (await ann.get("/")).cookies == []
            person = signed_by(ann)[0]
            assert person.games == min(finished, FIRST_GAMES)
            assert person.tips_enabled == (finished < FIRST_GAMES)

    with_app(tmp_path, steps)


def test_a_rematch_counts_as_a_finished_game_too(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        code = await start_game(ann, bob)
        await end_game(app, code, ann, bob)
        answer = await ann.post(f"/t/{code}/rematch")
        person = signed_by(ann)[0]
        assert (answer.status, person.games) == (303, 1)

    with_app(tmp_path, steps)


def test_two_players_at_one_table_get_tips_each_by_their_own_setting(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        code = await start_game(ann, bob)
        assert advised(await ann.get(f"/t/{code}")) > 0
        assert advised(await bob.get(f"/t/{code}")) == 0, "it is not his turn"
        await ann.post("/preferences", {"coach": "off"})
        assert advised(await ann.get(f"/t/{code}")) == 0

    with_app(tmp_path, steps)
