"""Loops over the games of a batch, from a first to before a last one, so that threads can share a batch out."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any

from tamaya.engine.kernel import Kernel, build
from tamaya.engine.layout import ENDED, RUNNING, SEAT
from tamaya.rules import Rules
from tamaya.sim.choices import POLICIES
from tamaya.sim.encoding import build_expand, find_encoder
from tamaya.sim.resampling import build_resampling
from tamaya.sim.speeds import Speed, speed
from tamaya.sim.turns import LOST, build_turns


class Loops:
    """The loops for one set of rules at one speed; each is made when it is first asked for."""

    def __init__(self, rules: Rules, speed: Speed) -> None:
        self.rules, self.speed = rules, speed
        self.kernel: Kernel = build(rules, speed.jit)
        self.turns = build_turns(rules, self.kernel, speed.jit)
        self._plays: dict[str, Any] = {}
        self._observes: dict[tuple[str, str], Any] = {}

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

    def play(self, policy: str) -> Any:
        """Let a policy take so many turns in every game, new games following on old ones; count how games ended."""
        if policy not in self._plays:
            choose, take_turn = POLICIES[policy](self.kernel, self.speed.jit), self.turns.take_turn
            lost = self.rules.maximum + 1

            def play_games(
                states: Any, seeds: Any, masks: Any, tally: Any, first: int, last: int, games: int, turns: int
            ) -> None:
                for game in range(first, last):
                    state, seed, mask = states[game], seeds[game], masks[game]
                    for _ in range(turns):
                        action = choose(state, mask, seed[0] + 0, seed[1] + 0)
                        ended, score, _earned, _refused = take_turn(state, seed, mask, action, games, True, False)
                        if ended != RUNNING:
                            tally[score] += 1
                            if ended >= LOST:
                                tally[lost] += 1

            self._plays[policy] = self.speed.loop(play_games, f"{self.rules} {policy}")
        return self._plays[policy]

    def observe(self, encoder: str, kind: str) -> Any:
        """Write what a seat sees in every game, the one to move where the seat is negative."""
        if (encoder, kind) not in self._observes:
            found, jit, table = find_encoder(encoder, kind), self.speed.jit, self.speed.table
            sections, players = found.sections(self.kernel.layout), self.rules.players
            encode = found.build(self.kernel, sections, jit, table)
            expand = build_expand(sections.size, kind, jit, table)
            refines = found.refine is not None
            believe: Any = found.refine(self.kernel, sections, jit, table) if found.refine else expand

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

    @cached_property
    def resample(self) -> Any:
        """Deal anew what a seat cannot see in every game."""
        resample, players = build_resampling(self.kernel, self.speed.jit).resample, self.rules.players

        def resample_games(states: Any, seeds: Any, seat: int, first: int, last: int) -> None:
            for game in range(first, last):
                state, seed = states[game], seeds[game]
                resample(state, (state[SEAT] if seat < 0 else seat) % players, seed[0], seed[1])

        return self.speed.loop(resample_games, str(self.rules))


@lru_cache(maxsize=256)
def loops(rules: Rules, name: str) -> Loops:
    """The loops for these rules at the speed of that name, built once."""
    return Loops(rules, speed(name))
