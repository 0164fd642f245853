"""Advice in records: who asked in which turn, and messages for invalid entries."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tamaya import Game, RecordError, Rules
from tamaya.record import MAX_ADVICE, AdvisedTurn, Record, from_text, native

RECORD = replace(
    Record.of(Game(Rules(players=2), seed=1), ("Ann", "Bob")), advised=(AdvisedTurn(0, 1), AdvisedTurn(1, 2), AdvisedTurn(1, 2))
)


def test_a_record_keeps_who_took_advice() -> None:
    text = native.write(RECORD)
    assert json.loads(text)["advised"] == [[1, 1], [2, 2], [2, 2]]
    assert from_text(text).record == RECORD


def test_a_record_without_advice_has_no_advice_field() -> None:
    assert "advised" not in native.to_json(replace(RECORD, advised=()))


@pytest.mark.parametrize(
    "value",
    [
        None,
        {},
        "1 1",
        [1],
        [[1]],
        [[1, 1, 1]],
        [["1", 1]],
        [[0, 1]],
        [[3, 1]],
        [[1, 0]],
        [[1, 1001]],
        [[1, 1]] * (MAX_ADVICE + 1),
    ],
)
def test_damaged_advice_is_refused_with_a_message(value: object) -> None:
    with pytest.raises(RecordError, match="advised"):
        native.from_json(native.to_json(RECORD) | {"advised": value})
