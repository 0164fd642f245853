"""What things are worth to the convention bot: figures found by playing the same deals with many variants."""

from __future__ import annotations

from enum import IntEnum


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


WEIGHTS = (100, 60, 12, 45, 60, 250, 110, 15, 130, 45, 50, 120, 55, 15, 2, 20, 60, 20)
