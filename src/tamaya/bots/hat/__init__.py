"""The hat bot: a clue tells every player something about its own hand.

The information strategy (Cox, De Silva, DeOrsey, Kenter, Retter and Tobin, "How to make the perfect fireworks display: two
strategies for Hanabi", 2015) with questions that fit the moment, hats for the board as it will be on each player's turn, and a
search when few cards are left. `docs/hat.md` tells how it plays.
"""

from __future__ import annotations

from tamaya.bots.cards import build_cards
from tamaya.bots.hat.clues import build_clues
from tamaya.bots.hat.endgame import build_endgame
from tamaya.bots.hat.explaining import explain_hat
from tamaya.bots.hat.habits import HABITS
from tamaya.bots.hat.hats import build_hats, build_questions
from tamaya.bots.hat.memory import HatMemory
from tamaya.bots.hat.own_hand import build_own_hand
from tamaya.bots.hat.picture import build_foresight, build_picture
from tamaya.bots.hat.positions import build_positions
from tamaya.bots.hat.turns import build_choose, build_decide, build_notice
from tamaya.bots.memory import plan
from tamaya.bots.policy import Blueprint, PolicyFunctions
from tamaya.engine.kernel import Constants, Jit, Kernel

__all__ = ["HAT", "build_hat", "explain_hat"]


def build_hat(kernel: Kernel, jit: Jit, constants: Constants) -> PolicyFunctions:
    """The hat policy for a kernel."""
    notes, cards = plan(HatMemory, kernel.layout), build_cards(kernel, jit, constants)
    picture = build_picture(kernel, jit, notes, cards)
    positions = build_positions(kernel.layout, jit, notes)
    habits = HABITS[kernel.layout.players]
    foresight = build_foresight(kernel, jit, notes, cards, picture)
    own_hand = build_own_hand(kernel, jit, notes, cards, picture, foresight, habits)
    hats = build_hats(kernel, jit, notes, cards, build_questions(kernel, jit, notes, cards, picture, foresight))
    clues = build_clues(kernel, jit, notes, cards, picture)
    look_for_end = build_endgame(kernel, jit, notes, cards, picture, positions, habits)
    decide = build_decide(kernel, jit, notes, cards, foresight, own_hand, look_for_end, habits)
    return PolicyFunctions(
        kept=notes.scratch,
        words=notes.words,
        begin=picture.begin,
        choose=build_choose(kernel, jit, notes, cards, foresight, own_hand, hats, clues, decide),
        notice=build_notice(kernel, jit, notes, cards, picture, foresight, hats, clues, habits),
    )


HAT = Blueprint(build_hat, explain=explain_hat)
"""Its memory is shared: the picture is what everybody knows, and every seat would write down the same."""
