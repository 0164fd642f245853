"""The convention bot's reasons in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from tamaya.bots.convention.memory import plan_memory
from tamaya.bots.convention.reasons import CARD, OTHER_CARD, OTHER_SEAT, REASON, REASONS, SEAT, SLOT, Reason
from tamaya.bots.convention.weights import Worth
from tamaya.engine.layout import layout
from tamaya.i18n import player_at
from tamaya.rules import Card, Message, Rules, say


class Facts(NamedTuple):
    """What a choice was made for."""

    reason: Reason
    slot: int
    card: Card | None
    seat: int
    other_card: Card | None
    other_seat: int
    percent: int


def facts_of(rules: Rules, memory: Sequence[int]) -> Facts | None:
    """What the memory says of the choice just made; nothing before the first."""
    first = plan_memory(layout(rules), len(Worth)).reason
    words = [int(word) for word in memory[first : first + REASONS]]
    if not words[REASON]:
        return None
    return Facts(
        Reason(words[REASON]), words[SLOT], _card(rules, words[CARD]), words[SEAT],
        _card(rules, words[OTHER_CARD]), words[OTHER_SEAT], words[CARD],
    )  # fmt: skip


def explain_convention(rules: Rules, memory: Sequence[int]) -> Message | None:
    """Why the last choice was made."""
    facts = facts_of(rules, memory)
    return _SENTENCES[facts.reason](facts) if facts else None


def _card(rules: Rules, number: int) -> Card | None:
    return rules.cards[number] if 0 <= number < len(rules.cards) else None


def _word(card: Card | None) -> Message:
    assert card is not None, "this reason names a card"
    return card.word


_SENTENCES: Mapping[Reason, Callable[[Facts], Message]] = {
    Reason.SURE_CARD: lambda facts: say(
        "I play slot {slot}: it can only be {card}.", slot=facts.slot + 1, card=_word(facts.card)
    ),
    Reason.SURE_PLAY: lambda facts: say("I play slot {slot}: whatever it is, it fits.", slot=facts.slot + 1),
    Reason.READ_CARD: lambda facts: say(
        "I play slot {slot}: as I read the clues, it is {card}.", slot=facts.slot + 1, card=_word(facts.card)
    ),
    Reason.READ_PLAY: lambda facts: say("I play slot {slot}: as I read the clues, it fits.", slot=facts.slot + 1),
    Reason.PROMPT: lambda facts: say(
        "I play slot {slot}: the clue on {focus} of {player} makes sense only if this clued card is {card} (a prompt).",
        slot=facts.slot + 1, focus=_word(facts.other_card), player=player_at(facts.seat), card=_word(facts.card),
    ),
    Reason.FINESSE: lambda facts: say(
        "I play slot {slot} unclued: the clue on {focus} of {player} makes sense only if I hold {card} there (a finesse).",
        slot=facts.slot + 1, focus=_word(facts.other_card), player=player_at(facts.seat), card=_word(facts.card),
    ),
    Reason.OWN_PROMPT: lambda facts: say(
        "I play slot {slot}: the last clue to me makes sense only if this clued card is {card} (a prompt).",
        slot=facts.slot + 1, card=_word(facts.card),
    ),
    Reason.OWN_FINESSE: lambda facts: say(
        "I play slot {slot} unclued: the last clue to me makes sense only if I hold {card} there (a finesse).",
        slot=facts.slot + 1, card=_word(facts.card),
    ),
    Reason.GAMBLE: lambda facts: say(
        "I try slot {slot}: there is little to lose, and I give it {percent} chances in 100 to fit.",
        slot=facts.slot + 1, percent=facts.percent,
    ),
    Reason.SURE_TRASH: lambda facts: say("I discard slot {slot}: whatever it is, nobody needs it.", slot=facts.slot + 1),
    Reason.READ_TRASH: lambda facts: say("I discard slot {slot}: as I read the clues, nobody needs it.", slot=facts.slot + 1),
    Reason.CHOP: lambda facts: say(
        "I discard slot {slot}, my oldest card without a clue: I know nothing better.", slot=facts.slot + 1
    ),
    Reason.LEAST: lambda facts: say(
        "I discard slot {slot}: all my cards are clued, and this one is least likely to be missed.", slot=facts.slot + 1
    ),
    Reason.SAVE_LAST: lambda facts: say(
        "I save {card} of {player}: it is the last copy, and was next to be discarded.",
        card=_word(facts.card), player=player_at(facts.seat),
    ),
    Reason.SAVE: lambda facts: say(
        "I save {card} of {player}: it was next to be discarded.", card=_word(facts.card), player=player_at(facts.seat)
    ),
    Reason.CLUE_PLAY: lambda facts: say(
        "I point {player} to {card}: it can be played.", card=_word(facts.card), player=player_at(facts.seat)
    ),
    Reason.CLUE_LATER: lambda facts: say(
        "I point {player} to {card}: it will be needed later.", card=_word(facts.card), player=player_at(facts.seat)
    ),
    Reason.CLUE_BLIND: lambda facts: say(
        "I point {player} to {card}, so that {other} plays {connection} before it.",
        card=_word(facts.card), player=player_at(facts.seat), other=player_at(facts.other_seat),
        connection=_word(facts.other_card),
    ),
    Reason.CLUE_FACTS: lambda facts: say(
        "I tell {player} more about cards that were clued before.", player=player_at(facts.seat)
    ),
    Reason.CLUE_STALL: lambda facts: say("I clue because I know nothing better."),
    Reason.ANY: lambda facts: say("I have no better choice."),
}  # fmt: skip
