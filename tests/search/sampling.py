"""What the search believes, in the words of `enumeration`; and whether two beliefs are the same but for chance."""

from __future__ import annotations

import importlib
from collections.abc import Sequence

import numpy as np
import pytest

from tamaya import View
from tamaya.search import Search
from tamaya.search.hands import PossibleHands, Recollection
from tamaya.search.trace import Trace
from tamaya.search.worlds import Belief
from tamaya.sim.threads import Array
from tamaya.sim.team import team
from tests.search.enumeration import Cards
from tests.sim.support import critical

LEAST = 8.0
"""Hands that are expected less often than this are counted together."""


def belief(
    view: View,
    lineup: Sequence[str],
    softness: Sequence[float],
    seed: int,
    speed: str = "interpreted",
    before: Recollection | None = None,
) -> Belief:
    """What a seat can believe."""
    players = team(view.rules, tuple(sorted(set(lineup))), speed)
    return Belief(Trace(view), players, tuple(lineup), tuple(softness), seed, before)


def sampled(
    view: View,
    lineup: Sequence[str],
    softness: Sequence[float],
    enough: float,
    seed: int,
    before: Recollection | None = None,
) -> tuple[list[Cards], Array]:
    """Hands that the search finds, and the share of each."""
    found = belief(view, lineup, softness, seed, before=before).hands(enough, 16 * int(enough))
    return [cards_of(view, hand) for hand in found.cards.tolist()], found.shares


def think_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Try few hands, and look at all worlds only where they are very few: for games without a compiler."""
    usual = Search.__init__.__kwdefaults__ or {}
    monkeypatch.setitem(usual, "enough", 40.0)
    monkeypatch.setitem(usual, "tries", 96)
    monkeypatch.setattr(importlib.import_module("tamaya.search.values"), "EXACT", 12)
    worlds = importlib.import_module("tamaya.search.worlds")
    monkeypatch.setattr(worlds, "CHUNK", 32)
    monkeypatch.setattr(worlds, "PATIENCE", 1)


def cards_of(view: View, numbers: Sequence[int]) -> Cards:
    """Cards by their numbers among the different cards."""
    return tuple(view.rules.cards[number] for number in numbers)


def allows(view: View, lineup: Sequence[str], hand: Cards, speed: str = "interpreted") -> bool:
    """Whether a hand fits all that partners did, if they surely follow their policies."""
    trace = Trace(view)
    cards = np.array([[view.rules.cards.index(card) for card in hand]], np.int64).reshape(1, len(hand))
    turns = np.flatnonzero(trace.movers != trace.seat)
    left = belief(view, lineup, [0.0] * view.rules.players, 0, speed).fitting(turns, PossibleHands.of(cards))
    return len(left) == 1


def is_a_sample(found: list[Cards], shares: Array, expected: dict[Cards, float]) -> bool:
    """Whether weighted hands are what chance makes of the expected ones: chi-square, with the variance that the weights give. A
    hand that cannot be must not be found."""
    assert set(found) <= set(expected), "the search found a hand that cannot be"
    effective = 1 / float((shares**2).sum())
    groups = _groups(expected, LEAST / effective)
    assert len(groups) > 1, "too few for a judgement"
    distance = 0.0
    for group in groups:
        share = sum(expected[hand] for hand in group)
        inside = np.array([hand in group for hand in found], float)
        variance = max(float((shares**2 * (inside - share) ** 2).sum()), share * (1 - share) / effective)
        distance += (1 - share) * (float(shares @ inside) - share) ** 2 / variance
    return distance < critical(len(groups) - 1, 4)


def _groups(expected: dict[Cards, float], least: float) -> list[list[Cards]]:
    """The hands, those together that are expected too seldom to be judged alone."""
    alone = [[hand] for hand, share in expected.items() if share >= least]
    rare = [hand for hand, share in expected.items() if share < least]
    if sum(expected[hand] for hand in rare) >= least or not alone:
        return [*alone, rare] if rare else alone
    return [*alone[:-1], alone[-1] + rare]
