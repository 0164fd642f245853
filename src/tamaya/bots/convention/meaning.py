"""What each move of a game meant to those who play by the conventions, as somebody could read it at that time."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from tamaya.bots.convention.card_meaning import discard_meaning, play_meaning
from tamaya.bots.convention.clue_meaning import asked_for, clue_meaning
from tamaya.bots.convention.minds import Minds
from tamaya.bots.convention.understanding import interpreted_understanding
from tamaya.bots.policy import SET_BITS
from tamaya.engine import Arranged, Clued, Discarded, Game, Played
from tamaya.engine.kernel import Kernel, interpreted_kernel
from tamaya.engine.kernel.hands import EVERYBODY
from tamaya.engine.layout import NO_CARD
from tamaya.engine.view import Eyes
from tamaya.record import Record
from tamaya.rules import Card, Message, Move, Rules


def meanings(record: Record, eyes: Eyes) -> Mapping[int, Message]:
    """By turn, what every action of a game meant; nothing where the rules have more cards than the conventions can count.

    The sentence on a turn follows from what these eyes had seen up to it: of a hand that is not open to them it names no card
    but those that its owner would take its own for. It calls players by their seats, for `reason_in_words` to name.
    """
    if len(record.rules.cards) > SET_BITS:
        return {}
    return _meanings(record.rules, record.deck, record.moves, eyes)


@lru_cache(maxsize=1000)
def _meanings(rules: Rules, deck: tuple[Card, ...], moves: tuple[Move, ...], eyes: Eyes) -> Mapping[int, Message]:
    kernel, use = interpreted_kernel(rules), interpreted_understanding(rules)
    hidden = frozenset(range(rules.players)) - eyes.open_seats
    game, memory = Game(rules, deck=deck), [0] * use.notes.words
    asked: dict[int, int] = {}
    found: dict[int, Message] = {}
    use.picture.begin(memory, _sight(kernel, game, hidden))
    before = Minds(rules, memory, _sight(kernel, game, hidden), hidden)
    for move in moves:
        event, sight = game.move(move), _sight(kernel, game, hidden)
        if not isinstance(event, Arranged):
            use.reading.notice(memory, event.seat, before.sight, sight)
        after = Minds(rules, memory, sight, hidden)
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


def _sight(kernel: Kernel, game: Game, hidden: frozenset[int]) -> bytearray:
    """The game with the deck and these hands face down."""
    sight = bytearray(kernel.layout.size)
    kernel.see(bytearray(game.state), EVERYBODY, sight)
    for seat in hidden:
        for number in game.hand_numbers(seat):
            sight[kernel.layout.deck + number] = NO_CARD
    return sight
