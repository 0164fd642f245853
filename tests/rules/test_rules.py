"""Rules as data: validated, frozen, parsed and printed."""

import dataclasses
import json
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamaya import EDITIONS, VARIANTS, Rules, RulesError, find_edition, read_rules
from tamaya.rules import LastMistake, Multicolour, find_variant
from tamaya.rules.ruleset import ALLOWED
from tests.tables import rules


def test_every_setting_has_allowed_values() -> None:
    assert list(ALLOWED) == [field.name for field in dataclasses.fields(Rules)]


def test_rules_are_frozen_and_can_be_keys() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Rules().players = 3  # type: ignore[misc]
    assert len({Rules(), Rules(players=2), Rules(players=3)}) == 2


@given(rules())
def test_json_round_trip(table: Rules) -> None:
    assert Rules.from_json(json.loads(json.dumps(table.to_json()))) == table


@given(rules())
def test_text_round_trip(table: Rules) -> None:
    assert read_rules(str(table)) == table


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_edition_and_variant_survives_both_round_trips(edition: str, players: int) -> None:
    for name in VARIANTS:
        table = find_edition(edition).rules(players=players, variants=[name])
        assert read_rules(str(table)) == Rules.from_json(table.to_json()) == table


def test_text_names_editions_variants_and_settings() -> None:
    assert read_rules("french players=4 all-or-nothing clue_tokens=9") == Rules(
        players=4, empty_clues=True, all_or_nothing=True, clue_tokens=9
    )


@pytest.mark.parametrize(("name", "values"), ALLOWED.items())
def test_a_value_out_of_range_is_refused_with_the_field_and_the_allowed_values(name: str, values: tuple[object, ...]) -> None:
    wrongs: tuple[Any, ...] = (-1, 77, "x", 2.5, [], {})
    for wrong in wrongs:
        with pytest.raises(RulesError) as refusal:
            Rules(**{name: wrong})
        assert refusal.value.code == "setting_out_of_range"
        assert name in str(refusal.value)
        for value in values:
            assert ("yes" if value is True else "no" if value is False else str(value)) in str(refusal.value)


def test_numbers_and_switches_are_not_interchangeable() -> None:
    wrongs: list[dict[str, Any]] = [{"empty_clues": 1}, {"clue_tokens": True}, {"colours": 1.0}]
    for settings in wrongs:
        with pytest.raises(RulesError):
            Rules(**settings)


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"multicolour_named": False}, "multicolour_named"),
        ({"all_or_nothing": True, "last_mistake": "points"}, "last_mistake"),
        ({"all_or_nothing": True, "last_mistake": "zero"}, "last_mistake"),
        ({"players": 5, "colours": 1}, "hand_size"),
        ({"players": 5, "colours": 3, "hand_size": 6}, "hand_size"),
    ],
)
def test_contradictions_are_refused_and_named(settings: dict[str, object], named: str) -> None:
    with pytest.raises(RulesError) as refusal:
        Rules(**settings)  # type: ignore[arg-type]
    assert refusal.value.code == "contradictory_rules"
    assert named in str(refusal.value)


@pytest.mark.parametrize("settings", [{"speed": 3}, {"players": 2, "Players": 3}])
def test_unknown_settings_are_refused_and_the_known_ones_named(settings: dict[str, object]) -> None:
    with pytest.raises(RulesError) as refusal:
        Rules.from_json(settings)
    assert refusal.value.code == "unknown_setting"
    assert all(name in str(refusal.value) for name in ALLOWED)


@pytest.mark.parametrize("wrong", [None, 3, "players=2", [["players", 2]]])
def test_rules_that_are_no_object_are_refused(wrong: object) -> None:
    with pytest.raises(RulesError):
        Rules.from_json(wrong)


@pytest.mark.parametrize("text", ["french spanish", "mistakes=1 mistakes=3", "one-mistake two-mistakes"])
def test_texts_that_contradict_themselves_are_refused(text: str) -> None:
    with pytest.raises(RulesError) as refusal:
        read_rules(text)
    assert refusal.value.code == "contradictory_rules"


def test_repeating_the_same_setting_is_no_contradiction() -> None:
    assert read_rules("french fr players=3 players=3") == read_rules("french players=3")
    with pytest.raises(RulesError, match="empty_clues=yes and empty_clues=no"):
        read_rules("empty_clues=yes empty_clues=no")


def test_too_large_a_hand_is_refused_with_the_largest_size() -> None:
    with pytest.raises(RulesError, match="choose at most 5"):
        Rules(players=5, colours=3, hand_size=6)
    assert Rules(players=5, colours=3, hand_size=5).hand_size == 5


def test_rules_pickle_to_the_same_bytes_after_any_use() -> None:
    fresh, used = Rules(players=3), Rules(players=3)
    assert used.named_colours
    assert used.deck_size
    assert pickle.dumps(fresh) == pickle.dumps(used)
    assert pickle.loads(pickle.dumps(used)) == used


def test_an_edition_refuses_unknown_settings() -> None:
    with pytest.raises(RulesError, match="speed"):
        find_edition("french").rules(speed=3)


@pytest.mark.parametrize("text", ["klingon", "players=x", "players", "speed=3", "empty_clues=maybe", "french german"])
def test_unknown_words_are_refused(text: str) -> None:
    with pytest.raises(RulesError):
        read_rules(text)


def test_hand_size_and_last_mistake_follow_the_other_settings() -> None:
    assert [Rules(players=players).hand_size for players in (2, 3, 4, 5)] == [5, 5, 4, 4]
    assert Rules(players=5, hand_size=3).hand_size == 3
    assert Rules().last_mistake is LastMistake.ZERO
    assert Rules(all_or_nothing=True).last_mistake is LastMistake.LOST


def test_editions_are_found_by_name_and_by_language() -> None:
    assert find_edition("French") is find_edition("fr") is EDITIONS["french"]
    assert find_edition("zh-tw") is EDITIONS["chinese"]
    with pytest.raises(RulesError, match="spanish"):
        find_edition("german")


def test_variants_are_found_by_letter_and_by_the_booklets_title_however_typed() -> None:
    assert find_variant("Farbrausch (2ª variante)", EDITIONS["spanish"]).name == "multicolour-unnamed"
    assert find_variant("farbrausch 2a variante", EDITIONS["spanish"]).name == "multicolour-unnamed"
    assert read_rules("French players=3") == read_rules("fr players=3") == EDITIONS["french"].rules(players=3)
    assert find_variant("e").name == find_variant("All or Nothing").name == "all-or-nothing"
    assert find_variant("choregraphie MINUTEE", EDITIONS["french"]).name == "announced-plays"
    with pytest.raises(RulesError, match="two-mistakes, one-mistake, nine-clue-tokens"):
        find_variant("D")
    with pytest.raises(RulesError, match="multicolour-ten"):
        find_variant("")


@given(st.text())
def test_any_text_is_rules_or_a_clear_refusal(text: str) -> None:
    try:
        assert isinstance(read_rules(text), Rules)
    except RulesError as refusal:
        assert str(refusal)


def test_the_multicolour_needs_a_known_amount() -> None:
    assert Rules(multicolour="ten").multicolour is Multicolour.TEN  # type: ignore[arg-type]
    assert Rules(multicolour="five").deck_size == 55  # type: ignore[arg-type]
