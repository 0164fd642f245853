"""The steps from a position: a number of clues that only pass the turn, then one card action.

The solver knows the deck, so a clue tells nothing: it passes the turn for a token. Positions are therefore grouped by the
number of card actions since the start, and a *step* is any number of clues with the card action that ends them.

Leaving these out loses nothing:

- Any one spare card is thrown away, and no needed card while the hand has a spare one: everything possible with the spare
  card in hand is possible with the needed card in its place.
- A card is thrown away by a mistake only when all tokens are available. Otherwise a discard does the same and earns a token;
  if that token is in the way later (all available, and a card to be discarded), the mistake is made then.
- No spare card is played by mistake while the hand has a card that fits and is not a 5: that one is played now, and the spare
  card thrown away when the plan would have played it. (Playing a card that fits and is held twice would be no mistake at all.)
- In the last turns only plays are steps: there is nothing to draw, and a seat that does not play passes by a clue or a discard.
  One of these is always possible, as some seat still holds a card: the one that plays after the passing.

If `complete` is 0, some steps that hardly ever help are left out too: more clues than players, plays that are not announced
although they could be, playable cards thrown away by a wrong announcement.
"""

from __future__ import annotations

from tamaya.engine.instances import Options, Row, derived
from tamaya.engine.kernel.clues import ONE_VALUE
from tamaya.engine.layout import layout
from tamaya.solver.position import HANDS, HELD, MISTAKES_MADE, PLACED, PLACES, TO_MOVE, TOKENS, TURNS_LEFT, deck_layout

OPTIONS = Options("inline")

PLAY, ANNOUNCED, DISCARD, MISTAKE, WRONG_COLOUR = range(5)
"""How a card leaves the hand: played silently or announced, discarded, or by mistake, perhaps announced with a wrong colour."""
CANNOT = -1
"""It cannot leave the hand."""

# A step is one number: the clues, then the way the card leaves, then the card.
CARD_BITS, HOW_BITS, CLUE_BITS = 5, 3, 8
HOW_AT, CLUES_AT = CARD_BITS, CARD_BITS + HOW_BITS
STEP_BITS = CLUES_AT + CLUE_BITS
CARD_MASK, HOW_MASK, CLUE_MASK = (1 << CARD_BITS) - 1, (1 << HOW_BITS) - 1, (1 << CLUE_BITS) - 1

SPARE = CARD_MASK
"""Instead of a card: any spare one."""

FIVES: int = derived(layout, lambda layout: sum(1 << layout.values * (colour + 1) - 1 for colour in range(layout.colours)))
"""The last cards of the fireworks, each of which earns a token."""


def read_step(step: int) -> tuple[int, int, int]:
    """The clues, the way and the card of a step."""
    return step >> CLUES_AT & CLUE_MASK, step >> HOW_AT & HOW_MASK, step & CARD_MASK


# Sets of cards.


def count(cards: int) -> int:
    """The number of cards in a set: the set bits, added up in pairs, fours and so on."""
    cards -= (cards >> 1) & 0x55555555
    cards = (cards & 0x33333333) + ((cards >> 2) & 0x33333333)
    cards = (cards + (cards >> 4)) & 0x0F0F0F0F
    return ((cards * 0x01010101) >> 24) & 0xFF


def lowest(cards: int) -> int:
    """The number of the first card in a set that is not empty."""
    return count((cards & -cards) - 1)


def playable_cards(placed: int) -> int:
    """The set of next cards of the fireworks; a complete firework leads into the next colour's first card."""
    return (placed << 1 | ONE_VALUE) & ~placed & layout.every_card


# What may leave a hand, and how.


def can_clue(position: Row, clues: int) -> bool:
    """Whether the seat `clues` turns from now can pass by a clue, if all before it have done so."""
    if position[TOKENS] - clues < 1:
        return False
    seat, others = (position[TO_MOVE] + clues) % layout.players, 0
    for other in range(layout.players):
        if other != seat:
            others += position[HELD + other]
    return layout.empty_clues or others > 0


def throwable_cards(position: Row, seat: int, drawn: int, deck: Row) -> int:
    """The needed cards of a hand that are also in another hand or still in the deck."""
    again = deck[deck_layout.below + drawn]
    for other in range(layout.players):
        if other != seat:
            again |= position[HANDS + other]
    return position[HANDS + seat] & again


def count_spare(position: Row, seat: int) -> int:
    """The number of spare cards in a hand."""
    return position[HELD + seat] - count(position[HANDS + seat])


def way_to_throw(position: Row, clues: int) -> int:
    """How a card is thrown away after this many clues, or CANNOT."""
    if position[TOKENS] - clues < layout.clue_tokens:
        return DISCARD
    return MISTAKE if position[MISTAKES_MADE] + 1 < layout.mistakes else CANNOT


# Taking a step.


def leave_hand(child: Row, seat: int, how: int, card: int) -> None:
    """Remove a card from the hand, and update tokens and mistakes."""
    gained = 0
    if card != SPARE:
        child[HANDS + seat] &= ~(1 << card)
    if how <= ANNOUNCED:
        child[PLACED] |= 1 << card
        gained = how + (1 if FIVES >> card & 1 else 0)
    elif how == DISCARD:
        gained = 1
    else:
        child[MISTAKES_MADE] += 1
    child[TOKENS] = min(layout.clue_tokens, child[TOKENS] + gained)


def draw(child: Row, seat: int, turns: int, drawn: int, deck: Row) -> None:
    """Draw the next card, or count the last turns down."""
    if drawn < layout.deck_size:
        child[HANDS + seat] |= 1 << deck[drawn]
        if drawn + 1 == layout.deck_size and not layout.all_or_nothing:
            child[TURNS_LEFT] = layout.players
    else:
        child[HELD + seat] -= 1
        if not layout.all_or_nothing:
            child[TURNS_LEFT] -= turns


def take_step(position: Row, child: Row, drawn: int, deck: Row, step: int) -> None:
    """Write the position after a step into `child`; clear what no longer matters in the last turns."""
    for place in range(PLACES):
        child[place] = position[place]
    clues = step >> CLUES_AT
    seat = (position[TO_MOVE] + clues) % layout.players
    if position[TURNS_LEFT] == 0:
        child[TOKENS] -= clues
    leave_hand(child, seat, step >> HOW_AT & HOW_MASK, step & CARD_MASK)
    draw(child, seat, clues + 1, drawn, deck)
    child[TO_MOVE] = (seat + 1) % layout.players
    for other in range(layout.players):
        child[HANDS + other] &= ~child[PLACED]
    if child[TURNS_LEFT] > 0:
        child[TOKENS], child[MISTAKES_MADE] = 0, 0


# Listing the steps.


def list_plays(position: Row, clues: int, complete: int, steps: Row, listed: int) -> int:
    """List the plays after this many clues; return the number of steps listed so far."""
    seat = (position[TO_MOVE] + clues) % layout.players
    fits = position[HANDS + seat] & playable_cards(position[PLACED])
    announces = layout.announced_plays and position[TURNS_LEFT] == 0
    is_silent = not announces or (complete and position[TOKENS] - clues < layout.clue_tokens)
    while fits:
        card = lowest(fits)
        fits &= fits - 1
        if announces:
            steps[listed] = clues << CLUES_AT | ANNOUNCED << HOW_AT | card
            listed += 1
        if is_silent:
            steps[listed] = clues << CLUES_AT | PLAY << HOW_AT | card
            listed += 1
    return listed


def list_throws(position: Row, clues: int, drawn: int, deck: Row, complete: int, steps: Row, listed: int) -> int:
    """List the cards that can be thrown away after this many clues; return the number of steps listed so far."""
    seat, how = (position[TO_MOVE] + clues) % layout.players, way_to_throw(position, clues)
    if how == CANNOT or position[HELD + seat] == 0:
        return listed
    fits = playable_cards(position[PLACED])
    if count_spare(position, seat) > 0:
        if how == DISCARD or not position[HANDS + seat] & fits & ~FIVES:
            steps[listed] = clues << CLUES_AT | how << HOW_AT | SPARE
            listed += 1
        return listed
    thrown = throwable_cards(position, seat, drawn, deck)
    while thrown:
        card = lowest(thrown)
        thrown &= thrown - 1
        would_fit = how == MISTAKE and fits >> card & 1
        if not would_fit or (complete and layout.announced_plays and layout.colours > 1):
            steps[listed] = clues << CLUES_AT | (WRONG_COLOUR if would_fit else how) << HOW_AT | card
            listed += 1
    return listed


def list_steps(position: Row, drawn: int, deck: Row, complete: int, steps: Row) -> int:
    """List the steps from a position; return their number."""
    clues, listed = 0, 0
    if position[TURNS_LEFT] > 0:
        for passed in range(position[TURNS_LEFT]):
            listed = list_plays(position, passed, complete, steps, listed)
        return listed
    while True:
        listed = list_plays(position, clues, complete, steps, listed)
        listed = list_throws(position, clues, drawn, deck, complete, steps, listed)
        if (clues >= layout.players and not complete) or not can_clue(position, clues):
            return listed
        clues += 1
