"""Hanab Live's JSON and link."""

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamaya import Arrange, Colour, Game, MalformedError, RecordError, Rules
from tamaya.record import Record, Stop, from_json, from_text, hanab_live, play_again
from tests.tables import careful_action, game_with, moves_of_a_game

# A game with two cards in each hand, written by hand from the format's description: red, yellow, green, blue, purple.
CARDS = [(suit, rank) for suit in range(5) for rank in (1, 1, 1, 2, 2, 3, 3, 4, 4, 5)]
BY_HAND: dict[str, Any] = {
    "players": ["a", "b"],
    "deck": [{"suitIndex": suit, "rank": rank} for suit, rank in [(3, 1), (4, 1)]]
    + [{"suitIndex": suit, "rank": rank} for suit, rank in CARDS if (suit, rank) != (3, 1) and (suit, rank) != (4, 1)]
    + [{"suitIndex": 3, "rank": 1}] * 2
    + [{"suitIndex": 4, "rank": 1}] * 2,
    "actions": [
        {"type": 0, "target": 0, "value": 0},
        {"type": 2, "target": 0, "value": 4},
        {"type": 0, "target": 1},
        {"type": 3, "target": 0, "value": 1},
        {"type": 1, "target": 2},
        {"type": 4, "target": 1, "value": 4},
    ],
}


def games() -> st.SearchStrategy[Record]:
    """Records of every variant that both sites have, stopped at some point."""

    def make(variant: hanab_live.HanabLiveVariant, players: int, options: list[str], seed: int, length: int) -> Record:
        rules = hanab_live.rules_of(variant, players, dict.fromkeys(options, True))
        game, choice = Game(rules, seed=seed), random.Random(seed)
        for place, _ in enumerate(moves_of_a_game(game, choice, careful_action)):
            if place >= length:
                break
        stopped = None if game.outcome else choice.choice([None, *Stop])
        return Record(rules, game.reveal_deck(), tuple("abcde"[:players]), moves=game.moves, stopped=stopped)

    options = st.lists(st.sampled_from(["emptyClues", "allOrNothing", "oneLessCard"]), unique=True)
    variants = st.sampled_from([variant for variant in hanab_live.VARIANTS if variant.colours > 2])
    return st.builds(make, variants, st.integers(2, 5), options, st.integers(0, 10**6), st.integers(0, 90))


def without_arrangements(record: Record) -> Record:
    """The record without rearrangements."""
    return from_json(hanab_live.to_json(record)).record


def test_a_hand_written_game_is_read() -> None:
    again = from_json(BY_HAND)
    assert again.error is None
    view = again.game.reveal_hands()
    assert view.fireworks[Colour.BLUE] == view.fireworks[Colour.WHITE] == 1
    assert [str(move) for move in again.record.moves] == ["play 1", "clue 1 white", "play 1", "clue 1 1", "discard 1"]
    assert again.ended == "terminated"


@given(games())
def test_json_round_trip(record: Record) -> None:
    data = json.loads(json.dumps(hanab_live.to_json(record)))
    again = from_text(json.dumps(data))
    assert again.error is None
    assert hanab_live.to_json(again.record) == data
    assert (again.record.rules, again.record.deck, again.record.names, again.record.stopped) == (
        record.rules,
        record.deck,
        record.names,
        record.stopped,
    )
    if not any(isinstance(move, Arrange) for move in record.moves):
        assert again.record.moves == record.moves


@given(games())
def test_link_round_trip(record: Record) -> None:
    if hanab_live.options_of(record.rules):
        with pytest.raises(RecordError) as refusal:
            hanab_live.write_link(record)
        assert refusal.value.code == "not_expressible"
        return
    again = from_text(hanab_live.write_link(record))
    assert again.error is None
    assert hanab_live.write_link(again.record) == hanab_live.write_link(record)
    assert again.record.moves == without_arrangements(record).moves
    assert again.record.deck == record.deck


def test_a_link_is_read_with_and_without_its_address_and_hyphens() -> None:
    record = from_json(BY_HAND).record
    text = hanab_live.write_link(record)
    bare = text.removeprefix(hanab_live.ADDRESS)
    dashed = "-".join(bare[at : at + 20] for at in range(0, len(bare), 20))
    assert from_text(bare).record == from_text(dashed).record == from_text(f" {hanab_live.ADDRESS}{dashed}\n").record


@pytest.mark.parametrize("seed", ["1234567", "p2v0s1", "p2v0s-my-deal", "A_1"])
def test_the_seed_that_some_tools_add_to_a_link_is_ignored(seed: str) -> None:
    text = hanab_live.write_link(from_json(BY_HAND).record)
    for whole in (text, text.removeprefix(hanab_live.ADDRESS)):
        assert from_text(f"{whole},{seed}").record == from_text(text).record


@pytest.mark.parametrize("rest", [",", ",,", ", ", ",1,2", ",a b", ",s\u00e9", ",!", "," + "1" * 101, "x,1", "\n,1"])
def test_a_link_whose_fourth_part_is_no_seed_is_damaged(rest: str) -> None:
    with pytest.raises(RecordError) as refusal:
        from_text(hanab_live.write_link(from_json(BY_HAND).record) + rest)
    assert refusal.value.code == "malformed_link"


def test_a_link_without_its_variant_is_damaged_with_a_seed_too() -> None:
    cards, actions, _ = hanab_live.write_link(from_json(BY_HAND).record).split(",")
    for text in (f"{cards},{actions}", f"{cards},{actions},,1234"):
        with pytest.raises(RecordError) as refusal:
            from_text(text)
        assert refusal.value.code == "malformed_link"


LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def test_a_hand_written_link_round_trips() -> None:
    cards = "".join(LETTERS[card["suitIndex"] * 5 + card["rank"] - 1] for card in BY_HAND["deck"])
    assert cards.startswith("puaaabbccdde")
    # all six actions have types 0 to 4: T = 5; the stop has value 4
    assert hanab_live.write_link(from_json(BY_HAND).record).endswith(f"/215{cards},04aa1aabnabc3a,0")
    # types 0 to 3: T = 4; play 0, colour clue 4 to 0, play 1
    assert [str(move) for move in from_text(f"215{cards},03aawaab,0").record.moves] == ["play 1", "clue 1 white", "play 1"]
    assert from_text(f"215{cards},00,0").record.moves == ()


def test_a_game_without_variant_or_options_is_the_standard_one() -> None:
    assert from_json(BY_HAND).record.rules == from_json({**BY_HAND, "options": {}}).record.rules == Rules()


@pytest.mark.parametrize(
    ("rules", "name", "number"),
    [
        ({}, "No Variant", 0),
        ({"multicolour": "ten"}, "6 Suits", 1),
        ({"multicolour": "five"}, "Black (6 Suits)", 2),
        ({"multicolour": "ten", "multicolour_named": False}, "Rainbow (6 Suits)", 3),
        ({"multicolour": "five", "multicolour_named": False}, "Dark Rainbow (6 Suits)", 11),
    ],
)
def test_the_variants_of_the_rulebook_have_their_counterparts(rules: dict[str, object], name: str, number: int) -> None:
    assert hanab_live.variant_of(Rules.from_json(rules))[:2] == (name, number)


@pytest.mark.parametrize(("option", "cards"), [("oneExtraCard", 6), ("oneLessCard", 4)])
def test_hands_with_one_card_more_or_less_are_supported(option: str, cards: int) -> None:
    rules = from_json({**BY_HAND, "options": {option: True}, "actions": []}).record.rules
    assert rules.hand_size == cards
    assert hanab_live.options_of(rules) == {option: True}


def test_moves_after_a_stop_are_refused() -> None:
    again = from_json({**BY_HAND, "actions": [*BY_HAND["actions"], {"type": 3, "target": 0, "value": 1}]})
    assert again.error is not None
    assert again.error.code == "after_stop"


def test_a_game_lost_by_a_missing_card_ended_lost() -> None:
    game = game_with(Rules(all_or_nothing=True), "R5 R1 R2 R2 R3", "R1 B2 G3 Y4 Y5")
    game.act("play 1")
    assert play_again(Record.of(game, ("a", "b"))).ended == "lost"


def test_stopping_with_all_fireworks_at_their_reach_is_a_normal_end() -> None:
    game = game_with(Rules(players=2, colours=1, hand_size=3), "R1 R2 R2", "R3 R3 R4")
    for action in ("play 1", "clue 1 2", "discard 1", "clue 1 2", "discard 1"):
        game.act(action)
    assert (game.deck_count > 0, game.outcome, game.points, game.maximum) == (True, None, 1, 1)
    assert play_again(Record.of(game, ("a", "b"))).ended == "normal"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"options": {"variant": "Brown (6 Suits)"}}, "unknown_variant"),
        ({"options": {"variant": ["No Variant"]}}, "unknown_variant"),
        ({"options": {"cardCycle": True}}, "unknown_option"),
        ({"options": {"deckPlays": True}}, "unknown_option"),
        ({"options": {"detrimentalCharacters": True}}, "unknown_option"),
        ({"characters": [{"name": "Fuming"}]}, "unknown_option"),
        ({"players": list("abcdef")}, "wrong_players"),
        ({"players": ["a"]}, "wrong_players"),
        ({"deck": []}, "bad_deck"),
        ({"deck": [{"suitIndex": 9, "rank": 1}]}, "malformed_record"),
        ({"deck": [{"rank": 1}]}, "malformed_record"),
        ({"actions": "none"}, "malformed_record"),
    ],
)
def test_unsupported_options_are_refused_with_a_code(change: dict[str, object], code: str) -> None:
    with pytest.raises(MalformedError) as refusal:
        from_json({**BY_HAND, **change})
    assert refusal.value.code == code


OF_SIX_SUITS = [*BY_HAND["deck"], *({"suitIndex": 5, "rank": rank} for rank in (1, 1, 1, 2, 2, 3, 3, 4, 4, 5))]
OF_A_RANK_MORE = [*BY_HAND["deck"], {"suitIndex": 0, "rank": 7}]


@pytest.mark.parametrize("deck", [BY_HAND["deck"], OF_SIX_SUITS, OF_A_RANK_MORE, [], None])
@pytest.mark.parametrize("players", [list("ab"), list("abcdef")])
@pytest.mark.parametrize("where", [{"options": {"variant": "Brown (6 Suits)"}}, {"variant": "Brown (6 Suits)", "options": {}}])
def test_an_unsupported_variant_is_named_whatever_the_deck(where: dict[str, object], players: list[str], deck: object) -> None:
    with pytest.raises(RecordError, match=r"“Brown \(6 Suits\)” is not played here") as refusal:
        from_text(json.dumps({**BY_HAND, **where, "players": players, "deck": deck}))
    assert refusal.value.code == "unknown_variant"


def test_a_variant_beside_the_deck_is_read() -> None:
    data: dict[str, Any] = {**BY_HAND, "variant": "6 Suits", "deck": OF_SIX_SUITS, "actions": []}
    assert from_json(data).record.rules == from_json({**data, "options": {"variant": "6 Suits"}}).record.rules
    assert from_json(data).record.rules == Rules.from_json({"multicolour": "ten"})


@pytest.mark.parametrize("table", ["215", "207abc", "215!", "x"])
def test_a_link_with_an_unsupported_variant_names_it_whatever_its_deck(table: str) -> None:
    with pytest.raises(RecordError, match="variant number 77 is not played here"):
        from_text(f"{table},00,77")


@pytest.mark.parametrize(
    "action",
    [
        {},
        {"type": 9, "target": 0},
        {"type": 0},
        {"type": 0, "target": 40},
        {"type": 2, "target": 1, "value": 5},
        {"type": 3, "target": 0, "value": 1},
        [],
        None,
    ],
)
def test_the_game_before_an_invalid_action_is_kept(action: object) -> None:
    actions = [*BY_HAND["actions"][:2], action]
    again = from_json({**BY_HAND, "actions": actions})
    assert len(again.record.moves) == 2
    assert again.error is not None
    assert str(again.error).startswith("Move 3: ")


@pytest.mark.parametrize(
    "rules",
    [
        {"clue_tokens": 9},
        {"mistakes": 1},
        {"announced_plays": True},
        {"hand_size": 2},
        {"colours": 2},
        {"multicolour": "ten", "colours": 4},
    ],
)
def test_rules_that_hanab_live_cannot_express_are_refused(rules: dict[str, object]) -> None:
    table = Rules.from_json(rules)
    with pytest.raises(RecordError) as refusal:
        hanab_live.to_json(Record(table, Game(table, seed=1).reveal_deck(), ("a", "b")))
    assert refusal.value.code == "not_expressible"


@given(st.text(alphabet=LETTERS + ",-", max_size=60), st.sampled_from(["0", "1", "11", "999", "x", ""]))
def test_any_moves_in_a_link_give_a_game_or_a_clear_error(actions: str, variant: str) -> None:
    cards = hanab_live.write_link(from_json(BY_HAND).record).split(",")[0]
    try:
        again = from_text(f"{cards},03{actions},{variant}")
    except MalformedError as refusal:
        assert str(refusal)
        return
    assert again.error is None or str(again.error).startswith(f"Move {len(again.record.moves) + 1}: ")


@given(st.data())
def test_a_damaged_link_gives_a_game_or_a_clear_error(data: st.DataObject) -> None:
    text = hanab_live.write_link(from_json(BY_HAND).record)
    place = data.draw(st.integers(0, len(text) - 1))
    try:
        again = from_text(text[:place] + data.draw(st.characters()) + text[place + 1 :])
    except MalformedError as refusal:
        assert str(refusal)
        return
    assert again.error is None or str(again.error)


def test_a_truncated_file_keeps_its_options_and_moves_before_the_cut() -> None:
    rules = hanab_live.rules_of(hanab_live.VARIANTS[3], 3, {"emptyClues": True})
    game = Game(rules, seed=3)
    list(moves_of_a_game(game, random.Random(3), careful_action))
    text = json.dumps(hanab_live.to_json(Record.of(game, ("a", "b", "c"))))
    again = from_text(text[:-100])
    assert again.record.rules == rules
    assert len(again.record.moves) > 10
    assert again.error is not None
    assert again.error.code == "malformed_json"


@given(st.data())
def test_one_wrong_character_in_the_actions_loses_no_move_before_it(data: st.DataObject) -> None:
    fields = hanab_live.to_json(from_json(BY_HAND).record)
    text = json.dumps(fields)
    start = text.index('"actions"') + 12
    place = data.draw(st.integers(start, len(text) - 3))
    damaged = text[:place] + data.draw(st.sampled_from(',]}{["x')) + text[place + 1 :]
    whole = text[start:place].count("}")
    assert len(from_text(damaged).record.moves) >= min(whole, 5)


def test_a_file_truncated_before_its_options_is_not_replayed() -> None:
    data = hanab_live.to_json(from_json(BY_HAND).record)
    text = json.dumps({key: data[key] for key in ("players", "deck", "actions", "options")})
    with pytest.raises(RecordError, match="damaged in line"):
        from_text(text[: text.index('"options"') - 10])


@pytest.mark.parametrize("damage", ["!", ""])
def test_a_link_with_a_damaged_move_keeps_those_before(damage: str) -> None:
    cards, actions, variant = hanab_live.write_link(from_json(BY_HAND).record).split(",")
    again = from_text(",".join([cards, actions[:7] + damage, variant]))
    assert len(again.record.moves) == 2
    assert again.error is not None
    assert str(again.error).startswith("Move 3: ")


def test_stopping_where_no_further_point_can_be_made_is_a_normal_end() -> None:
    """Once player 2, who holds both red 2s, has had the last turn, no player can place a card any more."""
    game = game_with(Rules(players=2, colours=1, hand_size=4), "R1 R1 R1 R4", "R2 R2 R3 R3")
    for action in ("play 1", "clue 1 1", "discard 1"):
        game.act(action)
    assert play_again(Record.of(game, ("a", "b"))).ended == "unfinished"
    game.act("clue 1 1")
    assert game.outcome is None
    assert play_again(Record.of(game, ("a", "b"))).ended == "normal"
