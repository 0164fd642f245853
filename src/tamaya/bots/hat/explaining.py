"""The hat bot's reasons: what it leaves in its memory when it has chosen, and what that means in words."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from tamaya.bots.hat.memory import HatMemory
from tamaya.bots.memory import plan
from tamaya.engine.layout import layout_of
from tamaya.rules import Message, Rules, say


class HatReason(IntEnum):
    """The reasons; the first four follow from what all can know, whatever hidden cards are."""

    SURE_PLAY = 1
    CODE = 2  # a clue that says the sum of all hats
    CODE_DISCARD = 3  # one of several useless cards, chosen to say the sum of all hats
    USELESS = 4
    HARMLESS = 5  # playable or else dead
    CHEAPEST = 6  # missed least
    TRY = 7  # nothing to lose
    WORDS = 8  # a clue that means what it says


def explain_hat(rules: Rules, memory: Sequence[int]) -> Message | None:
    """Why the last choice was made."""
    notes = plan(HatMemory, layout_of(rules))
    if not memory[notes.reason]:
        return None
    sentence = _sentence(rules, HatReason(memory[notes.reason]), int(memory[notes.subject]), int(memory[notes.amount]))
    return say("I looked ahead to the end of the game. {reason}", reason=sentence) if memory[notes.looked_ahead] else sentence


def _sentence(rules: Rules, reason: HatReason, subject: int, amount: int) -> Message:
    slot = subject + 1
    match reason:
        case HatReason.SURE_PLAY if amount & (amount - 1) == 0:
            return say("I play card {slot}: it can only be {card}.", slot=slot, card=rules.cards[amount.bit_length() - 1].word)
        case HatReason.SURE_PLAY:
            return say("I play card {slot}: whatever it is, it fits.", slot=slot)
        case HatReason.CODE:
            return say("My clue says {number} in our code of {count} numbers: from that and the other hands each player learns "
                       "something about their own.", number=subject, count=amount)  # fmt: skip
        case HatReason.CODE_DISCARD:
            return say("I discard card {slot}, one of {count} cards that nobody needs: which one I chose says something in our "
                       "code.", slot=slot, count=amount)  # fmt: skip
        case HatReason.USELESS:
            return say("I discard card {slot}: whatever it is, nobody needs it.", slot=slot)
        case HatReason.HARMLESS:
            return say("I play card {slot}: it most likely fits, and nobody needs it otherwise.", slot=slot)
        case HatReason.CHEAPEST:
            return say("I discard card {slot}: of my cards it is the least likely to be missed.", slot=slot)
        case HatReason.TRY:
            return say("I try card {slot}: there is little to lose, and I give it {percent} chances in 100 to fit.",
                       slot=slot, percent=amount)  # fmt: skip
        case HatReason.WORDS:
            return say("My clue means what it says: our code cannot be used here.")
