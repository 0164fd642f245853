"""Games continue from any position and any memory, through public names alone, as a search needs."""

from __future__ import annotations

import numpy as np
import pytest

from tamaya import Game, MalformedError, Rules
from tamaya.sim.deals import seed_of
from tamaya.sim.games import CHOOSE
from tamaya.sim.team import Team, team
from tamaya.sim.threads import Array

RULES = Rules(players=3)
HATS = ["hat"] * 3


def hats() -> Team:
    return team(RULES, ("hat",), "interpreted")


def dealt(*numbers: int) -> Array:
    """The first positions of games of seed 0."""
    states = [Game(RULES, seed=seed_of(0, number)).state for number in numbers]
    return np.frombuffer(b"".join(states), np.uint8).reshape(len(numbers), -1).copy()


def test_a_rollout_from_the_deal_is_the_whole_game() -> None:
    played = hats().play(HATS, 0, 4, 7, recorded=True)
    states = dealt(4, 5, 6)
    memories = hats().start(HATS, states)
    by_choice = hats().rollout(HATS, states, memories, np.full(3, CHOOSE))
    given = hats().rollout(HATS, states, memories, played.actions[:, 0])
    for results in (by_choice, given):
        assert results.scores.tolist() == played.scores.tolist()
        assert results.turns.tolist() == played.turns.tolist()
        assert not results.illegal.any()
    assert states.tobytes() == dealt(4, 5, 6).tobytes(), "positions are left as they were"


@pytest.mark.slow
def test_a_game_followed_turn_by_turn_continues_as_it_was_played() -> None:
    """After every turn, a rollout from the position and the memories ends with the score of the game."""
    played = hats().play(HATS, 0, 2, 3, recorded=True)
    states, turns = dealt(2), int(played.turns[0])
    memories = hats().start(HATS, states)
    for turn in range(turns):
        if turn % 6 == 0:
            assert hats().rollout(HATS, states, memories, np.array([CHOOSE])).scores.tolist() == played.scores.tolist()
        hats().advance(HATS, states, memories, played.actions[:1, turn])
    assert Game.from_state(RULES, states[0].tobytes()).score == played.scores[0]


def test_one_memory_serves_many_worlds() -> None:
    states = dealt(1).repeat(5, axis=0)
    memories = hats().start(HATS, states)
    actions = np.array([0, 5, 6, 10, 12])
    legal = Game.from_state(RULES, states[0].tobytes()).legal_numbers()
    actions[~np.isin(actions, legal)] = CHOOSE
    apart = hats().rollout(HATS, states, memories, actions)
    shared = hats().rollout(HATS, states, memories[0], actions)
    assert apart.scores.tolist() == shared.scores.tolist()


@pytest.mark.slow
def test_policies_can_join_a_running_game() -> None:
    """In a position that it has not followed, every policy plays legally to the end."""
    states = dealt(*range(6))
    for _ in range(12):
        hats().advance(HATS, states, hats().start(HATS, states), np.full(6, CHOOSE))
    for name in ("hat", "convention", "simple", "cheat", "random"):
        newcomers = team(RULES, (name,), "interpreted")
        results = newcomers.rollout([name] * 3, states, newcomers.start([name] * 3, states), np.full(6, CHOOSE))
        assert not results.illegal.any(), name
        assert (results.endings > 0).all(), name


def test_games_of_mixed_teams_continue_too() -> None:
    pair = team(RULES, ("convention", "hat"), "interpreted")
    lineup = ["hat", "convention", "hat"]
    played = pair.play(lineup, 0, 0, 2)
    states = dealt(0)
    rolled = pair.rollout(lineup, states, pair.start(lineup, states), np.array([CHOOSE]))
    assert (rolled.scores[0], rolled.turns[0]) == (played.scores[0], played.turns[0])


def test_invalid_positions_memories_and_actions_are_refused() -> None:
    states = dealt(0, 1)
    memories, actions = hats().start(HATS, states), np.full(2, CHOOSE)
    wrong = states.copy()
    wrong[0, 3] = 255
    for positions in (wrong, states[:, :-1], states.astype(int), states.tolist()):
        with pytest.raises(MalformedError, match="Positions are rows"):
            hats().rollout(HATS, positions, memories, actions)
    with pytest.raises(MalformedError, match="Memories are whole numbers"):
        hats().advance(HATS, states, memories[:1], actions)
    with pytest.raises(MalformedError, match="Actions are whole numbers"):
        hats().rollout(HATS, states, memories, actions[:1])
