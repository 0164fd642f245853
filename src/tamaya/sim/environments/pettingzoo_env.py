"""The PettingZoo environment: agents take turns; each sees its own view, and all get the same reward."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from gymnasium.spaces import Box, Discrete
from pettingzoo import AECEnv  # type: ignore[import-untyped]

from tamaya.bots.encoding import find_encoder
from tamaya.engine import SeenCard, View
from tamaya.rules import Card, IllegalError, MalformedError, Rules, say
from tamaya.rules.ruleset import checked_rules
from tamaya.sim import validation
from tamaya.sim.batch import Snapshot
from tamaya.sim.environments.config import EnvironmentConfig, Observation, closed, not_reset
from tamaya.sim.threads import Array

RENDER_MODES = ("ansi", "human")


class HanabiEnvironment(AECEnv):  # type: ignore[misc]
    """Hanabi for PettingZoo, under any rules.

    An agent observes what its seat may see, and the mask of its legal actions, which is empty while others move: another
    player's legal actions would reveal its own cards. ``rewards`` are the ``difference`` that a turn makes to the score or the
    ``final`` score at the end, the same for all agents. An ``illegal`` action is refused with an error and changes nothing
    (``raise``), is replaced by any legal one (``mask``), or changes nothing but gives the agent the ``penalty``, and it is
    still its turn (``penalise``). ``infos`` tell an agent whether its own last action was ``illegal`` and what was ``taken`` in
    its place, and all agents the ``score`` at the end.

    ``partners`` are policies by seat number, ``{1: "hat"}``. They are not agents: they move within each step of an agent.

    With one game per step, compiling pays only after tens of thousands of turns; ``speed="compiled"`` enables it.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "tamaya_hanabi_v0",
        "render_modes": list(RENDER_MODES),
        "render_fps": 1,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        rules: Rules | None = None,
        *,
        encoder: str = "canonical",
        kind: str = "uint8",
        rewards: str = "difference",
        illegal: str = "raise",
        penalty: float = -1.0,
        render_mode: str | None = None,
        speed: str = "interpreted",
        partners: Mapping[int, str] | None = None,
    ) -> None:
        super().__init__()
        if render_mode is not None:
            validation.one_of("render_mode", render_mode, RENDER_MODES)
        self.render_mode = render_mode
        self._config = EnvironmentConfig(checked_rules(rules), encoder, kind, rewards, illegal, penalty, speed, partners or {})
        self._batch = self._config.batch(1)
        self.rules = self._config.rules
        self._names = [f"player_{seat}" for seat in range(self.rules.players)]
        self.possible_agents = [name for seat, name in enumerate(self._names) if seat not in self._config.partners]
        self.agents: list[str] = []
        self.observation_spaces = {agent: self._config.space() for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(self._config.layout.actions) for agent in self.possible_agents}
        sections = (find_encoder(name, "uint8").sections(self._config.layout) for name in ("canonical", "own_hand"))
        self.state_space = Box(0, 1, (sum(section.size for section in sections),), np.uint8)
        self._begun = self._closed = False

    # Turns.

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start the first game of a seed, or the next game without one; with the ``deck`` in the options, top card first."""
        self._check_open()
        deck = (options or {}).get("deck")
        self._batch.deal(seed, decks=None if deck is None else [self._config.deck(deck)], places=[0])
        self._begin()

    def _begin(self) -> None:
        self._begun, self.agents = True, self.possible_agents.copy()
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {"illegal": False} for agent in self.agents}
        self._skip_agent_selection: str | None = None
        self._pass_turn()

    def _pass_turn(self) -> None:
        """Select the agent whose turn it is; at the end of the game, all agents in turn."""
        mover = self._names[self._batch.to_move[0]]
        self.agent_selection: str = mover if mover in self.possible_agents else self.possible_agents[0]
        if not self._batch.running[0]:
            self.terminations = dict.fromkeys(self.agents, True)
            score = self._batch.game(0).score
            self.infos = {agent: {**info, "score": score} for agent, info in self.infos.items()}
            self._deads_step_first()

    def step(self, action: int | None) -> None:
        """Take the selected agent's turn; the action is None if its game is over."""
        self._check_playing()
        agent = self.agent_selection
        if self.terminations[agent]:
            if action is not None:
                raise IllegalError("game_over", say("The game is over: step with None, or call reset."))
            self._was_dead_step(action)
            return
        reward = float(self._batch.step([action])[0])
        illegal = bool(self._batch.illegal[0])
        nothing_done = illegal and self._config.illegal == "penalise"
        self._cumulative_rewards[agent] = 0.0
        self.rewards = {each: reward if each == agent or not nothing_done else 0.0 for each in self.agents}
        self._accumulate_rewards()
        self.infos[agent] = {"illegal": illegal}
        if illegal and not nothing_done:
            self.infos[agent]["taken"] = int(self._batch.taken[0])
        self._pass_turn()
        if self.render_mode == "human":
            self.render()

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        """Iterate over the agents in turn order."""
        self._check_begun()
        return super().agent_iter(max_iter)

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """What the selected agent observes, its reward since it last moved, whether its game is over, and its info."""
        self._check_playing()
        return super().last(observe)  # type: ignore[no-any-return]

    # Looking.

    def observation_space(self, agent: str) -> Any:
        """The space of an agent's observations and masks."""
        return self.observation_spaces[self._names[self._seat(agent)]]

    def action_space(self, agent: str) -> Any:
        """The numbers of the actions."""
        return self.action_spaces[self._names[self._seat(agent)]]

    def observe(self, agent: str) -> Observation:
        """What an agent sees; allowed at any time, even after the end."""
        self._check_begun()
        seat, config = self._seat(agent), self._config
        mask = self._batch.legal[0].astype(np.int8)
        if self._batch.to_move[0] != seat:
            mask[:] = 0
        return {"observation": self._batch.observe(config.encoder, kind=config.kind, seat=seat)[0], "action_mask": mask}

    def state(self) -> Array:
        """All hands for centralised training: the canonical observation of the seat to move, then its own cards; no deck."""
        self._check_begun()
        mover = int(self._batch.to_move[0])
        return np.concatenate([self._batch.observe(name, seat=mover)[0] for name in ("canonical", "own_hand")])

    def render(self) -> str | None:
        """The table as the selected agent sees it: as text (``ansi``), or printed (``human``)."""
        self._check_begun()
        if self.render_mode is None:
            allowed = say("This environment draws nothing; make it with a render_mode: {allowed}.", allowed=RENDER_MODES)
            raise MalformedError("no_render_mode", allowed)
        layout = self._config.layout
        counts = self._batch.save().states[0, layout.discards : layout.deck].tolist()
        discards = [card for card, count in zip(self.rules.cards, counts, strict=True) for _ in range(count)]
        view = self._batch.game(0).view(self._seat(self.agent_selection))
        text = draw(view, discards, self._names)
        if self.render_mode == "ansi":
            return text
        print(text, end="\n\n")
        return None

    # Snapshots and resampling.

    def get_state(self) -> Snapshot:
        """A snapshot of the position."""
        self._check_begun()
        return self._batch.save()

    def set_state(self, saved: Snapshot) -> None:
        """Restore a snapshot of this environment or of another one with the same rules; rewards count from there."""
        self._check_open()
        self._batch.restore(saved)
        self._begin()

    def clone(self) -> HanabiEnvironment:
        """An independent copy of the environment in the same position."""
        self._check_open()
        twin = HanabiEnvironment(render_mode=self.render_mode, **vars(self._config))
        twin._batch = self._batch.clone()
        if self._begun:
            twin._begin()
            twin.agents, twin.agent_selection = self.agents.copy(), self.agent_selection
            twin._skip_agent_selection = self._skip_agent_selection
            twin.rewards, twin._cumulative_rewards = self.rewards.copy(), self._cumulative_rewards.copy()
            twin.terminations, twin.truncations = self.terminations.copy(), self.truncations.copy()
            twin.infos = {agent: info.copy() for agent, info in self.infos.items()}
        return twin

    def resample(self, agent: str | None = None, seed: int | None = None) -> None:
        """Resample what an agent cannot see, by default the selected one: any deal that agrees with all that it knows."""
        self._check_begun()
        self._batch.resample(self._seat(self.agent_selection if agent is None else agent), seed=seed)

    def close(self) -> None:
        """Close the environment; it cannot be used afterwards."""
        self._batch.close()
        self._closed = True

    # Checks.

    def _seat(self, agent: object) -> int:
        return self._names.index(validation.one_of("agent", agent, self.possible_agents))

    def _check_open(self) -> None:
        if self._closed:
            raise closed()

    def _check_begun(self) -> None:
        self._check_open()
        if not self._begun:
            raise not_reset()

    def _check_playing(self) -> None:
        self._check_begun()
        if not self.agents:
            raise IllegalError("game_over", say("The game is over and every agent is done; call reset."))


# Rendering.


def draw(view: View, discards: Sequence[Card], names: Sequence[str]) -> str:
    """The table as one player sees it: fireworks, discards, then every hand with its clues below, the viewer's last."""
    first = view.seat or 0
    seats = [(first + distance) % view.rules.players for distance in range(1, view.rules.players + 1)]
    width = max(map(len, (*names, "fireworks"))) + 2
    rows = [
        ("fireworks", [f"{colour.letter}{height}" for colour, height in view.fireworks.items()]),
        ("discards", [str(card) for card in discards] or ["-"]),
    ]
    lines = [_heading(view, names), *(f"{name:{width}}{' '.join(words)}" for name, words in rows)]
    for seat in seats:
        lines += _hand(view.hands[seat], names[seat], width)
    return "\n".join(lines)


def _heading(view: View, names: Sequence[str]) -> str:
    now = "over" if view.to_move is None else f"{names[view.to_move]} to move"
    rules = view.rules
    return (
        f"{now}; clue tokens {view.clue_tokens}/{rules.clue_tokens}, mistakes {view.mistakes}/{rules.mistakes}, "
        f"deck {view.deck_count}, points {view.points}"
    )


def _hand(hand: Sequence[SeenCard], name: str, width: int) -> list[str]:
    """Two lines: the cards, and under each what its owner was told about it."""
    faces = [str(seen.card) if seen.card else "??" for seen in hand]
    told = ["".join(colour.letter for colour in seen.colours) + "".join(map(str, seen.values)) for seen in hand]
    cells = [max(map(len, pair)) + 2 for pair in zip(faces, told, strict=True)]
    return [
        (f"{title:{width}}" + "".join(f"{word:{cell}}" for word, cell in zip(words, cells, strict=True))).rstrip()
        for title, words in ((name, faces), ("", told))
    ]


env = raw_env = HanabiEnvironment
"""PettingZoo's conventional names. There are no wrappers: the environment checks its own arguments."""
