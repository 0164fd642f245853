"""What the convention bot remembers of a game: what everybody knows, so that all seats would write down the same.

For each card in a hand that is what it can be as far as everybody knows, and what the conventions leave of that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, NamedTuple

from tamaya.bots.cards import Cards
from tamaya.bots.memory import NOTHING, ONE, PER_CARD, PER_COLOUR, PER_HAND_SLOT, PER_NUMBER, PER_SEAT, PER_SLOT
from tamaya.engine.kernel import Jit, Kernel, Row
from tamaya.engine.layout import NO_CARD

ANYTHING = -1
"""Every bit: what is `loose` of a card to which no reading applies."""
IDLE, CAN_DISCARD, CAN_PLAY = 0, 1, 2
"""What a player knows to do: nothing, to discard a useless card, to play one."""


class ConventionMemory(NamedTuple):
    """First places of what all know through a game and, behind it, of what is worked out anew for each decision.

    Cards are sets, one bit for each, unless it says otherwise; so are seats.
    """

    picture: Annotated[int, PER_NUMBER]  # what the card can be by clues and counting
    meant: Annotated[int, PER_NUMBER]  # those of them that the conventions leave
    loose: Annotated[int, PER_NUMBER]  # those that need no connection: what a clue may have saved, or `ANYTHING`
    waiting: Annotated[int, PER_NUMBER]  # the seats that may still have to play blind for this card
    since: Annotated[int, PER_NUMBER]  # the turn in which the card was first clued
    left: Annotated[int, PER_CARD]  # copies that are neither placed nor discarded
    refuted: Annotated[int, ONE]  # how often a card was played by mistake that was nothing the conventions left
    scratch: Annotated[int, NOTHING]

    # Why the last choice was made, to be put into words.
    reason: Annotated[int, ONE]  # a `ConventionReason`; 0 before the first choice
    reason_slot: Annotated[int, ONE]  # the slot played or discarded
    reason_card: Annotated[int, ONE]  # the number of the card that it is about, in `Rules.cards`
    reason_seat: Annotated[int, ONE]
    reason_percent: Annotated[int, ONE]
    connection_card: Annotated[int, ONE]  # the card of a connection, likewise
    connection_seat: Annotated[int, ONE]

    best_focus: Annotated[int, ONE]  # the slot that the best clue is about, or -1
    last_focus: Annotated[int, ONE]  # the slot that the clue just noticed is about, or -1

    # A card that somebody must believe to hold.
    call_card: Annotated[int, ONE]
    call_seat: Annotated[int, ONE]  # who must believe it
    call_focus: Annotated[int, ONE]  # the number of the card that a clue was about
    call_owner: Annotated[int, ONE]  # and who has that card

    heights: Annotated[int, PER_COLOUR]  # how high the fireworks are
    reaches: Annotated[int, PER_COLOUR]  # how high they can still get
    awaited: Annotated[int, ONE]  # the seats that may have to play blind for some card
    marks: Annotated[int, ONE]  # how many clued cards are seen or known, and of each:
    mark_card: Annotated[int, PER_HAND_SLOT]
    mark_since: Annotated[int, PER_HAND_SLOT]  # the turn it was clued in
    mark_seat: Annotated[int, PER_HAND_SLOT]
    meanings: Annotated[int, PER_SEAT]  # whatever the clued cards of a seat can be
    belief: Annotated[int, PER_HAND_SLOT]  # what the card's owner takes it for
    barred: Annotated[int, PER_HAND_SLOT]  # what it cannot be, as that was clued elsewhere before
    faces: Annotated[int, PER_SEAT]  # the cards of the hand, as far as the player sees them
    clued: Annotated[int, PER_SEAT]  # those that were clued; of the player's own the known ones
    taken: Annotated[int, PER_SEAT]  # clued cards that a seat sees elsewhere
    gone: Annotated[int, PER_SEAT]  # cards whose every copy it sees
    connected: Annotated[int, PER_SEAT]  # cards that can be placed by way of those it sees clued, or knows
    known: Annotated[int, PER_SEAT]  # clued cards of its own that it knows
    newest: Annotated[int, PER_SEAT]  # its newest unclued card, if that is seen
    busy: Annotated[int, PER_SEAT]  # what it knows to do
    seen: Annotated[int, PER_CARD]  # copies in the hands that the player sees

    # One hand, as it is or after a clue that is being read.
    new_picture: Annotated[int, PER_SLOT]
    new_meant: Annotated[int, PER_SLOT]
    new_loose: Annotated[int, PER_SLOT]
    new_waiting: Annotated[int, PER_SLOT]
    new_barred: Annotated[int, PER_SLOT]
    new_belief: Annotated[int, PER_SLOT]
    words: Annotated[int, NOTHING]


class BoardFacts(NamedTuple):
    """What fireworks and discard pile say of the cards: sets of them."""

    playable: int
    dead: int  # can never be placed any more
    critical: int  # needed, and one copy is left


class GivenClue(NamedTuple):
    """A clue that somebody gave, or thinks of giving."""

    giver: int
    target: int
    names_colour: bool
    matching: int  # the cards that it touches
    touched: int  # the slots of the target's hand


class ConventionPicture(NamedTuple):
    """The functions that keep what everybody knows, and those that everybody looks at hands with."""

    begin: Callable[[Row, Row], None]
    settle: Callable[[Row, Row], None]
    board_of: Callable[[Row], BoardFacts]
    clue_of: Callable[[int, int, int], GivenClue]
    chop_of: Callable[[Row, int, int], int]
    newest_unclued: Callable[[Row, int, int], int]


def build_picture(kernel: Kernel, jit: Jit, notes: ConventionMemory, cards: Cards) -> ConventionPicture:
    """The functions that keep what everybody knows, and those that everybody looks at hands with."""
    layout = kernel.layout

    @jit
    def begin(memory: Row, sight: Row) -> None:
        """Nothing is read into the clues that were given so far, if any were; what they say stands."""
        for number in range(layout.deck_size):
            memory[notes.picture + number] = layout.every_card
            memory[notes.meant + number] = layout.every_card
            memory[notes.loose + number] = ANYTHING
            memory[notes.waiting + number] = 0
            memory[notes.since + number] = 0
        memory[notes.refuted] = 0
        memory[notes.reason] = 0
        settle(memory, sight)

    @jit
    def settle(memory: Row, sight: Row) -> None:
        """Draw the conclusions from clues and counting; where they leave nothing of a reading, it is forgotten."""
        cards.count_out(memory, sight, notes.left)
        gone = 0
        for card in range(layout.cards):
            if memory[notes.left + card] <= 0:
                gone |= 1 << card
        for seat in range(layout.players):
            for slot in range(kernel.hand_count(sight, seat)):
                number = cards.number_at(sight, seat, slot)
                told = cards.told_cards(sight, seat, slot)
                options = memory[notes.picture + number] & told & ~gone
                if options == 0:
                    options = told & ~gone
                memory[notes.picture + number] = options
                memory[notes.meant + number] &= options
                if memory[notes.meant + number] == 0:
                    memory[notes.meant + number] = options
                    memory[notes.loose + number] = ANYTHING
                    memory[notes.waiting + number] = 0

    @jit
    def board_of(sight: Row) -> BoardFacts:
        """What fireworks and discard pile say of the cards."""
        dead = cards.dead_cards(sight)
        return BoardFacts(cards.playable_cards(sight), dead, layout.every_card & ~cards.spare_cards(sight, dead))

    @jit
    def clue_of(giver: int, action: int, touched: int) -> GivenClue:
        """A clue by the number of its action."""
        target, names_colour = cards.target_of(giver, action), action < layout.value_action
        return GivenClue(giver, target, names_colour, cards.matching(action), touched)

    @jit
    def chop_of(sight: Row, seat: int, touched: int) -> int:
        """The slot that is discarded next, these slots being clued too: the oldest unclued card; -1 if every card is clued."""
        best, oldest = -1, NO_CARD
        for slot in range(kernel.hand_count(sight, seat)):
            number = cards.number_at(sight, seat, slot)
            if number < oldest and not (touched >> slot) & 1 and not cards.is_clued(sight, seat, slot):
                best, oldest = slot, number
        return best

    @jit
    def newest_unclued(sight: Row, seat: int, touched: int) -> int:
        """The slot that a finesse speaks of, these slots being clued too; -1 if every card is clued."""
        best, newest = -1, -1
        for slot in range(kernel.hand_count(sight, seat)):
            number = cards.number_at(sight, seat, slot)
            if number > newest and not (touched >> slot) & 1 and not cards.is_clued(sight, seat, slot):
                best, newest = slot, number
        return best

    return ConventionPicture(begin, settle, board_of, clue_of, chop_of, newest_unclued)
