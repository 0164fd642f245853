"""A question about a hand has one answer, and all players who know the answer know the same. The bot keeps only public
knowledge, its scratch may hold anything, and it can join a running game."""

from __future__ import annotations

import random

import pytest

from tamaya import Rules
from tamaya.bots.cards import useless_cards
from tamaya.bots.hat import HAT
from tamaya.bots.hat.code import answer_of, first_question, learn_answer, next_question
from tamaya.engine.kernel.hands import card_at, hand_count
from tamaya.engine.layout import NO_CARD, NUMBER, SEAT, SLOT, layout
from tests.bots.hat.support import Moment, Numbers, blank, sight_of, turns

ROOM = 12
"""The count of numbers to answer with in these tests."""
RULES = [Rules(players=2), Rules(players=3, empty_clues=True), Rules(players=5, multicolour="ten")]  # type: ignore[arg-type]


def options(moment: Moment, seat: int) -> list[int]:
    first = seat * moment.own.value(layout).hand_size
    return [moment.memory.learned[first + slot] for slot in range(moment.own(hand_count)(moment.state, seat))]


@pytest.mark.parametrize("players", [2, 3, 5])
def test_each_answer_is_true_and_excludes_the_others(players: int) -> None:
    asked = 0
    for moment in turns(Rules(players=players), 1):
        own, memory, numbers, seat = moment.own, moment.memory, moment.numbers, (moment.state[SEAT] + 1) % players
        useless = own(useless_cards)(moment.sight)
        question, room = own(first_question)(memory, moment.sight, seat, ROOM, useless), ROOM
        while question.answers > 0:
            answer, before = own(answer_of)(memory, moment.sight, seat, question), memoryview(numbers.tobytes()).cast("q")
            learned = []
            for other in range(question.answers):
                numbers[:] = before
                own(learn_answer)(memory, seat, question, other)
                learned.append(options(moment, seat))
            for slot, known in enumerate(learned[answer]):
                assert (known >> own(card_at)(moment.state, seat, slot)) & 1, "the answer is true"
            for other, told in enumerate(learned):
                assert other == answer or any(not both for both in map(int.__and__, told, learned[answer]))
            numbers[:] = before
            own(learn_answer)(memory, seat, question, answer)
            room //= question.answers
            question = own(next_question)(memory, moment.sight, seat, question)
            assert question.room == room
            asked += 1
    assert asked > 30


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_the_content_of_scratch_changes_no_move(rules: Rules) -> None:
    saved, choice = HAT.saved_size(rules), random.Random(1)
    rubbish = [blank(rules) for _ in range(5)]
    for numbers in rubbish:
        for at in range(len(numbers)):
            numbers[at] = choice.randrange(-(1 << 40), 1 << 40)

    def disturb(numbers: Numbers) -> None:
        numbers[saved:] = choice.choice(rubbish)[saved:]

    for seed in range(3):
        left_alone = [moment.action for moment in turns(rules, seed)]
        assert [moment.action for moment in turns(rules, seed, disturb)] == left_alone


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_seats_that_join_in_the_middle_start_with_the_same_true_knowledge(rules: Rules) -> None:
    for moment in turns(rules, 1):
        own, place, kept = moment.own, moment.own.value(layout), []
        for seat in range(rules.players):
            numbers = blank(rules, -1)
            own(HAT.start)(HAT.named(rules, numbers), sight_of(own, moment.state, seat))
            kept.append(numbers)
        assert all(numbers[: HAT.saved_size(rules)] == kept[0][: HAT.saved_size(rules)] for numbers in kept)
        memory = HAT.named(rules, kept[0])
        assert memory.code_broken == 0
        for at in range(place.hands, place.size, SLOT):
            number = moment.state[at + NUMBER]
            if number != NO_CARD:
                assert (memory.possible[number] >> moment.state[place.deck + number]) & 1
