"""Saved games: our own format, Hanab Live's formats, and replaying them."""

from tamaya.record import hanablive, link, native
from tamaya.record.files import Entry, from_json, from_text, read_file, read_games
from tamaya.record.record import Record, Replay, Stop, play_again

__all__ = [
    "Entry",
    "Record",
    "Replay",
    "Stop",
    "from_json",
    "from_text",
    "hanablive",
    "link",
    "native",
    "play_again",
    "read_file",
    "read_games",
]
