"""The convention bot's reasons: what it notes in its memory when it chooses, and the words for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import IntEnum
from typing import NamedTuple

from tamaya.bots.convention.memory import ConventionMemory
from tamaya.i18n import player_at
from tamaya.rules import Card, Message, Rules, say


class ConventionReason(IntEnum):
    """Reasons for a choice. Those called sure follow from clues and counting alone."""

    SURE_CARD = 1  # the card in the slot can only be this one, and fits
    SURE_PLAY = 2  # whatever it is, it fits
    READ_CARD = 3  # by the conventions it is this card, which fits
    READ_PLAY = 4  # by the conventions it is some card that fits
    PROMPT = 5  # a clue on a teammate's card makes sense only if this clued card is the missing one
    FINESSE = 6  # likewise an unclued card
    OWN_PROMPT = 7  # a clue to the player makes sense only if this clued card is the missing one
    OWN_FINESSE = 8
    GAMBLE = 9  # little can be lost
    SURE_TRASH = 10  # whatever it is, it is no longer needed
    READ_TRASH = 11  # by the conventions it is not needed
    CHOP = 12  # the oldest unclued card
    LEAST = 13  # every card is clued
    SAVE_LAST = 14  # the last copy of a card, on the chop
    SAVE = 15  # another card on the chop
    CLUE_PLAY = 16  # a card that can be played
    CLUE_LATER = 17  # a card that can be played later
    CLUE_BLIND = 18  # a card before which another player plays a missing one
    CLUE_FACTS = 19  # more about cards that were clued before
    CLUE_STALL = 20  # nothing better
    ANY = 21  # nothing else is legal


# As plain integers, for the compiler.
(
    SURE_CARD, SURE_PLAY, READ_CARD, READ_PLAY, PROMPT, FINESSE, OWN_PROMPT, OWN_FINESSE, GAMBLE, SURE_TRASH, READ_TRASH, CHOP,
    LEAST, SAVE_LAST, SAVE, CLUE_PLAY, CLUE_LATER, CLUE_BLIND, CLUE_FACTS, CLUE_STALL, ANY,
) = map(int, ConventionReason)  # fmt: skip


class Facts(NamedTuple):
    """What a choice was made for. Fields that its reason does not mention may hold anything."""

    reason: ConventionReason
    slot: int
    card: Card | None
    seat: int
    other_card: Card | None
    other_seat: int
    percent: int


def facts_of(rules: Rules, memory: ConventionMemory) -> Facts | None:
    """The facts of the last choice; none before the first."""
    if not memory.reason:
        return None
    return Facts(
        reason=ConventionReason(memory.reason),
        slot=memory.reason_slot,
        card=_card(rules, memory.reason_card),
        seat=memory.reason_seat,
        other_card=_card(rules, memory.connection_card),
        other_seat=memory.connection_seat,
        percent=memory.reason_percent,
    )


def explain_convention(rules: Rules, memory: ConventionMemory) -> Message | None:
    """Why the last choice was made."""
    facts = facts_of(rules, memory)
    return _SENTENCES[facts.reason](facts) if facts else None


def _card(rules: Rules, number: int) -> Card | None:
    return rules.cards[number] if 0 <= number < len(rules.cards) else None


def word_of(card: Card | None) -> Message:
    """The card that a reason names."""
    assert card is not None, "this reason names a card"
    return card.word


_SENTENCES: Mapping[ConventionReason, Callable[[Facts], Message]] = {
    ConventionReason.SURE_CARD: lambda facts: say(
        "I play card {slot}: it can only be {card}.", slot=facts.slot + 1, card=word_of(facts.card)
    ),
    ConventionReason.SURE_PLAY: lambda facts: say("I play card {slot}: whatever it is, it fits.", slot=facts.slot + 1),
    ConventionReason.READ_CARD: lambda facts: say(
        "I play card {slot}: as I read the clues, it is {card}.", slot=facts.slot + 1, card=word_of(facts.card)
    ),
    ConventionReason.READ_PLAY: lambda facts: say("I play card {slot}: as I read the clues, it fits.", slot=facts.slot + 1),
    ConventionReason.PROMPT: lambda facts: say(
        "I play card {slot}: the clue on {focus} of {player} makes sense only if this clued card is {card} (a prompt).",
        slot=facts.slot + 1, focus=word_of(facts.other_card), player=player_at(facts.seat), card=word_of(facts.card),
    ),
    ConventionReason.FINESSE: lambda facts: say(
        "I play card {slot} unclued: the clue on {focus} of {player} makes sense only if I hold {card} there (a finesse).",
        slot=facts.slot + 1, focus=word_of(facts.other_card), player=player_at(facts.seat), card=word_of(facts.card),
    ),
    ConventionReason.OWN_PROMPT: lambda facts: say(
        "I play card {slot}: the last clue to me makes sense only if this clued card is {card} (a prompt).",
        slot=facts.slot + 1, card=word_of(facts.card),
    ),
    ConventionReason.OWN_FINESSE: lambda facts: say(
        "I play card {slot} unclued: the last clue to me makes sense only if I hold {card} there (a finesse).",
        slot=facts.slot + 1, card=word_of(facts.card),
    ),
    ConventionReason.GAMBLE: lambda facts: say(
        "I try card {slot}: there is little to lose, and I give it {percent} chances in 100 to fit.",
        slot=facts.slot + 1, percent=facts.percent,
    ),
    ConventionReason.SURE_TRASH: lambda facts: say(
        "I discard card {slot}: whatever it is, nobody needs it.", slot=facts.slot + 1
    ),
    ConventionReason.READ_TRASH: lambda facts: say(
        "I discard card {slot}: as I read the clues, nobody needs it.", slot=facts.slot + 1
    ),
    ConventionReason.CHOP: lambda facts: say(
        "I discard card {slot}, my oldest card without a clue: I know nothing better.", slot=facts.slot + 1
    ),
    ConventionReason.LEAST: lambda facts: say(
        "I discard card {slot}: all my cards are clued, and this one is least likely to be missed.", slot=facts.slot + 1
    ),
    ConventionReason.SAVE_LAST: lambda facts: say(
        "I save {card} of {player}: it is the last copy, and was next to be discarded.",
        card=word_of(facts.card), player=player_at(facts.seat),
    ),
    ConventionReason.SAVE: lambda facts: say(
        "I save {card} of {player}: it was next to be discarded.", card=word_of(facts.card), player=player_at(facts.seat)
    ),
    ConventionReason.CLUE_PLAY: lambda facts: say(
        "I point {player} to {card}: it can be played.", card=word_of(facts.card), player=player_at(facts.seat)
    ),
    ConventionReason.CLUE_LATER: lambda facts: say(
        "I point {player} to {card}: it will be needed later.", card=word_of(facts.card), player=player_at(facts.seat)
    ),
    ConventionReason.CLUE_BLIND: lambda facts: say(
        "I point {player} to {card}, so that {other} plays {connection} before it.",
        card=word_of(facts.card), player=player_at(facts.seat), other=player_at(facts.other_seat),
        connection=word_of(facts.other_card),
    ),
    ConventionReason.CLUE_FACTS: lambda facts: say(
        "I tell {player} more about cards that were clued before.", player=player_at(facts.seat)
    ),
    ConventionReason.CLUE_STALL: lambda facts: say("I clue because I know nothing better."),
    ConventionReason.ANY: lambda facts: say("I have no better choice."),
}  # fmt: skip
