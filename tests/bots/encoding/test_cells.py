"""Cells of observations: an instance writes what a batch writes, at every speed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tamaya import Rules
from tamaya.bots.encoding import ENCODERS, KINDS, EncoderSetting, observe, row_of
from tamaya.bots.encoding.cells import words_for
from tamaya.engine.instances import Options, Row, instance_of, loop
from tamaya.engine.layout import layout_of
from tamaya.rules import MalformedError
from tamaya.sim import Batch
from tamaya.sim.speeds import speed

OPTIONS = Options()
CHOICES = [(encoder, kind) for encoder in ENCODERS for kind in KINDS if kind == "float32" or encoder != "belief"]


@loop
def observe_games(states: Any, words: Row, counts: Row, out: Any, seat: int) -> None:
    for game in range(len(states)):
        observe(states[game], seat, words, counts, out[game])


def observed(batch: Batch, setting: EncoderSetting, name: str, seat: int) -> bytes:
    width, cells = row_of(setting.encoder, setting.kind, layout_of(batch.rules))
    words, counts = np.zeros(words_for(setting.size), np.uint32), np.zeros(len(batch.rules.cards), np.uint8)
    out = np.zeros((batch.games, width), cells)
    instance_of(setting, speed(name))(observe_games)(np.array(batch.save().states), words, counts, out, seat)
    return out.tobytes()


def some_games(rules: Rules) -> Batch:
    """Games at the same turn, some of which are over."""
    batch, dice = Batch(rules, 12, seed=4, automatic=False, illegal="mask", speed="interpreted"), np.random.default_rng(1)
    for _ in range(40):
        batch.step(dice.integers(0, batch.layout.actions, batch.games))
    return batch


@pytest.mark.parametrize(("encoder", "kind"), CHOICES)
def test_an_instance_writes_what_a_batch_observes(encoder: str, kind: str) -> None:
    for rules in (Rules(players=2), Rules(players=5), Rules(players=3, colours=3, announced_plays=True)):
        batch = some_games(rules)
        for seat in (0, rules.players - 1):
            expected = batch.observe(encoder, kind=kind, seat=seat).tobytes()
            assert observed(batch, EncoderSetting(rules, encoder, kind), "interpreted", seat) == expected


@pytest.mark.slow
@pytest.mark.compiler
@pytest.mark.parametrize(("encoder", "kind"), CHOICES)
def test_compiled_and_interpreted_instances_write_the_same(encoder: str, kind: str) -> None:
    batch, setting = some_games(Rules(players=4)), EncoderSetting(Rules(players=4), encoder, kind)
    assert observed(batch, setting, "compiled", 3) == observed(batch, setting, "interpreted", 3)


def test_unknown_encoders_and_kinds_are_refused() -> None:
    for encoder, kind, code in (("nonsense", "uint8", "unknown_encoder"), ("belief", "bits", "bad_kind")):
        with pytest.raises(MalformedError) as refused:
            instance_of(EncoderSetting(Rules(), encoder, kind))(observe)
        assert refused.value.code == code
