"""The numbers in the hat bot that were tuned, by playing many games with each value."""

from __future__ import annotations

from typing import NamedTuple

COST_SEEN = 5
"""What it costs to discard a needed card that another hand holds too."""
COST_SPARE, COST_SPARE_STEP = 15, 5
"""One of which another copy is left; and what each card that comes after it adds."""
COST_LAST_COPY, COST_LAST_COPY_STEP = 100, 60
"""The last copy, likewise."""


class Habits(NamedTuple):
    """What a team does by habit; `docs/hat.md` says how it was found."""

    spent: int
    """A useless card is discarded rather than a clue given while the discards leave this many more than a round of turns:
    with at most one clue token."""
    short: int
    """The same with two or three clue tokens."""
    plenty: int
    """The same with more."""
    kept_tokens: int
    """With nothing else to do, a clue is given while there are more clue tokens than this."""
    risk: int
    """A card that is playable or dead is played if the chance that it fits is more than this, in hundredths."""
    last_cards: int
    """With at most so many cards in the deck, the end is looked for."""
    budget: int
    """How many positions are looked at in doing so."""


HABITS = {
    2: Habits(spent=2, short=1, plenty=1, kept_tokens=2, risk=60, last_cards=5, budget=2000),
    3: Habits(spent=2, short=2, plenty=1, kept_tokens=0, risk=60, last_cards=5, budget=2000),
    4: Habits(spent=2, short=2, plenty=1, kept_tokens=1, risk=60, last_cards=5, budget=2000),
    5: Habits(spent=2, short=2, plenty=1, kept_tokens=2, risk=75, last_cards=5, budget=2000),
}
"""By number of players."""
