"""The same templates render any moment of any game, live or past, for any eyes; a past one holds nothing of later turns."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

import pytest

from tamaya import Card, Game, Rules, View
from tamaya.record import Record
from tamaya.rules import Action, say
from tamaya.table import ClueMemory, Phase, Settings, SpectatorMode, Table
from tamaya.table.events import AnyEvent, Moved, Rematched, Said, Started, StoredMessage, TakenOver
from tamaya.web.table.board_cache import render_board
from tamaya.web.table.snapshot import GameSnapshot, Player, TableInfo, live_snapshot
from tests.support.fakes import ANN, EVE, deal_of, full_table, game_of, plain_settings

SHARED = 14
SPECTATOR, OPEN = "a spectator", "somebody who sees every hand"
Eyes = int | str


def rendered(moment: GameSnapshot, language: str = "en") -> str:
    """The board of a moment."""
    return render_board(moment, language)


def seen_by(game: Game, eyes: Eyes) -> View:
    """What a player, a spectator or a viewer of every hand sees of a game."""
    if isinstance(eyes, int):
        return game.view(eyes)
    return game.reveal_hands() if eyes == OPEN else game.spectator_view()


def after(record: Record, turns: int) -> Game:
    """The game of a record after this number of moves."""
    game = Game(record.rules, deck=record.deck)
    for move in record.moves[:turns]:
        game.move(move)
    return game


def dealt(settings: Settings, deck: Sequence[Card]) -> Table:
    """Ann, a bot and Cid before their first turn."""
    return full_table(settings, bots=(1,)).after([Started(" ".join(map(str, deck)), 0)])


def turn(table: Table, action: Action, words: str) -> Table:
    """The table after a turn and a remark on it. The bot gives reasons, and fails in every other of its turns."""
    assert table.to_move is not None
    bot = bool(table.seats[table.to_move].bot)
    why = StoredMessage.of(say("{words}", words=f"{words}: reason {table.turn}")) if bot else None
    move = Moved.of(table.to_move, action, bot=bot, why=why, replaced=bot and table.turn % 2 == 0)
    return table.after([move, Said(0, "", f"{words}: remark {table.turn}")])


def a_careful_action(game: Game, choice: random.Random) -> Action:
    """Any action but a play, if there is one, so that games are long."""
    actions = game.legal_actions()
    return choice.choice([action for action in actions if not str(action).startswith("play")] or actions)


def finished(table: Table, words: str) -> Table:
    """The rest of the game, which differs with `words`: the turns, the messages, the absent people, the rematch."""
    choice = random.Random(words)
    later: list[AnyEvent] = [TakenOver(2, "simple"), Said(2, "", f"{words}: goodbye")]
    table = turn(table, a_careful_action(game_of(table), choice), words).after(later)
    while table.phase is Phase.PLAYING:
        table = turn(table, random.Random(f"{words} {table.turn}").choice(game_of(table).legal_actions()), words)
    return table.after([Rematched(f"{words}-table")])


def twins(settings: Settings) -> tuple[Table, Table]:
    """Two finished tables that were the same for some turns, down to every hand; everything later differs."""
    choice = random.Random(3)
    deck = list(deal_of(5, settings.rules))
    table = dealt(settings, deck)
    actions = []
    for _ in range(SHARED):
        actions.append(a_careful_action(game_of(table), choice))
        table = turn(table, actions[-1], "shared")
    drawn_cards = len(deck) - game_of(table).deck_count
    other = dealt(settings, [*deck[:drawn_cards], *reversed(deck[drawn_cards:])])
    for action in actions:
        other = turn(other, action, "shared")
    return finished(table, "one"), finished(other, "other")


def past(table: Table, turns: int, eyes: Eyes, person: str = EVE) -> GameSnapshot:
    """An earlier moment of a finished table, with all that the table knows at its end."""
    assert table.phase is Phase.ENDED
    facts = live_snapshot(table, person, frozenset({ANN})).table
    return GameSnapshot(seen_by(after(table.record(), turns), eyes), facts, table.seat_of(person))


EVERYBODY: tuple[Eyes, ...] = (0, 1, 2, SPECTATOR, OPEN)


@pytest.mark.slow
@pytest.mark.parametrize("memory", ClueMemory)
@pytest.mark.parametrize("eyes", EVERYBODY)
def test_a_past_moment_holds_nothing_of_later_turns(eyes: Eyes, memory: ClueMemory) -> None:
    one, other = twins(plain_settings(memory=memory, watching=SpectatorMode.HANDS))
    for turns in range(SHARED + 1):
        page = rendered(past(one, turns, eyes))
        assert page == rendered(past(other, turns, eyes))
        assert page.count("shared: remark") == turns
    assert rendered(past(one, SHARED + 1, eyes)) != rendered(past(other, SHARED + 1, eyes)), "the differences would show"


@pytest.mark.parametrize("eyes", EVERYBODY)
def test_a_past_moment_shows_the_hands_that_its_eyes_saw(eyes: Eyes) -> None:
    table = twins(plain_settings())[0]
    expected = {SPECTATOR: 0, OPEN: 15}.get(str(eyes), 10)
    assert rendered(past(table, SHARED, eyes)).count('class="card face') == expected


@pytest.mark.parametrize("eyes", EVERYBODY)
def test_bots_reasons_are_shown_only_to_viewers_of_every_hand(eyes: Eyes) -> None:
    page = rendered(past(twins(plain_settings())[0], SHARED, eyes))
    assert ("shared: reason" in page) == (eyes == OPEN)
    assert "The bot could not decide" in page, "its failure is public"


@pytest.mark.parametrize("watching", [SpectatorMode.TABLE, SpectatorMode.HANDS])
def test_a_past_moment_looks_as_it_did_live(watching: SpectatorMode) -> None:
    settings, choice = plain_settings(watching=watching), random.Random(3)
    table = dealt(settings, deal_of(5, settings.rules))
    pages = [rendered(live_snapshot(table, EVE, frozenset()))]
    for _ in range(SHARED):
        table = turn(table, a_careful_action(game_of(table), choice), "shared")
        pages.append(rendered(live_snapshot(table, EVE, frozenset())))
    table = finished(table, "later")
    for turns, live in enumerate(pages):
        replayed = rendered(past(table, turns, OPEN if watching is SpectatorMode.HANDS else SPECTATOR))
        page = re.sub(r"<h2>Placed cards</h2>.*?</dl>\s*", "", replayed, flags=re.DOTALL)
        numbered = re.sub(r'(?<=data-sequence=")\d+|(?<=data-line=")\d+', "", live)
        silent = re.sub(r'<p id="bubble-.*?</p>|<a class="look-back".*?</a>(?= )', "", numbered)
        assert page == silent.replace('<p class="sheet watching">You are watching.</p>', "")


@pytest.mark.parametrize("person", [ANN, EVE])
@pytest.mark.parametrize("eyes", EVERYBODY)
def test_nothing_can_be_changed_in_a_past_moment(eyes: Eyes, person: str) -> None:
    table = twins(plain_settings())[0]
    for turns in (0, 1, SHARED, table.turn):
        page = rendered(past(table, turns, eyes, person))
        assert not re.search(r"<form|hx-post|data-about|my-turn", page)
        assert "rematch" not in page.lower()
        assert ('class="result"' in page) == (turns == table.turn)


def test_a_viewer_with_another_players_eyes_is_not_addressed_as_that_player() -> None:
    table = twins(plain_settings())[0]
    ann = [rendered(past(table, SHARED, eyes, ANN)) for eyes in (0, 2)]
    assert [page.count("<small>you") for page in ann] == [1, 1]
    own = [re.search(r'id="hand-(\d)" class="hand own', page) for page in ann]
    assert [found and found[1] for found in own] == ["0", "2"], "the board has the seat of the eyes at the bottom"
    assert "<small>you" not in rendered(past(table, SHARED, 0, EVE))


def test_a_saved_game_is_rendered_without_a_table() -> None:
    game = Game(Rules(players=2), seed=4)
    for action in ("clue 2 1", "play 1"):
        if action in map(str, game.legal_actions()):
            game.act(action)
    facts = TableInfo((Player("Zoë <b>"), Player("Kiku", bot="hat")))
    for eyes in (0, 1, SPECTATOR, OPEN):
        page = rendered(GameSnapshot(seen_by(game, eyes), facts), "fr")
        assert "Zoë &lt;b&gt;" in page
        assert "bot · Mathématicien" in page
        assert "/t/" not in page
