"""What a replay says beside each move: a bot's reason, or what the move meant by the conventions to those eyes."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.applications import Starlette

from tamaya import Game, Rules
from tamaya.i18n import LANGUAGES, catalogue, reason_in_words
from tamaya.record import Record
from tamaya.rules import Clue, Discard, Play
from tamaya.rules.message import quote
from tamaya.table import PastGame, Phase, SpectatorMode, Table, Viewpoint, import_game
from tamaya.table.events import BotSat, Moved, Said, Sat, Started, StoredMessage
from tamaya.web.services import services_of
from tamaya.web.table.board_cache import render_board
from tamaya.web.table.log import render_log
from tamaya.web.table.snapshot import past_snapshot, tried_snapshot
from tests.support.client import member, start_game, the_table, with_app
from tests.support.fakes import ANN, CID, EVE, a_table, game_of
from tests.tables import careful_action, do, game_with, moves_of_a_game, random_action
from tests.twins import twin_of

Style = Callable[[Game, random.Random], Clue | Play | Discard]
EYES = (0, 1, 2, SpectatorMode.TABLE, SpectatorMode.HANDS)
NAMES = ("Ann", "Bob", "Cid")


def beside(page: str) -> dict[int, str]:
    """The text beside the moves of a log, by turn."""
    lines = re.findall(r'<li id="l(\d+)"(.*?)</li>', page)
    whys = ((int(turn), re.search(r'<small class="why">(.*?)</small>', line)) for turn, line in lines)
    return {turn: unescape(why[1]) for turn, why in whys if why}


def a_misleading_game() -> Game:
    """Ann clues Bob's green 3, which does not fit; Bob plays it, and Cid discards."""
    hands = ("Y4 W4 B3 G4 Y3", "R3 G4 Y4 G3 B4", "R4 W3 Y2 B3 W4")
    return do(game_with(Rules(players=3), *hands), "clue 2 green", "play 4", "discard 1")


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_move_of_an_imported_game_has_its_meaning(tmp_path: Path, language: str) -> None:
    async def steps(app: Starlette) -> None:
        record = Record.of(a_misleading_game(), NAMES)
        code = (await services_of(app).tables.begin(import_game(record, EVE))).code
        past, reader = PastGame(a_misleading_game()), member(app, "Zoë", language=language.replace("_", "-"))
        for eyes in EYES:
            word = eyes.value if isinstance(eyes, SpectatorMode) else eyes + 1
            page = (await reader.get(f"/t/{code}/replay?turn=3&eyes={word}")).text
            told = {turn: reason_in_words(catalogue(language), why, NAMES) for turn, why in past.meanings(eyes).items()}
            assert beside(page) == told
            assert "/teammates/convention" in page

    with_app(tmp_path, steps)


def test_only_viewers_who_saw_the_card_read_that_a_clue_misleads() -> None:
    past = PastGame(a_misleading_game())
    for eyes in (0, 2, SpectatorMode.HANDS):
        assert "But card 4 is green 3" in str(past.meanings(eyes)[1])
    for eyes in (1, SpectatorMode.TABLE):
        assert str(past.meanings(eyes)[1]) == "It means: play card 4, green 1."


def test_tried_moves_have_their_meanings_too() -> None:
    past = PastGame(a_misleading_game())
    tried = past.what_if(1, ()).legal_actions[:1]
    assert past.what_if_meanings(1, ()) == {1: past.meanings(SpectatorMode.HANDS)[1]}
    assert set(past.what_if_meanings(1, tried)) == {1, 2}


def an_evening(bot: str) -> Table:
    """A finished game of Ann and Cid with a bot, which gives reasons, and messages after each turn."""
    game, choice = Game(Rules(players=3), seed=8), random.Random(8)
    deck = " ".join(map(str, Record.of(game, NAMES).deck))
    table = a_table(BotSat(1, bot, "Bot"), Sat(2, CID, "Cid"), Started(deck, 0))
    while table.phase is Phase.PLAYING:
        is_bot = table.to_move == 1
        why = StoredMessage.of(quote(f"reason {table.turn + 1}")) if is_bot else None
        action = random_action(game_of(table), choice)
        table = table.after(
            [Moved.of(table.to_move or 0, action, bot=is_bot, why=why), Said(0, "", f"remark {table.turn + 1}.")]
        )
    return table


def log_of(table: Table, eyes: Viewpoint) -> dict[int, str]:
    """The text beside the moves at the end of a game."""
    past = table.past()
    moment = past_snapshot(table, ANN, past.view(past.turns, eyes), past.meanings(eyes))
    return beside(render_log(moment, "en"))


@pytest.mark.parametrize("eyes", EYES)
def test_bots_give_their_own_reasons_and_are_not_read_by_the_conventions(eyes: Viewpoint) -> None:
    for bot in ("convention", "hat"):
        table = an_evening(bot)
        meant, told = table.past().meanings(eyes), log_of(table, eyes)
        for turn in range(1, table.turn + 1):
            of_bot = turn % 3 == 2
            if of_bot and eyes is SpectatorMode.HANDS:
                assert told[turn] == f"reason {turn}"
            elif of_bot and bot == "hat":
                assert turn not in told
            else:
                assert told[turn] == reason_in_words(catalogue("en"), meant[turn], table.names, 0)


def test_tried_moves_say_nothing_of_the_moves_they_replace() -> None:
    table = an_evening("convention")
    past, turn = table.past(), 4
    then = past.what_if(turn, ()).legal_actions[:1]
    moment = tried_snapshot(table, ANN, past.what_if(turn, then), turn, past.what_if_meanings(turn, then))
    page = render_board(moment, "en")
    assert "remark 4." in page
    assert "remark 5." not in page
    told = beside(page)
    assert told[2] == "reason 2"
    assert told[5] == reason_in_words(catalogue("en"), moment.meanings[5], table.names, 0) != "reason 5"


def test_meanings_are_hidden_while_the_game_goes_on(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        code = await start_game(ann, bob)
        table = await the_table(app, code)
        clue = next(str(action) for action in game_of(table).legal_actions() if str(action).startswith("clue"))
        await ann.act(code, "move", move=clue, turn=0)
        for who in (ann, bob):
            for address in (f"/t/{code}", f"/t/{code}/replay?turn=1"):
                page = (await who.get(address)).text
                assert beside(page) == {}
                assert "It means" not in page

    with_app(tmp_path, steps)


@pytest.mark.slow
@settings(max_examples=20)
@given(st.integers(0, 2**32), st.sampled_from([random_action, careful_action]))
def test_the_log_reads_the_same_in_games_that_a_seat_cannot_tell_apart(seed: int, style: Style) -> None:
    game, choice = Game(Rules(players=3), seed=seed), random.Random(seed)
    for _ in zip(range(seed % 40), moves_of_a_game(game, choice, style), strict=False):
        pass
    for seat in range(3):
        logs = []
        for twin in (game, twin_of(game, seat, choice)):
            table = Table("abcdefghjk", import_game(Record.of(twin, NAMES), EVE))
            logs.append(log_of(table, seat))
        assert logs[0] == logs[1]
        assert set(logs[0]) == set(range(1, game.turn + 1))
