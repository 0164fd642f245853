"""Events and rules in sentences, in every language."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamaya import EDITIONS, Game, Rules, read_rules
from tamaya.i18n import LANGUAGES, catalogue, explain, tell
from tests.tables import careful_action, do, game_with, moves_of_a_game, random_action, rules

NAMES = ("Ana", "Bo", "Chi", "Dor", "Eva")


def last_words(game: Game) -> str:
    return " ".join(map(str, tell(game.log[-1], NAMES, game.rules)))


@pytest.mark.parametrize(
    ("actions", "words"),
    [
        (["clue 2 yellow"], "Ana tells Bo “yellow”: 2 cards (slots 1, 3)."),
        (["clue 2 3"], "Ana tells Bo “3”: 1 card (slot 4)."),
        (["clue 2 green"], "Ana tells Bo “green”: no card."),
        (["play 1"], "Ana plays red 1 (slot 1)."),
        (
            ["clue 2 3", "play 1", "play 1 as red"],
            "Ana announces the colour and plays red 1 (slot 1). 1 clue token comes back.",
        ),
        (["play 5"], "Ana plays red 3 (slot 5): mistake 1 of 3."),
        (["play 1 as blue"], "Ana announces blue and plays red 1 (slot 1): mistake 1 of 3."),
        (["clue 2 3", "discard 2"], "Bo discards blue 2 (slot 2)."),
    ],
)
def test_what_happened_is_told_in_a_sentence(actions: list[str], words: str) -> None:
    game = game_with(read_rules("players=2 announced-plays empty_clues=yes"), "R1 R1 R1 R2 R3", "Y1 B2 Y2 B3 W4")
    assert last_words(do(game, *actions)) == words


def test_a_completed_firework_and_the_end_of_the_deck_are_told() -> None:
    game = game_with(Rules(players=2, colours=1, hand_size=3), "R1 R3 R5", "R2 R4 R1")
    do(game, "play 1", "play 1", "play 1", "play 1")
    assert last_words(game) == "Bo plays red 4 (slot 1). The deck is empty: everyone has one more turn."
    assert last_words(do(game, "play 1")) == "Ana plays red 5 (slot 1) and completes the firework!"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("style", [random_action, careful_action])
def test_every_event_can_be_told_in_every_language(language: str, style: object) -> None:
    speak = catalogue(language)
    for seed, text in enumerate(
        ("players=3", "players=2 announced-plays multicolour-unnamed empty_clues=yes", "players=4 all-or-nothing")
    ):
        game = Game(read_rules(text), seed=seed)
        for _ in moves_of_a_game(game, random.Random(seed), style):  # type: ignore[arg-type]
            sentences = [speak(message) for message in tell(game.log[-1], NAMES, game.rules)]
            assert all(sentences)
            assert "{" not in "".join(sentences)
        assert game.outcome
        assert speak(game.outcome.ending.word)


@given(rules(), st.sampled_from(sorted(LANGUAGES)))
def test_any_rules_are_explained_in_any_language(table: Rules, language: str) -> None:
    speak = catalogue(language)
    for section in explain(table):
        assert speak(section.title)
        assert section.sentences
        for sentence in section.sentences:
            assert "{" not in speak(sentence)


def explained(text: str) -> str:
    return " ".join(str(sentence) for section in explain(read_rules(text)) for sentence in section.sentences)


@pytest.mark.parametrize(
    ("rules", "said", "unsaid"),
    [
        ("players=3", "A clue must match at least one card.", "matches no card is allowed"),
        ("spanish", "A clue that matches no card is allowed.", "must match"),
        ("spanish", "The team then has 0 points.", "lost"),
        ("french", "The game is then lost, without a score.", "0 points"),
        ("last_mistake=points", "keeps the points", "0 points"),
        ("multicolour-ten", "The deck has 60 cards", "single card"),
        ("multicolour-five", "Only the multicolour has a single card of each value.", "cannot be named"),
        ("multicolour-unnamed", "match every colour that is named", "like any other colour"),
        ("one-mistake", "The first mistake ends the game at once.", "Mistake number"),
        ("two-mistakes", "Mistake number 2 ends", "Mistake number 3"),
        ("nine-clue-tokens", "There are 9,", "There are 8"),
        ("all-or-nothing", "There are no points", "The score is the sum"),
        ("all-or-nothing", "An empty deck does not end the game", "has one more turn"),
        ("players=3", "has one more turn", "An empty deck does not end the game"),
        ("announced-plays", "You may announce the colour", "nothing else"),
        ("players=4", "Each of the 4 players holds 4 cards.", "announce"),
        ("colours=1 hand_size=3", "1 firework", "fireworks, one for each"),
        ("multicolour-ten", "30 — Divine", "25 — Legendary"),
        ("players=2", "25 — Legendary", "Divine"),
    ],
)
def test_the_explanation_says_exactly_what_is_played(rules: str, said: str, unsaid: str) -> None:
    assert said in explained(rules)
    assert unsaid not in explained(rules)


def test_different_rules_are_explained_differently() -> None:
    tables = {
        edition.rules(players=players, variants=[name] if name else [])
        for edition in EDITIONS.values()
        for name in (None, *edition.booklet)
        for players in (2, 3, 4, 5)
    }
    assert len({explained(str(table)) for table in tables}) == len(tables)


def test_a_message_within_a_message_speaks_the_same_language() -> None:
    game = do(game_with(Rules(), "R1 R1 R1 R2 R2", "Y1 B2 G3 Y4 Y5"), "clue 2 yellow", "play 1")
    words = [catalogue("es")(message) for event in game.log for message in tell(event, NAMES, game.rules)]
    assert words == [
        "Ana le da a Bo la pista «amarillo»: 3 cartas (posiciones 1, 4, 5).",
        "Bo juega el 1 amarillo (posición 1).",
    ]
