"""Queries about a player's games and about open tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Float, Integer, Select, Table, and_, case, cast, exists, func, literal, select
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from tamaya.storage.schema import partners, people, tables
from tamaya.table.store import MAX_OFFERS, GameCount, GameFilter, GameState, Partner, Period

DAY = 24 * 3600.0
MONDAY = 4 * DAY
"""The first one after the time from which seconds are counted."""
MOST_STRETCHES = 120
"""How many games, or stretches of time, a plot can show."""
LENGTHS = (1, 7, 28, 91, 364)
"""Days of a stretch where there are more games."""
MOST_PARTNERS = 12
"""How many partners a summary has."""

_wanted = partners.alias()


class _Whole(FunctionElement[float]):
    """A number without its fraction, which each database has another way to say."""

    type = Float()
    inherit_cache = True


@compiles(_Whole, "sqlite")
def _whole_in_sqlite(element: _Whole, compiler: SQLCompiler, **how: Any) -> str:
    return f"CAST({compiler.process(element.clauses, **how)} AS INTEGER)"


@compiles(_Whole, "postgresql")
def _whole_in_postgresql(element: _Whole, compiler: SQLCompiler, **how: Any) -> str:
    return f"trunc({compiler.process(element.clauses, **how)})"


def _sums(games: Table) -> tuple[ColumnElement[int], ...]:
    return (
        func.count(),
        func.sum(games.c.score),
        func.max(games.c.score),
        func.sum(cast(games.c.perfect, Integer)),
        func.sum(cast(games.c.lost, Integer)),
    )


def is_wanted(person: str, wanted: GameFilter, games: Table = people) -> ColumnElement[bool]:
    """The condition that a row of `people`, or of `partners`, is about one of the person's games that are wanted."""
    conditions: list[ColumnElement[bool]] = [games.c.person == person]
    if wanted.edition:
        conditions.append(games.c.edition == wanted.edition)
    if wanted.players:
        conditions.append(games.c.players == wanted.players)
    if wanted.partner:
        conditions.append(games.c.code.in_(_games_with(person, bot="", name=wanted.partner)))
    if wanted.bot:
        conditions.append(games.c.code.in_(_games_with(person, bot=wanted.bot, name="")))
    if wanted.since is not None:
        conditions.append(games.c.ended >= wanted.since)
    if wanted.before is not None:
        conditions.append(games.c.ended < wanted.before)
    if wanted.state:
        conditions.append(_is_so(wanted.state, games))
    return and_(*conditions)


def _is_so(state: GameState, games: Table) -> ColumnElement[bool]:
    return {
        GameState.GOING: games.c.ended.is_(None),
        GameState.OVER: games.c.ended.is_not(None),
        GameState.PERFECT: games.c.perfect,
        GameState.LOST: games.c.lost,
    }[state]


def _games_with(person: str, bot: str, name: str) -> Select[Any]:
    return select(_wanted.c.code).where(_wanted.c.person == person, _wanted.c.bot == bot, _wanted.c.name == name)


def by_setting(chosen: ColumnElement[bool]) -> Select[Any]:
    """Games by edition and number of players, those that count apart from the others; and when the first and the last ended."""
    keys = (people.c.counted, people.c.edition, people.c.players)
    return select(*keys, func.min(people.c.ended), func.max(people.c.ended), *_sums(people)).where(chosen).group_by(*keys)


def by_partner(person: str, wanted: GameFilter) -> Select[Any]:
    """CounterName games by whom they were played with, the most frequent first."""
    keys, chosen = (partners.c.bot, partners.c.name), is_wanted(person, wanted, partners)
    grouped = select(*keys, *_sums(partners)).where(chosen, partners.c.counted).group_by(*keys)
    return grouped.order_by(func.count().desc(), *keys).limit(MOST_PARTNERS)


def all_partners(person: str, limit: int) -> Select[Any]:
    """Everybody with whom a person ended a game, the most frequent first."""
    keys = (partners.c.bot, partners.c.name)
    ended = select(*keys).where(partners.c.person == person, partners.c.ended.is_not(None)).group_by(*keys)
    return ended.order_by(func.count().desc(), *keys).limit(limit)


def days_of_a_stretch(games: int, first: float, last: float) -> int:
    """How many days to put together so that so many games fit into a plot; 0 to leave them single."""
    if games <= MOST_STRETCHES:
        return 0
    fitting = (days for days in LENGTHS if (last - first) / (days * DAY) < MOST_STRETCHES)
    return next(fitting, LENGTHS[-1])


def over_time(chosen: ColumnElement[bool], days: int) -> Select[Any]:
    """CounterName games in the order in which they ended, put together by so many days; weeks begin on Mondays."""
    score, ended = people.c.score, people.c.ended
    counted = (chosen, people.c.counted)
    if not days:
        single = (ended, literal(1), score, score, score)
        return select(*single).where(*counted).order_by(ended, people.c.code)
    length, offset = days * DAY, MONDAY if days % 7 == 0 else 0.0
    # Before the first Monday of all, numbers below zero would be rounded up.
    begins = _Whole(case((ended < offset, -1.0), else_=(ended - offset) / length)) * length + offset
    together: tuple[ColumnElement[Any], ...] = (
        begins.label("begins"),
        func.count(),
        func.sum(score),
        func.min(score),
        func.max(score),
    )
    return select(*together).where(*counted).group_by("begins").order_by("begins")


def count_in(row: Sequence[Any]) -> GameCount:
    """The sums at the end of a row."""
    games, points, best, perfect, lost = row[-5:]
    return GameCount(games, points or 0, best or 0, perfect, lost)


def added_up(rows: Iterable[tuple[Any, GameCount]]) -> Mapping[Any, GameCount]:
    """The counts by their keys, in the order of the keys."""
    found: dict[Any, GameCount] = {}
    for key, count in rows:
        found[key] = found.get(key, GameCount()) + count
    return dict(sorted(found.items()))


def partner_in(row: Sequence[Any]) -> Partner:
    """The partner at the beginning of a row."""
    return Partner(name=row[1], bot=row[0])


def stretch_in(row: Sequence[Any]) -> Period:
    """The stretch of time that a row holds."""
    return Period(*row)


def is_offered_to(person: str) -> ColumnElement[bool]:
    """The tables that somebody may join and has no seat at; of each host the last ones only, so that nobody's hide all others.

    All of this is asked of the database: what is dropped afterwards would have taken the place of something else.
    """
    own = exists().where(people.c.code == tables.c.code, people.c.person == person)
    newest = func.row_number().over(partition_by=tables.c.offered, order_by=(tables.c.updated_at.desc(), tables.c.code))
    offers = select(tables.c.code, newest.label("place")).where(tables.c.offered.is_not(None), ~own).subquery()
    return tables.c.code.in_(select(offers.c.code).where(offers.c.place <= MAX_OFFERS))
