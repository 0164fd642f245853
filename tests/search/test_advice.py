"""Advice that is thought out ahead: one of the legal moves, in words, and from the player's own view alone."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from tamaya import Game, Rules, read_rules
from tamaya.bots import Advice, make_bot, plain_advice
from tamaya.engine import View
from tamaya.i18n import LANGUAGES, catalogue, reason_in_words
from tamaya.rules import Clue, Discard, Play, say
from tamaya.search import Estimate
from tamaya.search import advice as module
from tamaya.search.advice import advice
from tamaya.search.bot import Departure
from tamaya.search.budget import Budget
from tests.twins import twin_of

RULES = Rules(players=2)
SMALL = read_rules("players=2 colours=2 hand_size=4")
NAMES = ("Ann", "Kiku")
SHORT = Budget(rollouts=40)


def position(turns: int, seed: int = 3, rules: Rules = RULES) -> Game:
    """A game of two companions after so many turns."""
    game, bots = Game(rules, seed=seed), [make_bot("convention") for _ in range(2)]
    for _ in range(turns):
        assert game.to_move is not None
        game.act(bots[game.to_move].act(game.view(game.to_move)))
    return game


def advise(view: View) -> Advice:
    return advice(view, ("", "convention"), budget=SHORT, speed="interpreted")


@pytest.mark.slow
def test_whatever_is_hidden_advice_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SURVEY", SHORT)
    game = position(11, 4, SMALL)
    seat = game.to_move
    assert seat is not None
    twin = twin_of(game, seat, random.Random(5))
    assert twin.reveal_deck() != game.reveal_deck()
    found = advise(game.view(seat))
    assert found == advise(twin.view(seat))
    assert found.action in game.legal_actions()
    assert "points" in str(found.reasons[-1]), "it says what the game comes to"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", [Clue, Play, Discard])
def test_leaving_the_agreements_is_explained(monkeypatch: pytest.MonkeyPatch, language: str, kind: type) -> None:
    view = position(1).view(1)
    own = plain_advice(view).action
    other = next(action for action in view.legal_actions if isinstance(action, kind) and action != own)
    better = Departure(other, own, Estimate(0.43, 0.1), Estimate(22.6, 0.2))
    monkeypatch.setattr(module, "departure", lambda search, budget: better)
    monkeypatch.setattr(module, "because", lambda search, agreed, done: say("But card {slot} fits.", slot=1))
    found = advice(view, ("convention", ""), speed="interpreted")
    told = [reason_in_words(catalogue(language), words, NAMES, 1) for words in found.reasons]
    assert found.action == other
    assert not found.idea.values, "an idea names no card and nobody"
    assert "4" in told[0]
    assert "23" in told[-1]
    assert "{" not in "".join(told)


def test_people_are_trusted_less_to_keep_to_the_agreements_than_bots_that_do(monkeypatch: pytest.MonkeyPatch) -> None:
    class StopError(Exception):
        """Enough is known."""

    trusted: list[Sequence[float]] = []

    def remember(view: View, *, softness: Sequence[float], **more: object) -> None:
        trusted.append(softness)
        raise StopError

    monkeypatch.setattr(module, "Search", remember)
    for seats in ((), ("", "convention"), ("", "simple")):
        with pytest.raises(StopError):
            advice(position(0).view(0), seats)
    nobody, companion, stranger = (softness[1] for softness in trusted)
    assert companion == 0.0
    assert nobody == stranger > 0.0
