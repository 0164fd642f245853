"""Records (saved games): our own format, Hanab Live's formats, and replaying them."""

from tamaya.record import hanab_live, native
from tamaya.record.files import MAX_RECORD_LENGTH, Entry, from_json, from_text, read_file, read_games
from tamaya.record.record import MAX_ADVICE, AdvisedTurn, Origin, Record, Replay, Stop, play_again
from tamaya.record.take_backs import MAX_ARRANGEMENTS, MAX_MOVES, MAX_TAKE_BACKS, TakeBack, Undone, add_undone, undone

__all__ = [
    "MAX_ADVICE",
    "MAX_ARRANGEMENTS",
    "MAX_MOVES",
    "MAX_RECORD_LENGTH",
    "MAX_TAKE_BACKS",
    "AdvisedTurn",
    "Entry",
    "Origin",
    "Record",
    "Replay",
    "Stop",
    "TakeBack",
    "Undone",
    "add_undone",
    "from_json",
    "from_text",
    "hanab_live",
    "native",
    "play_again",
    "read_file",
    "read_games",
    "undone",
]
