"""OpenSpiel's hanabi, which is DeepMind's environment, with our rules and deals."""

from __future__ import annotations

import pyspiel

from tamaya import Rules

SETTINGS = [
    Rules(players=2, colours=3, hand_size=3, clue_tokens=5, mistakes=1),
    Rules(players=2, colours=2, hand_size=2, clue_tokens=3, mistakes=1),
    Rules(players=3, colours=1, hand_size=2, clue_tokens=2, mistakes=2),
    Rules(players=5, colours=4, hand_size=3, clue_tokens=10, mistakes=5),
]


def theirs(rules: Rules, **more: str) -> pyspiel.Game:
    return pyspiel.load_game(
        "hanabi",
        {
            "players": rules.players,
            "colors": rules.colours,
            "hand_size": rules.hand_size,
            "max_information_tokens": rules.clue_tokens,
            "max_life_tokens": rules.mistakes,
            **more,
        },
    )


def deal(state: pyspiel.State, deck: list[int]) -> None:
    """Make the chance player deal our deck."""
    while state.is_chance_node():
        state.apply_action(deck.pop(0))
