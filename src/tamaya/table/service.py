"""All tables: finds them, lets people change them, and lets bots take their turns."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from weakref import WeakValueDictionary

from tamaya.bots import BotMove
from tamaya.engine import View
from tamaya.record import Record
from tamaya.rules import MalformedError, TamayaError, UnavailableError
from tamaya.table import commands
from tamaya.table.cache import TableCache
from tamaya.table.events import AnyEvent, Moved, decode, encode
from tamaya.table.lesson import right_actions
from tamaya.table.ports import (
    BotExecutor,
    Bus,
    ConflictError,
    EventBatch,
    GameProgress,
    RetentionPolicy,
    Runtime,
    Store,
    SweepResult,
    TableSummary,
)
from tamaya.table.settings import Settings
from tamaya.table.state import Phase, Seat
from tamaya.table.table import Table
from tamaya.table.telemetry import NO_METRICS, Metrics, TableLogger, timed

logger = logging.getLogger(__name__)
PATIENCE = 2.5
"""How much longer bots wait before their moves in somebody's first games."""
AGAIN = 5.0
"""After how many seconds a bot tries again whose move could not be kept."""
CLAIM_AGAIN = 2.0
"""Seconds after which a process looks whether another one still lets a table's bots think."""
TOGETHER = 50
"""How many games are parted with at a time: the store writes them with one trip to the disk."""
Decision = Callable[[Table], list[AnyEvent]]

DAY = 24 * 3600.0
RETENTION = RetentionPolicy({Phase.OPEN: DAY, Phase.PLAYING: 30 * DAY}, marked_for=7 * DAY, share=0.05, brought_for=365 * DAY)
"""A table that nobody touches is kept for a day before its game began, for thirty days after, and then for a week with a mark
on it. Ended games are kept, but those from elsewhere only for a year."""


class TableService:
    """The only way to reach tables. What it confirms is on disk.

    Several processes may serve the same tables: the store refuses a second event with the same number, and whoever is refused
    reads the new events and decides again.
    """

    def __init__(
        self,
        store: Store,
        bus: Bus,
        thinker: BotExecutor,
        *,
        chance: Runtime | None = None,
        pause: float = 0.0,
        cached: int = 2000,
        meter: Metrics = NO_METRICS,
    ) -> None:
        self.store, self.bus, self.chance = store, bus, chance or Runtime()
        self._thinker, self._pause, self._meter = thinker, pause, meter
        self._known = TableCache(store, self.bus, cached)
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._thinking: dict[str, asyncio.Task[None]] = {}

    # Looking.

    @property
    def in_memory(self) -> int:
        """How many tables need not be read again."""
        return len(self._known)

    async def get(self, code: str) -> Table:
        """The table of that code, as it is now."""
        return await self._known.get(code)

    async def get_cached(self, code: str) -> Table:
        """The table as this process knows it: older, perhaps, where others serve it too."""
        return await self._known.get_cached(code)

    async def refresh(self, code: str, sequence: int) -> Table:
        """The table with at least so many events, which another process may have written."""
        return await self._known.refresh(code, sequence)

    # Changing.

    async def create(self, settings: Settings, person: str, name: str, *decisions: Decision) -> Table:
        """Open a new table and make these decisions at it."""
        table = Table(self.chance.code(), ())
        events: list[AnyEvent] = []
        for decide in (lambda _: commands.open_table(settings, person, name), *decisions):
            decided = decide(table)
            table = table.after(decided)
            events += decided
        (opened,) = await self._begin((table, events))
        return opened

    async def begin(self, events: list[AnyEvent]) -> Table:
        """A new table at which this has happened."""
        (table,) = await self.begin_all([events])
        return table

    async def begin_all(self, beginnings: Sequence[list[AnyEvent]]) -> list[Table]:
        """New tables, one for each of these beginnings. Either all of them are kept, or none."""
        begun = []
        for events in beginnings:
            begun.append((Table(self.chance.code(), events), events))
            await asyncio.sleep(0)  # a hundred games take a while to replay
        return await self._begin(*begun)

    async def _begin(self, *begun: tuple[Table, list[AnyEvent]]) -> list[Table]:
        await self._append(*(self._batch(table, 1, events) for table, events in begun))
        return [self.schedule_bots(self._known.put(table)) for table, _ in begun]

    async def update(self, code: str, decide: Decision) -> Table:
        """Let somebody decide on a table, store what follows, and tell everybody. Where another process was quicker, they
        decide again.

        This is finished even if the caller stops waiting: what is stored must also be announced.
        """
        return await asyncio.shield(asyncio.ensure_future(self._update(code, decide)))

    async def _update(self, code: str, decide: Decision) -> Table:
        async with self._lock(code):
            table, events = await self._decided(code, decide)
            while events:
                following = table.after(events)
                try:
                    await self._append(self._batch(following, table.sequence + 1, events))
                    self._count_moves(events)
                    return await self._announce(following)
                except ConflictError:
                    table = await self._known.load_new_events(table)
                    events = decide(table)
            return table

    async def _decided(self, code: str, decide: Decision) -> tuple[Table, list[AnyEvent]]:
        """A table and what somebody decides on it. The store refuses what was decided on a table that is old, so that it need
        not be asked before; only what comes to nothing has to be decided on the table as it is now."""
        table, refusal, events = await self._known.get_cached(code), None, list[AnyEvent]()
        try:
            events = decide(table)
        except TamayaError as problem:
            refusal = problem
        if not events and self.bus.shared and (newest := await self._known.get(code)).sequence != table.sequence:
            return newest, decide(newest)
        if refusal:
            raise refusal
        return table, events

    async def _append(self, *batches: EventBatch) -> None:
        try:
            with timed(self._meter, "append", queue="append"):
                await self.store.append(batches)
        except MalformedError:
            for batch in batches:
                self._known.evict(batch.listing.code)
            raise

    def _count_moves(self, events: list[AnyEvent]) -> None:
        for event in events:
            if isinstance(event, Moved):
                self._meter.count("move", "bot" if event.bot else "person")

    async def rematch(self, code: str, person: str) -> Table:
        """The table at which the same people go on; both tables change together."""
        return await asyncio.shield(asyncio.ensure_future(self._rematch(code, person)))

    async def _rematch(self, code: str, person: str) -> Table:
        async with self._lock(code):
            table = await self.get(code)
            while not table.rematch:
                successor = self.chance.code()
                old, new = commands.rematch(table, person, successor)
                following, opened = table.after(old), Table(successor, new)
                batches = self._batch(following, table.sequence + 1, old), self._batch(opened, 1, new)
                try:
                    await self._append(*batches)
                    self._known.put(opened)
                    table = await self._announce(following)
                except ConflictError:
                    table = await self._known.load_new_events(table)
        return self.schedule_bots(await self.get(table.rematch))

    # Deleting.

    async def remove_game(self, code: str, person: str) -> None:
        """Delete an ended game from a person's: it is gone if it was theirs alone, otherwise the others keep it."""
        await asyncio.shield(asyncio.ensure_future(self._remove_game(code, person)))

    async def _remove_game(self, code: str, person: str) -> None:
        async with self._lock(code):
            table = await self.get(code)
            while True:
                events = commands.remove_game(table, person)
                following = table.after(events)
                try:
                    if not events or not following.people:
                        await self.store.remove(code, table.sequence)
                        self._known.evict(code)
                    else:
                        await self._append(self._batch(following, table.sequence + 1, events))
                        await self._announce(following)
                    return
                except ConflictError:
                    table = await self._known.load_new_events(await self.get(code))

    async def remove_all_games(self, person: str) -> None:
        """Delete all ended games from a person's. If this is cut off, some are left, and it can be asked for again."""
        for code in await self.store.delete_solo_games(person):
            self._known.evict(code)
        shared = await self.store.finished_codes(person)
        for start in range(0, len(shared), TOGETHER):
            some = (self.remove_game(code, person) for code in shared[start : start + TOGETHER])
            left = await asyncio.gather(*some, return_exceptions=True)
            for problem in left:
                if isinstance(problem, UnavailableError) or (problem and not isinstance(problem, TamayaError)):
                    raise problem  # for any other reason, somebody was quicker

    async def records_of(self, person: str) -> AsyncIterator[Record]:
        """The ended games of a person, the oldest first. They are read one at a time and leave those in use where they are."""
        for code in await self.store.finished_codes(person):
            lines = await self.store.read_events(code)
            if lines:
                yield Table(code, map(decode, lines)).record()

    def _lock(self, code: str) -> asyncio.Lock:
        return self._locks.setdefault(code, asyncio.Lock())

    async def _announce(self, table: Table) -> Table:
        await self._known.announce(table)
        return self.schedule_bots(table)

    def _batch(self, table: Table, first: int, events: list[AnyEvent]) -> EventBatch:
        settings, now = table.settings, self.chance.now()
        listing = TableSummary(
            code=table.code,
            phase=table.phase,
            listed=settings.listed,
            edition=settings.edition_name,
            players=settings.rules.players,
            names=table.names,
            people=table.people,
            touched=now,
            progress=_progress(table),
            called=tuple("" if seat is None else table.seats[seat].name for seat in map(table.seat_of, table.people)),
            bots=table.bots,
            kind=table.kind,
            ended=now if table.phase is Phase.ENDED else None,
            offered=_offered(table),
        )
        return EventBatch(listing, first, tuple(map(encode, events)))

    # Bots.

    def schedule_bots(self, table: Table) -> Table:
        """Let the bot whose turn it is think, unless it already does, and let all bots of the table know by what they play."""
        if table.phase is not Phase.ENDED:
            for bot in filter(None, table.bots):
                self._thinker.prewarm(bot, table.settings.rules)
        thinking = self._thinking.get(table.code)
        if table.bot_to_move and (thinking is None or thinking.done()):
            task = asyncio.get_running_loop().create_task(self._let_bots_play(table.code))
            self._thinking[table.code] = task
            task.add_done_callback(lambda done: self._forget(table.code, done))
        return table

    def _forget(self, code: str, task: asyncio.Task[None]) -> None:
        if self._thinking.get(code) is task:
            del self._thinking[code]

    async def _let_bots_play(self, code: str) -> None:
        """Let bots take turns until it is a person's. Where another process does so already, see from time to time whether it
        still does."""
        try:
            while not await self._have_bots_played(code):
                await asyncio.sleep(CLAIM_AGAIN)
        except TamayaError as problem:
            TableLogger(logger, code).error("its bot cannot go on (%s)", problem.code)
        except Exception:
            TableLogger(logger, code).exception("its bot cannot go on")

    async def _have_bots_played(self, code: str) -> bool:
        """Let bots take their turns, if this process may; whether it is a person's turn."""
        try:
            if not (await self.get(code)).bot_to_move:
                return True
            async with self.bus.try_lock(code) as ours:
                if ours:
                    await self._play_for_bots(code)
                return ours
        except UnavailableError:
            await asyncio.sleep(AGAIN)
            return False

    async def _play_for_bots(self, code: str) -> None:
        table = await self.get(code)
        while bot := table.bot_to_move:
            seat, turn, line = table.to_move, table.turn, table.branch
            assert seat is not None
            hand = table.hand_numbers(seat)
            pause = self._pause * (PATIENCE if table.settings.slow_games else 1)
            _, thought = await asyncio.gather(asyncio.sleep(pause), self._think(table, bot, table.view_of_seat(seat)))
            if thought.problem:
                TableLogger(logger, code).error("the bot %s failed and was replaced for its turn: %s", bot, thought.problem)
            move = partial(commands.bot_move, thought=thought, turn=turn, hand=hand, line=line)
            while not await self._is_kept(code, move):
                await asyncio.sleep(AGAIN)
            table = await self.get(code)  # somebody may have moved already while this task was waiting to go on

    async def _is_kept(self, code: str, move: Decision) -> bool:
        """Let a bot move; whether that, or that there was no need to, is settled. Nobody else would ask for it again."""
        try:
            await self.update(code, move)
        except UnavailableError:
            return False
        return True

    async def _think(self, table: Table, bot: str, view: View) -> BotMove:
        """A bot's turn; in the prepared turns of the guided first deal, every bot does what is prepared."""
        right = right_actions(view) if table.settings.lesson else ()
        return BotMove(right[0]) if right else await self._thinker.choose_move(bot, view, table.code, table.bots)

    # Keeping house.

    async def sweep(self) -> SweepResult:
        """Mark the tables that were abandoned and forget those that were marked long ago; `KEEPING` says when."""
        now = self.chance.now()
        swept = await self.store.sweep(RETENTION, now)
        for code in swept.forgotten:
            self._known.evict(code)
        if swept.newest is not None and swept.newest > now + DAY:
            logger.warning("the newest event is %d days ahead of the clock; is the clock right?", (swept.newest - now) / DAY)
        if swept.marked:
            days = RETENTION.marked_for / DAY
            logger.warning("marked %d abandoned tables: forgotten in %d days unless somebody goes on", swept.marked, days)
        if swept.forgotten:
            logger.warning("forgot %d abandoned tables", len(swept.forgotten))
        return swept

    async def close(self) -> None:
        """Stop the bots and close the store."""
        for task in list(self._thinking.values()):
            task.cancel()
        await asyncio.gather(*self._thinking.values(), return_exceptions=True)
        await self._thinker.close()
        await self.store.close()


def _progress(table: Table) -> GameProgress | None:
    """How far the game has come, for lists of tables."""
    if table.phase is Phase.OPEN:
        return None
    mover = table.seats[table.to_move] if table.to_move is not None else Seat()
    return GameProgress(
        table.points, table.lost, mover.name, "" if mover.bot else mover.person, table.perfect, len(table.advised)
    )


def _offered(table: Table) -> str:
    """Who invites everybody to a table; nobody once it is full, or where only friends are wanted."""
    is_open = table.phase is Phase.OPEN and any(seat.free for seat in table.seats)
    return table.host if is_open and table.settings.listed else ""
