"""The live part of a table's page as one person sees it. What is drawn comes from that person's `View` alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from weakref import WeakKeyDictionary

from markupsafe import Markup

from tamaya.bots import BOTS
from tamaya.engine import Arranged, Clued, Event, View
from tamaya.i18n import Catalogue, catalogue, tell
from tamaya.rules import VARIANTS, Card, Colour, Message, Outcome, Rules, say
from tamaya.table import REMARKS, Memory, Phase, Recalled, Seat, Table, Talk, recall
from tamaya.table.commands import default_bot
from tamaya.web.choices import Choice, card_choices, clue_choices
from tamaya.web.pages import render, sentence


@dataclass(frozen=True, slots=True)
class Hand:
    """One player's hand on the page."""

    seat: int
    player: Seat
    own: bool
    turn: bool
    away: bool
    bot: str
    cards: tuple[HandCard, ...]
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class HandCard:
    """One card on the page: what is drawn on it, and how it lies there."""

    number: int
    slot: int
    look: str
    drawn: Markup
    turned: bool
    touched: bool
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Reader:
    """For whom a table is drawn: who they are, what they are called, their language, and where they reach the server."""

    person: str
    name: str
    language: str
    address: str


class Drawings:
    """Draws tables, and keeps each drawing for as long as the table stands like that."""

    def __init__(self) -> None:
        self._kept: WeakKeyDictionary[Table, dict[object, Markup]] = WeakKeyDictionary()

    def draw(self, table: Table, reader: Reader, away: frozenset[str]) -> Markup:
        """The live part of the page for a reader; `away` are the people of this table whom no page shows right now."""
        kept = self._kept.setdefault(table, {})
        seat = table.seat_of(reader.person)
        key = (reader, away) if table.phase is Phase.OPEN else (seat, reader.language, away)
        if key not in kept:
            kept[key] = self._drawn(table, reader, away)
        return kept[key]

    def _drawn(self, table: Table, reader: Reader, away: frozenset[str]) -> Markup:
        if table.phase is Phase.OPEN:
            return render("lobby.html", reader.language, **lobby(table, reader, away))
        shared = self._shared(table, reader.language)
        return render("board.html", reader.language, shared=shared, **board(table, reader, away))

    def _shared(self, table: Table, language: str) -> Markup:
        """What everybody at the table reads alike: log, discard pile and talk."""
        kept = self._kept.setdefault(table, {})
        if language not in kept:
            kept[language] = render("side.html", language, **side(table, catalogue(language)))
        return kept[language]


def lobby(table: Table, reader: Reader, away: frozenset[str]) -> dict[str, Any]:
    """What the page shows before the game."""
    return {
        "table": table,
        "my_name": reader.name,
        "invitation": f"{reader.address}/t/{table.code}",
        "seat": table.seat_of(reader.person),
        "hosting": reader.person == table.host,
        "variants": [VARIANTS[name] for name in table.settings.variants],
        "full": not any(seat.free for seat in table.seats),
        "away": away,
        "bots": BOTS,
        "default_bot": default_bot(),
        "talk": _talk(table),
    }


def board(table: Table, reader: Reader, away: frozenset[str]) -> dict[str, Any]:
    """What the page shows during and after the game."""
    speak = catalogue(reader.language)
    view = table.view_for(reader.person)
    seat = table.seat_of(reader.person)
    active = view.seat is not None and view.seat == view.to_move and not table.seats[view.seat].bot
    first = 0 if seat is None else (seat + 1) % len(table.seats)
    order = [(first + place) % len(table.seats) for place in range(len(table.seats))]
    recalled = recall(view, table.settings.memory)
    last = _last(view.log)
    return {
        "table": table,
        "view": view,
        "seat": seat,
        "ended": table.phase is Phase.ENDED,
        "active": active,
        "hands": [_hand(table, view, place, recalled[place], active, away, speak, seat) for place in order],
        "last": sentence(speak, tell(last, table.names, view.rules)) if last else "",
        "default_bot": default_bot(),
        "turn_words": _turn_words(table, view),
        "speaking": _may_speak(table, seat),
        "remarks": REMARKS,
        "result": view.outcome and _result(view.outcome, view.rules),
    }


def side(table: Table, speak: Catalogue) -> dict[str, Any]:
    """What is shown beside the board."""
    view = table.view_for("")
    return {
        "table": table,
        "lines": list(_log(view, table, speak)),
        "piles": [
            (colour, sorted(card.value for card in view.discards if card.colour is colour)) for colour in view.rules.suits
        ],
        "talk": _talk(table),
    }


def _hand(
    table: Table,
    view: View,
    place: int,
    recalled: tuple[Recalled, ...],
    active: bool,
    away: frozenset[str],
    speak: Catalogue,
    seat: int | None,
) -> Hand:
    player = table.seats[place]
    own = place == seat
    last = view.log[-1] if view.log else None
    touched = last.slots if isinstance(last, Clued) and last.target == place else ()
    cards = tuple(
        HandCard(
            number=seen.number,
            slot=slot,
            look=_look(seen.card, known),
            drawn=_face(seen.card, known.colour, known.value, known.clued, speak.language)
            if seen.card
            else _back(known.colours, known.values, known.clued, view.rules.suits, speak.language),
            turned=seen.turned,
            touched=slot in touched,
            choices=tuple(card_choices(view, slot)) if own and active else (),
        )
        for slot, (seen, known) in enumerate(zip(view.hands[place], recalled, strict=True))
    )
    return Hand(
        seat=place,
        player=player,
        own=own,
        turn=place == view.to_move,
        away=player.person in away,
        bot=player.bot,
        cards=cards,
        choices=tuple(clue_choices(view, place, player.name)) if active and not own else (),
    )


def _look(card: Card | None, known: Recalled) -> str:
    """The classes of a card: its colour or, from behind, the colour it must have, and whether a clue touched it."""
    colour = f"face {card.colour}" if card else f"back {known.colour or ''}"
    return f"{colour} clued" if known.clued else colour


@lru_cache(maxsize=20_000)
def _face(card: Card, colour: Colour | None, value: int | None, clued: bool, language: str) -> Markup:
    """A card with its face; its owner knows this much of it."""
    return render("face.html", language, card=card, colour=colour, value=value, clued=clued)


@lru_cache(maxsize=20_000)
def _back(
    colours: tuple[Colour, ...], values: tuple[int, ...], clued: bool, suits: tuple[Colour, ...], language: str
) -> Markup:
    """A card from behind, with what it can be."""
    return render("back.html", language, open_colours=colours, open_values=values, clued=clued, suits=suits)


def _last(log: tuple[Event, ...]) -> Event | None:
    """The last event that took a turn."""
    return next((event for event in reversed(log) if not isinstance(event, Arranged)), None)


def _log(view: View, table: Table, speak: Catalogue) -> Iterator[tuple[int, str]]:
    """What happened, newest first; a table that remembers nothing shows the last move of each player only."""
    turns = [event for event in view.log if not isinstance(event, Arranged)]
    if table.settings.memory is Memory.NOTHING and view.outcome is None:
        turns = turns[-len(table.seats) :]
    for event in reversed(turns):
        yield event.turn, _line(event, table.names, view.rules, speak)


@lru_cache(maxsize=50_000)
def _line(event: Event, names: tuple[str, ...], rules: Rules, speak: Catalogue) -> str:
    return sentence(speak, tell(event, names, rules))


def _talk(table: Table) -> list[tuple[str, Message | str]]:
    """Who said what, newest first."""
    return [(name, REMARKS[said.remark] if said.remark else said.text) for name, said in reversed(table.said[-40:])]


def _may_speak(table: Table, seat: int | None) -> str:
    """How somebody may speak now: not at all, by set remarks, or in their own words."""
    if seat is None:
        return ""
    if table.phase is not Phase.PLAYING:
        return "free"
    return {Talk.STRICT: "", Talk.REMARKS: "remarks", Talk.FREE: "free"}[table.settings.talk]


def _turn_words(table: Table, view: View) -> Message:
    if view.outcome:
        return view.outcome.ending.word
    assert view.to_move is not None
    if view.seat == view.to_move:
        return say("Your turn")
    return say("It is {player}'s turn.", player=table.names[view.to_move])


def _result(outcome: Outcome, rules: Rules) -> dict[str, Any]:
    return {"outcome": outcome, "score": outcome.score, "rating": outcome.rating, "maximum": rules.maximum}
