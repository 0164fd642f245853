"""Beside OpenSpiel's hanabi, which is DeepMind's environment: the same observations, bit for bit."""

import numpy as np
import pytest
from open_spiel.python.observation import make_observation

from tamaya import Rules
from tamaya.sim import Batch
from tests.openspiel import SETTINGS, deal, theirs
from tests.sim.many import any_legal, decks_of
from tests.tables import FULL

pytestmark = pytest.mark.slow

STANDARD = [Rules(players=players) for players in (2, 3, 4, 5)]
NAMES = {"canonical": "card_knowledge", "minimal": "minimal"}
LENGTHS = {
    2: {"hands": 127, "board": 76, "discards": 50, "last_action": 55, "knowledge": 350},
    3: {"hands": 253, "board": 71, "discards": 50, "last_action": 57, "knowledge": 525},
    4: {"hands": 304, "board": 70, "discards": 50, "last_action": 57, "knowledge": 560},
    5: {"hands": 405, "board": 66, "discards": 50, "last_action": 59, "knowledge": 700},
}


class SideBySide:
    """The games of a batch and the same ones played by OpenSpiel."""

    def __init__(self, rules: Rules, games: int, seed: int, encoder: str, speed: str = "interpreted") -> None:
        self.encoder = encoder
        self.ours = Batch(rules, games, seed=seed, automatic=False, speed=speed)
        game = theirs(rules, observation_type=NAMES[encoder])
        self.states = [game.new_initial_state() for _ in range(games)]
        self.decks = [deck.tolist() for deck in decks_of(self.ours)]
        self.observation = make_observation(game)
        for state, deck in zip(self.states, self.decks, strict=True):
            deal(state, deck)

    def observations_are_the_same(self) -> bool:
        """Every seat's, and after the end too."""
        expected = np.empty((len(self.states), self.ours.sections(self.encoder).size), np.uint8)
        for seat in range(self.ours.rules.players):
            for row, state in zip(expected, self.states, strict=True):
                self.observation.set_from(state, seat)
                row[:] = self.observation.tensor
            if self.ours.observe(self.encoder, seat=seat).tobytes() != expected.tobytes():
                return False
        return True

    def legal_actions_are_the_same(self) -> bool:
        mask = np.zeros_like(self.ours.legal)
        for row, state in zip(mask, self.states, strict=True):
            row[[] if state.is_terminal() else state.legal_actions()] = 1
        return mask.tobytes() == self.ours.legal.tobytes()

    def step(self, actions: list[int]) -> None:
        before = [state.is_terminal() for state in self.states]
        rewards = self.ours.step(actions)
        for place, (state, action) in enumerate(zip(self.states, actions, strict=True)):
            if not before[place]:
                state.apply_action(action)
                assert state.rewards() == [rewards[place]] * self.ours.rules.players
                if not state.is_terminal():
                    deal(state, self.decks[place])

    def play_to_the_end(self, choice: np.random.Generator, patient: bool) -> int:
        """Compare everything on all moves; returns how many games reached the end of the deck."""
        while True:
            assert self.observations_are_the_same()
            assert self.legal_actions_are_the_same()
            assert self.ours.running.tolist() == [not state.is_terminal() for state in self.states]
            if not self.ours.running.any():
                break
            self.step(any_legal(self.ours, choice, patient).tolist())
        for state, score in zip(self.states, self.ours.scores, strict=True):
            assert state.returns() == [score] * self.ours.rules.players
        return sum(not deck for deck in self.decks)


@pytest.mark.parametrize("rules", STANDARD, ids=str)
def test_sections_have_the_published_lengths(rules: Rules) -> None:
    batch = Batch(rules, speed="interpreted")
    for encoder in NAMES:
        sections = batch.sections(encoder)
        assert (
            sections.size
            == theirs(rules, observation_type=NAMES[encoder]).observation_tensor_shape()[0]
            == batch.observe(encoder).shape[1]
        )
        lengths = {name: part.stop - part.start for name, part in sections.items()}
        assert lengths == {name: LENGTHS[rules.players][name] for name in lengths}
        assert [part.start for part in sections.values()] == [0, *np.cumsum(list(lengths.values()))[:-1]]
    assert batch.sections().size == {2: 658, 3: 956, 4: 1041, 5: 1280}[rules.players]


@pytest.mark.compiler
@pytest.mark.parametrize("patient", [False, True], ids=["random", "patient"])
@pytest.mark.parametrize("rules", STANDARD, ids=str)
def test_canonical_observations_rewards_and_legal_actions_are_theirs_on_all_moves(rules: Rules, patient: bool) -> None:
    games = (100 if patient else 400) * (2 if FULL else 1)
    finished = SideBySide(rules, games, 1, "canonical", "compiled").play_to_the_end(np.random.default_rng(1), patient)
    assert (finished > games // 2) == patient


@pytest.mark.parametrize("rules", STANDARD, ids=str)
def test_minimal_observations_are_theirs_on_all_moves(rules: Rules) -> None:
    SideBySide(rules, 60, 2, "minimal").play_to_the_end(np.random.default_rng(2), patient=False)
    SideBySide(rules, 15, 3, "minimal").play_to_the_end(np.random.default_rng(3), patient=True)


@pytest.mark.parametrize("encoder", NAMES)
@pytest.mark.parametrize("rules", SETTINGS, ids=str)
def test_observations_by_other_settings_that_both_know_are_the_same(rules: Rules, encoder: str) -> None:
    SideBySide(rules, 30, 4, encoder).play_to_the_end(np.random.default_rng(4), patient=False)
    SideBySide(rules, 30, 5, encoder).play_to_the_end(np.random.default_rng(5), patient=True)
