"""Advice on the page: step by step, shown only to the player who asks; every page says that it was asked for."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from starlette.applications import Starlette

from tamaya.i18n import LANGUAGES, catalogue
from tests.support.analyses import IDEA, REASON, FixedAdviser, alone, asks
from tests.support.client import end_game, member, open_table, serving, start_game, the_table, with_app
from tests.support.fakes import run


def test_advice_gives_the_idea_then_the_move_then_the_reason(tmp_path: Path) -> None:
    async def steps() -> None:
        async with serving(tmp_path, adviser=FixedAdviser()) as app:
            code, ann = await alone(app)
            before = (await ann.get(f"/t/{code}")).words
            assert 'id="advise"' in before
            assert str(IDEA) not in before
            idea = await asks(ann, code, 1)
            assert str(IDEA) in idea.words
            assert "data-about-move" not in idea.words
            move = await asks(ann, code, 2)
            assert 'data-move="discard 2"' in move.words
            assert str(REASON) not in move.words
            assert str(REASON) in (await asks(ann, code, 3)).words
            assert str(REASON) in (await ann.get(f"/t/{code}")).words, "the steps read so far are still shown on return"

    run(steps())


def test_advice_is_worked_out_once_and_counted_once(tmp_path: Path) -> None:
    async def steps() -> None:
        adviser = FixedAdviser()
        async with serving(tmp_path, adviser=adviser) as app:
            code, ann = await alone(app, bot="convention")
            adviser.answer.clear()
            at_once = [asyncio.create_task(asks(ann, code, 1)) for _ in range(3)]
            while not adviser.asked:
                await asyncio.sleep(0)
            adviser.answer.set()
            assert {answer.status for answer in await asyncio.gather(*at_once)} == {200}
            await asks(ann, code, 3)
            assert adviser.asked == [("", "convention", "convention")]
            assert len((await the_table(app, code)).advised) == 1

    run(steps())


def test_a_bot_standing_in_for_a_person_does_not_change_whose_moves_came_before(tmp_path: Path) -> None:
    async def steps() -> None:
        adviser = FixedAdviser()
        async with serving(tmp_path, adviser=adviser) as app:
            ann, bob = member(app, "Ann"), member(app, "Bob")
            code = await start_game(ann, bob, advice="everybody")
            assert (await bob.act(code, "take-over", seat=1, bot="convention")).status == 200
            await asks(ann, code, 1)
            assert adviser.asked == [("", "")]

    run(steps())


def test_only_the_player_who_asks_is_sent_any_of_the_advice(tmp_path: Path) -> None:
    async def steps() -> None:
        async with serving(tmp_path, adviser=FixedAdviser()) as app:
            ann, bob, eve = member(app, "Ann"), member(app, "Bob"), member(app, "Eve")
            code = await start_game(ann, bob, advice="everybody", watching="hands")
            streams = [who.stream(f"/t/{code}/stream") for who in (bob, eve)]
            await asks(ann, code, 3)
            sequence = (await the_table(app, code)).sequence
            for stream in streams:
                await stream.until(b"id: %d\n" % sequence)
            sent = [*[await stream.close() for stream in streams], *[await who.get(f"/t/{code}") for who in (bob, eve)]]
            for answer in sent:
                assert answer.status == 200
                assert str(IDEA) not in answer.words
                assert str(REASON) not in answer.words
                assert "data-about-move" not in answer.words

    run(steps())


def test_log_result_picture_and_list_of_games_say_that_advice_was_taken(tmp_path: Path) -> None:
    async def steps() -> None:
        async with serving(tmp_path, adviser=FixedAdviser()) as app:
            ann, bob = member(app, "Ann"), member(app, "Bob")
            code = await start_game(ann, bob, advice="everybody", empty_clues="yes")
            other = await start_game(ann, bob, advice="everybody")
            await asks(ann, code, 1)
            await ann.act(code, "move", move="clue 2 1", turn=0, line=0)
            page = await bob.get(f"/t/{code}")
            for table in (code, other):
                await end_game(app, table, ann, bob)
            over, mine, without = [await who.get(f"/t/{table}") for who, table in ((bob, code), (ann, code), (ann, other))]
            assert "With advice." in page.words
            assert "Ann took advice once." in over.words
            assert "You took advice once." in mine.words
            assert "took advice" not in without.words
            games = (await ann.get("/games")).words
            assert games.count("with advice") == 1
            assert "with advice" in (await ann.get(f"/t/{code}/result.svg")).words
            assert "with advice" not in (await ann.get(f"/t/{other}/result.svg")).words
            assert '"advised": [[1, 1]]' in (await ann.get(f"/t/{code}/record/tamaya")).text

    run(steps())


def test_a_replay_hides_the_advice_taken_in_later_turns(tmp_path: Path) -> None:
    async def steps() -> None:
        async with serving(tmp_path, adviser=FixedAdviser()) as app:
            ann, bob = member(app, "Ann"), member(app, "Bob")
            code = await start_game(ann, bob, advice="everybody", empty_clues="yes")
            for who, turn in ((ann, 0), (bob, 1)):
                await who.act(code, "move", move=f"clue {2 - turn} 1", turn=turn, line=0)
            await asks(ann, code, 1, turn=2)
            await end_game(app, code, ann, bob)
            assert "With advice." not in (await ann.get(f"/t/{code}/replay?turn=2")).words
            assert "With advice." in (await ann.get(f"/t/{code}/replay?turn=3")).words

    run(steps())


def test_advice_belongs_to_the_hand_in_its_current_order(tmp_path: Path) -> None:
    async def steps() -> None:
        async with serving(tmp_path, adviser=FixedAdviser()) as app:
            code, ann = await alone(app)
            await asks(ann, code, 2)
            numbers = (await the_table(app, code)).hand_numbers(0)
            arranged = await ann.act(code, "arrange", hand=" ".join(map(str, reversed(numbers))))
            assert arranged.status == 200
            assert "data-about-move" not in arranged.words, "slots mean other cards now"
            again = await asks(ann, code, 2)
            assert f'data-about-move="card-{numbers[-2]}"' in again.words
            assert len((await the_table(app, code)).advised) == 1

    run(steps())


def test_the_lobby_says_that_players_may_ask_for_advice(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        shared = await open_table(ann, players=2, advice="everybody")
        usual = await open_table(ann, players=2)
        advised, plain = (await bob.get(f"/t/{shared}")).words, (await bob.get(f"/t/{usual}")).words
        assert "up to 25 points, with advice." in advised
        assert "For everybody who asks" in advised
        assert "with advice" not in plain

    with_app(tmp_path, steps)


@pytest.mark.parametrize("step", [{}, {"step": 0}, {"step": 4}, {"step": "x"}])
def test_an_unknown_step_of_advice_is_refused(tmp_path: Path, step: dict[str, object]) -> None:
    async def steps(app: Starlette) -> None:
        code, ann = await alone(app)
        answer = await ann.act(code, "advice", turn=0, line=0, **step)
        assert answer.status == 400
        assert (await the_table(app, code)).advised == ()

    with_app(tmp_path, steps)


def test_a_player_who_may_not_ask_is_refused_before_any_work_is_done(tmp_path: Path) -> None:
    async def steps() -> None:
        adviser = FixedAdviser()
        async with serving(tmp_path, adviser=adviser) as app:
            ann, bob, eve = member(app, "Ann"), member(app, "Bob"), member(app, "Eve")
            shared = await start_game(ann, bob, advice="everybody")
            strict = await start_game(ann, bob)
            lonely, _ = await alone(app, advice="nobody")
            tries = [(bob, shared), (eve, shared), (ann, strict), (ann, lonely)]
            words = [await asks(who, code, 1) for who, code in tries]
            assert [answer.status for answer in words] == [409] * 4
            assert [answer.words for answer in words] == [
                "It is not your turn.",
                "You have no seat at this table.",
                "At this table everybody decides without advice.",
                "At this table everybody decides without advice.",
            ]
            assert 'id="advise"' not in (await ann.get(f"/t/{strict}")).text
            assert 'id="advise"' not in (await bob.get(f"/t/{shared}")).text
            await end_game(app, shared, ann, bob)
            assert (await asks(ann, shared, 1)).words == "The game is over."
            assert adviser.asked == []

    run(steps())


@pytest.mark.parametrize("language", LANGUAGES)
def test_advice_is_given_in_the_readers_language(tmp_path: Path, language: str) -> None:
    async def steps() -> None:
        async with serving(tmp_path, adviser=FixedAdviser()) as app:
            code, ann = await alone(app)
            ann.language = language
            page = await asks(ann, code, 3)
            assert catalogue(language)(IDEA) in page.words
            assert catalogue(language)(REASON) in page.words

    run(steps())
