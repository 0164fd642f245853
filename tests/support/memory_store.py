"""A store in memory, in plain Python, which the others are compared with."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import TypeVar

from tamaya import MalformedError
from tamaya.rules import say
from tamaya.storage.queries import DAY, MAX_PARTNERS, MONDAY, period_days
from tamaya.table import (
    EVERY_GAME,
    ConflictError,
    EventBatch,
    GameCount,
    GameFilter,
    GameKind,
    GameState,
    GameStats,
    Partner,
    Period,
    Phase,
    RetentionPolicy,
    SessionStore,
    SweepResult,
    TableSummary,
)
from tamaya.table.store import MAX_OFFERS
from tests.support.memory_sessions import MemorySessionStore

Key = TypeVar("Key", bound=Hashable)


class MemoryStore:
    """Stores events for as long as the process lives; a store `beside` another shares its data. Other tasks run while it
    writes, as with a disk.

    A test can close `gate` to block appends, and `waiting` is set when one arrives.
    """

    def __init__(self, at_once: bool = False, beside: MemoryStore | None = None) -> None:
        self.kept: dict[str, list[str]] = beside.kept if beside else {}
        self.listings: dict[str, TableSummary] = beside.listings if beside else {}
        self.coachings: dict[str, str] = beside.coachings if beside else {}
        self.abandoned_at: dict[str, float] = beside.abandoned_at if beside else {}
        self.sessions: SessionStore = beside.sessions if beside else MemorySessionStore()
        self._at_once, self._writing = at_once, asyncio.Lock()
        self.gate, self.waiting = asyncio.Event(), asyncio.Event()
        self.gate.set()

    # Events.

    async def append(self, batches: Sequence[EventBatch]) -> None:
        self.waiting.set()
        async with self._writing:
            await self.gate.wait()
            if not self._at_once:
                await asyncio.sleep(0)
            self._append(batches)

    def _append(self, batches: Sequence[EventBatch]) -> None:
        """Append all of these batches or none, without yielding to other tasks."""
        lines, summaries = dict[str, list[str]](), dict[str, TableSummary]()
        for batch in batches:
            code = batch.summary.code
            before = lines.get(code, self.kept.get(code, []))
            if batch.first <= len(before):
                raise ConflictError(code, batch.first)
            if batch.first > len(before) + 1:
                raise MalformedError("unknown_table", say("There is no table “{code}”; check the link.", code=code))
            lines[code] = [*before, *batch.lines]
            if batch.lines:
                summaries[code] = _still_ended(batch.summary, summaries.get(code, self.listings.get(code)))
        self.kept |= {code: lines[code] for code in summaries}
        self.listings |= summaries
        for code in summaries:
            self.abandoned_at.pop(code, None)

    async def read_events(self, code: str, after: int = 0) -> list[str]:
        await asyncio.sleep(0)
        return self.kept.get(code, [])[after:]

    async def last_sequence(self, code: str) -> int:
        await asyncio.sleep(0)
        return len(self.kept.get(code, ()))

    # Games of a player.

    async def tables_of(
        self, person: str, wanted: GameFilter = EVERY_GAME, limit: int = 50, skip: int = 0
    ) -> list[TableSummary]:
        mine = self._wanted(person, wanted)
        going = [summary for summary in _newest(mine) if summary.ended is None]
        return [*going, *sorted(_over(mine), key=lambda summary: (-_ended(summary), summary.code))][skip : skip + limit]

    async def summary_of(self, person: str, wanted: GameFilter = EVERY_GAME) -> GameStats:
        mine = self._wanted(person, wanted)
        counted = [summary for summary in mine if summary.ended is not None and _counts(summary)]
        if not counted:
            return GameStats(len(mine))
        times = [_ended(summary) for summary in counted]
        days = period_days(len(counted), min(times), max(times))
        with_whom = _gathered(counted, lambda summary: _partners(summary, person))
        return GameStats(
            len(mine),
            {edition: _count(games) for edition, games in _gathered(counted, lambda summary: (summary.edition,)).items()},
            {players: _count(games) for players, games in _gathered(counted, lambda summary: (summary.players,)).items()},
            {partner: _count(with_whom[partner]) for partner in _most_frequent(with_whom)[:MAX_PARTNERS]},
            tuple(_stretches(counted, days)),
            days,
        )

    async def partners_of(self, person: str, limit: int = 100) -> list[Partner]:
        return _most_frequent(_gathered(_over(self._of(person)), lambda summary: _partners(summary, person)))[:limit]

    async def finished_codes(self, person: str) -> list[str]:
        return [game.code for game in sorted(_over(self._of(person)), key=lambda game: (_ended(game), game.code))]

    def _of(self, person: str) -> list[TableSummary]:
        return [summary for summary in self.listings.values() if person in summary.player_ids]

    def _wanted(self, person: str, wanted: GameFilter) -> list[TableSummary]:
        return [summary for summary in self._of(person) if _is_wanted(summary, person, wanted)]

    # Deleting.

    async def remove(self, code: str, sequence: int) -> None:
        if code not in self.kept or len(self.kept[code]) != sequence:
            raise ConflictError(code, sequence)
        self._forget(code)

    async def delete_solo_games(self, person: str) -> tuple[str, ...]:
        own = tuple(sorted(summary.code for summary in _over(self._of(person)) if set(summary.player_ids) == {person}))
        for code in own:
            self._forget(code)
        return own

    def _forget(self, code: str) -> None:
        del self.kept[code], self.listings[code]
        self.coachings.pop(code, None)
        self.abandoned_at.pop(code, None)

    async def sweep(self, policy: RetentionPolicy, now: float) -> SweepResult:
        if not self.listings:
            return SweepResult()
        newest, most = max(summary.updated_at for summary in self.listings.values()), int(len(self.listings) * policy.share)
        today = min(now, newest)
        abandoned = {code for code, summary in self.listings.items() if _is_abandoned(summary, policy, today)}
        for code in [code for code, since in self.abandoned_at.items() if code not in abandoned or since > today]:
            del self.abandoned_at[code]
        due = sorted((since, code) for code, since in self.abandoned_at.items() if since <= today - policy.marked_for)
        forgotten = tuple(code for _, code in due[: max(1, most)])
        for code in forgotten:
            self._forget(code)
        fresh = abandoned - self.abandoned_at.keys() - set(forgotten)
        self.abandoned_at |= dict.fromkeys(fresh, today)
        return SweepResult(newest, len(fresh), forgotten)

    # The rest.

    async def save_analysis(self, code: str, text: str) -> None:
        if code in self.kept:
            self.coachings[code] = text

    async def load_analysis(self, code: str) -> str | None:
        return self.coachings.get(code)

    async def open_tables(self, person: str = "", limit: int = 50) -> list[TableSummary]:
        offers, found = Counter[str](), list[TableSummary]()
        for summary in _newest(self.listings.values()):
            if summary.offered and person not in summary.player_ids:
                offers[summary.offered] += 1
                found += [summary] if offers[summary.offered] <= MAX_OFFERS else []
        return found[:limit]

    async def probe(self) -> Sequence[str]:
        return ()

    async def close(self) -> None:
        """Finish pending appends first."""
        async with self._writing:
            pass


def _still_ended(summary: TableSummary, before: TableSummary | None) -> TableSummary:
    """The summary with the time at which the game was first over, if it was over before."""
    was_over = before is not None and before.ended is not None and summary.ended is not None
    return replace(summary, ended=before.ended) if before and was_over else summary


def _ended(summary: TableSummary) -> float:
    assert summary.ended is not None
    return summary.ended


def _newest(summaries: Iterable[TableSummary]) -> list[TableSummary]:
    return sorted(summaries, key=lambda summary: (-summary.updated_at, summary.code))


def _over(summaries: Iterable[TableSummary]) -> list[TableSummary]:
    return [summary for summary in summaries if summary.ended is not None]


def _counts(summary: TableSummary) -> bool:
    return summary.kind is GameKind.PLAIN and summary.progress is not None


def _is_wanted(summary: TableSummary, person: str, wanted: GameFilter) -> bool:
    """Whether a game passes a filter."""
    ended, partners = summary.ended, _partners(summary, person)
    if wanted.since is not None and (ended is None or ended < wanted.since):
        return False
    if wanted.before is not None and (ended is None or ended >= wanted.before):
        return False
    if wanted.partner and Partner(wanted.partner) not in partners:
        return False
    if wanted.bot and Partner(bot=wanted.bot) not in partners:
        return False
    fits = wanted.edition in ("", summary.edition) and wanted.players in (0, summary.players)
    return fits and wanted.state in (None, *_states(summary))


def _states(summary: TableSummary) -> list[GameState]:
    """The states of a game."""
    if summary.ended is None:
        return [GameState.GOING]
    progress = summary.progress
    found = {GameState.PERFECT: progress and progress.perfect, GameState.LOST: progress and progress.lost}
    return [GameState.OVER, *(state for state, is_so in found.items() if is_so)]


def _partners(summary: TableSummary, person: str) -> set[Partner]:
    """The partners of a person at a table."""
    own = dict(zip_longest(summary.player_ids, summary.player_names[: len(summary.player_ids)], fillvalue="")).get(person, "")
    seats = zip_longest(summary.names, summary.bots[: len(summary.names)], fillvalue="")
    return {Partner(bot=bot) if bot else Partner(name) for name, bot in seats if name not in ("", own)}


def _gathered(games: Iterable[TableSummary], keys: Callable[[TableSummary], Iterable[Key]]) -> dict[Key, list[TableSummary]]:
    """Group games by keys; a game may have several."""
    found = dict[Key, list[TableSummary]]()
    for game in games:
        for key in keys(game):
            found.setdefault(key, []).append(game)
    return found


def _most_frequent(games: Mapping[Partner, Sequence[TableSummary]]) -> list[Partner]:
    return sorted(games, key=lambda partner: (-len(games[partner]), partner.bot, partner.name))


def _score(summary: TableSummary) -> int:
    assert summary.progress
    return 0 if summary.progress.lost else summary.progress.points


def _count(games: Sequence[TableSummary]) -> GameCount:
    scores, results = list(map(_score, games)), [game.progress for game in games if game.progress]
    perfect, lost = sum(result.perfect for result in results), sum(result.lost for result in results)
    return GameCount(len(games), sum(scores), max(scores), perfect, lost)


def _stretches(games: Iterable[TableSummary], days: int) -> Iterable[Period]:
    """Games in the order in which they ended, single or grouped by periods of `days`; weeks begin on Mondays."""
    in_order = sorted(games, key=lambda game: (_ended(game), game.code))
    if not days:
        return [Period(_ended(game), 1, *[_score(game)] * 3) for game in in_order]
    length, offset = days * DAY, MONDAY if days % 7 == 0 else 0.0
    together = _gathered(in_order, lambda game: ((_ended(game) - offset) // length * length + offset,))
    scores = {begins: list(map(_score, some)) for begins, some in together.items()}
    return [Period(begins, len(some), sum(some), min(some), max(some)) for begins, some in scores.items()]


def _is_abandoned(summary: TableSummary, policy: RetentionPolicy, today: float) -> bool:
    """Whether a table has been without events for too long; a finished game only if it was imported."""
    kept_for = dict[Phase, float | None](policy.kept_for)
    if summary.kind is GameKind.BROUGHT:
        kept_for.setdefault(Phase.ENDED, policy.brought_for)
    seconds = kept_for.get(summary.phase)
    return seconds is not None and summary.updated_at < today - seconds
