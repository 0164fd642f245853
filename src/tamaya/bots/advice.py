"""Advice for a player: a hint, then the move, then the reason.

It is what the convention bot would do in the player's place, from the player's own view. Where there is a compiler, search may
know better (`search/advice.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tamaya.bots.convention import CONVENTION
from tamaya.bots.convention.reasons import ConventionReason, Facts, facts_of, word_of
from tamaya.bots.policy_bot import PolicyBot
from tamaya.engine import View
from tamaya.i18n import player_at
from tamaya.rules import Action, Message, say


@dataclass(frozen=True, slots=True)
class Advice:
    """A hint that does not name the move, the move, and the reasons. Teammates are called by their seats."""

    idea: Message
    action: Action
    reasons: tuple[Message, ...]


def plain_advice(view: View) -> Advice:
    """What the convention bot would do in place of the player whose turn it is."""
    player = PolicyBot(CONVENTION)
    action = player.act(view)
    facts = facts_of(view.rules, CONVENTION.named(view.rules, player.memory))
    assert facts is not None, "it has just chosen"
    idea, reason = _WORDS[facts.reason]
    return Advice(idea, action, (reason(facts),))


_PLAY = say("One of your cards can be played.")
_ASKED = say("A clue has asked for one of your cards.")
_USELESS = say("You hold a card that nobody needs.")
_DISCARD = say("This is a moment to discard.")
_SAVE = say("A teammate may soon discard a card that is needed.")

_WORDS: Mapping[ConventionReason, tuple[Message, Callable[[Facts], Message]]] = {
    ConventionReason.SURE_CARD: (_PLAY, lambda facts: say(
        "Your card {slot} can only be {card}, and that fits.", slot=facts.slot + 1, card=word_of(facts.card)
    )),
    ConventionReason.SURE_PLAY: (_PLAY, lambda facts: say(
        "Whatever your card {slot} is, it fits.", slot=facts.slot + 1
    )),
    ConventionReason.READ_CARD: (_PLAY, lambda facts: say(
        "Going by the clues, your card {slot} is {card}.", slot=facts.slot + 1, card=word_of(facts.card)
    )),
    ConventionReason.READ_PLAY: (_PLAY, lambda facts: say(
        "Going by the clues, your card {slot} fits.", slot=facts.slot + 1
    )),
    ConventionReason.PROMPT: (_ASKED, lambda facts: say(
        "The clue on {focus} of {player} makes sense only if your clued card {slot} is {card} (a prompt).",
        slot=facts.slot + 1, focus=word_of(facts.other_card), player=player_at(facts.seat), card=word_of(facts.card),
    )),
    ConventionReason.FINESSE: (_ASKED, lambda facts: say(
        "The clue on {focus} of {player} makes sense only if your unclued card {slot} is {card} (a finesse).",
        slot=facts.slot + 1, focus=word_of(facts.other_card), player=player_at(facts.seat), card=word_of(facts.card),
    )),
    ConventionReason.OWN_PROMPT: (_ASKED, lambda facts: say(
        "The last clue to you makes sense only if your clued card {slot} is {card} (a prompt).",
        slot=facts.slot + 1, card=word_of(facts.card),
    )),
    ConventionReason.OWN_FINESSE: (_ASKED, lambda facts: say(
        "The last clue to you makes sense only if your unclued card {slot} is {card} (a finesse).",
        slot=facts.slot + 1, card=word_of(facts.card),
    )),
    ConventionReason.GAMBLE: (say("There is little to lose: a card is worth a try."), lambda facts: say(
        "Your card {slot} fits in about {percent} of 100 cases, and there is little to lose.",
        slot=facts.slot + 1, percent=facts.percent,
    )),
    ConventionReason.SURE_TRASH: (_USELESS, lambda facts: say(
        "Whatever your card {slot} is, nobody needs it.", slot=facts.slot + 1
    )),
    ConventionReason.READ_TRASH: (_USELESS, lambda facts: say(
        "Going by the clues, nobody needs your card {slot}.", slot=facts.slot + 1
    )),
    ConventionReason.CHOP: (_DISCARD, lambda facts: say(
        "Your card {slot} is the oldest without a clue, and there is nothing better to do.", slot=facts.slot + 1
    )),
    ConventionReason.LEAST: (_DISCARD, lambda facts: say(
        "All your cards are clued, and card {slot} is least likely to be missed.", slot=facts.slot + 1
    )),
    ConventionReason.SAVE_LAST: (_SAVE, lambda facts: say(
        "Next to be discarded is {card} of {player}, the last copy.",
        card=word_of(facts.card), player=player_at(facts.seat),
    )),
    ConventionReason.SAVE: (_SAVE, lambda facts: say(
        "Next to be discarded is {card} of {player}, which will be needed.",
        card=word_of(facts.card), player=player_at(facts.seat),
    )),
    ConventionReason.CLUE_PLAY: (say("A teammate holds a card that can be played, and does not know."), lambda facts: say(
        "It points {player} to {card}, which can be played.", card=word_of(facts.card), player=player_at(facts.seat)
    )),
    ConventionReason.CLUE_LATER: (say("A teammate holds a card that will be needed later."), lambda facts: say(
        "It points {player} to {card}, which will be needed later.", card=word_of(facts.card), player=player_at(facts.seat)
    )),
    ConventionReason.CLUE_BLIND: (say("One clue can get two cards played."), lambda facts: say(
        "It points {player} to {card}, so that {other} plays {connection} before it.",
        card=word_of(facts.card), player=player_at(facts.seat), other=player_at(facts.other_seat),
        connection=word_of(facts.other_card),
    )),
    ConventionReason.CLUE_FACTS: (say("A teammate could know more about cards that were clued before."), lambda facts: say(
        "It tells {player} more about cards that were clued before.", player=player_at(facts.seat)
    )),
    ConventionReason.CLUE_STALL: (say("A clue does the least harm now."), lambda facts: say(
        "There is nothing better to do, and a discard could cost a card that is needed."
    )),
    ConventionReason.ANY: (say("There is little to choose from."), lambda facts: say("There is no better choice.")),
}  # fmt: skip
