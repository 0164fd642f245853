"""Views: what one seat, a spectator, or the table after the game may know. Hidden information leaves a game here only.

A view is built by whitelist: each field below is included on purpose. It holds no reference to the game, so nothing else
can be found through it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, TypeVar

from tamaya.engine.events import Discarded, Event, Played, plain
from tamaya.engine.instances import Instance
from tamaya.engine.kernel import ending
from tamaya.engine.kernel.hands import hand_count
from tamaya.engine.layout import (
    CLUES,
    DRAWN,
    LAST_TURNS,
    MISTAKES,
    NAMED_COLOURS,
    NAMED_VALUES,
    NUMBER,
    POSSIBLE_COLOURS,
    POSSIBLE_VALUES,
    SEAT,
    SLOT,
    TURN,
    TURNED,
    layout_of,
)
from tamaya.rules import VALUES, Action, Card, Colour, Outcome, Rules

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SeenCard:
    """One card of a hand: its face where the viewer may see it, and what its owner was told about it.

    `colours` and `values` are those that the clues leave possible; `named_colours` and `named_values` are those that clues
    touching the card have named. `number` is the card's place in the deal: the newest card has the highest.
    """

    number: int
    card: Card | None
    colours: tuple[Colour, ...]
    values: tuple[int, ...]
    named_colours: tuple[Colour, ...]
    named_values: tuple[int, ...]
    turned: bool

    @property
    def clued(self) -> bool:
        """Whether any clue has touched the card."""
        return bool(self.named_colours or self.named_values)


@dataclass(frozen=True, slots=True)
class View:
    """A game as seen from `seat`, or by a spectator if that is None."""

    rules: Rules
    seat: int | None
    turn: int
    to_move: int | None
    clue_tokens: int
    mistakes: int
    deck_count: int
    last_turns: int
    fireworks: Mapping[Colour, int]
    reach: Mapping[Colour, int]
    points: int
    maximum: int
    hands: tuple[tuple[SeenCard, ...], ...]
    log: tuple[Event, ...]
    legal_actions: tuple[Action, ...]
    outcome: Outcome | None

    @property
    def hand(self) -> tuple[SeenCard, ...]:
        """The viewer's own hand; empty for a spectator."""
        return () if self.seat is None else self.hands[self.seat]

    def is_playable(self, card: Card) -> bool:
        """Whether a card continues its firework now."""
        return self.fireworks[card.colour] == card.value - 1

    @property
    def dead_fireworks(self) -> tuple[Colour, ...]:
        """The fireworks that can no longer be completed; `reach` says how far each can still get."""
        return tuple(colour for colour, height in self.reach.items() if height < len(VALUES))

    @property
    def discards(self) -> tuple[Card, ...]:
        """The discard pile, oldest card first."""
        return tuple(
            event.card for event in self.log if isinstance(event, Discarded) or (isinstance(event, Played) and not event.placed)
        )

    def to_json(self) -> dict[str, Any]:
        """The whole view as plain values, always in the same order."""
        derived = {"discards": plain(self.discards), "dead_fireworks": plain(self.dead_fireworks)}
        return {**plain(self), **derived}


@dataclass(frozen=True, slots=True)
class Eyes:
    """A viewer: the seat, if it is a player, and the seats whose cards are open to them."""

    seat: int | None
    open_seats: frozenset[int]


def make_view(
    functions: Instance,
    state: bytearray,
    viewer: Eyes,
    log: tuple[Event, ...],
    legal_actions: tuple[Action, ...],
    outcome: Outcome | None,
) -> View:
    """The view that these eyes have of a state."""
    rules, layout = functions.setting.rules, layout_of(functions.setting.rules)
    suits = range(layout.colours)
    return View(
        rules=rules,
        seat=viewer.seat,
        turn=state[TURN],
        to_move=None if outcome else state[SEAT],
        clue_tokens=state[CLUES],
        mistakes=state[MISTAKES],
        deck_count=layout.deck_size - state[DRAWN],
        last_turns=0 if outcome else state[LAST_TURNS],
        fireworks={rules.suits[suit]: state[layout.fireworks + suit] for suit in suits},
        reach={rules.suits[suit]: functions(ending.reach)(state, suit) for suit in suits},
        points=functions(ending.points)(state),
        maximum=functions(ending.maximum)(state),
        hands=tuple(_hand_of(functions, state, seat, seat in viewer.open_seats) for seat in range(rules.players)),
        log=log,
        legal_actions=legal_actions,
        outcome=outcome,
    )


def _hand_of(functions: Instance, state: bytearray, seat: int, open_to_viewer: bool) -> tuple[SeenCard, ...]:
    rules, layout = functions.setting.rules, layout_of(functions.setting.rules)
    start = layout.hands + seat * layout.hand_bytes
    slots = bytes(state[start : start + functions(hand_count)(state, seat) * SLOT])
    faces = bytes(state[layout.deck + number] for number in slots[NUMBER::SLOT]) if open_to_viewer else None
    return _hand(rules, slots, faces)


@lru_cache(maxsize=10_000)
def _hand(rules: Rules, slots: bytes, faces: bytes | None) -> tuple[SeenCard, ...]:
    """A hand, and the `faces` of its cards where they can be seen. Cached: most hands stay the same for some turns."""
    suits, values = _subsets(rules.suits), _subsets(VALUES)
    return tuple(
        SeenCard(
            number=slots[at + NUMBER],
            card=None if faces is None else rules.cards[faces[at // SLOT]],
            colours=suits[slots[at + POSSIBLE_COLOURS]],
            values=values[slots[at + POSSIBLE_VALUES]],
            named_colours=suits[slots[at + NAMED_COLOURS]],
            named_values=values[slots[at + NAMED_VALUES]],
            turned=bool(slots[at + TURNED]),
        )
        for at in range(0, len(slots), SLOT)
    )


@cache
def _subsets(items: tuple[T, ...]) -> tuple[tuple[T, ...], ...]:
    """Every subset of these, indexed by the number whose bits select it."""
    return tuple(tuple(item for place, item in enumerate(items) if bits >> place & 1) for bits in range(1 << len(items)))
