"""A question about a hand has one answer, and all who know the answer know the same."""

from __future__ import annotations

import pytest

from tamaya import Rules
from tamaya.bots.cards import build_cards
from tamaya.bots.hat.hats import Questions, build_questions
from tamaya.bots.hat.memory import HatMemory
from tamaya.bots.hat.picture import build_foresight, build_picture
from tamaya.bots.policy import plan
from tamaya.engine.kernel import Kernel, interpreted, interpreted_kernel
from tamaya.engine.layout import SEAT
from tests.bots.hat.games import Moment, turns

ROOM = 12
"""How many numbers there are to answer with in these tests."""


def questions_for(kernel: Kernel) -> tuple[HatMemory, Questions]:
    notes, cards = plan(HatMemory, kernel.layout), build_cards(kernel, interpreted, tuple)
    picture = build_picture(kernel, interpreted, notes, cards)
    foresight = build_foresight(kernel, interpreted, notes, cards, picture)
    return notes, build_questions(kernel, interpreted, notes, cards, picture, foresight)


def options(moment: Moment, notes: HatMemory, seat: int) -> list[int]:
    """What the cards of a hand can be by the answers so far."""
    first = notes.learnt + seat * moment.kernel.layout.hand_size
    return moment.memory[first : first + moment.kernel.hand_count(moment.state, seat)]


@pytest.mark.parametrize("players", [2, 3, 5])
def test_each_answer_is_true_and_excludes_the_others(players: int) -> None:
    kernel, asked = interpreted_kernel(Rules(players=players)), 0
    notes, questions = questions_for(kernel)
    cards = build_cards(kernel, interpreted, tuple)
    for moment in turns(Rules(players=players), 1):
        memory, dead, seat = moment.memory, cards.dead_cards(moment.sight), (moment.state[SEAT] + 1) % players
        question, room = questions.first(memory, moment.sight, seat, ROOM, dead), ROOM
        while question.answers > 0:
            answer, before = questions.answer_of(memory, moment.sight, seat, question), list(memory)
            learnt = []
            for other in range(question.answers):
                memory[:] = before
                questions.learn(memory, seat, question, other)
                learnt.append(options(moment, notes, seat))
            for slot, known in enumerate(learnt[answer]):
                assert (known >> cards.face_at(moment.state, seat, slot)) & 1, "the answer is true"
            for other, told in enumerate(learnt):
                assert other == answer or any(not both for both in map(int.__and__, told, learnt[answer]))
            memory[:] = before
            questions.learn(memory, seat, question, answer)
            room //= question.answers
            question = questions.following(memory, moment.sight, seat, question)
            assert question.room == room
            asked += 1
    assert asked > 30
