"""The lobby: a table before its game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup

from tamaya.bots import DEFAULT_BOT
from tamaya.i18n import Catalogue
from tamaya.rules import VARIANTS, Message, Variant, say, say_n
from tamaya.table import AdvicePolicy, ChatMessage, Phase, Settings, SpectatorMode, Starter, Table
from tamaya.table.commands import REMOVED
from tamaya.table.names import available_name
from tamaya.web.bot_profiles import Teammate, teammates
from tamaya.web.context import Viewer
from tamaya.web.rendering.templates import render_cached, render_component
from tamaya.web.table.advice import WITH_ADVICE
from tamaya.web.table.components import TalkForm
from tamaya.web.table.snapshot import avatars_at, newest_messages, speech

START_COUNTDOWN = 3
"""Seconds between the arrival of the last player and the deal."""


@dataclass(frozen=True, slots=True)
class Lobby:
    """Who sits where so far, and what the viewer can do about it.

    `removed`: the host has removed the viewer. `missing`: the table's people without an open page. `may_start`: the viewer can
    begin the game once every seat is taken (the host; while the host is missing, any player). `compile_notices`: which bots are
    not compiled yet.
    """

    table: Table
    seat: int | None
    hosting: bool
    removed: bool
    may_start: bool
    named: bool
    free_name: str
    missing: frozenset[str]
    invitation: str
    avatars: tuple[str, ...]
    teammates: tuple[Teammate, ...]
    said: tuple[ChatMessage, ...]
    talk_form: Markup
    compile_notices: tuple[Message, ...] = ()

    @property
    def free(self) -> int:
        """The number of free seats."""
        return sum(seat.free for seat in self.table.seats)

    @property
    def asks(self) -> bool:
        """Whether a player has to say who starts."""
        return self.table.settings.starter == Starter.CUSTOM

    @property
    def absent(self) -> tuple[str, ...]:
        """The names of seated people without an open page."""
        return tuple(seat.name for seat in self.table.seats if seat.person in self.missing)

    @property
    def countdown(self) -> int:
        """Seconds until the game begins by itself; 0 if it waits for a player or an answer."""
        return 0 if self.free or self.asks or self.missing else START_COUNTDOWN

    @property
    def heading(self) -> Message:
        """What the table waits for."""
        if self.free:
            return say_n("One seat to fill", "{n} seats to fill", self.free)
        if self.absent:
            return say("Waiting for {names}", names=self.absent)
        return say("Everybody is here")

    @property
    def warning(self) -> Message | None:
        """What players have to know before they play here."""
        return self.table.settings.watching.warning

    @property
    def removed_words(self) -> Message:
        """What a removed player reads."""
        return REMOVED

    @property
    def host_name(self) -> str:
        """The name of the person who invites."""
        return _host_name(self.table)

    @property
    def terms(self) -> tuple[Message, ...]:
        """What is played, in a few words."""
        return terms(self.table.settings)

    @property
    def variants(self) -> tuple[Variant, ...]:
        """The variants added to the edition's rules."""
        return tuple(VARIANTS[name] for name in self.table.settings.variants)

    @property
    def removals(self) -> tuple[tuple[int, str], ...]:
        """The removals that the host can undo: number and name."""
        removals = enumerate(self.table.removals) if self.hosting else ()
        return tuple((number, removal.name) for number, removal in removals if not removal.let_back)

    @property
    def avatars_by_name(self) -> Mapping[str, str]:
        """The avatars of the players, by name."""
        return dict(zip(self.table.names, self.avatars, strict=True))


def terms(settings: Settings) -> tuple[Message, ...]:
    """What is played: edition, players, the points of a perfect game, and whether players can ask for advice or spectators see
    every hand. Sitting down means agreeing to it."""
    rules = settings.rules
    points = say("up to {points} points", points=rules.maximum) if rules.counts_points else VARIANTS["all-or-nothing"].title
    advice = (WITH_ADVICE,) if settings.advice is AdvicePolicy.EVERYBODY else ()
    hands = (say("spectators see every hand"),) if settings.watching is SpectatorMode.HANDS else ()
    return settings.edition.title, say_n("{n} player", "{n} players", rules.players), points, *advice, *hands


@dataclass(frozen=True, slots=True)
class LinkPreview:
    """The preview of a link in a chat: two lines, the address of the page and that of a picture."""

    title: str
    words: str
    page: str
    picture: str


def link_preview(table: Table, address: str, speak: Catalogue) -> LinkPreview:
    """The preview of a link to a table: who plays by which rules, and nothing of the game."""
    opening = table.phase is Phase.OPEN and any(seat.free for seat in table.seats)
    names = tuple(filter(None, table.names))
    title = say("{name} invites you to Hanabi", name=_host_name(table)) if opening else say("Hanabi: {names}", names=names)
    words = " · ".join(map(speak, terms(table.settings)))
    suits = len(table.settings.rules.suits)
    return LinkPreview(speak(title), words, f"{address}/t/{table.code}", f"{address}/preview/{suits}.png")


def _host_name(table: Table) -> str:
    """The host's name; if the host stood up, that of the first player."""
    place = table.seat_of(table.host)
    return table.names[place] if place is not None else next(filter(None, table.names), "Tamaya")


def render_lobby(table: Table, viewer: Viewer, missing: frozenset[str], notices: tuple[Message, ...] = ()) -> Markup:
    """The lobby for a viewer; `missing` are the table's people without an open page."""
    seat = table.seat_of(viewer.person)
    hosting = viewer.person == table.host
    form = TalkForm(table.code, "" if seat is None else speech(table.settings.talk, playing=False))
    lobby = Lobby(
        table=table,
        seat=seat,
        hosting=hosting,
        removed=table.is_removed(viewer.person),
        may_start=hosting or (seat is not None and table.host in missing),
        named=viewer.named,
        free_name=available_name(viewer.name, table.names),
        missing=missing,
        invitation=f"{viewer.address}/t/{table.code}",
        avatars=avatars_at(table),
        teammates=tuple(sorted(teammates(table.settings.rules), key=lambda mate: mate.bot != DEFAULT_BOT)),
        said=newest_messages(tuple(table.said)),
        talk_form=render_cached(form, viewer.language),
        compile_notices=notices,
    )
    return render_component(lobby, viewer.language)
