"""The filter of a list of games: read from its address and written into the addresses of its links."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from urllib.parse import urlencode

from tamaya.record.validation import MAX_BOT_LENGTH, MAX_NAME_LENGTH
from tamaya.rules import MalformedError, Message, find_edition, read_number, say, say_in, say_n
from tamaya.rules.ruleset import ALLOWED
from tamaya.table import GameFilter, GameState
from tamaya.web.bot_profiles import teammate_of
from tamaya.web.rendering.templates import format_date

PLAYERS: Sequence[int] = ALLOWED["players"]
MAX_PAGES = 100_000
EXAMPLE_DATE = "2026-07-31"
STATES: Mapping[GameState | None, Message] = {
    None: say_in("games", "All"),
    GameState.GOING: say_in("games", "Going on"),
    GameState.OVER: say_in("games", "Over"),
    GameState.PERFECT: say_in("games", "Perfect"),
    GameState.LOST: say_in("games", "Lost"),
}
"""The states of games to choose from."""


def read_filter(query: Mapping[str, str]) -> GameFilter:
    """The filter of an address; an empty field does not filter."""
    state, players = query.get("state", ""), query.get("players", "")
    if state and state not in list(GameState):
        raise _no_choice("state", state, list(GameState))
    if players and read_number(players, 5) not in PLAYERS:
        raise _no_choice("players", players, list(map(str, PLAYERS)))
    until = _day(query, "to")
    return GameFilter(
        edition=find_edition(query["edition"]).name if query.get("edition") else "",
        players=int(players or 0),
        partner=_name(query, "partner")[:MAX_NAME_LENGTH],
        bot=_name(query, "bot")[:MAX_BOT_LENGTH],
        state=GameState(state) if state else None,
        since=_seconds(_day(query, "from")),
        before=_seconds(until and until + timedelta(days=1)),
    )


def read_page(query: Mapping[str, str]) -> int:
    """The page number of an address, from 1."""
    text = query.get("page") or "1"
    number = read_number(text, 6)
    if not number or number > MAX_PAGES:
        message = say("There is no page “{value}”; pages are numbered from 1.", value=text[:20])
        raise MalformedError("bad_filter", message)
    return number


def _name(query: Mapping[str, str], field: str) -> str:
    """A name to search for, without the null character, which PostgreSQL refuses."""
    return query.get(field, "").replace("\0", "")


def _day(query: Mapping[str, str], name: str) -> date | None:
    text = query.get(name, "")
    try:
        day = date.fromisoformat(text) if text else None
    except ValueError:
        day = date.min
    if day and not 1970 <= day.year < 3000:
        message = say("“{value}” is no date; write it like {example}.", value=text[:20], example=EXAMPLE_DATE)
        raise MalformedError("bad_filter", message)
    return day


def _seconds(day: date | None) -> float | None:
    return datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() if day else None


def _no_choice(field: str, value: str, known: Iterable[str]) -> MalformedError:
    message = say("“{field}” cannot be “{value}”; the choices are {known}.", field=field, value=value[:20], known=tuple(known))
    return MalformedError("bad_filter", message)


def filter_fields(wanted: GameFilter) -> dict[str, str]:
    """The query fields of a filter."""
    fields = {
        "edition": wanted.edition,
        "players": str(wanted.players or ""),
        "partner": wanted.partner,
        "bot": wanted.bot,
        "state": wanted.state or "",
        "from": iso_day(wanted.since),
        "to": iso_day(wanted.before and wanted.before - 1),
    }
    return {name: value for name, value in fields.items() if value}


def iso_day(moment: float | None) -> str:
    """A day as written in addresses."""
    return "" if moment is None else datetime.fromtimestamp(moment, UTC).date().isoformat()


def games_address(fields: Mapping[str, str], **changed: object) -> str:
    """The address of the list with these fields changed. An empty value drops a field, and a new filter starts at its first
    page."""
    query_fields = {**fields, **{name: str(value or "") for name, value in changed.items()}}
    query = urlencode({name: value for name, value in query_fields.items() if value})
    return f"/games?{query}" if query else "/games"


def filter_words(wanted: GameFilter, language: str) -> dict[str, Message]:
    """A filter in words, by field, except for the state."""
    words: dict[str, Message] = {}
    if wanted.edition:
        words["edition"] = find_edition(wanted.edition).title
    if wanted.players:
        words["players"] = say_n("{n} player", "{n} players", wanted.players)
    if wanted.partner:
        words["partner"] = say("with {name}", name=wanted.partner)
    if wanted.bot:
        words["bot"] = say("with {name}", name=teammate_of(wanted.bot).name)
    if wanted.since is not None:
        words["from"] = say_in("date", "from {day}", day=format_date(wanted.since, language))
    if wanted.before is not None:
        words["to"] = say_in("date", "to {day}", day=format_date(wanted.before - 1, language))
    return words
