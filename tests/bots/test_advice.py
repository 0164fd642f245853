"""Advice by the conventions: what the convention bot would do, in words for the player in its place."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamaya import Clue, Game, Rules
from tamaya.bots import make_bot, plain_advice
from tamaya.bots.advice import _WORDS
from tamaya.bots.convention.reasons import ConventionReason
from tamaya.i18n import LANGUAGES, catalogue, propose, reason_in_words
from tests.tables import moves_of_a_game, random_action, rules
from tests.twins import twin_of

NAMES = ("Ann", "Bob", "Cid", "Dot", "Eli")


def test_every_reason_of_the_bot_has_an_idea_and_words() -> None:
    assert set(_WORDS) == set(ConventionReason)


@pytest.mark.parametrize("players", [2, 3, 5])
def test_advice_is_the_bots_move_from_the_first_turn_to_the_last(players: int) -> None:
    game = Game(Rules(players=players), seed=players)
    bots = [make_bot("convention") for _ in range(players)]
    while game.to_move is not None:
        view = game.view(game.to_move)
        advice = plain_advice(view)
        assert advice.action == bots[game.to_move].act(view)
        game.act(advice.action)


@pytest.mark.parametrize("language", LANGUAGES)
def test_advice_exists_in_every_language_and_the_idea_does_not_name_the_move(language: str) -> None:
    speak = catalogue(language)
    game = Game(Rules(players=3), seed=8)
    while game.to_move is not None:
        view = game.view(game.to_move)
        advice = plain_advice(view)
        assert not advice.idea.values, "an idea names no card and no player"
        told = [reason_in_words(speak, words, NAMES, game.to_move) for words in (propose(advice.action, view), *advice.reasons)]
        assert all(told)
        assert not any("{" in words for words in told)
        if isinstance(advice.action, Clue):
            assert NAMES[advice.action.seat] in told[0]
        game.act(advice.action)


@given(rules(), st.integers(0, 2**32))
def test_advice_does_not_depend_on_hidden_cards(by: Rules, seed: int) -> None:
    choice = random.Random(seed)
    game = Game(by, seed=seed)
    for turn, _ in enumerate(moves_of_a_game(game, choice, random_action)):
        if turn >= seed % 20 or game.to_move is None:
            break
    if game.to_move is None:
        game.undo()
    seat = game.to_move
    assert seat is not None
    assert plain_advice(game.view(seat)) == plain_advice(twin_of(game, seat, choice).view(seat))
