"""What holds in every game by any rules, whatever the players do."""

import json
import pickle
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamaya import Arrange, Card, Clue, Discard, Game, IllegalError, Play, Rules, TamayaError, View
from tamaya.record import Record, from_text, own
from tamaya.rules import Colour, action_of, number_of, numbering
from tests.tables import careful_action, moves_of_a_game, random_action, rules

seeds = st.integers(0, 2**64 - 1)
styles = st.sampled_from([random_action, careful_action])


def everything(game: Game) -> View:
    return game.spectator_view(open_hands=True)


@given(rules(), seeds, styles)
def test_cards_are_conserved(table: Rules, seed: int, style: object) -> None:
    game, box = Game(table, seed=seed), Counter({card: table.copies(card) for card in table.cards})
    drawn = list(game.reveal_deck())
    assert Counter(drawn) == box
    for _ in moves_of_a_game(game, random.Random(seed), style):  # type: ignore[arg-type]
        view = everything(game)
        in_hands = [seen.card for hand in view.hands for seen in hand]
        placed = [Card(colour, value) for colour, height in view.fireworks.items() for value in range(1, height + 1)]
        in_deck = drawn[len(drawn) - view.deck_count :]
        assert Counter(in_hands) + Counter(placed) + Counter(view.discards) + Counter(in_deck) == box


@given(rules(), seeds, styles)
def test_tokens_and_hands_stay_within_their_bounds(table: Rules, seed: int, style: object) -> None:
    game = Game(table, seed=seed)
    for _ in moves_of_a_game(game, random.Random(seed), style):  # type: ignore[arg-type]
        view = everything(game)
        assert 0 <= view.clue_tokens <= table.clue_tokens
        assert 0 <= view.mistakes <= table.mistakes
        assert all(len(hand) <= table.hand_size for hand in view.hands)
        assert view.points <= view.maximum <= table.maximum
        assert all(view.fireworks[colour] <= view.reach[colour] <= 5 for colour in table.suits)
        full = [len(hand) == table.hand_size for hand in view.hands]
        assert all(full) or view.deck_count == 0 or game.outcome


@given(rules(), seeds, styles)
def test_what_clues_say_about_a_card_is_always_true(table: Rules, seed: int, style: object) -> None:
    game = Game(table, seed=seed)
    for _ in moves_of_a_game(game, random.Random(seed), style):  # type: ignore[arg-type]
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


@given(rules(), seeds, styles)
def test_every_game_ends(table: Rules, seed: int, style: object) -> None:
    game = Game(table, seed=seed)
    most = table.deck_size + table.clue_tokens + table.deck_size + 2 * len(table.suits)
    for _ in moves_of_a_game(game, random.Random(seed), style):  # type: ignore[arg-type]
        assert game.turn <= most
    assert game.outcome is not None
    assert game.legal_actions() == []
    assert game.to_move is None


@given(rules(), seeds, styles)
def test_somebody_to_move_can_always_do_something(table: Rules, seed: int, style: object) -> None:
    game = Game(table, seed=seed)
    for _ in moves_of_a_game(game, random.Random(seed), style):  # type: ignore[arg-type]
        assert bool(game.legal_actions()) == (game.outcome is None)


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


@given(rules(), seeds, styles)
def test_undo_restores_each_position(table: Rules, seed: int, style: object) -> None:
    game = Game(table, seed=seed)
    positions = [game.copy()]
    positions += [game.copy() for _ in moves_of_a_game(game, random.Random(seed), style)]  # type: ignore[arg-type]
    for position in reversed(positions[:-1]):
        undone = game.undo()
        assert game == position
        assert undone == positions[len(game.moves) + 1].log[-1]
    with pytest.raises(IllegalError, match="Nothing has happened"):
        game.undo()


@given(rules(), seeds, styles)
def test_a_record_replays_to_the_same_bytes(table: Rules, seed: int, style: object) -> None:
    game = Game(table, seed=seed)
    list(moves_of_a_game(game, random.Random(seed), style))  # type: ignore[arg-type]
    text = own.write(Record.of(game, [f"name {seat}" for seat in range(table.players)]))
    again = from_text(text)
    assert again.error is None
    assert pickle.dumps(again.game) == pickle.dumps(game)
    assert own.write(again.record) == text


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
def test_numbers_and_actions_stand_for_each_other(table: Rules, data: st.DataObject) -> None:
    number, seat = data.draw(st.integers(0, numbering(table).total - 1)), data.draw(st.integers(0, table.players - 1))
    assert number_of(action_of(number, table, seat), table, seat) == number


@given(rules(), seeds)
def test_the_text_form_of_a_game_tells_no_secret(table: Rules, seed: int) -> None:
    game, other = Game(table, seed=seed), Game(table, seed=seed ^ 1)
    assert repr(game) == str(game) == repr(other)
