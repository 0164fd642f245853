"""What each move of a game meant to those who play by the conventions, as somebody could read it at that time."""

from __future__ import annotations

from tamaya.bots.convention.card_meaning import discard_meaning, play_meaning
from tamaya.bots.convention.clue_meaning import asked_for, clue_meaning
from tamaya.bots.convention.minds import Minds
from tamaya.bots.convention.understanding import interpreted_understanding
from tamaya.bots.policy import SET_BITS
from tamaya.engine import Arranged, Clued, Discarded, Game, Played
from tamaya.engine.kernel import Kernel, interpreted_kernel
from tamaya.engine.kernel.sight import EVERYBODY
from tamaya.engine.layout import NO_CARD
from tamaya.engine.view import Eyes
from tamaya.rules import Message


def meanings(game: Game, eyes: Eyes) -> dict[int, Message]:
    """By turn, what every action of a game meant; nothing where the rules have more cards than the conventions can count.

    The sentence on a turn follows from what these eyes had seen up to it: of hands that are not open to them it names no card
    but those that the owner takes its own for. It calls players by their seats, for `reason_in_words` to name.
    """
    rules, kernel = game.rules, interpreted_kernel(game.rules)
    if kernel.layout.cards > SET_BITS:
        return {}
    use, hidden = interpreted_understanding(rules), frozenset(range(rules.players)) - eyes.open_seats
    again = Game(rules, deck=game.reveal_deck())
    memory = [0] * use.notes.words
    asked: dict[int, int] = {}
    found: dict[int, Message] = {}
    use.picture.begin(memory, _sight(kernel, again, hidden))
    for move in game.moves:
        seen = _sight(kernel, again, hidden)
        event = again.move(move)
        if isinstance(event, Arranged):
            continue
        before, now = Minds(rules, memory, seen), _sight(kernel, again, hidden)
        use.reading.notice(memory, event.seat, seen, now)
        match event:
            case Clued():
                after = Minds(rules, memory, now)
                found[event.turn] = clue_meaning(before, after, event)
                asked |= dict.fromkeys(asked_for(before, after, event), event.turn)
            case Played():
                found[event.turn] = play_meaning(before, event, asked, hidden)
            case Discarded():
                found[event.turn] = discard_meaning(before, event)
    return found


def _sight(kernel: Kernel, game: Game, hidden: frozenset[int]) -> bytearray:
    """The game with the deck and these hands face down."""
    sight = bytearray(kernel.layout.size)
    kernel.see(bytearray(game.state), EVERYBODY, sight)
    for seat in hidden:
        for number in game.hand_numbers(seat):
            sight[kernel.layout.deck + number] = NO_CARD
    return sight
