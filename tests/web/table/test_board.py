"""What a board says in words: when it says "you", how things stand, and what a screen reader reads."""

from __future__ import annotations

import random
import re
from html import unescape
from pathlib import Path

import pytest
from starlette.applications import Starlette

from tamaya import EDITIONS, Game, Rules, read_rules
from tamaya.bots.convention.reasons import _SENTENCES, ConventionReason, Facts
from tamaya.i18n import LANGUAGES, catalogue, player_at, reason_in_words
from tamaya.i18n.player_names import TO_READER
from tamaya.rules import VALUES, Card, Clue, Colour, say
from tamaya.table import ClueMemory
from tamaya.web.rendering.templates import render_component
from tamaya.web.table.board import possibilities_of, prompt_words, score_words, turn_words
from tamaya.web.table.board_cache import render_board
from tamaya.web.table.components import Back, Face
from tamaya.web.table.log import losses
from tamaya.web.table.snapshot import GameSnapshot, Player, TableInfo
from tests.support.client import member, start_game, with_app
from tests.tables import careful_action, do, game_with, moves_of_a_game

PEOPLE = (Player("Ana"), Player("Bo"), Player("Chi"))


def moment_of(game: Game, seat: int | None, players: tuple[Player, ...] = PEOPLE, live: bool = True) -> GameSnapshot:
    """The game as the player at a seat sees it now."""
    view = game.spectator_view() if seat is None else game.view(seat)
    return GameSnapshot(view, TableInfo(players[: game.rules.players], code="abc"), seat, live=live)


def page_of(moment: GameSnapshot, language: str = "en") -> str:
    return unescape(render_board(moment, language))


def three() -> Game:
    """Ana has clued Bo's red card, and Bo has played it."""
    game = game_with(Rules(players=3), "G1 G2 G3 G4 B4", "R1 Y2 Y3 Y4 B4", "W1 W2 W3 W4 W5")
    return do(game, "clue 2 red", "play 1")


def test_the_newest_turn_and_the_log_say_you_to_the_reader_and_name_others() -> None:
    pages = {seat: page_of(moment_of(three(), seat)) for seat in (0, 1, 2, None)}
    assert pages[0].count("You tell Bo “red”: card 1.") == 1, "in the log; since then Bo alone has acted"
    assert pages[1].count("Ana tells you “red”: your card 1.") == 1
    for page in (pages[2], pages[None]):
        assert "Ana tells Bo “red”: card 1." in page
        assert "Bo plays red 1 (card 1)." in page
    assert pages[1].count("You play red 1 (card 1).") == 2, "news and log"


def test_every_page_of_a_table_says_you_to_its_reader(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob, eve = (member(app, name) for name in ("Ann", "Bob", "Eve"))
        code = await start_game(ann, bob)
        answer = await ann.act(code, "move", move="play 1", turn=0)
        assert "You play " in answer.text
        pages = [(await who.get(f"/t/{code}")).text for who in (ann, bob, eve)]
        assert ["You play " in page for page in pages] == [True, False, False]
        assert ["Ann plays " in page for page in pages] == [False, True, True]

    with_app(tmp_path, steps)


def test_a_turn_that_a_bot_takes_for_the_reader_is_told_as_the_bots() -> None:
    game = Game(Rules(players=2), seed=1)
    away = (Player("Ana", bot="simple", stands_in=True), Player("Bo"))
    assert str(turn_words(moment_of(game, 0))) == "Your turn"
    assert str(turn_words(moment_of(game, 1))) == "It is Ana's turn."
    assert str(turn_words(moment_of(game, 0, away))) == "A bot takes your turn."


@pytest.mark.parametrize("live", [True, False])
def test_an_absent_player_is_not_said_to_be_thinking(live: bool) -> None:
    game = Game(Rules(players=2), seed=1)
    for players, marks in (
        ((Player("Ana", away=True), Player("Bo")), "away" if live else "thinks"),
        ((Player("Ana"), Player("Bo")), "thinks"),
        ((Player("Ana", bot="hat", stands_in=True, away=True), Player("Bo")), "a bot plays · thinks" if live else "thinks"),
    ):
        assert f"<small>{marks}</small>" in page_of(moment_of(game, 1, players, live))


@pytest.mark.parametrize(
    ("text", "actions", "words"),
    [
        ("players=2", [], "0 points, at most 25"),
        ("players=2", ["play 1"], "1 point, at most 25"),
        ("players=2 multicolour-ten", [], "0 points, at most 30"),
        ("players=2 all-or-nothing", ["play 1"], "1 of 25 cards placed"),
    ],
)
def test_the_score_tells_points_and_the_maximum_still_possible(text: str, actions: list[str], words: str) -> None:
    game = do(game_with(read_rules(text), "R1 R2 R3 R4 R5", "G1 G2 G3 G4 G5"), *actions)
    assert str(score_words(game.view(0))) == words


def test_the_prompt_names_what_can_be_done() -> None:
    rules = read_rules("players=2 clue_tokens=1")
    game = game_with(rules, "R1 R2 R3 R4 R5", "G1 G2 G3 G4 G5")
    assert "choose a teammate to tell something, or one of your cards" in str(prompt_words(moment_of(game, 0)))
    assert "Meanwhile" in str(prompt_words(moment_of(game, 1)))
    do(game, "clue 2 1")
    assert str(prompt_words(moment_of(game, 1))) == "Your turn: choose one of your cards. No clue token is left."
    bot = (PEOPLE[0], Player("Bo", bot="hat", stands_in=True))
    assert "A bot plays for you" in str(prompt_words(moment_of(game, 1, bot)))


ALL = Rules().suits


@pytest.mark.parametrize(
    ("colours", "values", "words"),
    [
        (ALL, VALUES, "nothing known"),
        ((Colour.RED,), (3,), "red 3"),
        ((Colour.RED, Colour.BLUE), (1, 2, 3), "red or blue; 1, 2 or 3"),
        ((Colour.RED,), VALUES, "red; any value"),
        (ALL, (1, 5), "any colour; 1 or 5"),
        ((Colour.RED,), (1, 2), "red; 1 or 2"),
    ],
)
def test_a_screen_reader_says_what_an_own_card_can_be(colours: tuple[Colour, ...], values: tuple[int, ...], words: str) -> None:
    assert Back(colours, values, ALL).words(catalogue("en")) == words


@pytest.mark.parametrize(
    ("face", "words"),
    [
        (Face(Card(Colour.RED, 3), None, None, clued=False), "red 3"),
        (Face(Card(Colour.RED, 3), Colour.RED, None, clued=True), "red 3; known: red"),
        (Face(Card(Colour.RED, 3), None, 3, clued=True), "red 3; known: 3"),
        (Face(Card(Colour.RED, 3), Colour.RED, 3, clued=True), "red 3; known: red 3"),
        (Face(Card(Colour.RED, 3), None, None, clued=True), "red 3; touched by a clue"),
    ],
)
def test_a_screen_reader_says_what_a_teammates_card_is_and_what_they_know(face: Face, words: str) -> None:
    assert str(face.words) == words
    for language in LANGUAGES:
        assert catalogue(language)(face.words) in unescape(render_component(face, language))


def spoken(html: str) -> str:
    """What a screen reader says of some HTML."""
    shown = re.sub(r'<(\w+)[^>]*aria-hidden="true"[^>]*>.*?</\1>', "", html, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]*>", "", shown).split())


def test_hands_are_regions_under_the_players_names_and_cards_are_sentences() -> None:
    page = page_of(moment_of(three(), 1))
    labels = re.findall(r'<section id="hand-\d"[^>]* aria-label="([^"]*)"', page)
    assert labels == ["Hand of Chi", "Hand of Ana", "Your hand"]
    cards = [spoken(card) for card in re.findall(r'<li id="card-.*?</li>', page, re.DOTALL)]
    assert cards[0] == "Card 1: white 1"
    assert cards[10].startswith("Your card 1: yellow, green, white or blue; any value")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_grid_of_possibilities_has_real_headings(language: str) -> None:
    speak = catalogue(language)
    moment = moment_of(three(), 1)
    own = unescape(render_component(possibilities_of(moment, 1, language), language))
    captions = [spoken(found) for found in re.findall(r"<caption>(.*?)</caption>", own)]
    assert captions == [speak(say("Your card {slot}", slot=slot + 1)) for slot in range(5)]
    other = unescape(render_component(possibilities_of(moment, 0, language), language))
    assert [spoken(found) for found in re.findall(r"<caption>(.*?)</caption>", other)] == [
        speak(say("Card {slot}", slot=slot + 1)) + " – Ana" for slot in range(5)
    ]
    assert own.count('scope="row"') == 5 * 5
    assert own.count('scope="col"') == 5 * (1 + 5)
    assert "<td></td>" not in own
    assert moment.table.memory is ClueMemory.RULED_OUT


def test_every_reason_that_names_a_player_has_words_for_that_player() -> None:
    card = Card(Colour.RED, 1)
    for reason in ConventionReason:
        message = _SENTENCES[reason](Facts(reason, 0, card, 1, card, 2, 40))
        named = {key for key, value in message.values.items() if value in (player_at(1), player_at(2))}
        assert {key for text, key in TO_READER if text == message.text} == named
        for seat in (1, 2):
            for language in LANGUAGES:
                words = reason_in_words(catalogue(language), message, ("Ana", "Bo", "Chi"), reader=seat)
                assert ("Ana", "Bo", "Chi")[seat] not in words


CARD = re.compile(r'<li id="card-(\d+)" class="card ([^"]*)".*?</li>', re.DOTALL)
NEW, NEXT = '<span class="badge">', '<span class="badge next">'


def rendered(game: Game, seat: int = 0, memory: ClueMemory = ClueMemory.RULED_OUT, *, next_discard_on: bool = False) -> str:
    """The board of a player."""
    facts = TableInfo(tuple(Player(name) for name in ("Ann", "Bob", "Cid")[: game.rules.players]), memory)
    moment = GameSnapshot(game.view(seat), facts, seat, live=True, wants_next_discard=next_discard_on)
    return render_board(moment, "en")


def marked(page: str, mark: str) -> set[int]:
    """The numbers of the cards with a mark."""
    return {int(found[1]) for found in CARD.finditer(page) if mark in found[0]}


def look_of(page: str, number: int) -> str:
    """The classes of a card."""
    return next(found[2] for found in CARD.finditer(page) if int(found[1]) == number)


def hints_of(game: Game, seat: int, slot: int) -> tuple[Colour, int]:
    """A colour and a value that a clue could name for a card."""
    card = game.reveal_hands().hands[seat][slot].card
    assert card is not None
    return card.colour, card.value


def test_the_newest_card_of_each_hand_is_marked_once_a_card_was_drawn() -> None:
    game = Game(Rules(players=3), seed=4)
    assert marked(rendered(game), NEW) == set()
    expected = set()
    for _ in range(2):
        expected.add(game.rules.deck_size - game.deck_count)
        game.act("play 1")
    for seat in range(3):
        assert marked(rendered(game, seat), NEW) == expected


def test_the_next_discard_is_marked_for_readers_who_turned_that_on() -> None:
    game = Game(Rules(players=2), seed=4)
    oldest = [min(seen.number for seen in hand) for hand in game.reveal_hands().hands]
    assert marked(rendered(game), NEXT) == set()
    assert marked(rendered(game, next_discard_on=True), NEXT) == set(oldest)
    game.act(Clue(1, hints_of(game, 1, 0)[1]))
    unclued = [seen.number for seen in game.reveal_hands().hands[1] if not seen.clued]
    for seat in (0, 1):
        assert marked(rendered(game, seat, next_discard_on=True), NEXT) == {oldest[0], min(unclued)}
    assert marked(rendered(game, 0, ClueMemory.NOTHING, next_discard_on=True), NEXT) == set(), (
        "a table that remembers nothing marks nothing"
    )


@pytest.mark.parametrize("memory", ClueMemory)
def test_a_known_card_of_ones_own_is_rendered_as_a_face(memory: ClueMemory) -> None:
    game = Game(Rules(players=2), seed=4)
    colour, value = hints_of(game, 1, 0)
    number = game.reveal_hands().hands[1][0].number
    game.act(Clue(1, colour))
    assert "back" in look_of(rendered(game, 1, memory), number)
    game.act(Clue(0, hints_of(game, 0, 0)[1]))
    game.act(Clue(1, value))
    look = look_of(rendered(game, 1, memory), number)
    if memory is ClueMemory.NOTHING:
        assert look.startswith("back")
    else:
        assert look.startswith(f"known face {colour}")


@pytest.mark.parametrize("seed", range(6))
def test_a_turn_that_lowers_what_a_firework_can_reach_says_so_and_no_other_does(seed: int) -> None:
    rules = EDITIONS["french"].rules(3, ("multicolour-five",) if seed % 2 else ())
    game, turns = Game(rules, seed=seed), set()
    reach = dict(game.spectator_view().reach)
    for _ in moves_of_a_game(game, random.Random(seed), careful_action):
        now = dict(game.spectator_view().reach)
        if now != reach:
            turns.add(game.spectator_view().turn)
        reach = now
    assert set(losses(game.spectator_view())) == turns
