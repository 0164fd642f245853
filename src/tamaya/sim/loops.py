"""Loops over the games of a batch, from a first to before a last one, so that threads can share a batch out."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from tamaya.bots.policy import Sees
from tamaya.bots.registry import find_blueprint
from tamaya.engine.kernel import Kernel, build
from tamaya.engine.kernel.ending import LOST
from tamaya.engine.layout import ENDED, LAST_ACTION, RUNNING, SEAT
from tamaya.rules import Rules
from tamaya.sim.driver import CHOOSE, Driver, build_driver, build_players, shares_memory
from tamaya.sim.encoding import build_expand, find_encoder
from tamaya.sim.resampling import build_resampling
from tamaya.sim.speeds import Loop, Speed, speed
from tamaya.sim.turns import build_turns


class Playing(NamedTuple):
    """The loops of some policies, and how much memory they need."""

    driver: Driver
    begin: Loop
    """Let everybody prepare for every game as it stands."""
    play: Loop
    """Let the policies take so many turns in every game, new games following on old ones; count how games ended."""
    step: Loop
    """Take the given action in every game, then let the policies move until it is again the turn of somebody else."""


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
            self._playing[names, alone] = self._build_playing(names, alone)
        return self._playing[names, alone]

    def _build_playing(self, names: tuple[str, ...], alone: bool) -> Playing:
        speed, kernel, turns, key = self.speed, self.kernel, self.turns, f"{self.rules} {'+'.join(names)}"
        blueprints = [find_blueprint(name) for name in names]
        # Policies that look at the state itself are a few lines, and become part of the loop.
        jit = speed.jit if all(blueprint.sees is Sees.STATE for blueprint in blueprints) else speed.call
        players = build_players([blueprint.policy(kernel, jit, speed.constants) for blueprint in blueprints], speed.paste)
        driver = build_driver(kernel, turns, blueprints, players, speed, alone and shares_memory(blueprints))
        lost, kept, memories = self.rules.maximum + 1, driver.kept, driver.memories
        begin, take_turn = driver.begin, driver.take_turn

        @speed.jit
        def copy_kept(source: Any, target: Any) -> None:
            for place in range(memories):
                for word in range(kept):
                    target[place][word] = source[place][word]

        def begin_games(states: Any, kept_memories: Any, memory: Any, sights: Any, seats: Any, first: int, last: int) -> None:
            for game in range(first, last):
                begin(states[game], seats, memory, sights)
                copy_kept(memory, kept_memories[game])

        def play_games(
            states: Any, seeds: Any, masks: Any, kept_memories: Any, memory: Any, sights: Any, after: Any, seats: Any,
            tally: Any, first: int, last: int, games: int, turns_left: int,
        ) -> int:  # fmt: skip
            faults = 0
            for game in range(first, last):
                state, seed, mask = states[game], seeds[game], masks[game]
                copy_kept(kept_memories[game], memory)
                for _ in range(turns_left):
                    ended, score, _earned, refused = take_turn(state, seed, mask, seats, memory, sights, after, CHOOSE, True)
                    faults += refused
                    if ended != RUNNING:
                        tally[score] += 1
                        if ended >= LOST:
                            tally[lost] += 1
                    if state[ENDED] != RUNNING:
                        turns.renew(state, seed, games)
                        begin(state, seats, memory, sights)
                    kernel.legal(state, mask)
                copy_kept(memory, kept_memories[game])
            return faults

        def step_with_partners(
            states: Any, seeds: Any, masks: Any, kept_memories: Any, memory: Any, sights: Any, after: Any, seats: Any,
            chosen: Any, rewards: Any, endings: Any, scores: Any, illegal: Any, first: int, last: int, games: int,
            acts: bool, goes_on: bool, replaces: bool, at_the_end: bool, fine: float,
        ) -> int:  # fmt: skip
            faults = 0
            for game in range(first, last):
                state, seed, mask = states[game], seeds[game], masks[game]
                copy_kept(kept_memories[game], memory)
                ended, score, earned, refused = 0, 0, 0, 0
                if acts:
                    ended, score, earned, refused = take_turn(
                        state, seed, mask, seats, memory, sights, after, chosen[game] + 0, replaces
                    )
                    chosen[game] = state[LAST_ACTION]
                while True:
                    while state[ENDED] == RUNNING and seats[state[SEAT]] >= 0:
                        kernel.legal(state, mask)
                        an_end, worth, gain, fault = take_turn(state, seed, mask, seats, memory, sights, after, CHOOSE, True)
                        faults += fault
                        if acts and ended == RUNNING:
                            ended, score, earned = an_end, worth, earned + gain
                    if state[ENDED] == RUNNING or not goes_on:
                        break
                    turns.renew(state, seed, games)
                    begin(state, seats, memory, sights)
                kernel.legal(state, mask)
                copy_kept(memory, kept_memories[game])
                if acts:
                    endings[game] = ended
                    illegal[game] = refused
                    if ended != RUNNING:
                        scores[game] = score
                    rewards[game] = turns.reward(ended, score, earned, refused, at_the_end, fine)
            return faults

        return Playing(driver, *(speed.loop(loop, key) for loop in (begin_games, play_games, step_with_partners)))

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
