"""What is checked before compiled loops trust bytes: every position that games come to is taken. (What is refused:
`test_keeping.py`.)"""

import random

import numpy as np
import pytest

from tamaya import Game, Rules
from tamaya.engine.layout import layout_of
from tamaya.sim.validation import are_valid_states
from tests.sim.many import all_rules
from tests.tables import careful_action, moves_of_a_game, patient_action, random_action


@pytest.mark.slow
@pytest.mark.parametrize("rules", [*all_rules()[::5], Rules(players=5, hand_size=2, colours=2, clue_tokens=1)], ids=str)
def test_every_position_of_a_game_is_sound(rules: Rules) -> None:
    states = []
    for seed, style in enumerate([random_action, careful_action, patient_action] * 2):
        game = Game(rules, seed=seed)
        states.append(game.state)
        for _ in moves_of_a_game(game, random.Random(seed), style):
            states.append(game.state)
        assert game.outcome is not None
    assert are_valid_states(np.stack([np.frombuffer(state, np.uint8) for state in states]), layout_of(rules))
