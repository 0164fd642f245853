"""The facts match the game, and the odds in them use only what the player could know."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from tamaya import Game, Rules
from tamaya.record import Record, Stop, TakeBack
from tamaya.review import DropReason, FactMark, MarkKind, facts_of
from tamaya.review.facts import GameFacts
from tamaya.rules import Clue, Multicolour, Play
from tests.support.games import HABITS, SMALL, deals_seen_alike, first_turns, played_game, record_of
from tests.tables import FULL, do, game_with
from tests.twins import twin_of

RULES = (
    Rules(players=2),
    Rules(players=3, multicolour=Multicolour.FIVE, multicolour_named=False),
    Rules(players=4, announced_plays=True, empty_clues=True),
    Rules(players=5, mistakes=8),
    Rules(players=2, all_or_nothing=True),
    *SMALL,
)
GAMES = 12 if FULL else 2


@cache
def games() -> list[tuple[Game, GameFacts]]:
    """Complete games by different rules and strategies, with their facts."""
    found = [played_game(rules, 1000 * place + seed) for place, rules in enumerate(RULES) for seed in range(GAMES)]
    return [(game, facts_of(record_of(game))) for game in found]


def test_the_facts_of_each_turn_match_the_game() -> None:
    for game, facts in games():
        assert len(facts.turns) == game.turn + 1
        for standing in facts.turns:
            then = game.at(standing.turn)
            assert (standing.points, standing.maximum, standing.deck) == (then.points, then.maximum, then.deck_count)
            assert (standing.clue_tokens, standing.mistakes) == (then.clue_tokens, then.mistakes)
        assert facts.outcome == game.outcome
        assert len(facts.clues) + len(facts.plays) + len(facts.discards) == game.turn
        assert (len(facts.placed), len(facts.mistakes)) == (game.points, game.mistakes)


def test_facts_until_a_turn_contain_nothing_of_later_turns() -> None:
    for game, facts in games():
        record = record_of(game)
        for turn in {0, 1, game.turn // 2, game.turn - 1, *range(0, game.turn, 3 if game.rules in SMALL else 20)}:
            assert facts.until(turn) == facts_of(first_turns(record, turn)), turn
        assert facts.until(game.turn + 5) == facts


def test_events_had_a_chance_and_certain_events_happened() -> None:
    for _, facts in games():
        for play in facts.plays:
            assert play.chance > 0 if play.placed else play.chance < 1
        lost = {loss.turn: loss for loss in facts.losses}
        for discard in facts.discards:
            assert discard.chance > 0 if discard.turn in lost else discard.chance < 1
        assert all(loss.chance > 0 for loss in facts.losses)


def test_every_drop_of_the_maximum_is_reported() -> None:
    reasons = set()
    for game, facts in games():
        best = game.rules.maximum
        for fall in facts.falls:
            assert (fall.before, fall.after) == (best, facts.turns[fall.turn].maximum)
            best = fall.after
            reasons.add(fall.reason)
        assert best == facts.last.maximum
        assert {loss.turn for loss in facts.losses} == {
            fall.turn for fall in facts.falls if fall.reason is DropReason.LOST_CARD
        }
    assert reasons == set(DropReason)


def test_a_clue_told_nothing_new_if_it_left_every_hand_possible() -> None:
    """Check by trying all deals: as many hands are possible after the clue as before."""
    stale = 0
    for place in range(len(SMALL)):
        for seed in range(8 if FULL else 2):
            record = record_of(played_game(SMALL[place], 50 + seed))
            whole = Game(record.rules, deck=record.deck)
            for move in record.moves:
                whole.move(move)
            for clue in facts_of(record).clues[:4]:
                before, after = (len(deals_seen_alike(whole.at(turn), clue.target)) for turn in (clue.turn - 1, clue.turn))
                assert clue.new == (after < before)
                stale += not clue.new
    assert stale


@pytest.mark.parametrize("place", range(len(RULES)))
def test_odds_do_not_depend_on_hidden_cards(place: int) -> None:
    """Two games look the same to a seat. The odds of its next move are the same in both."""
    compared = 0
    for seed in range(40 if FULL else 4):
        choice = random.Random(seed)
        game, habit = Game(RULES[place], seed=seed), choice.choice(HABITS)
        for _ in range(choice.randrange(2, 30)):
            if game.outcome is None:
                game.act(habit(game, choice))
        if game.outcome is not None:
            game.undo()
        seat = game.to_move
        assert seat is not None
        twin = twin_of(game, seat, choice)
        assert twin.view(seat) == game.view(seat)
        cards = [action for action in game.legal_actions() if not isinstance(action, Clue)]
        for action in choice.sample(cards, 2):
            known = [known_of_last_move(after(one, str(action))) for one in (game, twin)]
            assert known[0] == known[1]
            compared += game.reveal_deck() != twin.reveal_deck()
    assert compared


def after(game: Game, action: str) -> GameFacts:
    """The facts after one more move."""
    return facts_of(record_of(do(game.copy(), action)))


def known_of_last_move(facts: GameFacts) -> list[object]:
    """The odds in the facts of the last move."""
    turn = facts.last.turn
    plays = [play.chance for play in facts.plays if play.turn == turn]
    discards = [discard.chance for discard in facts.discards if discard.turn == turn]
    return [turn, plays, discards]


def test_whether_a_clue_is_new_does_not_depend_on_hidden_cards() -> None:
    compared = 0
    for seed in range(100 if FULL else 15):
        choice = random.Random(seed)
        game, habit = Game(RULES[seed % 4], seed=seed), choice.choice(HABITS)
        for _ in range(choice.randrange(2, 30)):
            if game.outcome is None:
                game.act(habit(game, choice))
        clues = [action for action in game.legal_actions() if isinstance(action, Clue)] if game.outcome is None else []
        if not clues:
            continue
        clue = choice.choice(clues)
        twin = twin_of(do(game, str(clue)), clue.seat, choice)
        assert twin.view(clue.seat) == game.view(clue.seat)
        assert facts_of(record_of(game)).clues[-1] == facts_of(record_of(twin)).clues[-1]
        compared += game.reveal_deck() != twin.reveal_deck()
    assert compared > 3


def test_pace_is_the_number_of_discards_a_team_can_afford() -> None:
    game = Game(Rules(players=2), seed=1)
    assert facts_of(record_of(game)).last.pace == 0 + 40 + 2 - 25
    do(game, "clue 2 1" if "clue 2 1" in map(str, game.legal_actions()) else str(game.legal_actions()[-1]))
    assert facts_of(record_of(game)).last.pace == 17, "a clue costs none"
    do(game, "discard 1")
    assert facts_of(record_of(game)).last.pace == 16
    assert facts_of(record_of(Game(Rules(all_or_nothing=True), seed=1))).last.pace is None, "it has no last round"


def test_a_player_told_of_a_5_could_be_certain_that_it_is_needed() -> None:
    game = do(game_with(Rules(players=2), "R1 Y1 G1 W1 B1", "R5 R4 R3 R2 Y2"), "clue 2 5", "discard 1")
    (loss,) = facts_of(record_of(game)).losses
    assert (str(loss.card), loss.seat, loss.played, loss.chance) == ("R5", 1, False, Fraction(1))
    assert loss.could_warn == (0,)
    assert [fall.after for fall in facts_of(record_of(game)).falls] == [24]


def test_without_clues_the_odds_follow_from_the_visible_cards() -> None:
    """Of the 45 cards that the player does not see, 5 are 5s; no other card is the last of its kind."""
    game = do(game_with(Rules(players=2), "R5 Y1 G1 W1 B1", "R1 R4 R3 R2 Y2"), "play 1")
    (loss,) = facts_of(record_of(game)).losses
    assert (loss.chance, loss.could_warn) == (Fraction(5, 45), ()), "there was no earlier turn"


def test_only_teammates_with_a_turn_and_a_token_could_warn() -> None:
    rules = Rules(players=3, clue_tokens=1)
    game = game_with(rules, "R5 Y1 G1 W1 B1", "R1 R4 R3 R2 Y2", "Y3 Y4 G2 G3 G4")
    do(game, "clue 2 1", "play 1", "play 5", "discard 1")
    (loss,) = facts_of(record_of(game)).losses
    assert loss.could_warn == (), "the first clue took the only token"


def test_discarding_a_card_that_can_no_longer_be_played_is_no_loss() -> None:
    """In the last round there may be too few turns for the points anyway."""
    for seed in range(12):
        facts = facts_of(record_of(played_game(Rules(players=2, colours=2, hand_size=2), seed)))
        for loss in facts.losses:
            assert facts.turns[loss.turn].maximum < facts.turns[loss.turn - 1].maximum


def test_marks_are_in_the_order_of_turns() -> None:
    facts = [found for _, found in games()]
    for one in facts:
        assert [mark.turn for mark in one.marks] == sorted(mark.turn for mark in one.marks)
    assert {mark.kind for one in facts for mark in one.marks} >= {
        MarkKind.MISTAKE, MarkKind.LOSS, MarkKind.FALL, MarkKind.COMPLETED
    }  # fmt: skip


def test_a_stopped_game_is_reviewed_to_its_last_move() -> None:
    game = Game(Rules(players=2), seed=3)
    record = Record(game.rules, game.reveal_deck(), ("Ann", "Bob"), stopped=Stop.TERMINATED)
    facts = facts_of(record)
    assert (facts.last.turn, facts.outcome, facts.over, facts.clues_per_card) == (0, None, True, None)


def test_take_backs_are_marked() -> None:
    game = do(game_with(Rules(players=2), "R1 Y1 G1 W1 B1", "R5 R4 R3 R2 Y2"), "clue 2 5", "play 1", "play 1")
    taken = TakeBack(2, (Play(1),))
    facts = facts_of(replace(record_of(game), taken_back=(taken,)))
    assert facts.taken_back == (2,)
    assert FactMark(2, MarkKind.TAKEN_BACK) in facts.marks
    assert facts.until(1).taken_back == ()
    assert replace(facts, taken_back=()) == facts_of(record_of(game)), "it changes nothing else"
