"""Comparison with an independent implementation: OpenSpiel's hanabi, which is DeepMind's environment."""

import random
import re

import pyspiel
import pytest
from hypothesis import settings

from tamaya import Colour, Game, Rules, View, read_card
from tests.openspiel import SETTINGS, deal, theirs
from tests.tables import FULL, careful_action, random_action

EXAMPLES = settings().max_examples
GAMES = 3 * EXAMPLES if FULL else EXAMPLES


def facts_of_theirs(state: pyspiel.State) -> dict[str, object]:
    """The facts in OpenSpiel's text form of a game."""
    text = str(state)
    players = text.split("Hands:\n")[1].split("Deck size")[0].replace("Cur player\n", "").split("-----\n")
    return {
        "hands": [re.findall(r"^([RYGWB][1-5]) \|\|", player, re.MULTILINE) for player in players],
        "told": [re.findall(r"\|\| (\w\w)\|", player) for player in players],
        "possible": [re.findall(r"\|([RYGWB]+)([1-5]+)$", player, re.MULTILINE) for player in players],
        "clue_tokens": int(re.findall(r"Info tokens: (\d+)", text)[0]),
        "lives": int(re.findall(r"Life tokens: (\d+)", text)[0]),
        "fireworks": re.findall(r"([RYGWB])(\d)", re.findall(r"Fireworks: (.*)", text)[0]),
        "deck": int(re.findall(r"Deck size: (\d+)", text)[0]),
        "discards": sorted(re.findall(r"[RYGWB][1-5]", re.findall(r"Discards:(.*)", text)[0])),
    }


def facts_of_ours(view: View) -> dict[str, object]:
    """The same facts of our game, from a view with all hands open."""
    letters = {colour: colour.letter for colour in Colour}
    return {
        "hands": [[str(seen.card) for seen in hand] for hand in view.hands],
        "told": [
            [
                (letters[seen.named_colours[0]] if seen.named_colours else "X")
                + (str(seen.named_values[0]) if seen.named_values else "X")
                for seen in hand
            ]
            for hand in view.hands
        ],
        "possible": [
            [("".join(letters[colour] for colour in seen.colours), "".join(map(str, seen.values))) for seen in hand]
            for hand in view.hands
        ],
        "clue_tokens": view.clue_tokens,
        "lives": view.rules.mistakes - view.mistakes,
        "fireworks": [(letters[colour], str(height)) for colour, height in view.fireworks.items()],
        "deck": view.deck_count,
        "discards": sorted(map(str, view.discards)),
    }


def play_side_by_side(rules: Rules, seed: int, careful: bool) -> Game:
    game, state, choice = Game(rules, seed=seed), theirs(rules).new_initial_state(), random.Random(seed)
    deck = [rules.cards.index(card) for card in game.reveal_deck()]
    deal(state, deck)
    while True:
        assert facts_of_theirs(state) == facts_of_ours(game.reveal_hands())
        assert state.is_terminal() == (game.outcome is not None)
        if game.outcome is not None:
            assert state.returns() == [game.score] * rules.players
            return game
        assert state.current_player() == game.to_move
        assert state.legal_actions() == game.legal_numbers()
        action = (careful_action if careful else random_action)(game, choice)
        number = game.legal_numbers()[game.legal_actions().index(action)]
        game.act(number)
        state.apply_action(number)
        if not state.is_terminal():
            deal(state, deck)


@pytest.mark.slow
@pytest.mark.parametrize("careful", [False, True], ids=["random", "careful"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_standard_game_is_the_same_move_by_move(players: int, careful: bool) -> None:
    finished = sum(play_side_by_side(Rules(players=players), seed, careful).deck_count == 0 for seed in range(GAMES))
    assert (finished > GAMES // 2) == careful, "careful games are meant to reach the end of the deck"


@pytest.mark.parametrize("rules", SETTINGS, ids=str)
def test_other_shared_settings_are_the_same_move_by_move(rules: Rules) -> None:
    for seed in range(EXAMPLES):
        play_side_by_side(rules, seed, careful=bool(seed % 2))


def test_actions_have_openspiels_numbers() -> None:
    game, state = Game(Rules(players=3), seed=1), theirs(Rules(players=3)).new_initial_state()
    deal(state, [game.rules.cards.index(card) for card in game.reveal_deck()])
    for number, action in zip(game.legal_numbers(), game.legal_actions(), strict=True):
        text = state.action_to_string(0, number)
        ours = str(action)
        kind, *rest = ours.split()
        if kind == "clue":
            hint = rest[1] if rest[1].isdigit() else rest[1][0].upper()
            assert f"player +{rest[0]}".replace("+2", "+1").replace("+3", "+2") in text
            assert text.rstrip(")").endswith(hint)
        else:
            assert f"({kind.capitalize()} {int(rest[0]) - 1})" in text


def test_cards_are_written_as_in_openspiel() -> None:
    assert [read_card(name) for name in ("R1", "Y2", "G3", "W4", "B5")] == [
        Rules().cards[colour * 5 + value] for value, colour in enumerate(range(5))
    ]
