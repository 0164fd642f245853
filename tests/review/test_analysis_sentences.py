"""Sentences of the coach tell the reader only of turns already seen."""

from __future__ import annotations

import msgspec
import pytest

from tamaya import Rules
from tamaya.i18n import LANGUAGES, catalogue
from tamaya.review import facts_of
from tamaya.review.analysis import GameAnalysis, MoveAnalysis, MoveGrade
from tamaya.review.analysis_sentences import SIGNS, about_judgement, about_tried, flagged, known_until
from tamaya.web.replay.plots import analysis_plot, game_plot
from tests.support.analyses import made_up_analysis
from tests.support.games import NAMES, played_game, record_of

RECORD = record_of(played_game(Rules(players=3), 5))
COACHING = made_up_analysis(RECORD)


def first(verdict: MoveGrade) -> MoveAnalysis:
    return next(one for one in COACHING.judgements if one.verdict is verdict)


def said(judgement: MoveAnalysis, reader: int | None = None) -> str:
    return catalogue("en").text(about_judgement(judgement, NAMES, reader))


def test_a_reader_learns_nothing_of_turns_not_yet_seen() -> None:
    for turn in range(COACHING.turns):
        known = known_until(COACHING, turn)
        assert [one.turn for one in known.judgements] == list(range(1, turn + 1))
        assert (known.turns, known.score) == (turn, None)
        assert not any(one.line for one in known.judgements), "a line shows cards drawn later"
        assert len(known.expected) == (turn + 1 if turn else 0)
    assert known_until(COACHING, COACHING.turns) == COACHING


def test_an_unfinished_analysis_shows_its_analysed_moves() -> None:
    begun = made_up_analysis(RECORD, 7)
    assert len(known_until(begun, 5).judgements) == 5
    assert len(known_until(begun, 30).judgements) == 7
    assert not known_until(begun, 30).finished


def test_the_sentence_on_a_move_gives_its_worth_and_a_better_one() -> None:
    slip = msgspec.structs.replace(first(MoveGrade.SLIP), value=21.25, best_value=21.75, best="clue 2 3")
    assert said(slip) == "Worth 21.2 points; the best found is worth 21.8: tell Bob “3”."
    assert said(slip, reader=1).endswith("tell you “3”.")
    assert "instead of" not in said(slip), "the chance of a perfect game is the same"
    assert "Chance of a perfect game: 12% instead of 38%." in said(first(MoveGrade.BLUNDER))
    best = first(MoveGrade.BEST)
    assert said(best) == f"Worth {best.value:.1f} points; nothing better was found."


def test_a_loss_within_its_error_names_no_better_move() -> None:
    within = msgspec.structs.replace(first(MoveGrade.GOOD), verdict=MoveGrade.BEST)
    assert "nothing better" in said(within)


def test_doubtful_analyses_say_so() -> None:
    assert "uncertain" in said(msgspec.structs.replace(first(MoveGrade.GOOD), doubtful=True))


def test_a_tried_move_is_compared_with_the_best_one_and_the_one_played() -> None:
    slip = msgspec.structs.replace(first(MoveGrade.SLIP), value=21.3, best_value=22.1, played="play 1", best="clue 2 3")
    tried = msgspec.structs.replace(slip, played="discard 2", loss=0.1, verdict=MoveGrade.GOOD)
    words = catalogue("en").text(about_tried(slip, tried, NAMES))
    assert words == "Worth 22.0 points; the best found is worth 22.1: tell Bob “3”. The move played: play card 1, worth 21.3."
    best = msgspec.structs.replace(tried, played="clue 2 3", loss=0.0)
    assert catalogue("en").text(about_tried(slip, best, NAMES)).startswith("Worth 22.1 points; nothing better was found.")
    again = msgspec.structs.replace(slip, loss=0.8)
    assert catalogue("en").text(about_tried(slip, again, NAMES)).startswith("This is what was played. Worth 21.3 points;")


def test_signs_distinguish_grades_without_colour() -> None:
    assert set(SIGNS) == set(MoveGrade)
    assert len(set(SIGNS.values())) == len(SIGNS)


def test_the_plot_has_the_expected_score_and_the_slips() -> None:
    plain = game_plot(facts_of(RECORD))
    plot = analysis_plot(plain, COACHING, NAMES)
    assert plot.expected == COACHING.expected
    assert [slip.turn for slip in plot.slips] == [one.turn for one in COACHING.judgements if one.verdict.is_flag]
    assert plot.blunders == {one.turn for one in COACHING.judgements if one.verdict is MoveGrade.BLUNDER}
    assert analysis_plot(plain, GameAnalysis((), COACHING.turns), NAMES) == plain, "nothing is analysed yet"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_translated(language: str) -> None:
    speak = catalogue(language)
    told = [speak.text(found.words) for reader in (None, 0) for found in flagged(COACHING, NAMES, reader)]
    assert told
    assert not any("{" in words for words in told)
    assert (language == "en") == any("Worth" in words for words in told)
