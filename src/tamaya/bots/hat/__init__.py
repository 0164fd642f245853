"""The hat bot: a clue tells every player something about its own hand.

The information strategy (Cox, De Silva, DeOrsey, Kenter, Retter and Tobin, "How to make the perfect fireworks display: two
strategies for Hanabi", 2015) with questions that fit the moment, hats for the board as it will be on each player's turn, and a
search when few cards are left.
"""

from __future__ import annotations

from tamaya.bots.cards import build_cards
from tamaya.bots.hat.clues import build_clues
from tamaya.bots.hat.deciding import build_deciding
from tamaya.bots.hat.discards import build_discards
from tamaya.bots.hat.endgame import build_endgame
from tamaya.bots.hat.ends import build_ends
from tamaya.bots.hat.hats import build_hats
from tamaya.bots.hat.memory import plan_memory
from tamaya.bots.hat.noticing import build_noticing
from tamaya.bots.hat.own import build_own
from tamaya.bots.hat.picture import build_picture
from tamaya.bots.hat.plays import build_plays
from tamaya.bots.hat.questions import build_questions
from tamaya.bots.hat.supposing import build_supposing
from tamaya.bots.policy import Policy
from tamaya.engine.kernel import Jit, Kernel, Table
from tamaya.engine.kernel.parts import Parts


def build_hat(kernel: Kernel, jit: Jit, table: Table) -> Policy:
    """The hat policy for a kernel."""
    notes = plan_memory(kernel.layout)
    cards = build_cards(kernel, jit, table)
    picture = build_picture(kernel, jit, table, notes, cards)
    own = build_own(kernel, jit, notes, cards, picture)
    hats = build_hats(kernel, jit, notes, cards, picture, build_questions(kernel, jit, notes, cards, own))
    clues = build_clues(kernel, jit, notes, cards, picture)
    discards = build_discards(kernel, jit, notes, cards, picture)
    supposing = build_supposing(kernel, jit, notes, cards, picture)
    ends = build_ends(kernel, jit, notes, cards, supposing, build_endgame(kernel, jit, notes, supposing))
    plays = build_plays(kernel, jit, notes, cards, own)
    everything = Parts(**{name: part for room in (cards, picture, own, hats, clues, discards, plays, ends)
                          for name, part in vars(room).items()})  # fmt: skip
    return Policy(
        words=notes.words,
        begin=picture.begin,
        choose=build_deciding(kernel, jit, notes, everything).choose,
        notice=build_noticing(kernel, jit, notes, everything).notice,
    )
