"""Why the convention bot acts: what it leaves in its memory when it has chosen, to be put into words."""

from __future__ import annotations

from enum import IntEnum


class Reason(IntEnum):
    """The reasons. Those called sure follow from clues and counting alone."""

    SURE_CARD = 1  # the card in the slot can only be this one, and fits
    SURE_PLAY = 2  # whatever it is, it fits
    READ_CARD = 3  # by the conventions it is this card, which fits
    READ_PLAY = 4  # by the conventions it fits
    PROMPT = 5  # a clue on a teammate's card makes sense only if this clued card is the missing one
    FINESSE = 6  # likewise an unclued card
    OWN_PROMPT = 7  # a clue to oneself makes sense only so
    OWN_FINESSE = 8
    GAMBLE = 9  # little can be lost
    SURE_TRASH = 10  # whatever it is, it is no longer needed
    READ_TRASH = 11  # by the conventions it is not needed
    CHOP = 12  # the oldest unclued card
    LEAST = 13  # every card is clued
    SAVE_LAST = 14  # the last copy of a card, on the chop
    SAVE = 15  # another card on the chop
    CLUE_PLAY = 16  # a card that can be played
    CLUE_LATER = 17  # a card that can be played in time
    CLUE_BLIND = 18  # a card before which somebody plays a missing one
    CLUE_FACTS = 19  # more on cards that were clued before
    CLUE_STALL = 20  # nothing better
    ANY = 21  # nothing else is legal


REASON, SLOT, CARD, SEAT, OTHER_CARD, OTHER_SEAT = range(6)
REASONS = 6
"""What lies where: the reason, the slot played or discarded, the card, the seat, and for a connection its card and its seat.
With `GAMBLE`, in place of the card, the chance in percent. `REASONS` is how many there are."""
