"""What a play or a discard meant to those who play by the conventions."""

from __future__ import annotations

from collections.abc import Mapping

from tamaya.bots.convention.minds import BlindCall, Minds, is_single
from tamaya.engine import Discarded, Played
from tamaya.i18n import player_at
from tamaya.rules import Message, say


def play_meaning(before: Minds, event: Played, asked: Mapping[int, int]) -> Message:
    """What called for a card that was played, if anything did. `asked` has the turn of the clue that asked for each card."""
    seat, slot, turn = event.seat, event.slot, asked.get(event.number, 0)
    proven, belief = before.proven(seat, slot), before.belief(seat, slot)
    if before.fits(proven):
        if is_single(proven):
            return say("It could only be {card}.", card=before.word(proven))
        return say("Whatever it was, it had to fit.")
    if before.fits(belief):
        if turn:
            return say("The clue of turn {turn} called for it.", turn=turn)
        return say("By the agreements it could only be a card that fits.")
    call = before.call(seat)
    if call and call.slot == slot:
        return _answer(before, call)
    if turn and before.fits(belief & ~before.board.dead):
        return say("The clue of turn {turn} called for it, unless such a card had been played since.", turn=turn)
    awaiting = _perhaps_awaited(before, event)
    if awaiting is not None:
        return say("A clue on a card of {player} may have called for it.", player=player_at(awaiting))
    return _uncalled(before, event, turn)


def _answer(before: Minds, call: BlindCall) -> Message:
    wanted = before.word(call.card)
    if call.seat == call.owner:
        if call.clued:
            return say("The last clue made sense only if it was {wanted} (a prompt).", wanted=wanted)
        return say("The last clue made sense only if it was {wanted} (a finesse).", wanted=wanted)
    focus = before.word(before.face(call.owner, before.slot_of(call.owner, call.focus)))
    player = player_at(call.owner)
    if call.clued:
        return say("The clue on {focus} of {player} made sense only if it was {wanted} (a prompt).",
                   focus=focus, player=player, wanted=wanted)  # fmt: skip
    return say("The clue on {focus} of {player} made sense only if it was {wanted} (a finesse).",
               focus=focus, player=player, wanted=wanted)  # fmt: skip


def _perhaps_awaited(before: Minds, event: Played) -> int | None:
    """Whose card, hidden from these eyes, may have called for a play that nothing else explains."""
    if before.is_clued(event.seat, event.slot) or before.newest(event.seat) != event.slot:
        return None
    for owner in before.hidden_from_here(event.seat):
        if any(before.waits_for(owner, slot, event.seat) for slot in before.slots(owner)):
            return owner
    return None


def _uncalled(before: Minds, event: Played, turn: int) -> Message:
    """How a card stood that was played although nothing called for it."""
    seat, slot = event.seat, event.slot
    if not before.proven(seat, slot) & before.board.playable:
        return say("It was clear that it does not fit.")
    if before.hidden_from_here(seat):
        return say("The clue of turn {turn} was about it.", turn=turn) if turn else say("Nothing in sight called for it.")
    if not before.belief(seat, slot) & before.board.playable:
        return say("By the agreements it could not be {card}.", card=event.card.word)
    if before.saved(seat, slot):
        return say("By the agreements it was to be kept for now.")
    if turn:
        return say("The clue of turn {turn} was about it, but it was not clear yet that it fits.", turn=turn)
    if before.is_clued(seat, slot):
        return say("It was clued, but nothing called for it.")
    return say("Nothing called for it.")


def discard_meaning(before: Minds, event: Discarded) -> Message:
    """How a card stood that was discarded."""
    seat, slot = event.seat, event.slot
    if before.proven(seat, slot) & ~before.board.dead == 0:
        return say("It was known to be useless.")
    if before.takes_to_be_useless(seat, slot):
        return say("By the agreements it was useless.")
    called, chop = _called_slots(before, seat), before.chop(seat)
    if slot in called:
        return say("By the agreements it was to be played.")
    if called:
        return say("By the agreements card {slot} was to be played.", slot=called[0] + 1)
    if slot == chop:
        return say("It was the oldest card without a clue, as custom has it.")
    if chop < 0:
        return say("All cards had been clued.")
    if before.is_clued(seat, slot):
        return say("Custom keeps clued cards and would have discarded card {slot}.", slot=chop + 1)
    return say("Custom would have discarded card {slot}, the oldest without a clue.", slot=chop + 1)


def _called_slots(before: Minds, seat: int) -> list[int]:
    """The cards that a player was asked to play; not those of which the eyes see that it would have been a mistake."""
    call = before.call(seat)
    called = [slot for slot in before.slots(seat) if before.was_meant(seat, slot) and before.takes_to_fit(seat, slot)]
    slots = called if call is None else [call.slot, *called]
    return [slot for slot in slots if before.may_fit(seat, slot)]
