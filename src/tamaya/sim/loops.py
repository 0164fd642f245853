"""Loops over the games of a batch, from a first to before a last one, so that threads can share a batch out."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any

from tamaya.bots.encoding import build_expand, find_encoder
from tamaya.engine.kernel import Kernel, build
from tamaya.engine.layout import ENDED, RUNNING, SEAT
from tamaya.rules import Rules
from tamaya.sim.playing import Playing, build_playing
from tamaya.sim.resampling import build_resampling
from tamaya.sim.speeds import Loop, Speed, speed
from tamaya.sim.turns import build_turns


class Loops:
    """The loops for one set of rules at one speed; each is made when it is first asked for."""

    def __init__(self, rules: Rules, speed: Speed) -> None:
        self.rules, self.speed = rules, speed
        self.kernel: Kernel = build(rules, speed.jit)
        self.turns = build_turns(self.kernel, speed.jit)
        self._playing: dict[tuple[tuple[str, ...], bool], Playing] = {}
        self._observes: dict[tuple[str, str], Any] = {}
        self._resamples: dict[bool, Loop] = {}

    @cached_property
    def deal(self) -> Any:
        """Deal every game by its seed."""
        deal, legal = self.kernel.deal, self.kernel.legal

        def deal_games(states: Any, seeds: Any, masks: Any, first: int, last: int) -> None:
            for game in range(first, last):
                seed = seeds[game]
                deal(states[game], seed[0], seed[1])
                legal(states[game], masks[game])

        return self.speed.loop(deal_games, str(self.rules))

    @cached_property
    def begin(self) -> Any:
        """Begin every game with the deck that lies in it."""
        begin, legal = self.kernel.begin, self.kernel.legal

        def begin_games(states: Any, masks: Any, first: int, last: int) -> None:
            for game in range(first, last):
                begin(states[game])
                legal(states[game], masks[game])

        return self.speed.loop(begin_games, str(self.rules))

    @cached_property
    def mark_legal(self) -> Any:
        """Mark the legal actions of every game, where states came from elsewhere."""
        legal = self.kernel.legal

        def mark_legal(states: Any, masks: Any, first: int, last: int) -> None:
            for game in range(first, last):
                legal(states[game], masks[game])

        return self.speed.loop(mark_legal, str(self.rules))

    @cached_property
    def find_illegal(self) -> Any:
        """The first game whose action is not legal, or the last where all are; finished games take any."""
        actions = self.kernel.layout.actions

        def find_illegal(states: Any, masks: Any, chosen: Any, first: int, last: int) -> int:
            for game in range(first, last):
                action = chosen[game]
                if states[game][ENDED] == RUNNING and (action < 0 or action >= actions or not masks[game][action]):
                    return game
            return last

        return self.speed.loop(find_illegal, str(self.rules))

    @cached_property
    def step(self) -> Any:
        """Take the chosen action in every game."""
        take_turn, reward = self.turns.take_turn, self.turns.reward

        def step_games(
            states: Any, seeds: Any, masks: Any, chosen: Any, rewards: Any, endings: Any, scores: Any, illegal: Any,
            first: int, last: int, games: int, goes_on: bool, replaces: bool, at_the_end: bool, fine: float,
        ) -> None:  # fmt: skip
            for game in range(first, last):
                ended, score, earned, refused = take_turn(
                    states[game], seeds[game], masks[game], chosen[game] + 0, games, goes_on, replaces
                )
                endings[game] = ended
                illegal[game] = refused
                if ended != RUNNING:
                    scores[game] = score
                rewards[game] = reward(ended, score, earned, refused, at_the_end, fine)

        return self.speed.loop(step_games, str(self.rules))

    def playing(self, names: tuple[str, ...], alone: bool) -> Playing:
        """The loops of these policies, which play `alone`, or with somebody who gives the actions of other seats."""
        if (names, alone) not in self._playing:
            self._playing[names, alone] = build_playing(self.rules, self.kernel, self.turns, self.speed, names, alone)
        return self._playing[names, alone]

    def observe(self, encoder: str, kind: str) -> Any:
        """Write what a seat sees in every game, the one to move where the seat is negative."""
        if (encoder, kind) not in self._observes:
            found, jit, constants = find_encoder(encoder, kind), self.speed.jit, self.speed.constants
            sections, players = found.sections(self.kernel.layout), self.rules.players
            encode = found.build(self.kernel, sections, jit, constants)
            expand = build_expand(sections.size, kind, jit, constants)
            refines = found.refine is not None
            believe: Any = found.refine(self.kernel, sections, jit, constants) if found.refine else expand

            def observe_games(states: Any, words: Any, counts: Any, out: Any, seat: int, first: int, last: int) -> None:
                for game in range(first, last):
                    state = states[game]
                    observer = (state[SEAT] if seat < 0 else seat) % players
                    encode(state, observer, words)
                    expand(words, out[game])
                    if refines:
                        believe(state, observer, counts, out[game])

            self._observes[encoder, kind] = self.speed.loop(observe_games, f"{self.rules} {encoder} {kind}")
        return self._observes[encoder, kind]

    def resample(self, deck: bool) -> Loop:
        """Deal anew what a seat cannot see in every game: the hand, and with it the deck or not."""
        if deck not in self._resamples:
            resampling, players = build_resampling(self.kernel, self.speed.jit), self.rules.players
            resample = resampling.resample if deck else resampling.resample_hand

            def resample_games(states: Any, seeds: Any, seat: int, first: int, last: int) -> None:
                for game in range(first, last):
                    state, seed = states[game], seeds[game]
                    resample(state, (state[SEAT] if seat < 0 else seat) % players, seed[0], seed[1])

            self._resamples[deck] = self.speed.loop(resample_games, str(self.rules))
        return self._resamples[deck]


@lru_cache(maxsize=256)
def loops(rules: Rules, name: str) -> Loops:
    """The loops for these rules at the speed of that name, built once."""
    return Loops(rules, speed(name))
