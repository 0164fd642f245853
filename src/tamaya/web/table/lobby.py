"""The table before the game, as the templates draw it."""

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
from tamaya.web.rendering.templates import Reader, render_cached, render_component
from tamaya.web.table.advice import WITH_ADVICE
from tamaya.web.table.components import TalkForm
from tamaya.web.table.snapshot import avatars_at, newest_messages, speech

START_COUNTDOWN = 3
"""The seconds between the arrival of the last player and the deal."""


@dataclass(frozen=True, slots=True)
class Lobby:
    """Who sits where so far, what the reader can do about it, and how friends come here.

    `removed` says that the host has removed the reader, `missing` are the people of the table whom no page shows. `may_start`
    says whether the reader can begin the game once every seat is taken: the host, and in the host's absence everybody. `cold`
    says which bots cannot think ahead yet.
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
    signs: tuple[str, ...]
    teammates: tuple[Teammate, ...]
    said: tuple[ChatMessage, ...]
    talk_form: Markup
    cold: tuple[Message, ...] = ()

    @property
    def free(self) -> int:
        """How many seats are left."""
        return sum(seat.free for seat in self.table.seats)

    @property
    def asks(self) -> bool:
        """Whether somebody has to say who starts."""
        return self.table.settings.starter == Starter.CUSTOM

    @property
    def absent(self) -> tuple[str, ...]:
        """The names of those who have a seat and are not here."""
        return tuple(seat.name for seat in self.table.seats if seat.person in self.missing)

    @property
    def breath(self) -> int:
        """The seconds after which the game begins by itself; 0 where it does not, because somebody is still missing or there is
        something to ask."""
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
        """What everybody has to know before they play here."""
        return self.table.settings.watching.warning

    @property
    def removed_words(self) -> Message:
        """What somebody reads whom the host has removed."""
        return REMOVED

    @property
    def host_name(self) -> str:
        """Who invites."""
        return _host_name(self.table)

    @property
    def terms(self) -> tuple[Message, ...]:
        """What is played, in a few words."""
        return terms(self.table.settings)

    @property
    def variants(self) -> tuple[Variant, ...]:
        """What is played besides the edition's rules."""
        return tuple(VARIANTS[name] for name in self.table.settings.variants)

    @property
    def removals(self) -> tuple[tuple[int, str], ...]:
        """Whom the host can let back: the number of each removal, and the name."""
        removals = enumerate(self.table.removals) if self.hosting else ()
        return tuple((number, removal.name) for number, removal in removals if not removal.let_back)

    @property
    def signs_by_name(self) -> Mapping[str, str]:
        """The signs of those who talk."""
        return dict(zip(self.table.names, self.signs, strict=True))


def terms(settings: Settings) -> tuple[Message, ...]:
    """What is played at a table: the edition, how many play, the points of a perfect game, and whether all can ask for advice
    or spectators see every hand: whoever sits down agrees to that."""
    rules = settings.rules
    points = say("up to {points} points", points=rules.maximum) if rules.counts_points else VARIANTS["all-or-nothing"].title
    advice = (WITH_ADVICE,) if settings.advice is AdvicePolicy.EVERYBODY else ()
    hands = (say("spectators see every hand"),) if settings.watching is SpectatorMode.HANDS else ()
    return settings.edition.title, say_n("{n} player", "{n} players", rules.players), points, *advice, *hands


@dataclass(frozen=True, slots=True)
class LinkPreview:
    """What a chat shows of a link: two lines and the addresses of the page and of a picture."""

    title: str
    words: str
    page: str
    picture: str


def link_preview(table: Table, address: str, speak: Catalogue) -> LinkPreview:
    """The preview of a link to a table, of which it shows what its invitation says: who, by which rules, and no game."""
    opening = table.phase is Phase.OPEN and any(seat.free for seat in table.seats)
    names = tuple(filter(None, table.names))
    title = say("{name} invites you to Hanabi", name=_host_name(table)) if opening else say("Hanabi: {names}", names=names)
    words = " · ".join(map(speak, terms(table.settings)))
    suits = len(table.settings.rules.suits)
    return LinkPreview(speak(title), words, f"{address}/t/{table.code}", f"{address}/preview/{suits}.png")


def _host_name(table: Table) -> str:
    """What the host is called, or whoever sits there if the host stood up."""
    place = table.seat_of(table.host)
    return table.names[place] if place is not None else next(filter(None, table.names), "Tamaya")


def render_lobby(table: Table, viewer: Viewer, missing: frozenset[str], cold: tuple[Message, ...] = ()) -> Markup:
    """The lobby for a reader; `missing` are the people of the table whom no page shows, `cold` says which bots
    are not ready."""
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
        signs=avatars_at(table),
        teammates=tuple(sorted(teammates(table.settings.rules), key=lambda mate: mate.bot != DEFAULT_BOT)),
        said=newest_messages(tuple(table.said)),
        talk_form=render_cached(form, reader.language),
        cold=cold,
    )
    return render_component(lobby, viewer.language)
