"""Actions in words before they are taken: as a sentence to the player who would take them, and as part of another one.

These are two, as they are in most languages: the sentence asks the reader (play *your* card 2) and says which cards a clue
touches; the part of a sentence follows what it is part of, a colon or something like *I would*."""

from __future__ import annotations

from collections.abc import Sequence

from tamaya.engine import View
from tamaya.i18n.players import player_at
from tamaya.rules import Action, Clue, Colour, Discard, Message, say, say_in, say_n


def propose(action: Action, view: View) -> Message:
    """One of the actions of the player whose view it is; teammates are called by their seats."""
    if isinstance(action, Clue):
        cards = (seen.card for seen in view.hands[action.seat])
        touches = [slot for slot, card in enumerate(cards) if card and view.rules.matches(action.hint, card)]
        return propose_clue(player_at(action.seat), action.hint, touches)
    slot = action.slot + 1
    if isinstance(action, Discard):
        return say("Discard your card {slot}.", slot=slot)
    if action.announced:
        return say("Announce {colour} and play your card {slot}.", colour=action.announced.word, slot=slot)
    return say("Play your card {slot}.", slot=slot)


def propose_clue(player: Message | str, hint: Colour | int, touches: Sequence[int]) -> Message:
    """A clue that touches these slots."""
    if not touches:
        return say("Tell {player} “{hint}”: no card.", player=player, hint=_hint(hint))
    return say_n(
        "Tell {player} “{hint}”: card {slots}.",
        "Tell {player} “{hint}”: cards {slots}.",
        len(touches),
        player=player,
        hint=_hint(hint),
        slots=tuple(str(slot + 1) for slot in touches),
    )


def move_words(action: Action) -> Message:
    """A move as part of a sentence: tell player 2 “red”, play card 2. It names no card."""
    if isinstance(action, Clue):
        return say_in("a move", "tell {player} “{hint}”", player=player_at(action.seat), hint=_hint(action.hint))
    slot = action.slot + 1
    if isinstance(action, Discard):
        return say_in("a move", "discard card {slot}", slot=slot)
    if action.announced:
        return say_in("a move", "announce {colour} and play card {slot}", colour=action.announced.word, slot=slot)
    return say_in("a move", "play card {slot}", slot=slot)


def _hint(hint: Colour | int) -> Message | str:
    return hint.word if isinstance(hint, Colour) else str(hint)
