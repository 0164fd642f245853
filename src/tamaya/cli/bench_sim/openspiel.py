"""OpenSpiel's Hanabi, driven from Python as its users do: the C++ of DeepMind's environment behind it.

Every card is drawn with the chance that OpenSpiel gives it. A long game needs to know one's own cards, which costs a loop
outside OpenSpiel more than the game itself; so it plays long games that were recorded before: decks and actions are handed
to it, it is asked for what a player would ask, and choosing costs it nothing.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from itertools import cycle
from typing import Any

from tamaya.cli.bench_sim.measuring import Loop
from tamaya.cli.bench_sim.recorded import Recorded, recorded_games

RECORDED = 64

Look = Callable[[Any], object]
LOOKS: Mapping[str, Look | None] = {
    "raw": None,
    "mask": lambda state: state.legal_actions_mask(),
    "canonical": lambda state: state.observation_tensor(state.current_player()),
}


def openspiel_game(players: int) -> Any:
    """Their game, or nothing where OpenSpiel is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    return pyspiel.load_game("hanabi", {"players": players})


def openspiel_loop(players: int, play: str = "random", mode: str = "raw") -> Loop | None:
    """A loop that plays a game at a time, or nothing where OpenSpiel is not installed."""
    hanabi, look = openspiel_game(players), LOOKS[mode]
    if hanabi is None:
        return None
    if play == "random":
        return lambda choice: play_random(hanabi, choice, look)
    waiting = cycle(recorded_games(players, play, RECORDED))

    def replayed(_: random.Random) -> int:
        game = next(waiting)
        replay(hanabi, game, look)
        return len(game.actions)

    return replayed


def play_random(hanabi: Any, choice: random.Random, look: Look | None = None) -> int:
    """Play a game of random legal actions; returns how many."""
    state, moves = hanabi.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            cards, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(choice.choices(cards, chances)[0])
            continue
        if look:
            look(state)
        state.apply_action(choice.choice(state.legal_actions()))
        moves += 1
    return moves


def replay(hanabi: Any, game: Recorded, look: Look | None = None) -> Any:
    """Play a recorded game again and return their state at its end."""
    state, cards, actions = hanabi.new_initial_state(), iter(game.deck), iter(game.actions)
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(next(cards))
            continue
        if look:
            look(state)
        state.legal_actions()
        state.apply_action(next(actions))
    return state
