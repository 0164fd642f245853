"""The service through which all tables are read and changed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from weakref import WeakValueDictionary

from tamaya.record import Record
from tamaya.rules import MalformedError, TamayaError, UnavailableError
from tamaya.table import commands
from tamaya.table.bot_turns import BotTurns
from tamaya.table.cache import TableCache
from tamaya.table.events import AnyEvent, Moved, decode, encode
from tamaya.table.ports import BotExecutor, Bus, Runtime
from tamaya.table.settings import Settings
from tamaya.table.state import Phase, Seat
from tamaya.table.store import ConflictError, EventBatch, GameProgress, RetentionPolicy, Store, SweepResult, TableSummary
from tamaya.table.table import Decision, Table
from tamaya.table.telemetry import NO_METRICS, Metrics, timed

logger = logging.getLogger(__name__)
REMOVAL_BATCH = 50
"""Games that are removed at the same time: the store writes them in one transaction."""
DAY = 24 * 3600.0
RETENTION = RetentionPolicy({Phase.OPEN: DAY, Phase.PLAYING: 30 * DAY}, marked_for=7 * DAY, share=0.05, brought_for=365 * DAY)
"""An abandoned table is kept for a day if its game has not begun and for thirty days if it has, then for another week with a
mark. Finished games are kept, imported ones for a year."""


class TableService:
    """The only way to read and change tables. Confirmed changes are on disk.

    Several processes may serve the same tables: the store refuses a second event with the same number; the change is then
    decided again on the newer table.
    """

    def __init__(
        self,
        store: Store,
        bus: Bus,
        executor: BotExecutor,
        *,
        runtime: Runtime | None = None,
        bot_delay: float = 0.0,
        cache_size: int = 2000,
        metrics: Metrics = NO_METRICS,
    ) -> None:
        self.store, self.bus, self.runtime = store, bus, runtime or Runtime()
        self._metrics = metrics
        self._cache = TableCache(store, self.bus, cache_size)
        self._bot_turns = BotTurns(bus, executor, bot_delay, self.get, self.update)
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    # Reading.

    @property
    def in_memory(self) -> int:
        """The number of cached tables."""
        return len(self._cache)

    async def get(self, code: str) -> Table:
        """The current table with this code."""
        return await self._cache.get(code)

    async def get_cached(self, code: str) -> Table:
        """The table as this process knows it; another process may have changed it since."""
        return await self._cache.get_cached(code)

    async def refresh(self, code: str, sequence: int) -> Table:
        """The table with at least `sequence` events, which another process may have written."""
        return await self._cache.refresh(code, sequence)

    # Changing.

    async def create(self, settings: Settings, person: str, name: str, *decisions: Decision) -> Table:
        """Open a table and apply decisions to it, all or none."""
        table = Table(self.runtime.code(), ())
        events: list[AnyEvent] = []
        for decide in (lambda _: commands.open_table(settings, person, name), *decisions):
            decided = decide(table)
            table = table.after(decided)
            events += decided
        (opened,) = await self._begin((table, events))
        return opened

    async def begin(self, events: list[AnyEvent]) -> Table:
        """Create a table with these events."""
        (table,) = await self.begin_all([events])
        return table

    async def begin_all(self, beginnings: Sequence[list[AnyEvent]]) -> list[Table]:
        """Create one table for each list of events, all or none."""
        begun = []
        for events in beginnings:
            begun.append((Table(self.runtime.code(), events), events))
            await asyncio.sleep(0)  # replaying a hundred games takes a while
        return await self._begin(*begun)

    async def _begin(self, *begun: tuple[Table, list[AnyEvent]]) -> list[Table]:
        await self._append(*(self._batch(table, 1, events) for table, events in begun))
        return [self.schedule_bots(self._cache.put(table)) for table, _ in begun]

    async def update(self, code: str, decide: Decision) -> Table:
        """Store and announce the events that a decision makes of the table. If another process stored events first, decide
        again.

        A cancelled caller does not cancel the update: stored events must be announced.
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
                    table = await self._cache.load_new_events(table)
                    events = decide(table)
            return table

    async def _decided(self, code: str, decide: Decision) -> tuple[Table, list[AnyEvent]]:
        """The table and the events decided on it. The cached table will do, as the store refuses events for an outdated one;
        only a refusal or an empty decision must be checked against the newest."""
        table, refusal, events = await self._cache.get_cached(code), None, list[AnyEvent]()
        try:
            events = decide(table)
        except TamayaError as problem:
            refusal = problem
        if not events and self.bus.shared and (newest := await self._cache.get(code)).sequence != table.sequence:
            return newest, decide(newest)
        if refusal:
            raise refusal
        return table, events

    async def _append(self, *batches: EventBatch) -> None:
        try:
            with timed(self._metrics, "append", queue="append"):
                await self.store.append(batches)
        except MalformedError:
            for batch in batches:
                self._cache.evict(batch.summary.code)
            raise

    def _count_moves(self, events: list[AnyEvent]) -> None:
        for event in events:
            if isinstance(event, Moved):
                self._metrics.count("move", "bot" if event.bot else "person")

    async def rematch(self, code: str, person: str) -> Table:
        """The table of the rematch, opened by the first player who asks; both tables change together."""
        return await asyncio.shield(asyncio.ensure_future(self._rematch(code, person)))

    async def _rematch(self, code: str, person: str) -> Table:
        async with self._lock(code):
            table = await self.get(code)
            while not table.rematch:
                successor = self.runtime.code()
                old, new = commands.rematch(table, person, successor)
                following, opened = table.after(old), Table(successor, new)
                batches = self._batch(following, table.sequence + 1, old), self._batch(opened, 1, new)
                try:
                    await self._append(*batches)
                    self._cache.put(opened)
                    table = await self._announce(following)
                except ConflictError:
                    table = await self._cache.load_new_events(table)
        return self.schedule_bots(await self.get(table.rematch))

    # Deleting.

    async def remove_game(self, code: str, person: str) -> None:
        """Remove a finished game from a person's games; it is deleted once it belongs to no other person."""
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
                        self._cache.evict(code)
                    else:
                        await self._append(self._batch(following, table.sequence + 1, events))
                        await self._announce(following)
                    return
                except ConflictError:
                    table = await self._cache.load_new_events(await self.get(code))

    async def remove_all_games(self, person: str) -> None:
        """Remove all finished games from a person's games. If this is interrupted, some remain and can be removed later."""
        for code in await self.store.delete_solo_games(person):
            self._cache.evict(code)
        shared = await self.store.finished_codes(person)
        for start in range(0, len(shared), REMOVAL_BATCH):
            some = (self.remove_game(code, person) for code in shared[start : start + REMOVAL_BATCH])
            results = await asyncio.gather(*some, return_exceptions=True)
            for problem in results:
                if isinstance(problem, UnavailableError) or (problem and not isinstance(problem, TamayaError)):
                    raise problem  # other refusals mean that another request removed it

    async def records_of(self, person: str) -> AsyncIterator[Record]:
        """The records of a person's finished games, oldest first. They are read one at a time, past the cache."""
        for code in await self.store.finished_codes(person):
            lines = await self.store.read_events(code)
            if lines:
                yield Table(code, map(decode, lines)).record()

    def _lock(self, code: str) -> asyncio.Lock:
        return self._locks.setdefault(code, asyncio.Lock())

    async def _announce(self, table: Table) -> Table:
        await self._cache.announce(table)
        return self.schedule_bots(table)

    def _batch(self, table: Table, first: int, events: list[AnyEvent]) -> EventBatch:
        settings, now = table.settings, self.runtime.now()
        listing = TableSummary(
            code=table.code,
            phase=table.phase,
            listed=settings.listed,
            edition=settings.edition_name,
            players=settings.rules.players,
            names=table.names,
            player_ids=table.people,
            updated_at=now,
            progress=_progress(table),
            player_names=tuple("" if seat is None else table.seats[seat].name for seat in map(table.seat_of, table.people)),
            bots=table.bots,
            kind=table.kind,
            ended=now if table.phase is Phase.ENDED else None,
            offered=_offered(table),
        )
        return EventBatch(listing, first, tuple(map(encode, events)))

    # Bots.

    def schedule_bots(self, table: Table) -> Table:
        """Have the turn of the bot to move played in the background, unless it already is; the same table."""
        if any(seat.bot for seat in table.seats):
            self._bot_turns.schedule(table)
        return table

    # Upkeep.

    async def sweep(self) -> SweepResult:
        """Mark abandoned tables, and delete those marked long ago, as `RETENTION` says."""
        now = self.runtime.now()
        swept = await self.store.sweep(RETENTION, now)
        for code in swept.forgotten:
            self._cache.evict(code)
        if swept.newest is not None and swept.newest > now + DAY:
            logger.warning("the newest event is %d days ahead of the clock; is the clock right?", (swept.newest - now) / DAY)
        if swept.marked:
            days = RETENTION.marked_for / DAY
            logger.warning("marked %d abandoned tables: forgotten in %d days unless a player returns", swept.marked, days)
        if swept.forgotten:
            logger.warning("forgot %d abandoned tables", len(swept.forgotten))
        return swept

    async def close(self) -> None:
        """Stop the bots and close the store."""
        await self._bot_turns.close()
        await self.store.close()


def _progress(table: Table) -> GameProgress | None:
    """The state of the game that lists of tables show."""
    if table.phase is Phase.OPEN:
        return None
    mover = table.seats[table.to_move] if table.to_move is not None else Seat()
    return GameProgress(
        table.points, table.lost, mover.name, "" if mover.bot else mover.person, table.perfect, len(table.advised)
    )


def _offered(table: Table) -> str:
    """The host of a listed table with a free seat, otherwise nothing."""
    is_open = table.phase is Phase.OPEN and any(seat.free for seat in table.seats)
    return table.host if is_open and table.settings.listed else ""
