"""Where the convention bot keeps what it knows: places in one row of whole numbers."""

from __future__ import annotations

from typing import NamedTuple

from tamaya.bots.convention.reasons import REASONS
from tamaya.engine.layout import Layout

ANYTHING = -1  # every bit: a card to which no reading applies
CALL = 3


class Memory(NamedTuple):
    """First places of what all know through a game and, behind it, of what is worked out anew for each decision."""

    picture: int  # by number of a card: what it can be by clues and counting, one bit for each card
    meant: int  # by number: those of them that the conventions leave
    loose: int  # by number: those that need no connection: what a clue may have saved, or anything
    waiting: int  # by number: the seats, one bit each, that may still have to play blind for this card
    since: int  # by number: the turn in which the card was first clued
    left: int  # by card: copies that are neither placed nor thrown away
    refuted: int  # how often a card that was played was none of what the conventions left: somebody plays otherwise
    weights: int  # what things are worth, see `WEIGHTS`
    reason: int  # why the last choice was made, and the facts
    call: int  # a card that somebody must believe to hold, and what tells so
    ends: int  # by colour: how high its firework can still get
    heights: int  # by colour: how high it is
    anybody: int  # the seats that may have to play blind for some card
    told: int  # how many clued cards are seen or known, and for each: the card, one bit; the turn it was clued in; the seat
    meanings: int  # by seat: whatever its clued cards can be
    view: int  # by seat and slot: what the card's owner takes it for
    barred: int  # by seat and slot: cards that it cannot be, as they were clued elsewhere before
    faces: int  # by seat: the cards of the hand, as far as the player sees them
    clued: int  # by seat: those that were clued; of the player's own the known ones
    taken: int  # by seat: clued cards that it sees elsewhere
    gone: int  # by seat: cards whose every copy it sees
    direct: int  # by seat: cards whose connections it sees clued, or knows
    known: int  # by seat: clued cards of its own that it knows
    fronts: int  # by seat: its newest unclued card, if it is seen
    busy: int  # by seat: 1 if it knows a card to throw away, 2 if one to play
    seen: int  # by card: copies in other hands
    new_picture: int  # by slot of a hand, after a clue that is being read
    new_meant: int
    new_loose: int
    new_waiting: int
    new_barred: int
    now: int  # what the hand's owner takes its cards for, after the clue
    words: int


def plan_memory(plan: Layout, weights: int) -> Memory:
    """The places for games of these rules."""
    cards, colours, players, hand = plan.colours * 5, plan.colours, plan.players, plan.hand_size
    slots = players * hand
    kept = (*(plan.deck_size,) * 5, cards, 1, weights, REASONS)
    passing = (CALL, colours, colours, 1, 1 + 3 * slots, players, slots, slots, *(players,) * 8, cards, *(hand,) * 6)
    places = [0]
    for size in kept + passing:
        places.append(places[-1] + size)
    return Memory(*places)
