"""What things are worth to the convention bot: figures found by playing the same deals with many variants."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Weights(NamedTuple):
    """The figures for one number of players. The worth of a clue is a sum of the first ones."""

    play: int  # a card becomes known as playable
    soon: int  # a card becomes known as playable in time
    good: int  # a useful card is touched for the first time
    keep: int  # and if it is the last copy
    bad: int  # a useless or doubled card is touched for the first time
    trash: int  # a card becomes known as useless
    fact: int  # a possibility is ruled out
    idle: int  # a player who knew nothing to do can play
    blind: int  # a card is played that nobody speaks of
    own: int  # taken off: the giver may hold a copy of a touched card
    wrong: int  # taken off: a card is taken for what it is not
    lost: int  # taken off: and if it is the card in focus
    mistake: int  # taken off: a card that does not fit would be played

    save: int  # the last copy of a card on the next player's chop
    unique: int  # a useful card on a chop whose like nobody sees
    later: int  # the share, in percent, that a danger to those after the next player counts

    urgent: int  # what a clue must be worth to come before a play
    token: int  # what a clue must be worth to come before a discard
    last: int  # added to that with few tokens left, for each that is missing to four
    high: int  # taken off for each token above four
    easy: int  # added when a useless card can be discarded
    held: int  # taken off when every card is clued
    risk: int  # taken off when the chop is surely a last copy, and in proportion when it may be
    stall: int  # what a clue may cost when no turn can be spared for a discard

    gamble: int  # the chance, in thousandths, above which a card is tried when the deck is as good as empty


WEIGHTS: Mapping[int, Weights] = {
    2: Weights(
        play=60, soon=34, good=13, keep=30, bad=31, trash=36, fact=2, idle=17, blind=43, own=5, wrong=34, lost=72,
        mistake=131, save=135, unique=27, later=60, urgent=114, token=25, last=31, high=4, easy=1, held=51, risk=15,
        stall=50, gamble=600,
    ),
    3: Weights(
        play=60, soon=60, good=8, keep=25, bad=45, trash=38, fact=1, idle=20, blind=110, own=45, wrong=60, lost=154,
        mistake=71, save=208, unique=27, later=50, urgent=307, token=33, last=9, high=3, easy=4, held=60, risk=45,
        stall=50, gamble=600,
    ),
    4: Weights(
        play=60, soon=56, good=7, keep=12, bad=14, trash=15, fact=1, idle=20, blind=110, own=32, wrong=60, lost=67,
        mistake=94, save=208, unique=8, later=80, urgent=307, token=22, last=14, high=3, easy=4, held=24, risk=24,
        stall=64, gamble=600,
    ),
    5: Weights(
        play=53, soon=53, good=27, keep=19, bad=28, trash=13, fact=1, idle=11, blind=177, own=254, wrong=60, lost=296,
        mistake=59, save=146, unique=27, later=50, urgent=307, token=46, last=4, high=9, easy=6, held=23, risk=16,
        stall=70, gamble=960,
    ),
}  # fmt: skip
"""By number of players."""
