"""Analyses of moves follow from what their players knew, and analyses of games from those of moves."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamaya import Card, Game, IllegalError, Rules
from tamaya.record import Record, Stop, play_again
from tamaya.review.analysis import GameAnalysis, MoveGrade, empty_analysis, read_analysis
from tamaya.review.analysis_sentences import costly_move, overview, verdict_sentence
from tamaya.review.evaluation import BLUNDER, SLIP, analyse_game, analyse_move, grade_of
from tamaya.rules import Play, TamayaError
from tamaya.search import search
from tests.support.analyses import TINY, imagined, short_game
from tests.support.games import first_turns, played_game, record_of
from tests.twins import twin_of

TURNS = 3
LONG = record_of(played_game(Rules(players=3), 4))


@pytest.fixture(scope="module", autouse=True)
def few_worlds() -> Iterator[None]:
    """Games with few worlds, all of which are evaluated; this is slow without a compiler."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "MAX_ORDERS", 6)
        yield


@pytest.fixture(scope="module")
def record() -> Record:
    return record_of(short_game(turns=TURNS))


@pytest.fixture(scope="module")
def coaching(record: Record) -> GameAnalysis:
    return analyse_game(record, depth=TINY, speed="interpreted")


def test_every_move_of_a_game_is_analysed_in_order(record: Record, coaching: GameAnalysis) -> None:
    game = short_game(turns=TURNS)
    assert coaching.finished
    assert [judgement.turn for judgement in coaching.judgements] == list(range(1, game.turn + 1))
    assert [judgement.played for judgement in coaching.judgements] == [str(move) for move in game.moves]
    assert [judgement.seat for judgement in coaching.judgements] == [event.seat for event in game.log]


def test_losses_are_not_negative_and_equal_the_gain_of_the_best_move(coaching: GameAnalysis) -> None:
    for judgement in coaching.judgements:
        assert judgement.loss >= 0
        assert judgement.best_value == pytest.approx(judgement.value + judgement.loss)
        assert (judgement.best == judgement.played) == (judgement.loss == 0 == judgement.loss_error) or judgement.loss > 0
        assert 0 <= judgement.perfect <= 1
        assert bool(judgement.line) == judgement.verdict.is_flag


def test_the_same_seed_gives_the_same_analysis(record: Record, coaching: GameAnalysis) -> None:
    assert analyse_move(record, TURNS, depth=TINY, speed="interpreted") == coaching.judgements[-1]


@pytest.mark.parametrize("seed", range(3))
def test_the_expected_score_less_losses_plus_luck_is_the_score(seed: int) -> None:
    judgements = list(imagined(LONG))
    random.Random(seed).shuffle(judgements)
    told = empty_analysis(LONG).extended(
        msgspec.structs.replace(judgement, turn=place) for place, judgement in enumerate(judgements, start=1)
    )
    assert told.score is not None
    assert told.expected[0] - told.points_lost() + told.luck_total() == pytest.approx(told.score)
    seats = range(LONG.rules.players)
    assert sum(map(told.points_lost, seats)) == pytest.approx(told.points_lost())
    assert sum(map(told.luck_total, seats)) == pytest.approx(told.luck_total())
    assert all(0 <= (told.accuracy(seat) or 0) <= 100 for seat in seats)


def test_the_costliest_moves_are_slips_and_blunders_worst_first() -> None:
    told = empty_analysis(LONG).extended(imagined(LONG))
    worst = told.costliest()
    assert len(worst) == 3
    assert all(moment.verdict.is_flag for moment in worst)
    losses = sorted((one.loss for one in told.judgements if one.verdict.is_flag), reverse=True)
    assert [moment.loss for moment in worst] == losses[:3]


def test_an_analysis_survives_encoding_and_other_text_is_no_analysis() -> None:
    told = empty_analysis(LONG).extended(imagined(LONG))
    assert read_analysis(told.to_text()) == told
    assert read_analysis("{}") is read_analysis("not one") is read_analysis('{"judgements": 1, "turns": 2}') is None


@given(st.floats(0, 25), st.floats(0, 25), st.booleans())
def test_a_loss_within_two_errors_is_no_slip(loss: float, error: float, doubtful: bool) -> None:
    verdict = grade_of(loss, error, doubtful)
    assert verdict.is_flag == (loss > SLIP and loss > 2 * error and not doubtful)
    assert (verdict is MoveGrade.BLUNDER) == (verdict.is_flag and loss >= BLUNDER)
    assert loss > error or verdict is MoveGrade.BEST


@pytest.mark.parametrize("turns", [2, 8])
def test_hidden_cards_do_not_change_an_analysis(turns: int) -> None:
    before, said = short_game(turns=turns), set()
    assert before.to_move is not None
    action = short_game().moves[turns]
    for seed in range(2):
        twin = twin_of(before, before.to_move, random.Random(seed)) if seed else before.copy()
        twin.move(action)
        said.add(msgspec.json.encode(analyse_move(record_of(twin), turns + 1, depth=TINY, speed="interpreted")))
    assert len(said) == 1


def test_discarding_the_known_last_copy_of_a_fitting_card_is_a_blunder() -> None:
    record = _thrown_away()
    told = analyse_move(record, len(record.moves), depth=TINY, speed="interpreted")
    assert told.verdict is MoveGrade.BLUNDER
    assert told.best.startswith("play")
    assert told.line[0] == told.best


def test_not_every_move_of_a_bots_seat_is_assumed_to_follow_the_agreements() -> None:
    """Some may be those of a guided deal, or of a person for whom the bot took over in a continued game."""
    record = _thrown_away()
    told = analyse_move(replace(record, bots=("convention", "convention")), len(record.moves), depth=TINY, speed="interpreted")
    assert told.verdict is MoveGrade.BLUNDER
    assert not told.doubtful


def _thrown_away() -> Record:
    """Find a game in which a player knows the value of a fitting last copy, and have it discarded."""
    for seed in range(200):
        game, choice = Game(Rules(players=2, colours=1, hand_size=2), seed=seed), random.Random(seed)
        while game.to_move is not None:
            view = game.view(game.to_move)
            five = next((slot for slot, seen in enumerate(view.hand) if seen.values == (5,)), None)
            wanted: Card = game.rules.cards[-1]
            if five is not None and view.is_playable(wanted) and view.clue_tokens < 8:
                game.act(f"discard {five + 1}")
                return record_of(game)
            game.act(choice.choice(_sensible(game)))
    raise AssertionError("no such game")


def _sensible(game: Game) -> list[str]:
    assert game.to_move is not None
    faces = game.reveal_hands(game.to_move).hand
    fitting = [f"play {slot + 1}" for slot, seen in enumerate(faces) if seen.card and game.view(0).is_playable(seen.card)]
    others = [str(action) for action in game.legal_actions() if not isinstance(action, Play)]
    keep = [text for text in others if not text.startswith("discard") or faces[int(text[-1]) - 1].card != game.rules.cards[-1]]
    five = [f"play {slot + 1}" for slot, seen in enumerate(faces) if seen.card == game.rules.cards[-1]]
    return [text for text in fitting if text not in five] or keep or others


def test_a_stopped_game_is_analysed_to_its_last_move(record: Record) -> None:
    begun = replace(first_turns(record, 2), stopped=Stop.TERMINATED)
    told = analyse_game(begun, depth=TINY, speed="interpreted")
    assert (told.turns, told.score, told.finished) == (2, None, True)
    assert told.expected[-1] == told.judgements[-1].value
    assert told.expected[0] - told.points_lost() + told.luck_total() == pytest.approx(told.expected[-1])


def test_a_game_without_moves_has_an_empty_analysis(record: Record) -> None:
    told = analyse_game(first_turns(record, 0))
    assert (told.judgements, told.expected, told.costliest(), told.accuracy(0)) == ((), (), (), None)
    assert overview(record, told) == ()
    with pytest.raises(IllegalError):
        analyse_move(first_turns(record, 0), 1)


def test_every_move_and_moment_has_sentences() -> None:
    told = empty_analysis(LONG).extended(imagined(LONG))
    assert len(overview(LONG, told)) >= 2 + LONG.rules.players
    for judgement in told.judgements:
        assert str(verdict_sentence(judgement))
        if judgement.verdict.is_flag:
            said = costly_move(LONG, judgement, reader=judgement.seat)
            assert said.turn == judgement.turn == said.line[0].turn
            assert str(said.cost)
            assert str(said.better)
            assert said.agreements is not None
    assert overview(LONG, GameAnalysis(told.judgements[:-1], told.turns, told.score)) == ()


def test_a_better_move_is_named_by_slot_or_clue_without_its_result() -> None:
    flags = [one for one in imagined(LONG) if one.verdict.is_flag]
    for judgement in flags:
        legal = [str(action) for action in play_again(LONG).game.at(judgement.turn - 1).legal_actions()]
        for agreed in legal:
            said = costly_move(LONG, msgspec.structs.replace(judgement, agreed=agreed), reader=judgement.seat)
            assert said.agreements is not None
            told = f"{said.better} {str(said.agreements).partition('“')[0]}"
            assert not any(word in told for word in ("mistake", "places", "clue token", "draw")), told
            assert not any(str(card.word) in told for card in LONG.rules.cards), told
    assert {one.best.split()[0] for one in flags} >= {"play", "clue"}


def test_moves_that_cannot_be_analysed_are_refused() -> None:
    with pytest.raises(TamayaError):
        analyse_move(LONG, 1, speed="warp")
