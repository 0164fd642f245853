"""The live part of a table's page as one person sees it. What is drawn comes from that person's `View` alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from tamaya.bots import DEFAULT_BOT, offered_bots
from tamaya.engine import Arranged, Clued, Discarded, Event, Played, SeenCard, View
from tamaya.i18n import Catalogue, catalogue, retold, tell
from tamaya.record import link
from tamaya.record.checks import LONGEST_NAME
from tamaya.rules import VARIANTS, Card, Colour, Message, RecordError, Rules, say, say_in
from tamaya.table import REMARKS, Memory, Phase, Recalled, Seat, Table, Talk, recall
from tamaya.web.choices import Choice, Receiver, card_choices, clue_choices, receivers
from tamaya.web.pages import Reader, render, sentence


@dataclass(frozen=True, slots=True)
class HandCard:
    """One card on the page: what is drawn on it, and how it lies there."""

    number: int
    slot: int
    look: str
    drawn: Markup
    turned: bool
    touched: bool


@dataclass(frozen=True, slots=True)
class Hand:
    """One player's hand on the page: whose it is and all that is drawn of it.

    `pick` says whether the reader can give a clue here, `offer` which change of who plays it is open to them.
    """

    code: str
    seat: int
    name: str
    own: bool
    turn: bool
    shown: bool
    pick: bool
    offer: str
    marks: str
    cards: tuple[HandCard, ...]


def lobby(table: Table, reader: Reader, away: frozenset[str]) -> dict[str, Any]:
    """What the page shows before the game."""
    return {
        "table": table,
        "my_name": _free_name(reader.name, table.names),
        "invitation": f"{reader.address}/t/{table.code}",
        "seat": table.seat_of(reader.person),
        "hosting": reader.person == table.host,
        "variants": [VARIANTS[name] for name in table.settings.variants],
        "full": not any(seat.free for seat in table.seats),
        "away": away,
        "bots": offered_bots(),
        "talk_form": _talk_form(table.code, _may_speak(table, table.seat_of(reader.person)), reader.language),
        "default_bot": DEFAULT_BOT,
        "talk": _talk(table),
    }


def _free_name(name: str, taken: Sequence[str]) -> str:
    """The name, or the first with a number behind it that nobody at the table has."""
    names = (name, *(f"{name[: LONGEST_NAME - 2]} {number}" for number in range(2, len(taken) + 2)))
    return next(found for found in names if found.casefold() not in [other.casefold() for other in taken])


def board(table: Table, reader: Reader, away: frozenset[str]) -> dict[str, Any]:
    """What the page shows during and after the game."""
    speak = catalogue(reader.language)
    view = table.view_for(reader.person)
    seat = table.seat_of(reader.person)
    active = view.seat is not None and view.seat == view.to_move and not table.seats[view.seat].bot
    return {
        "table": table,
        "view": view,
        "seat": seat,
        "ended": table.phase is Phase.ENDED,
        "active": active,
        "replaced": seat is not None and bool(table.seats[seat].bot),
        "sky": _sky(view, reader.language),
        "hands": [_hand(hand, reader.language) for hand in _hands(table, view, seat, away, active, reader.language)],
        "parts": _decisions(table, view, reader.language) if active else [],
        "recent": [_told(event, table, view, speak) for event in _recent(view, seat)],
        "hand_numbers": " ".join(str(seen.number) for seen in view.hand),
        "talk_count": len(table.said),
        "turn_words": _turn_words(table, view),
        "talk_form": _talk_form(table.code, _may_speak(table, seat), reader.language),
        "link": _hanab_live_link(table) if view.outcome else "",
    }


def side(table: Table, speak: Catalogue, explanations: Mapping[int, Message]) -> dict[str, Any]:
    """What is shown beside the board; `explanations` are those that its readers may see."""
    view = table.view_for("")
    return {
        "rule": table.settings.talk.summary,
        "lines": [(*line, retold(speak, explanations.get(line[0]), table.names)) for line in _log(view, table, speak)],
        "piles": [
            (colour, sorted(card.value for card in view.discards if card.colour is colour)) for colour in view.rules.suits
        ],
        "talk": _talk(table),
    }


def _sky(view: View, language: str) -> Markup:
    fireworks = tuple((suit, height, view.reach[suit], suit in view.dead_fireworks) for suit, height in view.fireworks.items())
    tokens = (view.clue_tokens, view.rules.clue_tokens, view.mistakes, view.rules.mistakes)
    return _drawn_sky(fireworks, tokens, view.last_turns, view.deck_count, language)


@lru_cache(maxsize=5_000)
def _drawn_sky(
    fireworks: tuple[tuple[Colour, int, int, bool], ...],
    tokens: tuple[int, int, int, int],
    last_turns: int,
    deck_count: int,
    language: str,
) -> Markup:
    """Fireworks, tokens and deck, which look the same for everybody."""
    return render("sky.html", language, fireworks=fireworks, tokens=tokens, last_turns=last_turns, deck_count=deck_count)


def _hands(table: Table, view: View, seat: int | None, away: frozenset[str], active: bool, language: str) -> Iterator[Hand]:
    """Every hand, clockwise from the reader's left; the reader's own comes last."""
    recalled = recall(view, table.settings.memory)
    recent = _recent(view, seat)
    first = 0 if seat is None else seat + 1
    for place in ((first + later) % len(table.seats) for later in range(len(table.seats))):
        player = table.seats[place]
        own = place == seat
        news = recent if own else recent[:1]
        touched = {number for event in news if isinstance(event, Clued) and event.target == place for number in event.numbers}
        yield Hand(
            code=table.code,
            seat=place,
            name=player.name,
            own=own,
            turn=place == view.to_move,
            shown=view.outcome is not None,
            pick=active and not own,
            offer=_offer(table, place, seat, away),
            marks=_marks(player, own, place == view.to_move, player.person in away, language),
            cards=tuple(
                _card(slot, seen, known, view.rules, seen.number in touched, language)
                for slot, (seen, known) in enumerate(zip(view.hands[place], recalled[place], strict=True))
            ),
        )


@lru_cache(maxsize=5_000)
def _marks(player: Seat, own: bool, turn: bool, away: bool, language: str) -> str:
    """The small words beside a name."""
    speak = catalogue(language)
    marks = []
    if own:
        marks.append(say_in("player", "you"))
    if player.bot:
        marks.append(say("a bot plays") if player.person else say("bot {name}", name=player.bot))
    elif away and not own:
        marks.append(say_in("player", "away"))
    if turn and not own:
        marks.append(say_in("player", "thinks"))
    return " · ".join(map(speak, marks))


def _offer(table: Table, place: int, seat: int | None, away: frozenset[str]) -> str:
    """Whether the reader at `seat` can hand this place to a bot, or take it back."""
    player = table.seats[place]
    if table.phase is not Phase.PLAYING or seat is None:
        return ""
    if place == seat:
        return "give-back" if player.bot else ""
    return "take-over" if player.person in away and not player.bot else ""


def _card(slot: int, seen: SeenCard, known: Recalled, rules: Rules, touched: bool, language: str) -> HandCard:
    if seen.card:
        drawn = _face(seen.card, known.colour, known.value, known.clued, language)
    else:
        drawn = _back(known.colours, known.values, known.clued, rules.suits, language)
    return HandCard(seen.number, slot, _look(seen.card, known), drawn, seen.turned, touched)


@lru_cache(maxsize=10_000)
def _hand(hand: Hand, language: str) -> Markup:
    return render("hand.html", language, hand=hand)


def _decisions(table: Table, view: View, language: str) -> list[Markup]:
    """The choices of the player whose turn it is: a set for each teammate and for each card."""
    clues = [_clue_set(receiver, language) for receiver in receivers(view, table.names)]
    cards = [
        _card_set(seen.number, slot, tuple(card_choices(view, slot)), view.rules.announced_plays, language)
        for slot, seen in enumerate(view.hand)
    ]
    return clues + cards


@lru_cache(maxsize=5_000)
def _clue_set(to: Receiver, language: str) -> Markup:
    return render("clue.html", language, seat=to.seat, name=to.name, choices=clue_choices(to))


@lru_cache(maxsize=5_000)
def _card_set(number: int, slot: int, choices: tuple[Choice, ...], announced_plays: bool, language: str) -> Markup:
    return render("card.html", language, number=number, slot=slot, choices=choices, announced_plays=announced_plays)


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


def _turns(view: View) -> list[Clued | Played | Discarded]:
    """The events that took a turn."""
    return [event for event in view.log if not isinstance(event, Arranged)]


def _recent(view: View, seat: int | None) -> list[Clued | Played | Discarded]:
    """What happened since the reader's own last turn, newest first; at least the last turn, at most one of each other."""
    turns = _turns(view)[: -view.rules.players : -1]
    own = next((place for place, event in enumerate(turns) if event.seat == seat), len(turns))
    return turns[: max(own, 1)]


def _told(event: Clued | Played | Discarded, table: Table, view: View, speak: Catalogue) -> tuple[str, bool]:
    """An event in words, and whether it was a mistake."""
    words = _line(event, table.names, view.rules, speak)
    if event.turn in table.replaced:
        words += " " + speak(say("The bot could not decide; a safe action was taken for it."))
    return words, isinstance(event, Played) and not event.placed


def _hanab_live_link(table: Table) -> str:
    """Where Hanab Live shows the ended game; nothing, if its rules cannot be told there."""
    try:
        return link.write(table.record())
    except RecordError:
        return ""


def _log(view: View, table: Table, speak: Catalogue) -> Iterator[tuple[int, str, bool]]:
    """What happened, newest first; a table that remembers nothing shows the last move of each player only."""
    turns = _turns(view)
    if table.settings.memory is Memory.NOTHING and view.outcome is None:
        turns = turns[-len(table.seats) :]
    for event in reversed(turns):
        yield event.turn, *_told(event, table, view, speak)


@lru_cache(maxsize=50_000)
def _line(event: Event, names: tuple[str, ...], rules: Rules, speak: Catalogue) -> str:
    return sentence(speak, tell(event, names, rules))


def _talk(table: Table) -> list[tuple[str, Message | str]]:
    """Who said what, newest first."""
    return [(name, REMARKS[said.remark] if said.remark else said.text) for name, said in reversed(table.said[-40:])]


@lru_cache(maxsize=5_000)
def _talk_form(code: str, speaking: str, language: str) -> Markup:
    return render("talk.html", language, code=code, speaking=speaking, remarks=REMARKS)


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
    if view.seat == view.to_move and not table.seats[view.to_move].bot:
        return say("Your turn")
    return say("It is {player}'s turn.", player=table.names[view.to_move])
