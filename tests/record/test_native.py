"""Our own file format, whole and damaged."""

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamaya import Game, MalformedError, RecordError, Rules
from tamaya.record import Record, Stop, from_json, from_text, native, play_again
from tests.tables import careful_action, moves_of_a_game

NAMES = ("Kiku", "Botan | “彩”", "Ți\u0219")


def a_record(seed: int = 5) -> Record:
    game = Game(Rules(players=3), seed=seed)
    list(moves_of_a_game(game, random.Random(seed), careful_action))
    return Record.of(game, NAMES)


TEXT = native.write(a_record())
MOVES = a_record().moves


def test_a_record_is_json_with_one_move_a_line() -> None:
    data = json.loads(TEXT)
    assert data["format"] == "tamaya"
    assert data["version"] == 1
    assert data["players"] == list(NAMES)
    assert len(TEXT.splitlines()) == len(MOVES) + 9


def test_names_moves_and_rearrangements_round_trip() -> None:
    again = from_text(TEXT)
    assert again.record == a_record()
    assert any(str(move).startswith("arrange") for move in again.record.moves)


def test_a_game_that_was_stopped_says_so() -> None:
    record = Record(Rules(players=2), Game(seed=1).reveal_deck(), ("a", "b"), stopped=Stop.TIMEOUT)
    again = from_text(native.write(record))
    assert again.record == record
    assert again.ended == play_again(record).ended == "timeout"


def test_an_illegal_move_stops_the_replay_before_it_and_is_named() -> None:
    data = json.loads(TEXT)
    data["moves"][7] = "clue 9 red"
    again = from_json(data)
    assert again.record.moves == MOVES[:7]
    assert again.error is not None
    assert again.error.code == "unknown_player"
    assert str(again.error).startswith("Move 8: There is no player 9")


@pytest.mark.parametrize("wrong", ["play one", 7, None, [], {"play": 1}, "", "arrange 1: 9 9"])
def test_a_malformed_move_stops_the_replay_before_it(wrong: object) -> None:
    data = json.loads(TEXT)
    data["moves"][3] = wrong
    again = from_json(data)
    assert again.record.moves == MOVES[:3]
    assert again.error is not None
    assert str(again.error).startswith("Move 4: ")


@pytest.mark.parametrize("more", ["x", "}", "]", TEXT])
def test_text_after_a_whole_record_loses_no_move(more: str) -> None:
    again = from_text(TEXT + more)
    assert again.record.moves == MOVES
    assert again.error is not None


@given(st.integers(TEXT.index('"moves"') + 12, len(TEXT) - 2), st.sampled_from(',]}{["x\\'))
def test_one_wrong_character_in_the_moves_loses_no_move_before_it(place: int, char: str) -> None:
    whole = TEXT[:place].count("\n") - 7
    again = from_text(TEXT[:place] + char + TEXT[place + 1 :])
    assert again.record.moves[:whole] == MOVES[:whole]


def test_the_first_of_two_errors_is_named() -> None:
    data = json.loads(TEXT)
    data["moves"][2] = "play 9"
    text = json.dumps(data)[:-20]
    again = from_text(text)
    assert again.error is not None
    assert str(again.error).startswith("Move 3: There is no card 9")


@pytest.mark.parametrize("cut", ['"deck"', '"players"', '"rules"'])
def test_a_file_truncated_before_its_moves_says_where(cut: str) -> None:
    with pytest.raises(RecordError, match="The file is damaged in line"):
        from_text(TEXT[: TEXT.index(cut) + 30])


def test_an_invalid_move_takes_precedence_over_a_stop() -> None:
    data = json.loads(TEXT) | {"stopped": "timeout"}
    data["moves"] = [*data["moves"][:4], "play 9"]
    assert from_json(data).record.stopped is None


def test_a_record_does_not_print_its_deck() -> None:
    again = from_text(TEXT)
    for text in (repr(again), str(again.record)):
        assert "deck" not in text


def test_a_move_after_the_end_is_named() -> None:
    data = json.loads(TEXT)
    data["moves"].append("play 1")
    again = from_json(data)
    assert again.record.moves == MOVES
    assert again.error is not None
    assert again.error.code == "game_over"


@given(st.integers(0, len(TEXT)))
def test_a_truncated_file_loads_up_to_the_cut_or_gives_an_error(cut: int) -> None:
    try:
        again = from_text(TEXT[:cut])
    except MalformedError as refusal:
        assert TEXT[:cut].count("\n") < 9 or refusal.code == "unknown_format"
        return
    assert again.record.moves == MOVES[: len(again.record.moves)]
    whole_lines = max(TEXT[:cut].count("\n") - 7, 0)
    assert len(again.record.moves) >= min(whole_lines, len(MOVES))
    assert again.error is not None or again.record.moves == MOVES
    if again.error:
        assert str(again.error).startswith(f"Move {len(again.record.moves) + 1}: The file is damaged in line")


@given(st.integers(0, len(TEXT) - 1), st.characters())
def test_a_changed_character_gives_a_game_or_a_clear_error(place: int, char: str) -> None:
    try:
        again = from_text(TEXT[:place] + char + TEXT[place + 1 :])
    except MalformedError as refusal:
        assert str(refusal)
        return
    assert again.error is None or str(again.error)
    assert Game(again.record.rules, deck=again.record.deck).rules.players == 3


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from([*native.KEYS, "x"]), inner, max_size=8),
    max_leaves=12,
)


@given(json_values, st.sampled_from(native.KEYS))
def test_any_value_anywhere_gives_a_game_or_a_clear_error(value: object, key: str) -> None:
    for data in (value, json.loads(TEXT) | {key: value}):
        try:
            from_json(data)
        except MalformedError as refusal:
            assert str(refusal)


@given(st.text(max_size=200))
def test_any_text_gives_a_game_or_a_clear_error(text: str) -> None:
    with pytest.raises(MalformedError):
        from_text(text)


@pytest.mark.parametrize(
    "text", ["{" * 100_000, '{"format": ' + "9" * 5000 + "}", '{"format": "tamaya", "version": 2}', "\0", "[]"]
)
def test_very_large_values_are_refused(text: str) -> None:
    with pytest.raises(MalformedError):
        from_text(text)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("players", ["only one"]),
        ("players", ["a", "", "c"]),
        ("players", ["a", "b", "c" * 41]),
        ("deck", "R1"),
        ("stopped", "x"),
        ("moves", None),
    ],
)
def test_invalid_fields_are_refused(key: str, value: object) -> None:
    with pytest.raises(MalformedError):
        from_json(json.loads(TEXT) | {key: value})


@pytest.mark.parametrize("change", [{"version": 2}, {"format": "chess"}, {"version": "1"}])
def test_another_format_or_version_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(RecordError) as refusal:
        from_json(json.loads(TEXT) | change)
    assert refusal.value.code == "unknown_version"
    assert "tamaya 1" in str(refusal.value)


@pytest.mark.parametrize("names", [["a", "b"], ["a", "b", "c", "d"]])
def test_a_wrong_number_of_names_is_refused(names: list[str]) -> None:
    with pytest.raises(RecordError) as refusal:
        from_json(json.loads(TEXT) | {"players": names})
    assert refusal.value.code == "wrong_players"


def test_the_bot_of_each_seat_is_kept() -> None:
    data = json.loads(TEXT) | {"bots": [None, "simple", "simple"]}
    again = from_json(data)
    assert again.record.bots == (None, "simple", "simple")
    assert native.to_json(again.record) == data
    for wrong in (["simple"], [None, 3, None], "simple", [None, "", None]):
        with pytest.raises(RecordError):
            from_json(data | {"bots": wrong})


def test_damage_in_a_move_after_commas_is_cut_off() -> None:
    place = TEXT.index('"', TEXT.index('"moves"') + 60)
    again = from_text(TEXT[:place] + ', , "x' + TEXT[place:])
    assert again.error is not None
    assert 0 < len(again.record.moves) < len(MOVES)


def test_unknown_fields_are_refused_and_the_known_ones_named() -> None:
    with pytest.raises(RecordError, match="deck"):
        from_json(json.loads(TEXT) | {"colour": 1})
