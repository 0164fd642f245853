"""Observations decoded into words by their documentation alone, and the same words from a `View`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from tamaya import Card, Rules, View
from tamaya.engine import Clued, Discarded, Played
from tamaya.rules import VALUES, Colour
from tamaya.sim.threads import Array

Words = dict[str, Any]
PLAY, DISCARD, COLOUR_CLUE, VALUE_CLUE = "play", "discard", "colour clue", "value clue"


class Cells:
    """A section, decoded piece by piece from its start."""

    def __init__(self, cells: Array) -> None:
        self._left: list[int] = cells.tolist()

    def take(self, count: int) -> list[int]:
        assert len(self._left) >= count
        taken, self._left = self._left[:count], self._left[count:]
        assert set(taken) <= {0, 1}
        return taken

    def some(self, things: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(thing for thing, cell in zip(things, self.take(len(things)), strict=True) if cell)

    def one(self, things: Sequence[Any]) -> Any:
        """The marked thing; None if none is."""
        found = self.some(things)
        assert len(found) <= 1
        return found[0] if found else None

    def count(self, most: int) -> int:
        """A number written in unary."""
        cells = self.take(most)
        assert cells == sorted(cells, reverse=True)
        return sum(cells)

    def end(self) -> None:
        assert self._left == []


def decoded(row: Array, sections: Mapping[str, slice], rules: Rules, seat: int) -> Words:
    """What an observation tells a seat."""
    parts = {name: Cells(row[part]) for name, part in sections.items()}
    seats = [(seat + distance) % rules.players for distance in range(rules.players)]
    words = {
        **_hands(parts["hands"], rules, seats),
        **_board(parts["board"], rules),
        "discards": _discards(parts["discards"], rules),
        **_last_action(parts["last_action"], rules, seats),
        **(_knowledge(parts["knowledge"], rules, seats) if "knowledge" in parts else {}),
    }
    for part in parts.values():
        part.end()
    return words


def _hands(cells: Cells, rules: Rules, seats: list[int]) -> Words:
    hands = {seat: [cells.one(rules.cards) for _ in range(rules.hand_size)] for seat in seats[1:]}
    return {"hands": hands, "short": set(cells.some(seats))}


def _board(cells: Cells, rules: Rules) -> Words:
    return {
        "deck": cells.count(rules.deck_size - rules.players * rules.hand_size),
        "fireworks": {colour: cells.one(VALUES) or 0 for colour in rules.suits},
        "clue tokens": cells.count(rules.clue_tokens),
        "lives": cells.count(rules.mistakes),
    }


def _discards(cells: Cells, rules: Rules) -> Counter[Card]:
    return +Counter({card: cells.count(rules.copies(card)) for card in rules.cards})


def _last_action(cells: Cells, rules: Rules, seats: list[int]) -> Words:
    slots = range(rules.hand_size)
    return {
        "actor": cells.one(seats),
        "action": cells.one([PLAY, DISCARD, COLOUR_CLUE, VALUE_CLUE]),
        "target": cells.one(seats),
        "colour": cells.one(rules.suits),
        "value": cells.one(VALUES),
        "touched": cells.some(slots),
        "slot": cells.one(slots),
        "card": cells.one(rules.cards),
        "placed": cells.one([True]),
        "gained": cells.one([True]),
    }


def _knowledge(cells: Cells, rules: Rules, seats: list[int]) -> Words:
    return {
        "told": {
            seat: [(cells.some(rules.cards), cells.some(rules.suits), cells.some(VALUES)) for _ in range(rules.hand_size)]
            for seat in seats
        }
    }


def said_by(view: View, with_knowledge: bool) -> Words:
    """The same words from a view."""
    rules, seat = view.rules, view.seat
    assert seat is not None
    seats = [(seat + distance) % rules.players for distance in range(rules.players)]
    return {
        "hands": {other: _filled([seen.card for seen in view.hands[other]], rules, None) for other in seats[1:]},
        "short": {other for other in seats if len(view.hands[other]) < rules.hand_size},
        "deck": view.deck_count,
        "fireworks": dict(view.fireworks),
        "clue tokens": view.clue_tokens,
        "lives": rules.mistakes - view.mistakes,
        "discards": Counter(view.discards),
        **_last_event(view),
        **({"told": {other: _told(view, other) for other in seats}} if with_knowledge else {}),
    }


def _filled(things: list[Any], rules: Rules, empty: Any) -> list[Any]:
    return things + [empty] * (rules.hand_size - len(things))


def possible(seen_colours: Sequence[Colour], seen_values: Sequence[int], rules: Rules) -> tuple[Card, ...]:
    return tuple(card for card in rules.cards if card.colour in seen_colours and card.value in seen_values)


def _told(view: View, seat: int) -> list[Any]:
    cards = [
        (possible(seen.colours, seen.values, view.rules), seen.named_colours, seen.named_values) for seen in view.hands[seat]
    ]
    return _filled(cards, view.rules, ((), (), ()))


def _last_event(view: View) -> Words:
    """The last event that all players saw; a rearranged hand is no action."""
    words: Words = dict.fromkeys(("actor", "action", "target", "colour", "value", "slot", "card", "placed", "gained"))
    words["touched"] = ()
    actions = [event for event in view.log if isinstance(event, (Clued, Played, Discarded))]
    if not actions:
        return words
    event = actions[-1]
    words["actor"] = event.seat
    match event:
        case Clued(target=target, hint=hint, slots=slots):
            words |= {"target": target, "touched": slots}
            words |= (
                {"action": COLOUR_CLUE, "colour": hint} if isinstance(hint, Colour) else {"action": VALUE_CLUE, "value": hint}
            )
        case Played(slot=slot, card=card, announced=announced, placed=placed, gained=gained):
            words |= {"action": PLAY, "slot": slot, "card": card, "colour": announced}
            words |= {"placed": placed or None, "gained": gained > 0 or None}
        case Discarded(slot=slot, card=card):
            words |= {"action": DISCARD, "slot": slot, "card": card}
    return words
