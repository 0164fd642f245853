"""Why deals are lost, in words."""

from tamaya import Game, Rules, read_rules
from tamaya.rules import Multicolour
from tamaya.sim import seed_of
from tamaya.solver import Verdict, solve
from tests.tables import deck_beginning, do, game_with


def reason(game: Game) -> str:
    answer = solve(game, speed="interpreted")
    assert answer.verdict is Verdict.LOST
    return str(answer.reason)


def test_a_card_at_the_bottom_that_others_wait_for_is_named() -> None:
    rules = Rules(players=2, multicolour=Multicolour.FIVE)
    deck = deck_beginning(rules)
    deck.append(deck.pop(deck.index(next(card for card in deck if str(card) == "M1"))))
    assert reason(Game(rules, deck=deck)) == (
        "multicolour 1 lies too deep in the deck. Once it is drawn, cards still to be played: 5; turns left to play them: 1."
    )


def test_a_lost_card_is_named() -> None:
    game = game_with(Rules(players=2), "R5 R1 R1 Y1 Y1", "G1 G1 W1 W1 B1")
    assert reason(do(game, "clue 2 1", "clue 1 1", "discard 1")) == "No red 5 is left: every copy has been thrown away."


def test_too_few_turns_are_counted() -> None:
    game = game_with(Rules(players=2, colours=1, hand_size=4), "R1 R1 R1 R2", "R2 R3 R3 R4")
    do(game, "clue 2 3", "discard 1", "play 1")
    assert game.deck_count == 0
    assert reason(game) == "Cards still to be played: 4. Turns left to play them: 2."


def test_too_small_hands_are_explained() -> None:
    assert reason(Game(Rules(players=2), seed=seed_of(1, 24))).startswith("The hands are too small: even if all 10 cards")


def test_seats_in_the_wrong_order_are_explained() -> None:
    assert reason(Game(read_rules("players=4 multicolour-five"), seed=seed_of(1, 648))) == (
        "Once multicolour 1 can be played, the cards after it have to be played by one player after the other in the last "
        "turns, and those who hold them do not sit in that order."
    )
