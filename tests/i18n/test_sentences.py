"""Sentences for actions before they are taken."""

import pytest

from tamaya.i18n import LANGUAGES, catalogue, move_words, with_names
from tamaya.rules import Action, Clue, Colour, Discard, Play, say

NAMES = ("Ann", "Bob", "Cem")
MOVES: dict[Action, str] = {
    Clue(1, 3): "tell Bob “3”",
    Clue(2, Colour.RED): "tell you “red”",
    Play(0): "play card 1",
    Play(1, Colour.BLUE): "announce blue and play card 2",
    Discard(4): "discard card 5",
}


def test_moves_name_slots_and_hints_but_no_card() -> None:
    assert {action: str(with_names(move_words(action), NAMES, reader=2)) for action in MOVES} == MOVES


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("move", MOVES, ids=str)
def test_moves_are_lower_case_and_address_the_reader_in_every_language(language: str, move: Action) -> None:
    speak, sentence = catalogue(language), say("By our agreements I would {move}.", move=move_words(move))
    words = speak(with_names(sentence, NAMES, reader=2))
    assert speak(with_names(move_words(move), NAMES, reader=2)) in words
    assert "Cem" not in words, "who reads it is called you"
