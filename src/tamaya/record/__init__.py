"""Records (saved games): our own format, Hanab Live's formats, and replaying them."""

from tamaya.record import hanab_live, native
from tamaya.record.files import LONGEST_RECORD, Entry, from_json, from_text, read_file, read_games
from tamaya.record.record import MOST_ADVICE, AdvisedTurn, Origin, Record, Replay, Stop, play_again
from tamaya.record.take_backs import MOST_ARRANGEMENTS, MOST_MOVES, MOST_TAKEN_BACK, TakeBack, Undone, add_undone, undone

__all__ = [
    "LONGEST_RECORD",
    "MOST_ADVICE",
    "MOST_ARRANGEMENTS",
    "MOST_MOVES",
    "MOST_TAKEN_BACK",
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
