"""Advice that players took in a game, so that nobody takes what was reached with it for something else."""

from __future__ import annotations

from dataclasses import dataclass

from tamaya.record.checks import MOST_TURNS, damaged, sequence, whole
from tamaya.rules import say

MOST_ADVICE = 500
"""How often players take advice in a game."""


@dataclass(frozen=True, slots=True)
class AdvisedTurn:
    """The player at `seat` took advice on their action of `turn`. If that was taken back, the turn is at most
    the one that the game went back to."""

    seat: int
    turn: int


def to_json(advised: AdvisedTurn) -> list[int]:
    """One of them as plain values: player and turn, both from 1."""
    return [advised.seat + 1, advised.turn]


def read_advised(value: object, players: int) -> tuple[AdvisedTurn, ...]:
    """Those of a record, from plain values."""
    found = sequence(value, "advised")
    if len(found) > MOST_ADVICE:
        raise damaged("advised", say("a list of at most {most}", most=MOST_ADVICE))
    return tuple(_read(sequence(part, "advised"), players) for part in found)


def _read(part: list[object], players: int) -> AdvisedTurn:
    if len(part) != 2:
        raise damaged("advised", say("a list of pairs, each a player and a turn"))
    return AdvisedTurn(whole(part[0], "advised", 1, players) - 1, whole(part[1], "advised", 1, MOST_TURNS))
