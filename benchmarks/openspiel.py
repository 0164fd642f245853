"""OpenSpiel's Hanabi, driven from Python as its users do: the C++ of DeepMind's environment.

Every card is drawn with OpenSpiel's probability. Long games need a player that knows its own cards, and asking OpenSpiel for
them from Python would cost more than the game itself. Therefore long games are recorded before and replayed: OpenSpiel is
given decks and actions and asked for what a player would ask, and choosing costs nothing.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import cycle
from typing import Any, NamedTuple

from benchmarks.measuring import POLICIES, Loop
from tamaya.bots import find_policy
from tamaya.bots.random_play import random_bits
from tamaya.engine.instances import Setting, instance_of
from tamaya.engine.kernel.deal import deal
from tamaya.engine.kernel.turn import apply, legal
from tamaya.engine.layout import ENDED, RUNNING, TURN, layout_of
from tamaya.rules import Rules
from tamaya.sim.deals import seed_of

RECORDED = 64
"""The number of long games to replay."""
SEED = 0
"""The seed of their deals."""

Look = Callable[[Any], object]
LOOKS: Mapping[str, Look | None] = {
    "raw": None,
    "mask": lambda state: state.legal_actions_mask(),
    "canonical": lambda state: state.observation_tensor(state.current_player()),
}


def openspiel_game(players: int) -> Any:
    """OpenSpiel's game; None if it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    return pyspiel.load_game("hanabi", {"players": players})


def openspiel_loop(players: int, play: str = "random", mode: str = "raw") -> Loop | None:
    """A loop that plays one game per call; None if OpenSpiel is not installed."""
    hanabi, look = openspiel_game(players), LOOKS[mode]
    if hanabi is None:
        return None
    if play == "random":
        return lambda choice: play_random(hanabi, choice, look)
    games = cycle(recorded_games(players, POLICIES[play], RECORDED))

    def replayed(_: random.Random) -> int:
        game = next(games)
        replay(hanabi, game, look)
        return len(game.actions)

    return replayed


def play_random(hanabi: Any, choice: random.Random, look: Look | None = None) -> int:
    """Play a game of random legal actions and return their number."""
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


def replay(hanabi: Any, game: RecordedGame, look: Look | None = None) -> Any:
    """Replay a recorded game and return OpenSpiel's final state."""
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


class RecordedGame(NamedTuple):
    """A finished game: its deck from the top, and the actions by number."""

    deck: tuple[int, ...]
    actions: tuple[int, ...]


@lru_cache(maxsize=16)
def recorded_games(players: int, policy: str, count: int) -> tuple[RecordedGame, ...]:
    """The first games of a batch with that seed and policy."""
    rules = Rules(players=players)
    layout, own = layout_of(rules), instance_of(Setting(rules))
    choose, games = own(find_policy(policy).choose), []
    for number in range(count):
        state, mask = bytearray(layout.size), bytearray(layout.actions)
        high, low = divmod(seed_of(SEED, number), 1 << 32)
        own(deal)(state, high, low)
        deck = tuple(state[layout.deck : layout.hands])
        actions = []
        while state[ENDED] == RUNNING:
            own(legal)(state, mask)
            actions.append(choose(state, state, mask, own(random_bits)(state[TURN], high, low)))
            own(apply)(state, actions[-1])
        games.append(RecordedGame(deck, tuple(actions)))
    return tuple(games)
