"""What things are worth to the convention bot: figures found by playing the same deals with many variants."""

from __future__ import annotations

from enum import IntEnum
from types import SimpleNamespace


class Worth(IntEnum):
    """The places of the figures."""

    PLAY = 0  # a card becomes known as playable
    SOON = 1  # a card becomes known as playable in time
    GOOD = 2  # a useful card is touched first
    BAD = 3  # a useless or doubled card is touched first
    WRONG = 4  # a card is taken for what it is not
    MISTAKE = 5  # a card that does not fit would be played
    BLIND = 6  # a card is played that nobody speaks of
    TRASH = 7  # a card becomes known as useless
    SAVE = 8  # the last copy of a card on the next player's chop
    UNIQUE = 9  # a useful card on a chop whose like nobody sees
    LATER = 10  # share, in percent, of a danger to those who act after the next player
    URGENT = 11  # what a clue must be worth to come before a play
    TOKEN = 12  # what a clue must be worth
    LAST = 13  # the same with few tokens left, for each token that is missing to four
    FACT = 14  # a possibility is ruled out
    IDLE = 15  # a player who knew nothing to do can play
    LOST = 16  # the card in focus is taken for what it is not
    OWN = 17  # the giver may hold a copy of a touched card
    KEEP = 18  # the last copy of a card is touched first
    HIGH = 19  # what a clue need be worth less for each token above four
    EASY = 20  # what it must be worth more when a useless card can be thrown away
    HELD = 21  # what it need be worth less when every card was clued
    RISK = 22  # what it need be worth less when the chop is surely a last copy
    STALL = 23  # what a clue may cost when no turn can be spared for a discard
    GAMBLE = 24  # a chance above which, in thousandths, a card is tried when the deck is as good as empty


WEIGHTS = {
    2: (60, 34, 13, 31, 34, 131, 43, 36, 135, 27, 60, 114, 25, 31, 2, 17, 72, 5, 30, 4, 1, 51, 15, 50, 600),
    3: (60, 60, 8, 45, 60, 71, 110, 38, 208, 27, 50, 307, 33, 9, 1, 20, 154, 45, 25, 3, 4, 60, 45, 50, 600),
    4: (60, 56, 7, 14, 60, 94, 110, 15, 208, 8, 80, 307, 22, 14, 1, 20, 67, 32, 12, 3, 4, 24, 24, 64, 600),
    5: (53, 53, 27, 28, 60, 59, 177, 13, 146, 27, 50, 307, 46, 4, 1, 11, 296, 254, 19, 9, 6, 23, 16, 70, 960),
}
"""By number of players."""


def places(first: int) -> SimpleNamespace:
    """Where each figure lies, by name, if the first lies there."""
    return SimpleNamespace(**{worth.name: first + int(worth) for worth in Worth})
