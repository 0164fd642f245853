"""What a clue meant to players who keep the conventions."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tamaya.bots.convention.player_models import Finesse, PlayerModels, is_single
from tamaya.engine import Clued
from tamaya.i18n import player_at
from tamaya.rules import Message, say, say_n

MAX_NAMED_CARDS = 3
"""The most cards that a sentence names."""


def clue_meaning(before: PlayerModels, after: PlayerModels, event: Clued) -> Message:
    """What a clue makes its receiver or another player do or believe; and that it misleads, if the reader can see so."""
    if not event.slots:
        return say("It touches no card; the agreements make nothing of that.")
    target, focus = event.target, after.last_focus
    plays, finesse = _new_plays(before, after, event), next(_new_finesses(before, after, event), None)
    wrong = [slot for slot in plays if _is_mistake(after, target, slot)]
    if finesse and (not wrong or not after.face(finesse.seat, finesse.slot)):
        return _finesse_meaning(after, finesse)  # a player who cannot see the missing card believes that they hold it
    if wrong:
        return say("{one} {other}", one=_plays(plays), other=_mistake(after, target, wrong[0]))
    if plays and (focus < 0 or focus in plays):
        return _play_meaning(after, target, plays)
    if plays:
        return say("{one} {other}", one=_play_meaning(after, target, plays), other=_focus_meaning(before, after, target))
    if focus >= 0:
        return _focus_meaning(before, after, target)
    return _meaning_without_focus(before, after, event)


def asked_for(before: PlayerModels, after: PlayerModels, event: Clued) -> set[int]:
    """The numbers of the cards that a clue asks its receiver to play, now or later."""
    slots, focus = set(_new_plays(before, after, event)), after.last_focus
    if focus >= 0 and not after.saved(event.target, focus):
        slots.add(focus)
    return {after.number(event.target, slot) for slot in slots}


def _news(before: PlayerModels, after: PlayerModels, seat: int, takes: Callable[[PlayerModels, int, int], bool]) -> list[int]:
    """The slots of a hand of which a condition holds only after the clue, the one in focus first."""
    slots = [slot for slot in after.slots(seat) if takes(after, seat, slot) and not takes(before, seat, slot)]
    return sorted(slots, key=lambda slot: slot != after.last_focus)


def _new_plays(before: PlayerModels, after: PlayerModels, event: Clued) -> list[int]:
    """The slots that the receiver believes to fit only since this clue."""
    seat, slots = event.target, _news(before, after, event.target, PlayerModels.takes_to_fit)
    told = [slot for slot in slots if slot in event.slots or before.proven(seat, slot) != after.proven(seat, slot)]
    return [slot for slot in told if after.may_fit(seat, slot) or _is_mistake(after, seat, slot)]


def _is_mistake(after: PlayerModels, seat: int, slot: int) -> bool:
    """Whether playing a card would be a mistake, as far as the reader sees."""
    return not after.may_fit(seat, slot) and not after.may_connect(seat, slot)


def _new_finesses(before: PlayerModels, after: PlayerModels, event: Clued) -> Iterator[Finesse]:
    """The prompts and finesses that the clue causes, for players who would not have played that card anyway."""
    if after.last_focus < 0:
        return
    number = after.number(event.target, after.last_focus)
    found = (after.finesse((event.seat + distance) % after.rules.players) for distance in range(1, after.rules.players))
    finesses = [
        finesse
        for finesse in found
        if finesse and finesse.focus == number and not before.takes_to_fit(finesse.seat, finesse.slot)
    ]
    yield from (finesse for finesse in finesses if after.face(finesse.seat, finesse.slot) in (0, finesse.card))
    yield from (finesse for finesse in finesses if not after.hidden_from_here(finesse.seat))


def _finesse_meaning(after: PlayerModels, finesse: Finesse) -> Message:
    face, wanted, player, slot = (
        after.face(finesse.seat, finesse.slot),
        after.word(finesse.card),
        player_at(finesse.seat),
        finesse.slot + 1,
    )
    if finesse.seat == finesse.owner:
        return _own_finesse_meaning(finesse, slot, wanted, after.word(face) if face & ~finesse.card else None)
    if face & ~finesse.card:
        return say("It means: {player} plays card {slot}, as if it were {wanted}. But it is {card}.",
                   player=player, slot=slot, wanted=wanted, card=after.word(face))  # fmt: skip
    card = after.word(after.face(finesse.owner, after.slot_of(finesse.owner, finesse.focus)))
    if finesse.clued:
        return say("It means: {player} first plays card {slot}, which must be {wanted}, so that {card} fits (a prompt).",
                   card=card, player=player, slot=slot, wanted=wanted)  # fmt: skip
    return say("It means: {player} first plays card {slot}, which must be {wanted}, so that {card} fits (a finesse).",
               card=card, player=player, slot=slot, wanted=wanted)  # fmt: skip


def _own_finesse_meaning(finesse: Finesse, slot: int, wanted: Message, other: Message | None) -> Message:
    if other:
        return say("It means: play card {slot} first, as if it were {wanted}. But it is {card}.",
                   slot=slot, wanted=wanted, card=other)  # fmt: skip
    if finesse.clued:
        return say("It means: play card {slot} first, which must be {wanted} (a prompt).", slot=slot, wanted=wanted)
    return say("It means: play card {slot} first, which must be {wanted} (a finesse).", slot=slot, wanted=wanted)


def _play_meaning(after: PlayerModels, target: int, plays: list[int]) -> Message:
    known = after.face(target, plays[0]) or after.belief(target, plays[0])
    if len(plays) == 1 and is_single(known):
        return say("It means: play card {slot}, {card}.", slot=plays[0] + 1, card=after.word(known))
    return _plays(plays)


def _plays(plays: list[int]) -> Message:
    slots = tuple(str(slot + 1) for slot in sorted(plays))
    return say_n("It means: play card {slots}.", "It means: play cards {slots}.", len(slots), slots=slots)


def _mistake(after: PlayerModels, seat: int, slot: int) -> Message:
    face = after.face(seat, slot)
    if face & after.board.useless:
        return say("But card {slot} is {card}, which nobody needs.", slot=slot + 1, card=after.word(face))
    return say("But card {slot} is {card}, which does not fit yet.", slot=slot + 1, card=after.word(face))


def _focus_meaning(before: PlayerModels, after: PlayerModels, target: int) -> Message:
    """The meaning of a clue whose focus cannot simply be played."""
    focus = after.last_focus
    face, belief, slot = after.face(target, focus), after.belief(target, focus), focus + 1
    if after.takes_to_be_useless(target, focus):
        return _useless(after, target, [focus])
    if face & after.board.useless:
        return say("It means: card {slot} is needed. But that is {card}, which is not.", slot=slot, card=after.word(face))
    if face & ~belief and not after.may_connect(target, focus):
        return _other_card(after, focus, face, belief)
    if after.saved(target, focus):
        return _save_meaning(before, after, target)
    if face or is_single(belief):
        return say("It means: play card {slot}, {card}, as soon as it fits.", slot=slot, card=after.word(face or belief))
    return say("It means: play card {slot} as soon as it fits.", slot=slot)


def _save_meaning(before: PlayerModels, after: PlayerModels, target: int) -> Message:
    """The meaning of a clue whose focus may have had to be saved."""
    focus = after.last_focus
    face, slot = after.face(target, focus), focus + 1
    if after.fits(face):
        return say("It means: keep card {slot}. It does not say that {card} already fits.", slot=slot, card=after.word(face))
    if face and not face & after.saved(target, focus):
        return say("It means: keep card {slot}, {card}, until more is known.", slot=slot, card=after.word(face))
    if before.chop(target) == focus:
        if face:
            return say("It saves card {slot}, {card}, which was next to be discarded.", slot=slot, card=after.word(face))
        return say("It saves card {slot}, which was next to be discarded.", slot=slot)
    if face:
        return say("It means: keep card {slot}, {card}.", slot=slot, card=after.word(face))
    return say("It means: keep card {slot}.", slot=slot)


def _meaning_without_focus(before: PlayerModels, after: PlayerModels, event: Clued) -> Message:
    """The meaning of a clue that touches only cards clued before and calls for none of them."""
    target = event.target
    useless = [slot for slot in _news(before, after, target, PlayerModels.takes_to_be_useless) if slot in event.slots]
    if useless:
        return _useless(after, target, useless)
    known = [slot for slot in _news(before, after, target, PlayerModels.takes_for_one) if slot in event.slots]
    if known:
        face, belief = after.face(target, known[0]), after.belief(target, known[0])
        if face & ~belief:
            return _other_card(after, known[0], face, belief)
        return say("It means: card {slot} is {card}.", slot=known[0] + 1, card=after.word(belief))
    if not before.may_discard:
        return say("It passes the time: with all clue tokens there, nothing can be discarded.")
    if all(before.belief(target, slot) == after.belief(target, slot) for slot in after.slots(target)):
        return say("By the agreements it tells nothing new.")
    return say("It tells more about cards that were clued before.")


def _useless(after: PlayerModels, seat: int, slots: list[int]) -> Message:
    for slot in slots:
        face = after.face(seat, slot)
        if after.is_needed(seat, face):
            return say("It means: card {slot} is useless. But that is {card}, which is needed.",
                       slot=slot + 1, card=after.word(face))  # fmt: skip
    names = tuple(str(slot + 1) for slot in slots)
    return say_n("It means: card {slots} is useless.", "It means: cards {slots} are useless.", len(names), slots=names)


def _other_card(after: PlayerModels, slot: int, face: int, belief: int) -> Message:
    wanted = tuple(after.word(1 << card) for card in range(belief.bit_length()) if belief >> card & 1)
    if len(wanted) == 1:
        return say("It means: card {slot} is {wanted}. But it is {card}.",
                   slot=slot + 1, wanted=wanted[0], card=after.word(face))  # fmt: skip
    if len(wanted) <= MAX_NAMED_CARDS:
        return say("It means: card {slot} is one of these: {wanted}. But it is {card}.",
                   slot=slot + 1, wanted=wanted, card=after.word(face))  # fmt: skip
    return say("It means: card {slot} cannot be {card}. But it is.", slot=slot + 1, card=after.word(face))
