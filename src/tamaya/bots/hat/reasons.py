"""Why the hat bot acts: what it leaves in its memory when it has chosen."""

from __future__ import annotations

from enum import IntEnum


class Reason(IntEnum):
    """The reasons; the first four follow from what all can know, whatever hidden cards are."""

    SURE_PLAY = 1
    CODE = 2  # a clue that says the sum of all hats
    CODE_DISCARD = 3  # one of several useless cards, chosen to say the sum of all hats
    USELESS = 4
    HARMLESS = 5  # playable or else dead
    CHEAPEST = 6  # missed least
    TRY = 7  # nothing to lose
    WORDS = 8  # a clue that means what it says


REASON, SUBJECT, AMOUNT, LOOKED = range(4)
REASONS = 4
"""What lies where: the reason; the slot, or the number that a clue stands for; out of how many numbers, or the chance in
percent, or what the card can be; and whether the end was looked for and changed the choice. `REASONS` is how many there are."""
