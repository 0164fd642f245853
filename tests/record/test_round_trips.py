"""A game that is read, written and read again is the same in every format that can express it."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamaya import Game, RecordError, Rules
from tamaya.record import Record, Stop, from_text, hanab_live, native, play_again
from tests.tables import careful_action, moves_of_a_game, rules

FORMS: dict[str, Callable[[Record], str]] = {
    "tamaya": native.write,
    "hanab-live": lambda record: json.dumps(hanab_live.to_json(record)),
    "link": hanab_live.write_link,
}

RULES = st.one_of(
    rules(),
    st.builds(
        lambda variant, players, options: hanab_live.rules_of(variant, players, dict.fromkeys(options, True)),
        st.sampled_from([variant for variant in hanab_live.VARIANTS if variant.colours > 2]),
        st.integers(2, 5),
        st.sampled_from([(), (), ("emptyClues",), ("allOrNothing", "oneLessCard")]),
    ),
)
"""Any rules, and every other time some that Hanab Live has too."""


def a_game(table: Rules, seed: int, turns: int, stopped: Stop | None) -> Record:
    """A game of at most `turns` moves, with rearranged hands; one that is over was not stopped."""
    game = Game(table, seed=seed)
    for count, _ in enumerate(moves_of_a_game(game, random.Random(seed), careful_action)):
        if count == turns:
            break
    record = Record.of(game, [f"player {seat}" for seat in range(table.players)])
    return record if game.outcome else Record(table, record.deck, record.names, (), record.moves, stopped)


@pytest.mark.parametrize("form", FORMS)
@given(RULES, st.integers(0, 999), st.integers(0, 90), st.sampled_from([None, *Stop]))
def test_records_round_trip_in_every_format(form: str, table: Rules, seed: int, turns: int, stopped: Stop | None) -> None:
    record, write = a_game(table, seed, turns, stopped), FORMS[form]
    try:
        text = write(record)
    except RecordError as refusal:
        assert (form == "tamaya", refusal.code) == (False, "not_expressible")
        return
    first = from_text(text)
    assert first.error is None
    assert write(first.record) == text
    assert from_text(write(first.record)).record == first.record
    assert first.record == record or form != "tamaya"
    found, wanted = first.game, play_again(record).game
    assert (found.points, found.mistakes, found.turn) == (wanted.points, wanted.mistakes, wanted.turn)
