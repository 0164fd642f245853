"""The notation of actions."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamaya import Arrange, Clue, Colour, Discard, Game, MalformedError, Play, Rules, read_action
from tamaya.rules import read_card, read_move

slots = st.integers(0, 5)
actions = st.one_of(
    st.builds(Clue, st.integers(0, 4), st.one_of(st.sampled_from(Colour), st.integers(0, 9))),
    st.builds(Play, slots, st.one_of(st.none(), st.sampled_from(Colour))),
    st.builds(Discard, slots),
)
turned = st.sets(st.integers(0, 4)).map(lambda slots: tuple(sorted(slots)))
arrangements = st.builds(Arrange, st.integers(0, 4), st.permutations(range(5)).map(tuple), turned)


@given(st.one_of(actions, arrangements))
def test_text_form_round_trip(move: Clue | Play | Discard | Arrange) -> None:
    assert read_move(str(move)) == move


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("clue 2 red", Clue(1, Colour.RED)),
        ("clue 3 4", Clue(2, 4)),
        ("play 1", Play(0)),
        ("play 1 as blue", Play(0, Colour.BLUE)),
        ("discard 5", Discard(4)),
        ("  CLUE   2   R ", Clue(1, Colour.RED)),
        ("play 2 as m", Play(1, Colour.MULTICOLOUR)),
    ],
)
def test_actions_are_read_in_any_case_and_with_letters_for_colours(text: str, action: object) -> None:
    assert read_action(text) == action


@given(st.text(max_size=30))
def test_any_other_text_is_refused_with_examples(text: str) -> None:
    try:
        read_move(text)
    except MalformedError as refusal:
        assert refusal.code == "malformed_action"
        assert "clue 2 red" in str(refusal)


LONG = "9" * 4301
"""More digits than Python reads as a number."""


@pytest.mark.parametrize("text", ["clue 2 LONG", "clue LONG red", "play LONG", "discard LONG", "arrange 1: LONG"])
def test_a_very_long_number_is_malformed(text: str) -> None:
    with pytest.raises(MalformedError) as refusal:
        read_move(text.replace("LONG", LONG))
    assert len(str(refusal.value)) < 200


@pytest.mark.parametrize("text", ["clue two red", "clue 2 ②", "play ١", "clue 2 red, 3", "arrange 1:", "play 100", "clue 2 "])
def test_nearly_correct_actions_are_malformed(text: str) -> None:
    with pytest.raises(MalformedError):
        read_move(text)


@pytest.mark.parametrize(
    ("make", "parts"),
    [
        (Clue, (None, 1)),
        (Clue, (1, "red")),
        (Clue, (1, True)),
        (Play, ("1",)),
        (Play, (True,)),
        (Discard, (1.5,)),
        (Arrange, ("x", (0, 1))),
        (Arrange, (0, None)),
        (Arrange, (0, ("a", 1))),
        (read_action, (5,)),
        (read_card, (None,)),
    ],
)
def test_actions_with_values_of_wrong_types_are_malformed(make: Callable[..., object], parts: tuple[object, ...]) -> None:
    with pytest.raises(MalformedError):
        make(*parts)


@pytest.mark.parametrize("text", ["", "R", "R6", "R0", "X1", "R11", "1R", "紅1", "R①"])
def test_text_that_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(MalformedError):
        read_card(text)


def test_integers_of_any_type_are_accepted() -> None:
    two = np.int64(2)
    assert (Clue(two, two), Play(two), Discard(two)) == (Clue(2, 2), Play(2), Discard(2))  # type: ignore[arg-type]
    assert str(Clue(two, two)) == "clue 3 2"  # type: ignore[arg-type]
    assert Game(Rules(players=3), seed=1).view(two).to_json() == Game(Rules(players=3), seed=1).view(2).to_json()  # type: ignore[arg-type]


def test_arrangements_are_equal_however_their_slots_are_listed() -> None:
    assert Arrange(0, [1, 0, 2], [2, 0, 2]) == Arrange(0, (1, 0, 2), (0, 2))  # type: ignore[arg-type]
