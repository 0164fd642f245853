"""What a person asked for, read."""

from __future__ import annotations

import re

from tamaya.rules import MalformedError, say
from tamaya.rules.ruleset import ALLOWED


def chosen_players(text: str) -> list[str]:
    """The numbers of players that a person asked for: ``4``, ``2,3`` or ``2-5``."""
    least, most = ALLOWED["players"][0], ALLOWED["players"][-1]
    found: dict[int, None] = {}
    for part in text.split(","):
        ends = re.fullmatch(r"\s*(\d)\s*(?:[-–]\s*(\d)\s*)?", part, re.ASCII)
        first, last = (int(ends[1]), int(ends[2] or ends[1])) if ends else (0, 0)
        if not least <= first <= last <= most:
            message = say("“{text}” are no numbers of players; write {one}, {some} or {all}, from {least} to {most}.",
                          text=text[:40], one="4", some="2,3", all="2-5", least=least, most=most)  # fmt: skip
            raise MalformedError("bad_players", message)
        found |= dict.fromkeys(range(first, last + 1))
    return [str(number) for number in found]
