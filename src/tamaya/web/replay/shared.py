"""Shared replays: one viewer leads, and the pages of all others follow."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping
from contextlib import aclosing, contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256

import msgspec
from markupsafe import Markup
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from tamaya.rules import IllegalError, MalformedError, TamayaError, say
from tamaya.table import Bus, Table
from tamaya.web.context import RequestContext, form_number
from tamaya.web.http.rate_limits import Client
from tamaya.web.rendering.templates import render_component
from tamaya.web.replay.location import location_of
from tamaya.web.replay.pages import replay_page
from tamaya.web.stream import latest_updates, stream_response
from tamaya.web.table.presence import Presence

TOPIC = "circle"
LEADER_TIMEOUT = 30.0
"""Seconds that a new leader has to open their page."""
MAX_NAMED = 20
"""Viewers with names in one shared replay: its state must fit into a bus message, with the longest names and most tried
moves."""
NEVER = float("-inf")


@dataclass(frozen=True, slots=True)
class Follower:
    """A viewer in a shared replay; others choose them by `number`."""

    number: int
    name: str


class SharedReplay(msgspec.Struct, frozen=True):
    """The state of a shared replay: its viewers in the order of arrival, with their names. `shown` is the leader's place as a
    query, and `lead_pending` says that the leader's page is not open yet. Of two states the one with the higher `age`
    counts."""

    code: str
    age: tuple[int, str] = (0, "")
    leader: str = ""
    shown: str = ""
    lead_pending: bool = False
    known: dict[str, str] = {}


class SharedReplays:
    """All shared replays with viewers, kept in step with other processes."""

    def __init__(
        self,
        presence: Presence,
        bus: Bus,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._presence, self._bus, self._clock, self._now = presence, bus, clock, now
        self._replays: dict[str, SharedReplay] = {}
        self._pending_since: dict[str, float] = {}
        self._process = secrets.token_hex(4)
        bus.on_broadcast(TOPIC, self._on_message)
        bus.on_broadcast("gap", lambda sender, text: self._request_all())
        self._request_all()

    @staticmethod
    def channel(code: str) -> str:
        """The bus channel of a shared replay."""
        return f"{code} together"

    @contextmanager
    def page_open(self, code: str, person: str, name: str, caller: Client) -> Iterator[None]:
        """Count a person as a viewer while their page is open."""
        with self._presence.page_open(self.channel(code), person, caller):
            replay = self._joined(code, person, name)
            self._change(replay, lead_pending=replay.lead_pending and replay.leader != person)
            yield

    def _joined(self, code: str, person: str, name: str) -> SharedReplay:
        """The state with this person, and without those who have left."""
        replay = self._get(code)
        present = self._presence.present(self.channel(code)) | {person, replay.leader}
        known = {viewer: viewer_name for viewer, viewer_name in replay.known.items() if viewer in present}
        others = [viewer for viewer in known if viewer not in (person, replay.leader)]
        unnamed = others[: max(0, len(others) + 2 - MAX_NAMED)]
        named = {viewer: viewer_name for viewer, viewer_name in known.items() if viewer not in unnamed}
        return msgspec.structs.replace(replay, known=named | {person: name})

    def _get(self, code: str) -> SharedReplay:
        return self._replays.get(code) or SharedReplay(code)

    def leader(self, code: str) -> str:
        """The leader, or "" once their page is closed."""
        replay = self._get(code)
        is_pending = replay.lead_pending and self._clock() < self._pending_since.get(code, NEVER) + LEADER_TIMEOUT
        return replay.leader if is_pending or replay.leader in self._presence.present(self.channel(code)) else ""

    def shown(self, code: str) -> str:
        """The place shown last."""
        return self._get(code).shown

    def followers(self, code: str) -> dict[str, Follower]:
        """The viewers by person, in the order of arrival."""
        present = self._presence.present(self.channel(code)) | {self.leader(code)}
        return {
            viewer: Follower(_follower_number(viewer), name)
            for viewer, name in self._get(code).known.items()
            if viewer in present
        }

    def take_lead(self, code: str, person: str, name: str, shown: str, may_always: bool) -> None:
        """Take the lead, if it is free or the person may always lead."""
        leader = self.leader(code)
        if leader not in ("", person) and not may_always:
            known = self._get(code).known
            raise IllegalError("is_led", say("{name} leads; ask for the lead.", name=known.get(leader, "")))
        self._evict_empty()
        replay, is_pending = self._joined(code, person, name), person not in self._presence.present(self.channel(code))
        self._change(replay, leader=person, shown=shown or replay.shown, lead_pending=is_pending)
        if is_pending:
            asyncio.get_running_loop().call_later(LEADER_TIMEOUT, self._presence.announce, self.channel(code))

    def show(self, code: str, person: str, shown: str) -> None:
        """Show a place to every viewer."""
        self._change(self._led_by(code, person), shown=shown)

    def hand_over(self, code: str, person: str, number: int) -> None:
        """Give the lead to another viewer."""
        replay = self._led_by(code, person)
        successors = [viewer for viewer, follower in self.followers(code).items() if follower.number == number]
        if not successors:
            raise MalformedError("not_here", say("They have left; choose somebody who is there."))
        self._change(replay, leader=successors[0], lead_pending=False)

    def stop_leading(self, code: str, person: str) -> None:
        """Give up the lead."""
        self._change(self._led_by(code, person), leader="", lead_pending=False)

    def _led_by(self, code: str, person: str) -> SharedReplay:
        if self.leader(code) != person:
            raise IllegalError("not_leading", say("You do not lead."))
        return self._get(code)

    def _change(self, replay: SharedReplay, **changes: object) -> None:
        """Store and publish a changed state, here and in other processes."""
        changed = msgspec.structs.replace(replay, **changes)
        if changed == self._get(replay.code):
            return
        age = max(
            replay.age[0] + 1, int(self._now() * 1000)
        )  # newer than a state that was evicted here and may be known elsewhere
        changed = msgspec.structs.replace(changed, age=(age, self._process))
        self._put(changed)
        self._broadcast(changed)
        self._presence.announce(self.channel(replay.code))

    def _put(self, replay: SharedReplay) -> None:
        was_pending = self._get(replay.code).lead_pending and self.leader(replay.code) == replay.leader
        if replay.lead_pending and not was_pending:
            self._pending_since[replay.code] = self._clock()
        self._replays[replay.code] = replay

    def _evict_empty(self) -> None:
        for code in [code for code in self._replays if not self.followers(code)]:
            del self._replays[code]
            self._pending_since.pop(code, None)

    def _request_all(self) -> None:
        """Request the states that other processes know."""
        if self._bus.shared:
            self._bus.broadcast(TOPIC, "")

    def _broadcast(self, replay: SharedReplay) -> None:
        if self._bus.shared:
            self._bus.broadcast(TOPIC, msgspec.json.encode(replay).decode())

    def _on_message(self, sender: str, text: str) -> None:
        if not text:
            for replay in self._replays.values():
                self._broadcast(replay)
            return
        received = msgspec.json.decode(text, type=SharedReplay)
        if received.age > self._get(received.code).age:
            self._put(received)
            self._bus.tell_here(self.channel(received.code), 0)


def _follower_number(person: str) -> int:
    """The number of a person: the same in every process, and revealing nothing about them."""
    return int.from_bytes(sha256(person.encode()).digest()[:2])


SharedReplayCommand = Callable[[RequestContext, Table, Mapping[str, str]], None]


@dataclass(frozen=True, slots=True)
class TogetherBar:
    """The bar above a shared replay: who leads, whether the viewer leads or may, the place shown, and the `link` to share."""

    code: str
    link: str
    shown: str
    leader: str
    leads: bool
    may_lead: bool
    others: tuple[Follower, ...]


async def together(request: Request) -> Response:
    """The page that follows the leader."""
    ctx = RequestContext(request)
    table = await _finished_table(ctx)
    place = location_of(ctx, table, QueryParams(ctx.services.shared_replays.shown(table.code)))
    return await replay_page(ctx, table, place, "together.html", company=render_bar(ctx, table))


async def _finished_table(ctx: RequestContext) -> Table:
    """The address's table, whose game is over."""
    table = await ctx.table_for_replay()
    table.past()
    return table


def render_bar(ctx: RequestContext, table: Table) -> Markup:
    """The bar for one viewer."""
    replays, me = ctx.services.shared_replays, ctx.profile.id
    leader, followers = replays.leader(table.code), replays.followers(table.code)
    bar = TogetherBar(
        code=table.code,
        link=f"{ctx.address}/t/{table.code}/replay/together",
        shown=f"/t/{table.code}/replay?{replays.shown(table.code)}" if replays.shown(table.code) else "",
        leader=followers[leader].name if leader in followers else "",
        leads=leader == me,
        may_lead=not leader or _may_always_lead(ctx, table),
        others=tuple(follower for person, follower in followers.items() if person != me),
    )
    return render_component(bar, ctx.language)


def _may_always_lead(ctx: RequestContext, table: Table) -> bool:
    """Whether the person played or imported the game."""
    return ctx.profile.id in table.people


async def together_stream(request: Request) -> Response:
    """The bar, whenever it changes."""
    ctx = RequestContext(request)
    table = await _finished_table(ctx)
    return stream_response(ctx, table, _bar_messages(ctx, table))


async def _bar_messages(ctx: RequestContext, table: Table) -> AsyncGenerator[bytes, None]:
    services, code = ctx.services, table.code

    async def draw_now(_: int) -> tuple[str, int]:
        return render_bar(ctx, table), 0

    with suppress(TamayaError), services.shared_replays.page_open(code, ctx.profile.id, ctx.name, ctx.client(table)):
        async with aclosing(latest_updates(services.tables.bus, services.shared_replays.channel(code), draw_now)) as messages:
            async for message in messages:
                yield message


def command_endpoint(act: SharedReplayCommand) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint of a command; it answers with the bar."""

    async def respond(request: Request) -> Response:
        ctx = RequestContext(request)
        ctx.require_same_origin()
        table = await _finished_table(ctx)
        act(ctx, table, await ctx.form())
        if ctx.is_htmx:
            return ctx.with_cookie(HTMLResponse(render_bar(ctx, table)))
        return ctx.redirect(f"/t/{table.code}/replay/together")

    return respond


def _shown(ctx: RequestContext, table: Table) -> str:
    """The place that the address names, checked; "" if it names none."""
    query = ctx.request.query_params
    place = location_of(ctx, table)
    table.past().what_if(place.turn, place.tried_moves)
    return place.query if "turn" in query else ""


def _join(ctx: RequestContext, table: Table, fields: Mapping[str, str]) -> None:
    """Come to look together; if the lead is free, take it."""
    if not ctx.services.shared_replays.leader(table.code):
        _lead(ctx, table, fields)


def _lead(ctx: RequestContext, table: Table, fields: Mapping[str, str]) -> None:
    always = _may_always_lead(ctx, table)
    ctx.services.shared_replays.take_lead(table.code, ctx.profile.id, ctx.name, _shown(ctx, table), always)
    ctx.update_profile(ctx.profile)


COMMANDS: Mapping[str, SharedReplayCommand] = {
    "join": _join,
    "lead": _lead,
    "show": lambda ctx, table, fields: ctx.services.shared_replays.show(table.code, ctx.profile.id, _shown(ctx, table)),
    "give": lambda ctx, table, fields: ctx.services.shared_replays.hand_over(
        table.code, ctx.profile.id, form_number(fields, "to")
    ),
    "stop": lambda ctx, table, fields: ctx.services.shared_replays.stop_leading(table.code, ctx.profile.id),
}
"""The commands of a shared replay, by the last part of the address."""
