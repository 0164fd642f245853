"""What can be done from a position: so many clues that only pass the turn on, then one card.

The deck is known to the solver, so a clue tells nothing: it is a turn passed on for a token. Positions are therefore
grouped by the number of card actions since the start, and a *step* is any number of clues with the card action that ends them.

What is left out loses nothing:

- Of spare cards any one is thrown away, and no needed card while the hand has a spare one: whatever can be done with the
  spare card in hand can be done with the needed card in its place.
- A card is thrown away by a mistake only when all tokens are there. Otherwise a discard does the same and brings a token;
  when that token is in the way later (all there, and a card to be discarded), the mistake is made then.
- No spare card is played by mistake while the hand has a card that fits and is no 5: that one is played now, and the spare
  card thrown away when the plan would have played it. (A card that fits and is held twice would be no mistake at all.)
- In the last turns nothing but plays is a step: there is nothing to draw, and who does not play passes by a clue or a discard.
  One of them is always possible, as somebody still holds a card: the one who is to play after the passing.

Where `complete` is 0 some steps that hardly ever help are left out too: more clues than players, plays that are not announced
where they could be, playable cards thrown away by a wrong announcement.
"""

from __future__ import annotations

from typing import Any

from tamaya.engine.kernel.parts import Jit, Parts
from tamaya.engine.layout import Layout
from tamaya.sim.solver.positions import HANDS, HELD, LAST, MISSED, MOVER, PLACED, PLACES, TOKENS, deck_tables

PLAY, ANNOUNCED, DISCARD, MISTAKE, WRONG = range(5)
"""How a card leaves the hand: played in silence or announced, discarded, played as a mistake or by a wrong announcement."""

SPARE = 31
"""In place of a card: any spare one."""

# A step is one number: the clues, then how the card leaves, then which.
CLUES_AT, HOW_AT = 8, 5
STEP = 16
"""Bits of a step."""


def read_step(step: int) -> tuple[int, int, int]:
    """The clues, the way and the card of a step."""
    return step >> CLUES_AT & 0xFF, step >> HOW_AT & 7, step & 31


def build_moves(rules: Layout, jit: Jit) -> Parts:
    """Taking a step."""
    players, deck_size, clue_tokens, all_or_nothing = rules.players, rules.deck_size, rules.clue_tokens, rules.all_or_nothing

    @jit
    def throw_or_place(child: Any, seat: int, how: int, card: int) -> None:
        """The card leaves the hand, and tokens and mistakes follow."""
        gained = 0
        if card != SPARE:
            child[HANDS + seat] &= ~(1 << card)
        if how <= ANNOUNCED:
            child[PLACED] |= 1 << card
            gained = how + (1 if card % 5 == 4 else 0)
        elif how == DISCARD:
            gained = 1
        else:
            child[MISSED] += 1
        child[TOKENS] = min(clue_tokens, child[TOKENS] + gained)

    @jit
    def draw(child: Any, seat: int, turns: int, drawn: int, tables: Any) -> None:
        """The next card joins the hand, and the last turns begin or go by."""
        if drawn < deck_size:
            child[HANDS + seat] |= 1 << tables[drawn]
            if drawn + 1 == deck_size and not all_or_nothing:
                child[LAST] = players
        else:
            child[HELD + seat] -= 1
            if not all_or_nothing:
                child[LAST] -= turns

    @jit
    def move(position: Any, child: Any, drawn: int, tables: Any, step: int) -> None:
        """The position after a step; what no longer matters in the last turns is wiped out, so that positions are one."""
        for place in range(PLACES):
            child[place] = position[place]
        clues = step >> CLUES_AT
        seat = (position[MOVER] + clues) % players
        if position[LAST] == 0:
            child[TOKENS] -= clues
        throw_or_place(child, seat, step >> HOW_AT & 7, step & 31)
        draw(child, seat, clues + 1, drawn, tables)
        child[MOVER] = (seat + 1) % players
        for other in range(players):
            child[HANDS + other] &= ~child[PLACED]
        if child[LAST] > 0:
            child[TOKENS], child[MISSED] = 0, 0

    return Parts(move=move)


def build_choices(rules: Layout, jit: Jit, bits: Parts) -> Parts:
    """What may leave a hand, and how."""
    players, clue_tokens, mistakes, empty_clues = rules.players, rules.clue_tokens, rules.mistakes, rules.empty_clues
    ones = sum(1 << 5 * colour for colour in range(rules.colours))
    every_card, below = (1 << 5 * rules.colours) - 1, deck_tables(rules).below
    count = bits.count

    @jit
    def playable(placed: int) -> int:
        """The set of cards that continue a firework: each next one, where a complete one leads into the next colour's 1."""
        return (placed << 1 | ones) & ~placed & every_card

    @jit
    def can_clue(position: Any, clues: int) -> bool:
        """Whether the seat that is so many turns away can pass by a clue, all before it having done so."""
        if position[TOKENS] - clues < 1:
            return False
        seat, others = (position[MOVER] + clues) % players, 0
        for other in range(players):
            if other != seat:
                others += position[HELD + other]
        return empty_clues or others > 0

    @jit
    def throwable(position: Any, seat: int, drawn: int, tables: Any) -> int:
        """The needed cards of a hand that can be had again: from another hand, or from the deck."""
        again = tables[below + drawn]
        for other in range(players):
            if other != seat:
                again |= position[HANDS + other]
        thrown: int = position[HANDS + seat] & again
        return thrown

    @jit
    def spares(position: Any, seat: int) -> int:
        """How many cards of a hand are spare."""
        number: int = position[HELD + seat] - count(position[HANDS + seat])
        return number

    @jit
    def way_to_throw(position: Any, clues: int) -> int:
        """How a card is thrown away after so many clues; -1 where it cannot be."""
        if position[TOKENS] - clues < clue_tokens:
            return DISCARD
        return MISTAKE if position[MISSED] + 1 < mistakes else -1

    return Parts(playable=playable, can_clue=can_clue, throwable=throwable, spares=spares, way_to_throw=way_to_throw)


def build_steps(rules: Layout, jit: Jit, bits: Parts, choices: Parts) -> Parts:
    """Listing the steps from a position."""
    players, clue_tokens, announced_plays = rules.players, rules.clue_tokens, rules.announced_plays
    lies = rules.announced_plays and rules.colours > 1
    fives = sum(16 << 5 * colour for colour in range(rules.colours))
    lowest, playable, can_clue, throwable = bits.lowest, choices.playable, choices.can_clue, choices.throwable
    spares, way_to_throw = choices.spares, choices.way_to_throw

    @jit
    def list_plays(position: Any, clues: int, complete: int, steps: Any, listed: int) -> int:
        """The plays after so many clues; returns how many steps are listed by then."""
        seat = (position[MOVER] + clues) % players
        fits = position[HANDS + seat] & playable(position[PLACED])
        announces = announced_plays and position[LAST] == 0
        keeps_silent = not announces or (complete and position[TOKENS] - clues < clue_tokens)
        while fits:
            card = lowest(fits)
            fits &= fits - 1
            if announces:
                steps[listed] = clues << CLUES_AT | ANNOUNCED << HOW_AT | card
                listed += 1
            if keeps_silent:
                steps[listed] = clues << CLUES_AT | PLAY << HOW_AT | card
                listed += 1
        return listed

    @jit
    def list_throws(position: Any, clues: int, drawn: int, tables: Any, complete: int, steps: Any, listed: int) -> int:
        """The cards that can be thrown away after so many clues."""
        seat, how = (position[MOVER] + clues) % players, way_to_throw(position, clues)
        if how < 0 or position[HELD + seat] == 0:
            return listed
        fits = playable(position[PLACED])
        if spares(position, seat) > 0:
            if how == DISCARD or not position[HANDS + seat] & fits & ~fives:
                steps[listed] = clues << CLUES_AT | how << HOW_AT | SPARE
                listed += 1
            return listed
        thrown = throwable(position, seat, drawn, tables)
        while thrown:
            card = lowest(thrown)
            thrown &= thrown - 1
            is_placed = how == MISTAKE and fits >> card & 1
            if not is_placed or (complete and lies):
                steps[listed] = clues << CLUES_AT | (WRONG if is_placed else how) << HOW_AT | card
                listed += 1
        return listed

    @jit
    def list_steps(position: Any, drawn: int, tables: Any, complete: int, steps: Any) -> int:
        """Write the steps from a position; returns how many."""
        clues = 0
        listed: int = 0
        if position[LAST] > 0:
            for passed in range(position[LAST]):
                listed = list_plays(position, passed, complete, steps, listed)
            return listed
        while True:
            listed = list_plays(position, clues, complete, steps, listed)
            listed = list_throws(position, clues, drawn, tables, complete, steps, listed)
            if (clues >= players and not complete) or not can_clue(position, clues):
                return listed
            clues += 1

    return Parts(list_steps=list_steps)
