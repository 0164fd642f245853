"""The Gymnasium vector environment: each step takes the turn of the seat to move in every game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from tamaya.rules import IllegalError, MalformedError, Rules, say
from tamaya.rules.ruleset import checked_rules
from tamaya.sim import validation
from tamaya.sim.batch import Snapshot
from tamaya.sim.environments.config import EnvironmentConfig, Observation, closed, not_reset
from tamaya.sim.threads import Array


class HanabiVectorEnv(VectorEnv[Observation, Array, Array]):
    """Hanabi for Gymnasium: a batch of games in which the seats take turns, and each step is the turn of the seat to move.

    When a game is over, ``autoreset_mode`` says when the next one is dealt: with the following step, whose action for that game
    is ignored (``NextStep``); at once, with the last observation in the infos (``SameStep``); or when ``reset`` is called with
    a ``reset_mask`` (``Disabled``). Rewards, illegal actions and observations are as in
    `tamaya.sim.environments.HanabiEnvironment`. ``partners`` are policies by seat number, ``{1: "hat"}``, that move within each
    step, so that the turn is always another seat's. Without ``copy``, observations and masks are the same arrays at each step.
    """

    def __init__(
        self,
        rules: Rules | None = None,
        num_envs: int = 1,
        *,
        threads: int = 1,
        encoder: str = "canonical",
        kind: str = "uint8",
        rewards: str = "difference",
        illegal: str = "raise",
        penalty: float = -1.0,
        copy: bool = True,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        speed: str = "compiled",
        partners: Mapping[int, str] | None = None,
    ) -> None:
        super().__init__()
        mode_name = autoreset_mode.value if isinstance(autoreset_mode, AutoresetMode) else autoreset_mode
        self._mode = AutoresetMode(validation.one_of("autoreset_mode", mode_name, [mode.value for mode in AutoresetMode]))
        self._config = EnvironmentConfig(checked_rules(rules), encoder, kind, rewards, illegal, penalty, speed, partners or {})
        self._batch = self._config.batch(num_envs, threads)
        self._copy, self._begun = bool(copy), False
        self.rules, self.num_envs, self.threads = self._config.rules, self._batch.games, self._batch.threads
        self.metadata = {"name": "tamaya_hanabi_v0", "render_modes": [], "autoreset_mode": self._mode}
        self.single_observation_space = self._config.space()
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.single_action_space = Discrete(self._config.layout.actions)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._box = self._config.observation_box()
        self._rows: Array = np.zeros((self.num_envs, *self._box.shape), self._box.dtype)

    # Turns.

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """Start the games of a seed, or the next games; with the ``decks`` in the options, in the games of its
        ``reset_mask``."""
        self._check_open()
        decks, where = self._checked_options(options)
        if isinstance(decks, Iterable) and not isinstance(decks, np.ndarray):
            decks = [self._config.deck(deck) for deck in decks]
        self._batch.deal(seed, decks=decks, places=where)
        super().reset(seed=None if seed is None else int(seed))
        self._begun = True
        return self.observe(), self._to_move()

    def _checked_options(self, options: dict[str, Any] | None) -> tuple[Any, Array]:
        """The decks and the mask in the options; other options are refused."""
        given = {} if options is None else options
        if not isinstance(given, dict) or not set(given) <= {"decks", "reset_mask"}:
            known, wrong = ("decks", "reset_mask"), repr(options)[:80]
            raise MalformedError("bad_options", say("Options are {known}; these are {given}.", known=known, given=wrong))
        where = given.get("reset_mask")
        mask = np.ones(self.num_envs, bool) if where is None else validation.as_array(where)
        if mask.dtype != bool or mask.shape != (self.num_envs,):
            message = say("A reset_mask says yes or no for each of {games} games.", games=self.num_envs)
            raise MalformedError("bad_options", message)
        return given.get("decks"), mask

    def step(self, actions: Array) -> tuple[Observation, Array, Array, Array, dict[str, Any]]:
        """Take the turn of the seat to move in every game."""
        self._check_begun()
        over = ~self._batch.running
        if self._mode is AutoresetMode.DISABLED and over.any():
            raise still_over(int(over.argmax()))
        self._batch.step(actions)
        ended = self._batch.endings != 0
        rewards, infos = self._batch.rewards.copy(), self._outcomes(ended) | self._to_move()
        if self._mode is AutoresetMode.SAME_STEP:
            over = ~self._batch.running
            if ended.any():
                infos |= self._finals(ended, infos)
        if self._mode is not AutoresetMode.DISABLED and over.any():
            self._batch.deal(places=over)
        return self.observe(), rewards, ended, np.zeros(self.num_envs, bool), infos | self._to_move()

    def _to_move(self) -> dict[str, Any]:
        return {"to_move": self._batch.to_move, "_to_move": np.ones(self.num_envs, bool)}

    def _outcomes(self, ended: Array) -> dict[str, Any]:
        """The results of the actions, each with a mask of the games that it applies to."""
        illegal = self._batch.illegal.astype(bool)
        infos = {
            "illegal": illegal,
            "_illegal": np.ones(self.num_envs, bool),
            "score": np.where(ended, self._batch.scores, 0),
            "_score": ended.copy(),
        }
        if self._config.illegal == "mask" and illegal.any():
            taken = np.where(illegal, self._batch.taken, 0)
            infos |= {"taken": taken.astype(np.int64), "_taken": illegal.copy()}
        return infos

    def _finals(self, ended: Array, infos: dict[str, Any]) -> dict[str, Any]:
        """The last observations of games that ended, and the results of their last actions."""
        rows = self._batch.observe(self._config.encoder, kind=self._config.kind, places=ended)
        finals = np.full(self.num_envs, None, object)
        for place, row in zip(np.flatnonzero(ended), rows, strict=True):
            finals[place] = {"observation": row, "action_mask": self._batch.legal[place].astype(np.int8)}
        about = {name: value & ended if name[0] == "_" else value.copy() for name, value in infos.items()}
        return {"final_obs": finals, "_final_obs": ended.copy(), "final_info": about, "_final_info": ended.copy()}

    # Looking.

    def observe(self) -> Observation:
        """What the seat to move sees in every game, and its legal actions; there are none in a game that is over."""
        self._check_begun()
        out = None if self._copy else self._rows
        rows = self._batch.observe(self._config.encoder, kind=self._config.kind, out=out)
        mask = self._batch.legal.view(np.int8)
        return {"observation": rows, "action_mask": mask.copy() if self._copy else mask}

    # Snapshots and resampling.

    def get_state(self) -> Snapshot:
        """A snapshot of the position of every game."""
        self._check_begun()
        return self._batch.save()

    def set_state(self, saved: Snapshot) -> None:
        """Restore a snapshot of this environment or of another one with the same rules and size."""
        self._check_open()
        self._batch.restore(saved)
        self._begun = True

    def clone(self) -> HanabiVectorEnv:
        """An independent copy of the environment in the same positions."""
        self._check_open()
        choices = {"threads": self.threads, "copy": self._copy, "autoreset_mode": self._mode, **vars(self._config)}
        twin = HanabiVectorEnv(num_envs=self.num_envs, **choices)
        twin._batch = self._batch.clone()
        twin._begun = self._begun
        return twin

    def resample(self, seat: int | None = None, seed: int | None = None) -> None:
        """Resample what a seat cannot see, by default the one to move: any deal that agrees with all that it knows."""
        self._check_begun()
        self._batch.resample(seat, seed=seed)

    def close_extras(self, **_: Any) -> None:
        """Close the batch and its threads."""
        self._batch.close()

    # Checks.

    def _check_open(self) -> None:
        if self.closed:
            raise closed()

    def _check_begun(self) -> None:
        self._check_open()
        if not self._begun:
            raise not_reset()


def still_over(game: int) -> IllegalError:
    """The refusal to step a game that is over and waits for `reset`."""
    return IllegalError("game_over", say("Game {game} is over; call reset with a reset_mask for it.", game=game))
