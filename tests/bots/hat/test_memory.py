"""What the hat bot keeps is what everybody knows, the rest of its memory may hold anything, and it can join a game late."""

from __future__ import annotations

import random

import pytest

from tamaya import Rules
from tamaya.bots.hat import HAT
from tamaya.bots.hat.memory import REMEMBERED, HatMemory
from tamaya.bots.hat.picture import SURE
from tamaya.bots.policy import plan
from tamaya.bots.policy import interpreted_policy
from tamaya.engine.layout import NO_CARD, NUMBER, SLOT, layout_of
from tests.bots.hat.games import sight_of, turns

RULES = [Rules(players=2), Rules(players=3, empty_clues=True), Rules(players=5, multicolour="ten")]  # type: ignore[arg-type]


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_what_lies_in_the_scratch_changes_no_move(rules: Rules) -> None:
    policy, choice = interpreted_policy(HAT, rules), random.Random(1)
    rubbish = [[choice.randrange(-(1 << 40), 1 << 40) for _ in range(policy.words)] for _ in range(5)]

    def disturb(memory: list[int]) -> None:
        memory[policy.kept :] = choice.choice(rubbish)[policy.kept :]

    for seed in range(3):
        left_alone = [moment.action for moment in turns(rules, seed)]
        assert [moment.action for moment in turns(rules, seed, disturb)] == left_alone


@pytest.mark.parametrize("worth", [0, SURE])
def test_no_search_believes_what_another_left_behind(worth: int) -> None:
    rules = Rules(players=2)
    policy, notes = interpreted_policy(HAT, rules), plan(HatMemory, layout_of(rules))
    for seed in range(4):
        for moment in turns(rules, seed):
            memory = list(moment.memory)
            memory[notes.position_worths : notes.position_worths + REMEMBERED] = [worth] * REMEMBERED
            assert policy.choose(memory, moment.sight, bytearray(layout_of(rules).actions), 0) == moment.action
            assert memory[notes.looked_ahead] == moment.memory[notes.looked_ahead]


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_seats_that_join_in_the_middle_begin_with_the_same_true_picture(rules: Rules) -> None:
    policy = interpreted_policy(HAT, rules)
    for moment in turns(rules, 1):
        kernel, layout = moment.kernel, moment.kernel.layout
        memories = []
        for seat in range(rules.players):
            memory = [-1] * policy.words
            policy.begin(memory, sight_of(kernel, moment.state, seat))
            memories.append(memory[: policy.kept])
        assert all(memory == memories[0] for memory in memories)
        notes = plan(HatMemory, layout)
        assert memories[0][notes.broken] == 0
        for at in range(layout.hands, layout.size, SLOT):
            number = moment.state[at + NUMBER]
            if number != NO_CARD:
                assert (memories[0][notes.picture + number] >> moment.state[layout.deck + number]) & 1
