"""Odds are exact: they equal the results of trying every deal that looks the same to the player."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import pytest

from tamaya import Card, Colour, Game, Rules
from tamaya.engine import Event, Played
from tamaya.review.odds import HandOdds, MoveOdds, possible_cards
from tamaya.rules import Action, Clue, Play
from tests.support.games import SMALL, deals_seen_alike, first_turns, played_game, record_of
from tests.tables import FULL, do, game_with

MOMENTS = 60 if FULL else 15


def moments(place: int) -> list[Game]:
    """Positions of games by small rules, in every phase."""
    found = []
    for seed in range(MOMENTS):
        whole = played_game(SMALL[place], 100 * place + seed)
        choice = random.Random(seed)
        turns = choice.randrange(whole.turn)
        game = Game(whole.rules, deck=whole.reveal_deck())
        for move in first_turns(record_of(whole), turns).moves:
            game.move(move)
        found.append(game)
    return found


@pytest.mark.parametrize("place", range(len(SMALL)))
def test_odds_equal_those_of_all_deals_that_look_the_same(place: int) -> None:
    tried = 0
    for game in moments(place):
        assert game.to_move is not None
        view, deals = game.view(game.to_move), deals_seen_alike(game, game.to_move)
        own = HandOdds(view)
        for slot in range(len(view.hand)):
            weights, counted = own.weights(slot), Counter(hand[slot] for hand, _ in deals)
            total = sum(weights.values())
            shares = {card: Fraction(weight, total) for card, weight in weights.items()}
            assert shares == {card: Fraction(number, len(deals)) for card, number in counted.items()}
            assert set(possible_cards(view)[slot]) == set(counted)
            tried += len(counted) > 1
    assert tried


@pytest.mark.parametrize("place", range(len(SMALL)))
def test_odds_of_moves_equal_their_results_in_all_such_deals(place: int) -> None:
    risky = uncertain = 0
    for game in moments(place):
        assert game.to_move is not None
        judge, deals = MoveOdds(game.view(game.to_move)), deals_seen_alike(game, game.to_move)
        for action in game.legal_actions():
            if isinstance(action, Clue):
                continue
            placed = lost = 0
            for hand, twin in deals:
                event, fell = tried_out(twin, action)
                placed += isinstance(event, Played) and event.placed
                lost += judge.loses(action, hand[action.slot])
                assert fell is None or judge.loses(action, hand[action.slot]) == fell
            assert judge.chance_of_loss(action) == Fraction(lost, len(deals))
            risky += 0 < lost < len(deals)
            if isinstance(action, Play):
                assert judge.chance_to_fit(action) == Fraction(placed, len(deals))
                uncertain += 0 < placed < len(deals)
    assert risky
    assert uncertain


def tried_out(game: Game, action: Action) -> tuple[Event, bool | None]:
    """The event, and whether the maximum drops for lack of a card; None if it may drop for lack of turns."""
    best, late = game.maximum, game.deck_count <= 1 and not game.rules.all_or_nothing
    event = game.act(action)
    fell = game.maximum < best
    unclear = late or game.mistakes == game.rules.mistakes
    game.undo()
    return event, None if unclear else fell


def test_cards_of_a_hand_exclude_each_other() -> None:
    """Both cards are 5s, and of two different colours: when one is red, the other is not."""
    game = do(game_with(Rules(players=2, colours=2, hand_size=2), "R1 Y1", "R5 Y5"), "clue 2 5")
    own = HandOdds(game.view(1))
    red, yellow = Card(Colour.RED, 5), Card(Colour.YELLOW, 5)
    assert own.weights(0) == own.weights(1) == {red: 1, yellow: 1}
    game = do(game_with(Rules(players=2, colours=2, hand_size=2), "R1 Y1", "R5 R1"), "clue 2 5", "discard 2", "clue 2 red")
    assert HandOdds(game.view(1)).weights(0) == {red: 7}


def test_slots_that_need_all_copies_leave_none_for_the_others() -> None:
    """Both copies of the only 4 are known, so the third card, which has no clue, can be no 4."""
    game = do(game_with(Rules(players=2, colours=1, hand_size=3), "R1 R2 R3", "R4 R4 R5"), "clue 2 4")
    own = HandOdds(game.view(1))
    assert own.chance(2, lambda card: card.value == 4) == 0
    assert own.chance(2, lambda card: card.value == 5) == Fraction(1, 5)
