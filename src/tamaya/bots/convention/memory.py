"""What the convention bot remembers of a game, the weights that it decides by, and what every player knows of the cards.

Everything kept from turn to turn is public: every seat would write the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, NamedTuple

from tamaya.bots import cards
from tamaya.bots.policy import PER_CARD, PER_COLOUR, PER_HAND_SLOT, PER_NUMBER, PER_SEAT, PER_SLOT, Memory, Scratch
from tamaya.engine.instances import Options, Row, per_rules
from tamaya.engine.kernel.clues import matching, names_colour, possible_cards, target_of
from tamaya.engine.kernel.hands import hand_count, number_at
from tamaya.engine.layout import NO_CARD, layout

OPTIONS = Options()
ANYTHING = -1
"""Every bit: the `saves` of a card to which no reading applies."""
IDLE, CAN_DISCARD, CAN_PLAY = 0, 1, 2
"""What a player knows to do: nothing, discard a useless card, or play one."""


class ConventionMemory(Memory):
    """Common knowledge and, as scratch, what is worked out for each decision. Cards and seats are sets unless noted."""

    possible: Annotated[Row, PER_NUMBER]  # what the card can be by clues and counting
    inferred: Annotated[Row, PER_NUMBER]  # what the conventions leave of that
    saves: Annotated[Row, PER_NUMBER]  # what needs no connection, as a clue may have saved it; or `ANYTHING`
    waiting_for: Annotated[Row, PER_NUMBER]  # the seats that may still have to play blind for this card
    since: Annotated[Row, PER_NUMBER]  # the turn on which the card was first clued
    left: Annotated[Row, PER_CARD]  # copies that are neither placed nor discarded
    refuted: int  # how often a misplayed card was none that the conventions left
    scratch: Scratch

    # The reason for the last choice.
    reason: int  # a `ConventionReason`; 0 before the first choice
    reason_slot: int  # the slot played or discarded
    reason_card: int  # the number in `Rules.cards` of the card that it is about
    reason_seat: int
    reason_percent: int
    connection_card: int  # the number of the connecting card
    connection_seat: int

    best_focus: int  # the slot that the best clue is about, or -1
    last_focus: int  # the slot that the last clue was about, or -1

    # A prompt or finesse: a card that a player must believe it holds.
    finesse_card: int  # the number of the card
    finesse_seat: int  # the seat that must believe so
    finesse_focus: int  # the number in the deck of the card that a clue was about
    finesse_owner: int  # the seat that holds it

    heights: Annotated[Row, PER_COLOUR]  # the heights of the fireworks
    reaches: Annotated[Row, PER_COLOUR]  # the heights that they can still reach
    awaited: int  # the seats that may have to play blind for some card
    marks: int  # the number of clued cards seen or known, and for each:
    mark_card: Annotated[Row, PER_HAND_SLOT]
    mark_since: Annotated[Row, PER_HAND_SLOT]  # the turn on which it was clued
    mark_seat: Annotated[Row, PER_HAND_SLOT]
    clued_options: Annotated[Row, PER_SEAT]  # every card that a clued card of the seat can be
    belief: Annotated[Row, PER_HAND_SLOT]  # what the card's owner believes it to be
    excluded: Annotated[Row, PER_HAND_SLOT]  # what it cannot be, as that card was clued elsewhere before
    held: Annotated[Row, PER_SEAT]  # the cards of the hand that the player sees
    clued: Annotated[Row, PER_SEAT]  # those that were clued; of the player's own hand, the known ones
    clued_elsewhere: Annotated[Row, PER_SEAT]  # the clued cards that a seat sees in other hands
    all_seen: Annotated[Row, PER_SEAT]  # the cards of which it sees every copy
    connected: Annotated[Row, PER_SEAT]  # the cards that can be placed via clued cards that it sees or knows
    known: Annotated[Row, PER_SEAT]  # the clued cards of its own that it knows
    newest: Annotated[Row, PER_SEAT]  # its newest unclued card, if seen
    busy: Annotated[Row, PER_SEAT]  # what it knows to do
    seen: Annotated[Row, PER_CARD]  # copies in the hands that the player sees

    # One hand as it is, or after a clue that is being read.
    new_possible: Annotated[Row, PER_SLOT]
    new_inferred: Annotated[Row, PER_SLOT]
    new_saves: Annotated[Row, PER_SLOT]
    new_waiting_for: Annotated[Row, PER_SLOT]
    new_clued: Annotated[Row, PER_SLOT]  # 1 if a clue has touched the card
    new_excluded: Annotated[Row, PER_SLOT]
    new_belief: Annotated[Row, PER_SLOT]


class BoardFacts(NamedTuple):
    """Sets of cards that follow from the fireworks and the discard pile."""

    playable: int
    useless: int  # can never be placed any more
    critical: int  # needed, with one copy left


class GivenClue(NamedTuple):
    """A clue that was given, or that a player considers."""

    giver: int
    target: int
    names_colour: bool
    matching: int  # the cards that it touches
    touched: int  # the slots of the target's hand


class Weights(NamedTuple):
    """The figures for one number of players. The worth of a clue is a sum of the first group."""

    play: int  # a card becomes known as playable
    soon: int  # a card becomes known as playable later
    good: int  # a useful card is touched for the first time
    keep: int  # and if it is the last copy
    bad: int  # a useless or doubled card is touched for the first time
    trash: int  # a card becomes known as useless
    fact: int  # a possibility is ruled out
    idle: int  # a player who knew nothing to do can play
    blind: int  # a card that no clue touched is played
    own: int  # taken off: the giver may hold a copy of a touched card
    wrong: int  # taken off: a card is believed to be what it is not
    lost: int  # taken off: the same for the card in focus
    mistake: int  # taken off: a card that does not fit would be played

    save: int  # the last copy of a card on the next player's chop
    unique: int  # a useful card on a chop that no player sees another copy of
    later: int  # the weight, in percent, of a danger to those after the next player

    urgent: int  # what a clue must be worth to come before a play
    token: int  # what a clue must be worth to come before a discard
    last: int  # added to `token` for each token below four
    high: int  # taken off for each token above four
    easy: int  # added when a useless card can be discarded
    held: int  # taken off when every card is clued
    risk: int  # taken off when the chop is surely a last copy, and in proportion when it may be
    stall: int  # what a clue may cost when no turn can be spared for a discard

    gamble: int  # the chance, in thousandths, above which a card is risked when the deck is as good as empty


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
weights: Weights = per_rules(lambda rules: WEIGHTS[rules.players])


def start(memory: ConventionMemory, sight: Row) -> None:
    """Start a memory; clues given so far count only for what they say literally."""
    for number in range(layout.deck_size):
        memory.possible[number] = layout.every_card
        memory.inferred[number] = layout.every_card
        memory.saves[number] = ANYTHING
        memory.waiting_for[number] = 0
        memory.since[number] = 0
    memory.refuted = 0
    memory.reason = 0
    update_possible(memory, sight)


def update_possible(memory: ConventionMemory, sight: Row) -> None:
    """Rule out cards by clues and counting; drop a reading that leaves nothing."""
    cards.count_left(memory.left, sight)
    exhausted = 0
    for card in range(layout.cards):
        if memory.left[card] <= 0:
            exhausted |= 1 << card
    for seat in range(layout.players):
        for slot in range(hand_count(sight, seat)):
            number = number_at(sight, seat, slot)
            told = possible_cards(sight, seat, slot)
            options = memory.possible[number] & told & ~exhausted
            if options == 0:
                options = told & ~exhausted
            memory.possible[number] = options
            memory.inferred[number] &= options
            if memory.inferred[number] == 0:
                memory.inferred[number] = options
                memory.saves[number] = ANYTHING
                memory.waiting_for[number] = 0


def board_of(sight: Row) -> BoardFacts:
    """The facts that follow from the fireworks and the discard pile."""
    useless = cards.useless_cards(sight)
    return BoardFacts(cards.playable_cards(sight), useless, layout.every_card & ~cards.non_critical_cards(sight, useless))


def clue_of(giver: int, action: int, touched: int) -> GivenClue:
    """The clue that an action gives."""
    return GivenClue(giver, target_of(giver, action), names_colour(action), matching(action), touched)


def chop_of(sight: Row, seat: int, touched: int) -> int:
    """The slot that is discarded next if these slots are clued too: the oldest unclued card; -1 if every card is clued."""
    best, oldest = -1, NO_CARD
    for slot in range(hand_count(sight, seat)):
        number = number_at(sight, seat, slot)
        if number < oldest and not (touched >> slot) & 1 and not cards.is_clued(sight, seat, slot):
            best, oldest = slot, number
    return best


def newest_unclued(sight: Row, seat: int, touched: int) -> int:
    """The slot of a finesse if these slots are clued too: the newest unclued card; -1 if every card is clued."""
    best, newest = -1, -1
    for slot in range(hand_count(sight, seat)):
        number = number_at(sight, seat, slot)
        if number > newest and not (touched >> slot) & 1 and not cards.is_clued(sight, seat, slot):
            best, newest = slot, number
    return best
