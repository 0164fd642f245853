"""What the clues of a policy mean in practice: statistics of the receivers' next turns, over many games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tamaya.engine import Clued, Discarded, Event, Game, Played
from tamaya.rules import VALUES, Rules
from tamaya.sim.deals import seed_of
from tamaya.sim.team import team

GAMES_AT_A_TIME = 1000
"""The number of games that are played before they are analysed."""


@dataclass
class ClueResponses:
    """What the receivers of one kind of clue did next. Slots count from 0, the oldest card."""

    given: int = 0
    plays: Counter[int] = field(default_factory=Counter)
    discards: Counter[int] = field(default_factory=Counter)
    clues: int = 0
    touched: int = 0
    """Plays of a card that the clue touched."""
    placed: int = 0
    """Plays of a card that fitted."""

    def add(self, clue: Clued, reply: Event) -> None:
        """Count a clue, and its receiver's next turn."""
        self.given += 1
        if isinstance(reply, Played):
            self.plays[reply.slot] += 1
            self.touched += reply.slot in clue.slots
            self.placed += reply.placed
        elif isinstance(reply, Discarded):
            self.discards[reply.slot] += 1
        else:
            self.clues += 1

    def row(self, clue: str, slots: int) -> dict[str, Any]:
        """The shares of each response, for programs and for tables."""
        plays = self.plays.total()

        def share(count: int, of: int) -> float | None:
            return round(count / of, 4) if of else None

        return {
            "clue": clue,
            "given": self.given,
            "plays": [share(self.plays[slot], self.given) for slot in range(slots)],
            "discards": share(self.discards.total(), self.given),
            "clues": share(self.clues, self.given),
            "touched": share(self.touched, plays),
            "placed": share(self.placed, plays),
        }


def probe(seats: Sequence[str], rules: Rules, seed: int, games: int, speed: str = "compiled") -> list[dict[str, Any]]:
    """A row for each clue, colours first: how often it was given, and what the receiver did on their next turn, if any."""
    lined_up = tuple(seats)
    players = team(rules, tuple(dict.fromkeys(lined_up)), speed)
    replies: dict[str, ClueResponses] = {str(hint): ClueResponses() for hint in (*rules.named_colours, *VALUES)}
    for first in range(0, games, GAMES_AT_A_TIME):
        last = min(first + GAMES_AT_A_TIME, games)
        played = players.play(lined_up, seed, first, last, recorded=True)
        for number in range(first, last):
            actions = played.actions[number - first, : played.turns[number - first]].tolist()
            _watch(Game(rules, seed=seed_of(seed, number)), actions, replies)
    return [found.row(clue, rules.hand_size) for clue, found in replies.items()]


def _watch(game: Game, actions: list[int], replies: dict[str, ClueResponses]) -> None:
    """Replay a game, and record the response to each clue."""
    waiting: dict[int, list[Clued]] = {}
    for action in actions:
        event = game.act(action)
        for clue in waiting.pop(event.seat, ()):
            replies[str(clue.hint)].add(clue, event)
        if isinstance(event, Clued):
            waiting.setdefault(event.target, []).append(event)
