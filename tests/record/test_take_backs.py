"""Take-backs in a record, and the game that it was played on from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from tamaya import Game, RecordError, Rules, read_action
from tamaya.engine import Event
from tamaya.record import (
    MAX_ARRANGEMENTS,
    MAX_MOVES,
    MAX_RECORD_LENGTH,
    MAX_TAKE_BACKS,
    Origin,
    Record,
    TakeBack,
    from_json,
    from_text,
    hanab_live,
    native,
    read_games,
    undone,
)
from tamaya.rules import Move, read_move

MOVES = ("clue 2 1", "clue 1 1", "discard 1", "arrange 2: 2 1 3 4 5", "clue 1 2", "clue 2 3")
TAKEN_BACK = TakeBack(2, (read_action("play 1"), read_action("clue 1 3")))
DEEPER = TakeBack(0, (read_action("clue 2 2"), read_move("arrange 1: 5 4 3 2 1")))


def record_of(*texts: str, taken_back: tuple[TakeBack, ...] = (TAKEN_BACK,)) -> Record:
    """A game with these moves, in which something was taken back."""
    rules = Rules(players=2, empty_clues=True)
    game = Game(rules, seed=4)
    for text in texts or MOVES:
        game.move(read_move(text))
    return replace(Record.of(game, ("Ann", "Bob")), taken_back=taken_back)


def texts(moves: tuple[Move, ...]) -> list[str]:
    return [str(move) for move in moves]


def test_a_record_keeps_what_was_taken_back() -> None:
    record = record_of(taken_back=(DEEPER, TAKEN_BACK))
    data = json.loads(native.write(record))
    assert data["taken_back"] == [
        {"after": 0, "moves": ["clue 2 2", "arrange 1: 5 4 3 2 1"], "seen": False},
        {"after": 2, "moves": ["play 1", "clue 1 3"], "seen": True},
    ]
    again = from_text(native.write(record))
    assert (again.record, again.error) == (record, None)
    assert list(data)[-1] == "moves", "what comes last can be cut off"


def test_take_backs_have_their_events() -> None:
    told = undone(record_of(taken_back=(DEEPER, TAKEN_BACK)))
    assert [(back.turn, back.seat, len(back.events)) for back in told] == [(0, 0, 2), (2, 0, 2)]
    assert [event.turn for event in told[1].events] == [3, 4]


def test_a_take_back_within_a_take_back_is_kept() -> None:
    first = TakeBack(3, (read_action("clue 1 5"),))
    then = TakeBack(1, (read_action("clue 1 4"), read_action("clue 2 4")))
    lines = record_of(taken_back=(first, then))
    assert [(back.turn, back.seat) for back in undone(lines)] == [(1, 1), (1, 1)]
    assert from_text(native.write(lines)).record == lines


def test_a_record_keeps_the_game_it_was_played_on_from() -> None:
    record = replace(record_of(), origin=Origin("abcdefghjk", 12))
    assert json.loads(native.write(record))["origin"] == {"game": "abcdefghjk", "turn": 12}
    assert from_text(native.write(record)).record == record


def test_hanab_lives_format_loses_both() -> None:
    record = replace(record_of(), origin=Origin("abcdefghjk", 12), moves=record_of().moves[:3])
    plain = replace(record, taken_back=(), origin=None)
    assert hanab_live.to_json(record) == hanab_live.to_json(plain)


ONE = {"after": 2, "moves": ["play 1", "clue 1 3"], "seen": True}


@pytest.mark.parametrize(
    "value",
    [
        None,
        {},
        "play 1",
        [1],
        [{}],
        [ONE | {"more": 1}],
        [ONE | {"after": -1}],
        [ONE | {"after": "2"}],
        [ONE | {"after": True}],
        [ONE | {"moves": "play 1"}],
        [ONE | {"moves": [1]}],
        [ONE | {"moves": ["dance"]}],
        [ONE | {"seen": False}],
        [ONE | {"seen": 1}],
        [ONE] * 201,
    ],
)
def test_damaged_take_backs_are_refused_with_a_message(value: object) -> None:
    data: Mapping[str, Any] = native.to_json(record_of()) | {"taken_back": value}
    with pytest.raises(RecordError, match="taken_back"):
        from_json(data)


@pytest.mark.parametrize(
    "back",
    [
        TakeBack(7, (read_action("clue 2 1"),)),
        TakeBack(2, ()),
        TakeBack(2, (read_move("arrange 1: 5 4 3 2 1"),)),
        TakeBack(2, (read_action("play 9"),)),
        TakeBack(2, (read_action("clue 2 1"), read_action("clue 1 1"), read_action("clue 2 2"))),
        TakeBack(0, (read_action("discard 1"),)),
    ],
)
def test_an_impossible_take_back_is_named_and_the_game_is_read(back: TakeBack) -> None:
    again = from_text(native.write(record_of(taken_back=(back,))))
    assert texts(again.record.moves) == list(MOVES)
    assert again.record.taken_back == ()
    assert again.error is not None
    assert "taken_back" in str(again.error)


def test_a_truncated_game_keeps_the_take_backs_before_the_cut() -> None:
    record = record_of(taken_back=(TakeBack(5, (read_action("clue 2 4"),)), DEEPER, TAKEN_BACK))
    for text in (native.write(record).replace('"discard 1"', '"discard 9"'), native.write(record).split('"discard 1"')[0]):
        again = from_text(text)
        assert texts(again.record.moves) == list(MOVES[:2])
        assert again.error is not None
        assert again.error.code in ("no_such_card", "malformed_json")
        assert again.record.taken_back == (DEEPER, TAKEN_BACK)


TURN = "arrange 1: 5 4 3 2 1"


def much(moves: int, backs: int, turned: int) -> dict[str, Any]:
    """A game of `moves` rearrangements, with `backs` take-backs of a clue and `turned` rearrangements each."""
    again = {"after": moves, "moves": ["clue 2 1", *[TURN] * turned], "seen": False}
    return native.to_json(record_of()) | {"moves": [TURN] * moves, "taken_back": [again] * backs}


def test_a_game_as_long_as_a_table_allows_is_read_whole() -> None:
    for data in (much(MAX_ARRANGEMENTS, MAX_TAKE_BACKS, 0), much(0, MAX_TAKE_BACKS, MAX_ARRANGEMENTS // MAX_TAKE_BACKS)):
        again = from_json(data)
        assert again.error is None
        assert native.to_json(again.record) == data
        assert again.undone == undone(again.record)
        assert len(again.undone) == MAX_TAKE_BACKS


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (much(MAX_ARRANGEMENTS + 1, 0, 0), f"the most is {MAX_ARRANGEMENTS} times"),
        (much(MAX_ARRANGEMENTS, 1, 1), f"the most is {MAX_ARRANGEMENTS} times"),
        (much(0, MAX_TAKE_BACKS, 6), f"the most is {MAX_ARRANGEMENTS} times"),
        (much(MAX_MOVES + 1, 0, 0), f"at most {MAX_MOVES} moves"),
        (much(MAX_MOVES, 1, 0), f"at most {MAX_MOVES} moves"),
        (much(0, 61, 4900), f"at most {MAX_MOVES} moves"),
    ],
)
def test_moves_and_take_backs_are_limited(data: dict[str, Any], message: str) -> None:
    with pytest.raises(RecordError, match=message) as refused:
        from_json(data)
    assert refused.value.code == "too_many"


def test_each_move_is_played_once_to_replay_take_backs(monkeypatch: pytest.MonkeyPatch) -> None:
    record = from_json(much(20, 30, 2)).record
    played: list[Move] = []
    play = Game.move

    def move(game: Game, one: Move) -> Event:
        played.append(one)
        return play(game, one)

    monkeypatch.setattr(Game, "move", move)
    assert len(undone(record)) == 30
    assert len(played) == 20 + 30 * 3


def test_the_length_of_a_record_is_limited() -> None:
    text = native.write(record_of())
    assert from_text(text + " " * (MAX_RECORD_LENGTH - len(text))).error is None
    for long in (text + " " * (MAX_RECORD_LENGTH + 1 - len(text)), "1" * (MAX_RECORD_LENGTH + 1)):
        with pytest.raises(RecordError, match=f"at most {MAX_RECORD_LENGTH} characters"):
            from_text(long)
        entry = next(read_games(long, "long"))
        assert (entry.replay, entry.error and entry.error.code) == (None, "too_long")


@pytest.mark.parametrize(
    "value", [1, "x", [], {}, {"game": "x"}, {"game": "", "turn": 1}, {"game": "x", "turn": -1}, {"game": "x\n", "turn": 1},
              {"game": "x" * 201, "turn": 1}, {"game": "x", "turn": "1"}, {"game": "x", "turn": 1, "more": 2}],
)  # fmt: skip
def test_a_damaged_origin_is_refused_with_a_message(value: object) -> None:
    data = native.to_json(record_of()) | {"origin": value}
    with pytest.raises(RecordError, match="origin"):
        from_json(data)
