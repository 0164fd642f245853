"""Tamaya's own file format: JSON with one move per line, in the notation that players type.

    {
     "format": "tamaya",
     "version": 1,
     "rules": {"players": 2, …},
     "players": ["Ana", "Bo"],
     "deck": "R1 Y3 …",
     "moves": [
      "clue 2 red",
      "arrange 2: 2 1 3 4 5",
      …
     ]
    }

``"bots": [null, "simple"]`` is added where bots play, ``"stopped": "terminated"`` (or ``"timeout"``) where players gave up,
``"taken_back"`` where moves were taken back, ``"origin"`` where the game was played on from another one, ``"advised"`` where
players took advice. The moves come last, so that the rest can still be read if the end of the file is lost or damaged.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tamaya.engine import Game
from tamaya.record import take_backs
from tamaya.record.record import Origin, Record, Replay, Stop, advised_to_json, read_advised, replay
from tamaya.record.validation import MAX_BOT_LENGTH, MAX_TURNS, field_error, integer, is_name, mapping, names, sequence
from tamaya.rules import Move, RecordError, Rules, read_card, read_move, say

FORMAT, VERSION = "tamaya", 1
OPTIONAL = ("bots", "stopped", "taken_back", "origin", "advised")
KEYS = ("format", "version", "rules", "players", "deck", *OPTIONAL, "moves")
MAX_ORIGIN_LENGTH = 200


def to_json(record: Record) -> dict[str, Any]:
    """The record as plain values."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "rules": record.rules.to_json(),
        "players": list(record.names),
        **({"bots": list(record.bots)} if any(record.bots) else {}),
        "deck": " ".join(map(str, record.deck)),
        **({"stopped": record.stopped.value} if record.stopped else {}),
        **({"taken_back": [*map(take_backs.to_json, record.taken_back)]} if record.taken_back else {}),
        **({"origin": {"game": record.origin.game, "turn": record.origin.turn}} if record.origin else {}),
        **({"advised": [*map(advised_to_json, record.advised)]} if record.advised else {}),
        "moves": [str(move) for move in record.moves],
    }


def write(record: Record) -> str:
    """The record as the text of a file."""
    data = to_json(record)
    moves = data.pop("moves")
    lines = [f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}," for key, value in data.items()]
    steps = ",\n".join(f"  {json.dumps(move)}" for move in moves)
    return "\n".join(["{", *lines, ' "moves": [', *([steps] if moves else []), " ]", "}", ""])


def from_json(data: object, cut: bool = False) -> Replay:
    """Replay the record in plain values, up to the first invalid move; `cut` says that moves may be missing."""
    fields = mapping(data, "record")
    for key in fields:
        if key not in KEYS:
            raise RecordError("unknown_field", say("A record has no “{key}”; it has {known}.", key=key[:40], known=KEYS))
    if fields.get("format") != FORMAT or fields.get("version") != VERSION:
        found = f"{fields.get('format')} {fields.get('version')}"[:40]
        wanted = f"{FORMAT} {VERSION}"
        raise RecordError("unknown_version", say("This reads the format {wanted}, not {found}.", wanted=wanted, found=found))
    steps = sequence(fields.get("moves"), "moves")
    start, stopped = _read_head(fields, len(steps))
    result = replay(start, steps, _read_step)
    take_backs.require_bounded(result.record.moves, start.taken_back)
    if not result.error:
        result = replace(result, record=replace(result.record, stopped=stopped))
    return _with_take_backs(result, cut or result.error is not None)


def _with_take_backs(result: Replay, cut: bool) -> Replay:
    """The replay with its possible take-backs; the first impossible one is its error."""
    record = take_backs.without_lost_take_backs(result.record) if cut else result.record
    try:
        return replace(result, record=record, undone=take_backs.undone(record))
    except RecordError as problem:
        return replace(result, record=replace(record, taken_back=()), error=result.error or problem)


def _read_head(fields: Mapping[str, Any], moves: int) -> tuple[Record, Stop | None]:
    """A record without its moves, and why the game was stopped; `moves` is how many follow."""
    rules = Rules.from_json(fields.get("rules"))
    deck, stopped = fields.get("deck"), fields.get("stopped")
    if not isinstance(deck, str):
        raise field_error("deck", say("cards such as {example}", example="R1 Y3 W5"))
    if stopped not in (None, *Stop):
        raise field_error("stopped", " / ".join(Stop))
    players = names(fields.get("players"), rules.players)
    bots = sequence(fields.get("bots", [None] * rules.players), "bots")
    if len(bots) != rules.players or not all(bot is None or is_name(bot, MAX_BOT_LENGTH) for bot in bots):
        raise field_error("bots", say("a list with a bot's name or null for each player"))
    cards = tuple(read_card(word) for word in deck.split())
    taken_back = take_backs.read_take_backs(fields.get("taken_back", []), moves)
    start = Record(
        rules,
        cards,
        players,
        tuple(bots),
        taken_back=taken_back,
        origin=_read_origin(fields.get("origin")),
        advised=read_advised(fields.get("advised", []), rules.players),
    )
    return start, None if stopped is None else Stop(stopped)


def _read_origin(value: object) -> Origin | None:
    if value is None:
        return None
    fields = mapping(value, "origin")
    if set(fields) != {"game", "turn"} or not is_name(fields["game"], MAX_ORIGIN_LENGTH):
        raise field_error("origin", say("an object with the name of a game and a turn"))
    return Origin(fields["game"], integer(fields["turn"], "origin", 0, MAX_TURNS))


def _read_step(step: object, game: Game) -> Move:
    if not isinstance(step, str):
        raise field_error("moves", say("a list of moves such as {example}", example="play 1"))
    return read_move(step)
