"""Sentences about a game say what the facts say, to its players and to others."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

from tamaya import Rules
from tamaya.i18n import LANGUAGES, catalogue
from tamaya.review import FactSentence, about_move, about_pace, facts_of, slips, summary
from tamaya.review.fact_sentences import percent
from tamaya.review.facts import GameFacts
from tamaya.review.winnability import Winnability, winnability_sentences
from tamaya.rules import Message
from tamaya.web.replay.plots import game_plot
from tests.support.games import NAMES, played_game, record_of

WARNING = "These had a turn and a clue token to warn: {names}."
"""This sentence lists names for every reader."""


@cache
def some_facts() -> tuple[GameFacts, ...]:
    """Facts of games that contain every event with a sentence."""
    rules = (Rules(players=2), Rules(players=3, empty_clues=True), Rules(players=4, mistakes=9), Rules(all_or_nothing=True))
    return tuple(facts_of(record_of(played_game(one, seed))) for one in rules for seed in (3, 12, 16))


def said(facts: GameFacts, reader: int | None) -> list[Message]:
    """All sentences about a game for a reader."""
    moves = [message for turn in range(facts.last.turn + 1) for message in about_move(facts, turn, reader)]
    findings: list[FactSentence] = [*summary(facts, reader), *slips(facts, reader), *game_plot(facts, reader).slips]
    winning = winnability_sentences(Winnability(3, 4), facts.names, reader)
    return [*moves, *(message for finding in findings for message in finding.words), *winning]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_reader_is_called_you(language: str) -> None:
    speak = catalogue(language)
    for facts in some_facts():
        for reader in range(facts.rules.players):
            for message in said(facts, reader):
                assert message.text == WARNING or NAMES[reader] not in speak(message), message


def test_other_readers_see_names() -> None:
    facts = some_facts()[0]
    words = " ".join(map(str, said(facts, None)))
    assert "Ann" in words
    assert "Bob" in words
    assert "player 1" not in words
    assert " you " not in words.lower()


def test_possible_chances_are_not_rounded_to_0_or_100() -> None:
    assert [percent(Fraction(*chance)) for chance in ((0, 1), (1, 1000), (3, 8), (999, 1000), (1, 1))] == [0, 1, 38, 99, 100]


def test_every_slip_has_sentences_and_a_dot_if_a_player_made_it() -> None:
    for facts in some_facts():
        wrong = {play.turn for play in facts.mistakes} | {loss.turn for loss in facts.losses}
        told_turns = [slip.turn or 0 for slip in slips(facts)]
        assert wrong <= set(told_turns)
        assert told_turns == sorted(set(told_turns))
        assert {slip.turn for slip in game_plot(facts).slips} == wrong


def test_the_plot_has_a_value_for_every_turn() -> None:
    for facts in some_facts():
        plot = game_plot(facts)
        assert len(plot.points) == len(plot.best) == plot.turns + 1 == len(facts.turns)
        assert all(0 <= points <= best <= plot.top for points, best in zip(plot.points, plot.best, strict=True))


def test_pace_is_mentioned_if_there_is_one() -> None:
    facts = some_facts()[0]
    words = [about_pace(facts, turn) for turn in range(facts.last.turn + 1)]
    assert [bool(one) for one in words] == [standing.pace is not None for standing in facts.turns]
    assert str(words[0][0]) == "Pace 17: 17 more cards can be discarded with 25 points still in reach."
