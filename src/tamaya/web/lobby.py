"""The table before the game, as the templates draw it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from tamaya.bots import DEFAULT_BOT
from tamaya.record.checks import LONGEST_NAME
from tamaya.rules import VARIANTS, Variant
from tamaya.table import Spoken, Table
from tamaya.web.moment import newest_said, speech
from tamaya.web.pages import Reader, draw, drawn_once
from tamaya.web.parts import TalkForm


@dataclass(frozen=True, slots=True)
class Lobby:
    """Who sits where so far, what the reader can do about it, and how friends come here."""

    table: Table
    seat: int | None
    hosting: bool
    free_name: str
    away: frozenset[str]
    invitation: str
    variants: tuple[Variant, ...]
    default_bot: str
    said: tuple[Spoken, ...]
    talk_form: Markup

    @property
    def full(self) -> bool:
        """Whether every seat is taken."""
        return not any(seat.free for seat in self.table.seats)


def draw_lobby(table: Table, reader: Reader, away: frozenset[str]) -> Markup:
    """The lobby for a reader; `away` are the people of the table whom no page shows."""
    seat = table.seat_of(reader.person)
    form = TalkForm(table.code, "" if seat is None else speech(table.settings.talk, playing=False))
    lobby = Lobby(
        table=table,
        seat=seat,
        hosting=reader.person == table.host,
        free_name=_free_name(reader.name, table.names),
        away=away,
        invitation=f"{reader.address}/t/{table.code}",
        variants=tuple(VARIANTS[name] for name in table.settings.variants),
        default_bot=DEFAULT_BOT,
        said=newest_said(tuple(table.said)),
        talk_form=drawn_once(form, reader.language),
    )
    return draw(lobby, reader.language)


def _free_name(name: str, taken: Sequence[str]) -> str:
    """The name, or the first with a number behind it that nobody at the table has."""
    names = (name, *(f"{name[: LONGEST_NAME - 2]} {number}" for number in range(2, len(taken) + 2)))
    return next(found for found in names if found.casefold() not in [other.casefold() for other in taken])
