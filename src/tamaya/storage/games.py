"""Questions about somebody's games, as SQL: which there are, and what they came to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Integer, Select, and_, case, cast, exists, func, or_, select, type_coerce

from tamaya.storage.schema import partners, people
from tamaya.table.history import GameCount, GameFilter, GameState, Partner, Stretch

DAY = 24 * 3600.0
MONDAY = 4 * DAY
"""The first one after the time from which seconds are counted."""
MOST_STRETCHES = 120
"""How many games, or stretches of time, a plot can show."""
LENGTHS = (1, 7, 28, 91, 364)
"""Days of a stretch where there are more games."""
MOST_PARTNERS = 12
"""How many partners a summary has."""

_other = and_(partners.c.code == people.c.code, or_(partners.c.bot != "", partners.c.name != people.c.called))
_wanted = partners.alias()
_SUMS = (
    func.count(),
    func.sum(people.c.score),
    func.max(people.c.score),
    func.sum(type_coerce(people.c.perfect, Integer)),
    func.sum(type_coerce(people.c.lost, Integer)),
)


def is_wanted(person: str, wanted: GameFilter) -> ColumnElement[bool]:
    """The condition that a row of `people` is one of the person's games that are wanted."""
    conditions: list[ColumnElement[bool]] = [people.c.person == person]
    if wanted.edition:
        conditions.append(people.c.edition == wanted.edition)
    if wanted.players:
        conditions.append(people.c.players == wanted.players)
    if wanted.partner:
        conditions += [_plays(bot="", name=wanted.partner), people.c.called != wanted.partner]
    if wanted.bot:
        conditions.append(_plays(bot=wanted.bot, name=""))
    if wanted.since is not None:
        conditions.append(people.c.ended >= wanted.since)
    if wanted.before is not None:
        conditions.append(people.c.ended < wanted.before)
    conditions += _in_state(wanted.state)
    return and_(*conditions)


def _plays(bot: str, name: str) -> ColumnElement[bool]:
    return exists().where(_wanted.c.code == people.c.code, _wanted.c.bot == bot, _wanted.c.name == name)


def _in_state(state: GameState | None) -> Iterable[ColumnElement[bool]]:
    match state:
        case GameState.GOING:
            yield people.c.ended.is_(None)
        case GameState.OVER:
            yield people.c.ended.is_not(None)
        case GameState.PERFECT:
            yield people.c.perfect
        case GameState.LOST:
            yield people.c.lost


def by_setting(chosen: ColumnElement[bool]) -> Select[Any]:
    """Games by edition and number of players, those that count apart from the others; and when the first and the last ended."""
    keys = (people.c.counted, people.c.edition, people.c.players)
    return select(*keys, func.min(people.c.ended), func.max(people.c.ended), *_SUMS).where(chosen).group_by(*keys)


def by_partner(chosen: ColumnElement[bool]) -> Select[Any]:
    """Counted games by whom they were played with, the most frequent first."""
    keys = (partners.c.bot, partners.c.name)
    joined = select(*keys, *_SUMS).select_from(people).join(partners, _other).where(chosen, people.c.counted)
    return joined.group_by(*keys).order_by(func.count().desc(), *keys).limit(MOST_PARTNERS)


def all_partners(person: str, limit: int) -> Select[Any]:
    """Everybody with whom a person ended a game, the most frequent first."""
    keys = (partners.c.bot, partners.c.name)
    joined = select(*keys).select_from(people).join(partners, _other)
    ended = joined.where(people.c.person == person, people.c.ended.is_not(None))
    return ended.group_by(*keys).order_by(func.count().desc(), *keys).limit(limit)


def days_of_a_stretch(games: int, first: float, last: float) -> int:
    """How many days to put together so that so many games fit into a plot; 0 to leave them single."""
    if games <= MOST_STRETCHES:
        return 0
    fitting = (days for days in LENGTHS if (last - first) / (days * DAY) < MOST_STRETCHES)
    return next(fitting, LENGTHS[-1])


def over_time(chosen: ColumnElement[bool], days: int) -> Select[Any]:
    """Counted games in the order in which they ended, put together by so many days; weeks begin on Mondays."""
    score, ended = people.c.score, people.c.ended
    counted = (chosen, people.c.counted)
    if not days:
        return select(ended, 1, score, score, score).where(*counted).order_by(ended, people.c.code)
    length, offset = days * DAY, MONDAY if days % 7 == 0 else 0.0
    # Before the first Monday of all, numbers below zero would be rounded up.
    begins = cast(case((ended < offset, -1), else_=(ended - offset) / length), Integer) * length + offset
    sums = (func.count(), func.sum(score), func.min(score), func.max(score))
    return select(begins.label("begins"), *sums).where(*counted).group_by("begins").order_by("begins")


def count_in(row: Sequence[Any]) -> GameCount:
    """The sums at the end of a row."""
    games, points, best, perfect, lost = row[-len(_SUMS) :]
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


def stretch_in(row: Sequence[Any]) -> Stretch:
    """The stretch of time that a row holds."""
    return Stretch(*row)
