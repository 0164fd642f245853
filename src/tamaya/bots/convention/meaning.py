"""What each move of a game meant by the conventions, as a reader could tell at that time."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from tamaya.bots.convention import CONVENTION
from tamaya.bots.convention.clue_meaning import asked_for, clue_meaning
from tamaya.bots.convention.memory import start
from tamaya.bots.convention.player_models import Finesse, PlayerModels, is_single
from tamaya.bots.convention.reading import update
from tamaya.bots.policy import SET_BITS
from tamaya.engine import Arranged, Clued, Discarded, Game, Played
from tamaya.engine.instances import Instance, Setting, instance_of
from tamaya.engine.kernel.hands import EVERYBODY, see
from tamaya.engine.layout import NO_CARD, layout
from tamaya.engine.view import Eyes
from tamaya.i18n import player_at
from tamaya.record import Record
from tamaya.rules import Card, Message, Move, Rules, say


def meanings(record: Record, eyes: Eyes) -> Mapping[int, Message]:
    """The meaning of every action of a game, by turn; nothing if the rules have more cards than the conventions can count.

    The sentence on a turn follows from what the reader's eyes had seen by then: it names no card of a hidden hand except those
    that its owner believes it holds. It calls players by their seats, for `reason_in_words` to name.
    """
    if len(record.rules.cards) > SET_BITS:
        return {}
    return _meanings(record.rules, record.deck, record.moves, eyes)


@lru_cache(maxsize=1000)
def _meanings(rules: Rules, deck: tuple[Card, ...], moves: tuple[Move, ...], eyes: Eyes) -> Mapping[int, Message]:
    own, hidden = instance_of(Setting(rules)), frozenset(range(rules.players)) - eyes.open_seats
    game, memory = Game(rules, deck=deck), array("q", bytes(8 * CONVENTION.size(rules)))
    named = CONVENTION.named(rules, memoryview(memory))
    asked: dict[int, int] = {}
    found: dict[int, Message] = {}
    sight = _sight(own, game, hidden)
    own(start)(named, sight)
    before = PlayerModels(rules, memory, sight, hidden)
    for move in moves:
        event, sight = game.move(move), _sight(own, game, hidden)
        if not isinstance(event, Arranged):
            own(update)(named, event.seat, before.sight, sight)
        after = PlayerModels(rules, memory, sight, hidden)
        match event:
            case Clued():
                found[event.turn] = clue_meaning(before, after, event)
                asked |= dict.fromkeys(asked_for(before, after, event), event.turn)
            case Played():
                found[event.turn] = play_meaning(before, event, asked)
            case Discarded():
                found[event.turn] = discard_meaning(before, event)
        before = after
    return MappingProxyType(found)


def _sight(own: Instance, game: Game, hidden: frozenset[int]) -> bytearray:
    """The game with the deck and these hands face down."""
    places = own.value(layout)
    sight = bytearray(places.size)
    own(see)(bytearray(game.state), EVERYBODY, sight)
    for seat in hidden:
        for number in game.hand_numbers(seat):
            sight[places.deck + number] = NO_CARD
    return sight


def play_meaning(before: PlayerModels, event: Played, asked: Mapping[int, int]) -> Message:
    """What called for a played card, if anything did. `asked` maps each card to the turn of the clue that asked for it."""
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
    finesse = before.finesse(seat)
    if finesse and finesse.slot == slot:
        return _answer(before, finesse)
    if turn and before.fits(belief & ~before.board.useless):
        return say("The clue of turn {turn} called for it, unless such a card had been played since.", turn=turn)
    awaiting = _perhaps_awaited(before, event)
    if awaiting is not None:
        return say("A clue on a card of {player} may have called for it.", player=player_at(awaiting))
    return _uncalled(before, event, turn)


def _answer(before: PlayerModels, finesse: Finesse) -> Message:
    wanted = before.word(finesse.card)
    if finesse.seat == finesse.owner:
        if finesse.clued:
            return say("The last clue made sense only if it was {wanted} (a prompt).", wanted=wanted)
        return say("The last clue made sense only if it was {wanted} (a finesse).", wanted=wanted)
    focus = before.word(before.face(finesse.owner, before.slot_of(finesse.owner, finesse.focus)))
    player = player_at(finesse.owner)
    if finesse.clued:
        return say("The clue on {focus} of {player} made sense only if it was {wanted} (a prompt).",
                   focus=focus, player=player, wanted=wanted)  # fmt: skip
    return say("The clue on {focus} of {player} made sense only if it was {wanted} (a finesse).",
               focus=focus, player=player, wanted=wanted)  # fmt: skip


def _perhaps_awaited(before: PlayerModels, event: Played) -> int | None:
    """The seat whose hidden card may have called for a play that nothing else explains."""
    if before.is_clued(event.seat, event.slot) or before.newest(event.seat) != event.slot:
        return None
    for owner in before.hidden_from_here(event.seat):
        if any(before.waits_for(owner, slot, event.seat) for slot in before.slots(owner)):
            return owner
    return None


def _uncalled(before: PlayerModels, event: Played, turn: int) -> Message:
    """The status of a card that was played although nothing called for it."""
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


def discard_meaning(before: PlayerModels, event: Discarded) -> Message:
    """The status of a card that was discarded."""
    seat, slot = event.seat, event.slot
    if before.proven(seat, slot) & ~before.board.useless == 0:
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


def _called_slots(before: PlayerModels, seat: int) -> list[int]:
    """The slots that a player was asked to play, except those that the reader sees would have been mistakes."""
    finesse = before.finesse(seat)
    called = [slot for slot in before.slots(seat) if before.was_meant(seat, slot) and before.takes_to_fit(seat, slot)]
    slots = called if finesse is None else [finesse.slot, *called]
    return [slot for slot in slots if before.may_fit(seat, slot)]
