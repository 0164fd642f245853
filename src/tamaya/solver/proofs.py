"""Three proofs that a position cannot be won. Each relaxes the game for the players, so that a loss there is a loss.

**Turns run out.** Assume unlimited hands and clue tokens, and turns in any order. A card can then be played as soon as it has
been drawn and the one below it has been played. Each *card action* (a play, or a card thrown away) draws one card, so the card
that lies q deep can be played by card action q + 2 at the earliest, and a held card by the first. Under rules with last turns,
as many card actions are left as the deck has cards, plus one for each player; the player who draws the last card has the last
of them, so that card can be played no earlier. Any plan that completes the fireworks places every missing card at one of these
actions, and none before its time: for every x, the cards that cannot be played before action x must fit into the actions from x
on.

**Seats miss their turns.** In the last turns each seat plays at most one card, in seat order. When a needed card leaves the
deck with r cards behind it, only r cards of its firework, from this one on, can be played before the last turns. The others
must be played in them, each by a seat that holds it, or by any seat if it is still to come. The seat that draws the last card
decides which turns these are: the seats after it come first, and it has the very last turn. If this works for no seat,
the position is lost. Unique cards that wait for a late one cannot change hands, so this proof sees long before the end of the
deck that they are in the wrong hands.

**Hands overflow.** Assume that all players share one hand as large as all hands together, with unlimited clue tokens and turns
in any order. Every line of the real game is also a line of this one, which has hardly any choices:

- A card that fits is played at once. If a plan throws x away now and plays the fitting card later, then playing that card
  now and throwing x away later keeps the hand no fuller at any time, and hinders no other card.
- Otherwise a spare card is thrown away, if there is one: a needed card in its place is at least as good.
- Only when the whole hand is needed and nothing fits is there a choice: which of the cards that come again to throw away.

So the search forks only there, and remembers the forks it has visited.
"""

from __future__ import annotations

from tamaya.engine.instances import Options, Row, derived, loop
from tamaya.engine.kernel.clues import one_value_of
from tamaya.engine.layout import DRAWN, layout
from tamaya.solver.position import (
    FORKS,
    FRAME,
    HANDS,
    MAX_DRAWN,
    NEVER,
    PLACED,
    SEEN,
    SEEN_STAMP,
    SET_BITS,
    TO_MOVE,
    TURNS_LEFT,
    SolverWorkspace,
    deck_layout,
    read_deck,
    read_position,
)
from tamaya.solver.steps import count, lowest, playable_cards

OPTIONS = Options("inline")

UNKNOWN, TURNS_RUN_OUT, SEATS_MISS, HANDS_OVERFLOW = range(4)
"""The result of the proofs: none, or why a position is lost."""

WINS, LOSES, OPEN = range(3)
"""The outcome of the common hand: it wins, so the real hands might; it loses, so they do; or it has a choice."""

NONE = -1
"""Instead of a card."""

EVERY_SEAT: int = derived(layout, lambda layout: (1 << layout.players) - 1)
"""The set of all seats."""

LOW_CARDS: int = derived(layout, lambda layout: sum(one_value_of(layout) << value for value in range(layout.values - 2)))
"""The set of cards that are followed by at least two others of their firework."""

LAST_LATE: int = derived(layout, lambda layout: layout.deck_size + 1 - layout.values)
"""Once more cards than this have left the deck, cards that follow held ones may have to wait for the last turns."""

CAPACITY: int = derived(layout, lambda layout: layout.players * layout.hand_size)
"""The number of cards that the common hand holds."""


def card_actions_left(position: Row, drawn: int) -> int:
    """The number of card actions left under rules with last turns."""
    return position[TURNS_LEFT] if drawn == layout.deck_size else layout.deck_size - drawn + layout.players


def cards_in_hands(position: Row) -> int:
    """The set of needed cards that are held."""
    held = 0
    for seat in range(layout.players):
        held |= position[HANDS + seat]
    return held


# Turns run out.


def count_by_time(position: Row, drawn: int, left: int, deck: Row, times: Row) -> bool:
    """Count the missing cards by the first card action that can play them; return False if one comes too late, or never."""
    placed, held = position[PLACED], cards_in_hands(position)
    next_places = deck_layout.next_places + drawn * layout.cards
    for time in range(left + 1):
        times[time] = 0
    for colour in range(layout.colours):
        time = 0
        for card in range(layout.values * colour, layout.values * (colour + 1)):
            if placed >> card & 1:
                continue
            time += 1
            if not held >> card & 1:
                place = deck[next_places + card]
                if place == NEVER:
                    return False
                is_last = place == layout.deck_size - 1 and not layout.all_or_nothing
                time = max(time, left if is_last else place - drawn + 2)
            if time > left:
                if not layout.all_or_nothing:
                    return False
            else:
                times[time] += 1
    return True


def runs_out_of_turns(position: Row, drawn: int, deck: Row, times: Row) -> bool:
    """Whether too few turns are left after `drawn` cards have left the deck."""
    left = card_actions_left(position, drawn)
    if not count_by_time(position, drawn, left, deck, times):
        return True
    if layout.all_or_nothing:
        return False
    waiting = 0
    for time in range(left, 0, -1):
        waiting += times[time]
        if waiting > left - time + 1:
            return True
    return False


# Seats miss their turns.


def seats_for(position: Row, card: int, drawn: int, deck: Row) -> int:
    """The set of seats that may hold a card when it is to be played."""
    if deck[deck_layout.below + drawn] >> card & 1:
        return EVERY_SEAT
    seats = 0
    for seat in range(layout.players):
        seats |= (position[HANDS + seat] >> card & 1) << seat
    return seats


def can_play_in_turn(position: Row, card: int, first: int, turns: int, drawn: int, deck: Row) -> bool:
    """Whether a firework can be completed from a card on in this many turns, starting with the seat `first`."""
    turn = 0
    for following in range(card, (card // layout.values + 1) * layout.values):
        seats = seats_for(position, following, drawn, deck)
        while turn < turns and not seats >> (first + turn) % layout.players & 1:
            turn += 1
        if turn == turns:
            return False
        turn += 1
    return True


def can_be_completed(position: Row, card: int, behind: int, drawn: int, deck: Row) -> bool:
    """Whether the seats can play a card and those after it, if `behind` cards are left in the deck once it can be played."""
    if behind == 0:
        return can_play_in_turn(position, card, position[TO_MOVE], position[TURNS_LEFT], drawn, deck)
    before_last_turns = seats_for(position, card + behind - 1, drawn, deck)
    for last_to_draw in range(layout.players):
        first = last_to_draw + 1
        if before_last_turns >> last_to_draw & 1:
            if can_play_in_turn(position, card + behind, first, layout.players, drawn, deck):
                return True
        elif can_play_in_turn(position, card + behind - 1, first, layout.players, drawn, deck):
            return True
    return False


def stranded_card(position: Row, drawn: int, deck: Row) -> int:
    """The first card after which the seats cannot all play theirs in the last turns, or NONE.

    It assumes that turns do not run out: every missing card is held or still comes.
    """
    if layout.all_or_nothing:
        return NONE
    missing = (LOW_CARDS if drawn > LAST_LATE else deck[deck_layout.late + drawn]) & ~position[PLACED]
    if missing == 0:
        return NONE
    held = cards_in_hands(position)
    while missing:
        card = lowest(missing)
        missing &= missing - 1
        place = drawn - 1 if held >> card & 1 else deck[deck_layout.next_places + drawn * layout.cards + card]
        behind, following = layout.deck_size - 1 - place, layout.values - 1 - card % layout.values
        is_bound = 0 <= behind < following and (behind > 0 or drawn == layout.deck_size)
        if is_bound and not can_be_completed(position, card, behind, drawn, deck):
            return card
    return NONE


# Hands overflow.


def play_common_hand(placed: int, held: int, drawn: int, left: int, deck: Row) -> tuple[int, int, int, int]:
    """Play the common hand until it wins, loses or is OPEN at a fork; also return the cards placed, held and drawn."""
    while placed != layout.every_card:
        fits = held & playable_cards(placed)
        if not layout.all_or_nothing and layout.cards - count(placed) > left:
            return LOSES, placed, held, drawn
        if fits:
            placed |= fits & -fits
            held &= ~placed
        elif drawn == layout.deck_size:
            return LOSES, placed, held, drawn
        elif count(held) == CAPACITY:
            return OPEN, placed, held, drawn
        if drawn < layout.deck_size:
            held |= 1 << deck[drawn] & ~placed
            drawn += 1
        left -= 1
    return WINS, placed, held, drawn


def is_new_fork(placed: int, held: int, drawn: int, workspace: SolverWorkspace) -> bool:
    """Record a fork; return whether it is new in this call."""
    seen, stamp = workspace.seen, workspace.figures[SEEN_STAMP]
    key = placed | held << SET_BITS
    slot = (((key & 0xFFFFFFFF) * 0x2C1B3C6D ^ (key >> 32) * 0x297A2D39 ^ drawn * 0x9E3779) >> 7) & (SEEN - 1)
    while seen[2 * slot + 1] >= stamp:
        if seen[2 * slot] == key and seen[2 * slot + 1] == stamp + drawn:
            return False
        slot = (slot + 1) & (SEEN - 1)
    seen[2 * slot], seen[2 * slot + 1] = key, stamp + drawn
    return True


def push_fork(workspace: SolverWorkspace, depth: int, placed: int, held: int, drawn: int) -> None:
    """Push a fork on the stack: each card that comes again may be thrown away."""
    stack, at = workspace.stack, depth * FRAME
    stack[at], stack[at + 1], stack[at + 2] = placed, held, drawn
    stack[at + 3] = held & workspace.deck[deck_layout.below + drawn]


def overflows_hands(position: Row, drawn: int, workspace: SolverWorkspace, forks: int) -> bool:
    """Whether even one common hand overflows; searches at most `forks` forks, beyond which nothing is proved."""
    stack, deck, figures = workspace.stack, workspace.deck, workspace.figures
    left = card_actions_left(position, drawn)
    found, placed, held, drawn = play_common_hand(position[PLACED], cards_in_hands(position), drawn, left, deck)
    figures[MAX_DRAWN] = drawn
    if found != OPEN:
        return found == LOSES
    figures[SEEN_STAMP] += layout.deck_size + 1
    push_fork(workspace, 0, placed, held, drawn)
    depth = 0
    while depth >= 0:
        at = depth * FRAME
        thrown = stack[at + 3]
        if thrown == 0:
            depth -= 1
            continue
        stack[at + 3] = thrown & (thrown - 1)
        placed, drawn = stack[at], stack[at + 2]
        held = stack[at + 1] & ~(thrown & -thrown) | 1 << deck[drawn] & ~placed
        left = layout.deck_size - drawn - 1 + layout.players
        found, placed, held, drawn = play_common_hand(placed, held, drawn + 1, left, deck)
        figures[MAX_DRAWN] = max(figures[MAX_DRAWN], drawn)
        if found == WINS:
            return False
        if found == OPEN and is_new_fork(placed, held, drawn, workspace):
            forks -= 1
            if forks <= 0:
                return False
            depth += 1
            push_fork(workspace, depth, placed, held, drawn)
    return True


@loop
def find_proof(state: Row, workspace: SolverWorkspace) -> int:
    """Read a game's state, and return which proof shows it lost, if any."""
    drawn = state[DRAWN] + 0
    read_deck(state, workspace.deck)
    read_position(state, workspace.position)
    if runs_out_of_turns(workspace.position, drawn, workspace.deck, workspace.times):
        return TURNS_RUN_OUT
    if stranded_card(workspace.position, drawn, workspace.deck) != NONE:
        return SEATS_MISS
    return HANDS_OVERFLOW if overflows_hands(workspace.position, drawn, workspace, FORKS) else UNKNOWN
