"""The pages around the table, as people walk through them."""

from __future__ import annotations

from html import unescape
from itertools import combinations, count
from pathlib import Path

import pytest
from starlette.applications import Starlette

from tamaya import EDITIONS, VARIANTS, RulesError
from tamaya.bots import BOTS
from tamaya.i18n import LANGUAGES, catalogue, explain
from tamaya.table import ChatPolicy, ClueMemory, Phase, SpectatorMode
from tamaya.web.services import services_of
from tests.support.client import Browser, end_game, member, open_table, start_game, the_table, with_app
from tests.support.fakes import steady_chance


def code_in(location: str) -> str:
    return location.rpartition("/")[2]


def test_home_and_one_click_lead_to_a_running_game_with_two_bots(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        browser = Browser(app)
        home = await browser.get("/")
        assert 'action="/play"' in home.text
        answer = await browser.post("/play")
        assert answer.status == 303
        code = code_in(answer.headers["location"])
        table = await the_table(app, code)
        assert table.phase is Phase.PLAYING
        assert sorted(bool(seat.bot) for seat in table.seats) == [False, True, True]
        assert table.settings.rules == EDITIONS["standard"].rules(3)
        assert table.seat_of(browser.person) is not None
        page = await browser.get(answer.headers["location"])
        assert (page.status, 'class="board' in page.text) == (200, True)
        assert f'href="/t/{code}"' in (await browser.get("/")).text, "My games lists it"
        assert f'href="/t/{code}"' not in (await Browser(app).get("/")).text
        assert (await Browser(app).get(f"/t/{code}")).status == 403, "a table of bots has no spectators"

    with_app(tmp_path, steps)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("bots", [0, 1, 2, 3, 4, 9])
def test_play_now_with_any_number_of_players_and_bots(tmp_path: Path, players: int, bots: int) -> None:
    async def steps(app: Starlette) -> None:
        browser = Browser(app)
        answer = await browser.post("/play", {"players": players, "bots": bots})
        table = await the_table(app, code_in(answer.headers["location"]))
        assert sum(bool(seat.bot) for seat in table.seats) == min(bots, players - 1)
        assert table.phase is (Phase.PLAYING if bots >= players - 1 else Phase.OPEN)
        assert len(table.seats) == players

    with_app(tmp_path, steps)


@pytest.mark.parametrize(
    "fields", [{"players": 1}, {"players": 6}, {"players": "x"}, {"bots": "-1"}, {"bot": "deep"}, {"players": ""}]
)
def test_play_now_refuses_impossible_numbers_and_opens_nothing(tmp_path: Path, fields: dict[str, object]) -> None:
    async def steps(app: Starlette) -> None:
        browser = Browser(app)
        assert (await browser.post("/play", fields)).status == 400
        assert services_of(app).tables._cache._tables == {}

    with_app(tmp_path, steps)


def test_my_games_say_how_far_they_have_come(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        waiting, running, over = await open_table(ann, players=2), await start_game(ann, bob), await start_game(ann, bob)
        await end_game(app, over, ann, bob)
        page = (await ann.get("/")).text
        mine = page.split("<h2>My games")[1]
        lines = {waiting: f"/t/{waiting}", running: f"/t/{running}", over: f"/t/{over}/replay"}
        said = {code: mine.split(f'href="{line}"')[1].split("</li>")[0] for code, line in lines.items()}
        assert "waiting for players" in said[waiting]
        assert "Your turn" in said[running]
        score = (await the_table(app, over)).points
        assert f"<b>{score} point" in said[over]
        assert all("Jan 1, 1970 · Standard rules" in words for words in said.values())
        assert f'class="continue" href="/t/{running}"' in page
        of_bob = (await bob.get("/")).text
        assert f"/t/{waiting}" not in of_bob
        assert "Ann's turn" in unescape(of_bob)
        assert 'class="continue"' not in of_bob, "it is not his turn anywhere"
        await bob.act(waiting, "sit")
        assert "about to start" in (await bob.get("/")).text

    with_app(tmp_path, steps)


def test_listed_tables_are_shown_to_others_and_unlisted_ones_are_not(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, eve = member(app, "Ann"), member(app, "Eve")
        listed, unlisted = await open_table(ann, players=2, listed="yes"), await open_table(ann, players=2, listed="no")
        page = (await eve.get("/")).text
        assert f'href="/t/{listed}"' in page
        assert unlisted not in page
        assert (await ann.get("/")).text.count(f'href="/t/{listed}"') == 1, "one's own is among one's own"
        assert (await eve.act(listed, "sit")).status == 200
        assert (await ann.act(listed, "start", first=0)).status == 200
        assert listed not in (await Browser(app).get("/")).text, "once it has begun, it cannot be joined"

    with_app(tmp_path, steps)


def test_full_tables_and_those_of_one_host_hide_no_others(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        cid, busy, friend, eve = (member(app, name) for name in ("Cid", "Busy", "Friend", "Eve"))
        wanted = await open_table(cid, players=2, listed="yes")
        full = [await open_table(busy, friend, players=2, listed="yes") for _ in range(20)]
        waiting = [await open_table(busy, players=2, listed="yes") for _ in range(20)]
        page = (await eve.get("/")).text
        assert f'href="/t/{wanted}"' in page
        assert sum(code in page for code in waiting) == 2
        assert not any(code in page for code in full)
        assert (await friend.act(full[0], "stand", seat=1)).status == 200
        assert full[0] in (await eve.get("/")).text, "a seat is free again, and nothing of this host is newer"

    with_app(tmp_path, steps, chance=steady_chance(clock=count(1000.0).__next__))


@pytest.mark.slow
@pytest.mark.parametrize("typed", ["{}", " {} ", "{}/", "http://hanabi.example/t/{}", "https://x/t/{}/", "/t/{}"])
@pytest.mark.parametrize("letters", ["{0}{1}", "{0} {1}", "{0}-{1}", "{2}{1}"])
def test_a_code_is_found_however_it_is_typed(tmp_path: Path, typed: str, letters: str) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        code = await open_table(ann, players=2)
        answer = await bob.post("/join", {"code": typed.format(letters.format(code[:5], code[5:], code[:5].upper()))})
        assert (answer.status, answer.headers.get("location")) == (303, f"/t/{code}")
        assert (await bob.get(f"/t/{code.upper()}")).status == 200

    with_app(tmp_path, steps)


@pytest.mark.parametrize("typed", ["", "zzzzzzzzzz", "x" * 200, "../me", "/", "' or 1=1 --", "<script>"])
def test_an_invalid_code_is_refused_in_words(tmp_path: Path, typed: str) -> None:
    async def steps(app: Starlette) -> None:
        answer = await Browser(app).post("/join", {"code": typed})
        assert answer.status == 404
        assert "There is no table" in answer.text
        assert "<script>" not in answer.text.replace("</main>", "")

    with_app(tmp_path, steps)


@pytest.mark.slow
def test_the_rules_of_every_edition_with_every_variant_in_words(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        browser = Browser(app)
        sets = [(), *((name,) for name in VARIANTS), *combinations(VARIANTS, 2)]
        refused = 0
        for edition in EDITIONS.values():
            for number, variants in enumerate(sets):
                players = 2 + number % 4
                query = "".join(f"&variant={name}" for name in variants)
                answer = await browser.get(f"/rules?edition={edition.name}&players={players}{query}")
                try:
                    rules = edition.rules(players, variants)
                except RulesError as problem:
                    assert answer.status == 400
                    assert str(problem.message) in answer.words
                    refused += 1
                    continue
                assert answer.status == 200
                for section in explain(rules, edition):
                    assert all(catalogue("en")(sentence) in answer.words for sentence in section.sentences)
        assert refused == 2 * len(EDITIONS), "ten and five multicolours, one and two mistakes"

    with_app(tmp_path, steps)


@pytest.mark.parametrize(
    "query", ["edition=german", "players=9", "players=x", "players=", "variant=Z", "variant=D", "players=-1"]
)
def test_unknown_rules_are_refused_in_words(tmp_path: Path, query: str) -> None:
    async def steps(app: Starlette) -> None:
        for language in LANGUAGES:
            answer = await Browser(app, language=language.replace("_", "-")).get(f"/rules?{query}")
            assert answer.status == 400
            assert 'class="panel narrow"' in answer.text

    with_app(tmp_path, steps)


def test_every_choice_of_the_form_reaches_the_table(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        form = (await ann.get("/new")).text
        for number, edition in enumerate(EDITIONS):
            fields = {
                "edition": edition,
                "players": 2 + number % 4,
                "variant": "one-mistake multicolour-five",
                "talk": list(ChatPolicy)[number % 3],
                "memory": list(ClueMemory)[number % 4],
                "watching": list(SpectatorMode)[number % 3],
                "starter": ["random", "custom", "1", "2", "random", "2"][number],
                "listed": ["yes", "yes", "no"][number % 3],
                "who": "some",
                "bots": 1,
                "bot": next(iter(BOTS)),
            }
            assert all(f'name="{name}"' in form for name in fields)
            table = await the_table(app, await open_table(ann, **fields))
            agreed = table.settings
            assert agreed.rules == EDITIONS[edition].rules(2 + number % 4, ("one-mistake", "multicolour-five"))
            assert (agreed.edition_name, agreed.variants) == (edition, ("one-mistake", "multicolour-five"))
            assert (agreed.talk, agreed.memory, agreed.watching) == (fields["talk"], fields["memory"], fields["watching"])
            assert (agreed.starter, agreed.listed) == (fields["starter"], fields["listed"] == "yes")
            assert [bool(seat.bot) for seat in table.seats] == [False, True, *[False] * (len(table.seats) - 2)]
            assert (await ann.get(f"/t/{table.code}")).status == 200

    with_app(tmp_path, steps)


@pytest.mark.parametrize("variant", ["A", "MULTICOLOUR-TEN", "Multicolour-Ten"])
def test_a_variant_by_another_name_is_the_same_variant(tmp_path: Path, variant: str) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        code = await open_table(ann, players=2, variant=variant)
        assert (await the_table(app, code)).settings.variants == ("multicolour-ten",)
        assert (await ann.get(f"/t/{code}")).status == 200

    with_app(tmp_path, steps)


CONTRADICTIONS = [
    {"variant": "multicolour-ten multicolour-five"},
    {"variant": "one-mistake two-mistakes"},
    {"variant": "Z"},
    {"edition": "german"},
    {"players": "7"},
    {"players": ""},
    {"talk": "shout"},
    {"memory": "elephant"},
    {"watching": "everybody"},
    {"starter": "5"},
    {"starter": "0"},
    {"who": "bots", "bot": "deep"},
    {"who": "everybody"},
    {"who": "some", "bots": "x"},
]


@pytest.mark.parametrize("wrong", CONTRADICTIONS, ids=str)
def test_a_contradiction_brings_the_filled_form_back_with_the_reason(tmp_path: Path, wrong: dict[str, str]) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        fields = {
            "edition": "french",
            "players": "4",
            "variant": "all-or-nothing",
            "talk": "strict",
            "memory": "said",
            "listed": "yes",
            **wrong,
        }
        answer = await ann.post("/new", fields)
        assert answer.status == 400
        assert 'class="problem" role="alert"' in answer.text
        for name, value in fields.items():
            for one in value.split():
                chosen = f'name="{name}" value="{one}" checked'
                assert chosen in answer.text or name in wrong
        if "variant" in wrong and wrong["variant"] != "Z":
            assert all(f'value="{one}" checked' in answer.text for one in wrong["variant"].split())
        assert services_of(app).tables._cache._tables == {}

    with_app(tmp_path, steps)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_edition_in_the_visitors_language_is_preselected(tmp_path: Path, language: str) -> None:
    async def steps(app: Starlette) -> None:
        page = (await Browser(app, language=language.replace("_", "-")).get("/new")).text
        expected = next(edition.name for edition in EDITIONS.values() if edition.language == language)
        assert f'name="edition" value="{expected}" checked' in page

    with_app(tmp_path, steps)


def test_the_bots_that_the_registry_offers_can_be_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stronger = {**BOTS, "stronger": next(iter(BOTS.values()))}
    monkeypatch.setattr("tamaya.bots.registry.BOTS", stronger)

    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        form = (await ann.get("/new")).text
        assert all((f'name="bot" value="{name}"' in form) == entry.offered for name, entry in stronger.items())
        code = await open_table(ann, players=2, who="some", bots=1, bot="stronger")
        assert (await the_table(app, code)).seats[1].bot == "stronger"

    with_app(tmp_path, steps)
