"""Explanations of deviations: the policy's move, the reason against it, the expected scores. And the page about the search."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

import tamaya.search
from tamaya import Card, Game, Rules, read_card
from tamaya.bots.protocol import explanation
from tamaya.i18n import LANGUAGES, catalogue, reason_in_words, tenths
from tamaya.rules import Action, Clue, Colour, Discard, Play, say
from tamaya.search import Estimate, Search
from tamaya.search.explanations import explain_deviation, main_reason
from tests.tables import do, game_with

VALUE, GAIN = Estimate(21.34, 0.1), Estimate(0.8, 0.1)
NAMES = ["Kiku", "Ann"]
POINTS = "With my move I expect 21.3 points instead of 20.5."


def position() -> Game:
    """A position in which Kiku, who searches, knows a red 5 and a red 1 of her own hand, and nothing of the rest."""
    game = game_with(Rules(players=2), "R5 R1 G2 B3 W4", "Y1 Y3 G4 B4 W3")
    do(game, "clue 2 yellow", "clue 1 red", "clue 2 3", "clue 1 5", "clue 2 4", "clue 1 1")
    return game


@pytest.fixture(scope="module")
def search() -> Search:
    return Search(position().view(0), "simple", noise=1.0, speed="interpreted")


def told(search: Search, agreed: Action, done: Action, language: str = "en", reader: int | None = 1) -> str:
    """The explanation as players read it."""
    message = explain_deviation(search, agreed, done, VALUE, GAIN)
    assert explanation(message) == message, "every reader's language can say it"
    return reason_in_words(catalogue(language), message, NAMES, reader)


def test_card_probabilities_add_up_and_respect_the_clues(search: Search) -> None:
    for slot in range(5):
        assert sum(search.card_probabilities(slot).values()) == pytest.approx(1)
    assert {str(card): share for card, share in search.card_probabilities(0).items()} == {"R5": pytest.approx(1)}
    assert len(search.card_probabilities(2)) > 5


def test_a_discard_that_would_lose_the_last_copy_says_so(search: Search) -> None:
    assert told(search, Discard(0), Play(1)) == (
        f"By our agreements I would discard card 1. But certainly that loses the last red 5. {POINTS}"
    )


def test_a_play_that_would_fail_says_so(search: Search) -> None:
    assert told(search, Play(0), Clue(1, Colour.YELLOW)) == (
        f"By our agreements I would play card 1. But certainly it is red 5, which does not fit. {POINTS}"
    )


def test_a_playable_card_is_a_reason_to_play_it(search: Search) -> None:
    words = told(search, Clue(1, 1), Play(1))
    assert words == (f"By our agreements I would tell you “1”. But certainly card 2 is red 1, which fits. {POINTS}")
    assert "tell Ann “1”" in told(search, Clue(1, 1), Play(1), reader=0)


def test_without_a_reason_by_cards_the_expected_scores_are_given(search: Search) -> None:
    assert told(search, Clue(1, 1), Clue(1, Colour.YELLOW)) == f"By our agreements I would tell you “1”. {POINTS}"


@pytest.fixture(scope="module")
def announcing() -> Search:
    """A search in which Kiku knows a 1 of her own hand; colours may be announced."""
    game = game_with(Rules(players=2, announced_plays=True), "R1 G2 G3 B3 W4", "Y1 Y3 G4 B4 W3")
    return Search(do(game, "clue 2 yellow", "clue 1 1").view(0), "simple", noise=1.0, speed="interpreted")


def test_a_card_fits_only_the_announced_colour(announcing: Search) -> None:
    red = announcing.card_probabilities(0)[Card(Colour.RED, 1)]
    assert 0.1 < red < 0.4
    words = told(announcing, Play(0, Colour.RED), Clue(1, 1))
    assert words.startswith("By our agreements I would announce red and play card 1.")
    assert f"But in {round(100 * (1 - red))} of 100 cases it does not fit as red; most often it is" in words
    words = told(announcing, Clue(1, 1), Play(0, Colour.RED))
    assert f"But in {round(100 * red)} of 100 cases card 1 is red 1, which fits." in words
    assert "But in 100 of 100 cases card 1 fits, most often as" in told(announcing, Clue(1, 1), Play(0))


@pytest.mark.parametrize(
    ("found", "agreed", "done", "words"),
    [
        ("R5 0.33 G3 0.67", Discard(1), Clue(1, 1), "But in 33 of 100 cases that loses the last red 5."),
        (
            "R5 0.3 B5 0.1 G3 0.6",
            Discard(1),
            Clue(1, 1),
            "But in 40 of 100 cases that loses the last copy of a card that we need, most often red 5.",
        ),
        ("R5 0.04 G3 0.96", Discard(1), Clue(1, 1), None),
        ("B1 1.0", Clue(1, 1), Play(0), "But in 100 of 100 cases card 1 is blue 1, which fits."),
        ("B1 1.0", Clue(1, 1), Play(0, Colour.BLUE), "But in 99 of 100 cases card 1 is blue 1, which fits."),
        ("B1 1.0", Play(0, Colour.RED), Play(0), "But in 99 of 100 cases it is blue 1, which does not fit as red."),
    ],
)
def test_frequencies_are_stated_and_never_as_certain_from_worlds_alone(
    announcing: Search, monkeypatch: pytest.MonkeyPatch, found: str, agreed: Action, done: Action, words: str | None
) -> None:
    cards, shares = found.split()[::2], found.split()[1::2]
    probabilities = {read_card(card): float(share) for card, share in zip(cards, shares, strict=True)}
    monkeypatch.setattr(announcing, "card_probabilities", lambda slot: probabilities)
    reason = main_reason(announcing, agreed, done)
    assert (str(reason) if reason else None) == words


def test_if_both_play_the_same_card_only_a_wrong_colour_is_a_reason(announcing: Search) -> None:
    assert told(announcing, Play(0), Play(0, Colour.RED)) == f"By our agreements I would play card 1. {POINTS}"
    assert told(announcing, Play(1), Play(1, Colour.RED)) == f"By our agreements I would play card 2. {POINTS}"
    assert "does not fit as red" in told(announcing, Play(0, Colour.RED), Play(0))
    assert "does not fit as red" in told(announcing, Play(0, Colour.RED), Play(0, Colour.BLUE))


@pytest.mark.parametrize("language", LANGUAGES)
def test_explanations_exist_in_every_language_and_name_the_card(search: Search, language: str) -> None:
    speak = catalogue(language)
    words = told(search, Discard(0), Clue(1, Colour.YELLOW), language)
    assert speak(say("certainly")) in words
    assert speak(tenths(VALUE.mean)) in words
    assert speak(next(iter(search.card_probabilities(0))).word) in words


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_announced_colour_is_explained_in_every_language(announcing: Search, language: str) -> None:
    words = told(announcing, Play(0, Colour.RED), Play(0), language)
    assert words.count(catalogue(language)(Colour.RED.word)) == 2
    assert "{" not in words


# The page about the search.

PAGE = Path(__file__).parents[2] / "docs" / "search.md"


def test_every_example_of_the_page_works() -> None:
    done = doctest.testfile(str(PAGE), module_relative=False)
    assert done.failed == 0
    assert done.attempted >= 20


def test_the_public_names_are_these() -> None:
    assert tamaya.search.__all__ == ["Budget", "Estimate", "MoveValue", "Search", "Values", "values"]
    assert all(hasattr(tamaya.search, name) for name in tamaya.search.__all__)
