"""Properties of every game by any rules, whatever the players do."""

import itertools
import json
import pickle
import random
from collections import Counter
from collections.abc import Callable, Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamaya import Arrange, Card, Clue, Discard, Ending, Game, IllegalError, MalformedError, Play, Rules, TamayaError, View
from tamaya.record import Record, from_text, native
from tamaya.rules import Colour, action_of, number_of, numbering
from tests.tables import careful_action, every_rules, moves_of_a_game, patient_action, random_action, rules, spread_rules

Style = Callable[[Game, random.Random], Clue | Play | Discard]
seeds = st.integers(0, 2**64 - 1)
styles = st.sampled_from([random_action, careful_action, patient_action])


def everything(game: Game) -> View:
    return game.reveal_hands()


def cards_are_conserved(table: Rules, seed: int, style: Style) -> None:
    game, box = Game(table, seed=seed), Counter({card: table.copies(card) for card in table.cards})
    drawn = list(game.reveal_deck())
    assert Counter(drawn) == box
    for _ in moves_of_a_game(game, random.Random(seed), style):
        view = everything(game)
        in_hands = [seen.card for hand in view.hands for seen in hand]
        placed = [Card(colour, value) for colour, height in view.fireworks.items() for value in range(1, height + 1)]
        in_deck = drawn[len(drawn) - view.deck_count :]
        assert Counter(in_hands) + Counter(placed) + Counter(view.discards) + Counter(in_deck) == box


def tokens_and_hands_stay_within_their_bounds(table: Rules, seed: int, style: Style) -> None:
    game = Game(table, seed=seed)
    for _ in moves_of_a_game(game, random.Random(seed), style):
        view = everything(game)
        assert 0 <= view.clue_tokens <= table.clue_tokens
        assert 0 <= view.mistakes <= table.mistakes
        assert all(len(hand) <= table.hand_size for hand in view.hands)
        assert view.points <= view.maximum <= table.maximum
        assert all(view.fireworks[colour] <= view.reach[colour] <= 5 for colour in table.suits)
        full = [len(hand) == table.hand_size for hand in view.hands]
        assert all(full) or view.deck_count == 0 or game.outcome


def clues_about_a_card_are_always_true(table: Rules, seed: int, style: Style) -> None:
    game = Game(table, seed=seed)
    for _ in moves_of_a_game(game, random.Random(seed), style):
        for seen in (seen for hand in everything(game).hands for seen in hand):
            assert seen.card is not None
            assert seen.card.colour in seen.colours
            assert seen.card.value in seen.values
            assert all(table.matches(colour, seen.card) for colour in seen.named_colours)
            assert all(seen.card.value == value for value in seen.named_values)


@given(rules(), seeds)
def test_a_clue_touches_exactly_the_cards_that_match(table: Rules, seed: int) -> None:
    game, choice = Game(table, seed=seed), random.Random(seed)
    while game.outcome is None:
        action, before = random_action(game, choice), everything(game)
        event = game.act(action)
        if isinstance(action, Clue):
            hand = [seen.card for seen in before.hands[action.seat]]
            touched = tuple(slot for slot, card in enumerate(hand) if card and table.matches(action.hint, card))
            assert event.slots == touched  # type: ignore[union-attr]
            assert touched or table.empty_clues


def every_game_ends(table: Rules, seed: int, style: Style) -> None:
    game = Game(table, seed=seed)
    most = table.deck_size + table.clue_tokens + table.deck_size + 2 * len(table.suits)
    for _ in moves_of_a_game(game, random.Random(seed), style):
        assert game.turn <= most
    assert game.outcome is not None
    assert game.legal_actions() == []
    assert game.to_move is None


def the_player_to_move_always_has_a_legal_action(table: Rules, seed: int, style: Style) -> None:
    game = Game(table, seed=seed)
    for _ in moves_of_a_game(game, random.Random(seed), style):
        assert bool(game.legal_actions()) == (game.outcome is None)


def undo_restores_each_position(table: Rules, seed: int, style: Style) -> None:
    game = Game(table, seed=seed)
    positions = [game.copy()]
    positions += [game.copy() for _ in moves_of_a_game(game, random.Random(seed), style)]
    for position in reversed(positions[:-1]):
        undone = game.undo()
        assert game == position
        assert undone == positions[len(game.moves) + 1].log[-1]
    with pytest.raises(IllegalError, match="Nothing has happened"):
        game.undo()


def a_record_replays_to_the_same_bytes(table: Rules, seed: int, style: Style) -> None:
    game = Game(table, seed=seed)
    list(moves_of_a_game(game, random.Random(seed), style))
    text = native.write(Record.of(game, [f"name {seat}" for seat in range(table.players)]))
    again = from_text(text)
    assert again.error is None
    assert pickle.dumps(again.game) == pickle.dumps(game)
    assert native.write(again.record) == text


PROMISES = [
    cards_are_conserved,
    tokens_and_hands_stay_within_their_bounds,
    clues_about_a_card_are_always_true,
    every_game_ends,
    the_player_to_move_always_has_a_legal_action,
    undo_restores_each_position,
    a_record_replays_to_the_same_bytes,
]
SMALL = {"hand_size": 2, "clue_tokens": 2, "colours": 2}
LONG_SHORT_AND_TINY: list[tuple[dict[str, int], Style]] = [
    ({}, careful_action),
    ({}, random_action),
    (SMALL, careful_action),
    (SMALL, patient_action),
]


@pytest.mark.parametrize("promise", PROMISES)
@given(table=rules(), seed=seeds, style=styles)
def test_any_rules(promise: Callable[[Rules, int, Style], None], table: Rules, seed: int, style: Style) -> None:
    promise(table, seed, style)


@pytest.mark.slow
@pytest.mark.parametrize("table", spread_rules(), ids=str)
def test_every_combination_of_variants(table: Rules) -> None:
    """Long games, short ones, and tiny ones in which hands run empty and games lock up."""
    for settings, style in LONG_SHORT_AND_TINY:
        for promise in PROMISES:
            promise(Rules.from_json(table.to_json() | settings), 7, style)


def test_usual_runs_combine_any_three_switches_in_every_way() -> None:
    switches = ("players", "multicolour", "multicolour_named", "empty_clues", "all_or_nothing", "announced_plays")

    def meetings(tables: Iterable[Rules]) -> set[tuple[object, ...]]:
        return {
            (*three, *(getattr(table, name) for name in three))
            for table in tables
            for three in itertools.combinations(switches, 3)
        }

    assert meetings(spread_rules()) == meetings(every_rules())


@pytest.mark.slow
def test_the_games_of_these_tests_reach_all_but_the_rarest_ending() -> None:
    endings = set()
    for seed, table in enumerate(spread_rules()):
        for settings, style in LONG_SHORT_AND_TINY:
            game = Game(Rules.from_json(table.to_json() | settings), seed=seed)
            list(moves_of_a_game(game, random.Random(seed), style))
            assert game.outcome is not None
            endings.add(game.outcome.ending)
    assert endings >= set(Ending) - {Ending.DEADLOCK}


@given(rules(), seeds)
def test_a_refusal_changes_nothing(table: Rules, seed: int) -> None:
    game, choice = Game(table, seed=seed), random.Random(seed)
    hints = [*Colour, *range(-1, 8)]
    wishes = [Clue(seat, hint) for seat in range(-1, 7) for hint in hints]
    cards = [kind(slot) for kind in (Play, Discard) for slot in range(-1, 8)]
    announced = [Play(slot, colour) for slot in range(-1, 7) for colour in Colour]
    for _ in moves_of_a_game(game, choice):
        legal, before = set(game.legal_actions()), pickle.dumps(game)
        for wish in choice.sample([*wishes, *cards, *announced], 40):
            if wish not in legal:
                with pytest.raises(IllegalError):
                    game.act(wish)
        with pytest.raises(TamayaError):
            game.arrange(Arrange(choice.randrange(-1, 6), (7,)))
        assert pickle.dumps(game) == before


@given(rules(), seeds)
def test_a_copy_and_a_pickle_are_equal_and_independent(table: Rules, seed: int) -> None:
    game = Game(table, seed=seed)
    game.act(game.legal_actions()[0])
    for twin in (game.copy(), pickle.loads(pickle.dumps(game))):
        assert twin == game
        before = json.dumps(everything(game).to_json())
        if twin.outcome is None:
            twin.act(twin.legal_actions()[0])
            assert twin != game
        assert json.dumps(everything(game).to_json()) == before


@given(rules(), st.data())
def test_action_numbers_round_trip(table: Rules, data: st.DataObject) -> None:
    number, seat = data.draw(st.integers(0, numbering(table).total - 1)), data.draw(st.integers(0, table.players - 1))
    assert number_of(action_of(number, table, seat), table, seat) == number


@given(rules(), seeds)
def test_the_text_form_of_a_game_has_no_secrets(table: Rules, seed: int) -> None:
    game, other = Game(table, seed=seed), Game(table, seed=seed ^ 1)
    assert repr(game) == str(game) == repr(other)


# Positions.


@given(rules(), st.integers(0, 2**64 - 1), st.integers(0, 60))
def test_a_game_restored_from_its_state_continues_the_same(table: Rules, seed: int, turns: int) -> None:
    game = Game(table, seed=seed)
    for _ in range(turns):
        if game.to_move is not None:
            game.act(game.legal_numbers()[seed % len(game.legal_numbers())])
    twin = Game.from_state(table, game.state)
    assert (twin.state, twin.score, twin.log, twin.moves) == (game.state, game.score, (), ())
    while game.to_move is not None:
        action = game.legal_numbers()[-1]
        assert game.act(action) == twin.act(action)
    assert twin.outcome == game.outcome


def test_invalid_state_bytes_are_refused() -> None:
    state = Game(Rules(players=3), seed=1).state
    for wrong in (b"", state[:-1], state + b"\0", bytes(len(state)), bytes([9]) + state[1:]):
        with pytest.raises(MalformedError, match="These bytes are no position of a game by these rules: players=3"):
            Game.from_state(Rules(players=3), wrong)
    with pytest.raises(MalformedError):
        Game.from_state(Rules(players=2), state)
