"""The beginner's rules: play what is known to fit, clue what can be played, discard the oldest card nobody spoke of."""

from __future__ import annotations

from collections.abc import Callable

from tamaya.bots.knowledge import Knowledge, share
from tamaya.engine import SeenCard, View
from tamaya.rules import Action, Card, Clue, Discard, Message, Play, say

CLEAR, VAGUE = 10, 3  # what a clue is worth that makes a card surely playable, or only speaks of a playable one
RESERVE = 2  # clue tokens below this are kept for clear clues and for saving cards


class SimpleBot:
    """A cautious beginner. It plays what it knows to fit, tells others what they can play, and saves what must not go."""

    def __init__(self) -> None:
        self._why: Message | None = None

    def act(self, view: View) -> Action:
        """The first idea that applies and is legal; when none is, whatever risks least."""
        know = Knowledge(view)
        for idea, self._why in IDEAS:
            action = idea(know)
            if action is not None and action in view.legal_actions:
                return action
        raise AssertionError("the last idea always applies")

    def explain(self) -> Message | None:
        """The idea that applied."""
        return self._why


def _safe_play(know: Knowledge) -> Action | None:
    plays = [
        (min(card.value for card in cards), slot, cards)
        for slot, seen in enumerate(know.view.hand)
        if know.surely_playable(cards := know.possible(seen))
    ]
    if not plays:
        return None
    _, slot, cards = min(plays, key=lambda play: play[:2])
    colours = {card.colour for card in cards}
    return Play(slot, colours.pop() if know.view.rules.announced_plays and len(colours) == 1 else None)


def _last_chance(know: Knowledge) -> Action | None:
    """In one's last turn a mistake that does not end the game costs nothing, so the likeliest card is tried."""
    view = know.view
    if not view.last_turns or view.mistakes + 1 >= view.rules.mistakes:
        return None
    chances = [(share(know.possible(seen), know.is_playable), -slot) for slot, seen in enumerate(view.hand)]
    chance, slot = max(chances, default=(0.0, 0))
    return Play(-slot) if chance > 0 else None


def _saving_clue(know: Knowledge) -> Action | None:
    """A clue that keeps a teammate, the next one first, from discarding the last copy of a card."""
    view = know.view
    if view.last_turns:
        return None
    for seat in _teammates(view):
        hand = view.hands[seat]
        oldest = min((seen for seen in hand if not seen.clued), key=lambda seen: seen.number, default=None)
        busy = any(know.surely_playable(_open(seen)) or know.surely_useless(_open(seen)) for seen in hand)
        if oldest and oldest.card and know.is_last_copy(oldest.card) and not busy:
            wishes = [clue for clue in _legal_clues(view) if clue.seat == seat and view.rules.matches(clue.hint, oldest.card)]
            return max(wishes, key=lambda clue: (_worth(know, clue), -_touched(clue, view)), default=None)
        if view.clue_tokens < RESERVE:
            return None  # the tokens must do for the next player
    return None


def _clear_clue(know: Knowledge) -> Action | None:
    return _best_clue(know, CLEAR)


def _vague_clue(know: Knowledge) -> Action | None:
    return _best_clue(know, VAGUE) if know.view.clue_tokens >= RESERVE else None


def _best_clue(know: Knowledge, least: int) -> Action | None:
    """The clue that helps most, if it is worth that much."""
    clues = [(_worth(know, clue), -place, clue) for place, clue in enumerate(_legal_clues(know.view))]
    worth, _, clue = max(clues, default=(0, 0, None), key=lambda option: option[:2])
    return clue if worth >= least else None


def _worth(know: Knowledge, clue: Clue) -> int:
    worth = 0
    told: set[Card] = set()
    for seen in know.view.hands[clue.seat]:
        if seen.card is None or not know.view.rules.matches(clue.hint, seen.card):
            continue
        after = _after(clue, seen, know.view)
        if know.is_playable(seen.card) and seen.card not in told | _known_elsewhere(know):
            told.add(seen.card)
            new = after != _open(seen)
            worth += CLEAR if know.surely_playable(after) and not know.surely_playable(_open(seen)) else VAGUE * new
        elif not seen.clued:
            worth -= 1
    return worth


def _known_elsewhere(know: Knowledge) -> set[Card]:
    """Cards that some hand holds and whose owner already knows them to be playable."""
    hands = (seen for hand in know.view.hands for seen in hand)
    return {seen.card for seen in hands if seen.card and know.surely_playable(_open(seen))}


def _useless_discard(know: Knowledge) -> Action | None:
    slots = [slot for slot, seen in enumerate(know.view.hand) if know.surely_useless(know.possible(seen))]
    return Discard(slots[0]) if slots else None


def _oldest_discard(know: Knowledge) -> Action | None:
    slots = [(seen.number, slot) for slot, seen in enumerate(know.view.hand) if not seen.clued]
    return Discard(min(slots)[1]) if slots else None


def _any_clue(know: Knowledge) -> Action | None:
    """With nothing better to do, the clue that touches most and so costs least."""
    return max(_legal_clues(know.view), key=lambda clue: _touched(clue, know.view), default=None)


def _last_resort(know: Knowledge) -> Action:
    """Discard the card least likely to be missed, or play the one most likely to fit."""
    view = know.view
    options = [know.possible(seen) for seen in view.hand]
    discards = [action for action in view.legal_actions if isinstance(action, Discard)]
    if discards:
        return max(discards, key=lambda action: share(options[action.slot], know.is_useless))
    plays = [action for action in view.legal_actions if isinstance(action, Play) and action.announced is None]
    return max(plays, key=lambda action: share(options[action.slot], know.is_playable))


def _teammates(view: View) -> list[int]:
    """The other seats in the order of their turns, as far as they still have one."""
    assert view.seat is not None
    turns = view.last_turns - 1 if view.last_turns else view.rules.players - 1
    return [(view.seat + 1 + later) % view.rules.players for later in range(min(turns, view.rules.players - 1))]


def _legal_clues(view: View) -> list[Clue]:
    """The clues that may be given to somebody who can still make use of them, or any if nobody can."""
    clues = [action for action in view.legal_actions if isinstance(action, Clue)]
    return [clue for clue in clues if clue.seat in _teammates(view)] or clues


def _open(seen: SeenCard) -> list[Card]:
    """What a card can be by the clues alone."""
    return [Card(colour, value) for colour in seen.colours for value in seen.values]


def _touched(clue: Clue, view: View) -> int:
    return sum(view.rules.matches(clue.hint, seen.card) for seen in view.hands[clue.seat] if seen.card)


def _after(clue: Clue, seen: SeenCard, view: View) -> list[Card]:
    """What a touched card can be after a clue."""
    return [card for card in _open(seen) if view.rules.matches(clue.hint, card)]


IDEAS: tuple[tuple[Callable[[Knowledge], Action | None], Message], ...] = (
    (_safe_play, say("I knew that this card fits.")),
    (_saving_clue, say("I wanted to keep a card from being discarded of which there is no other left.")),
    (_clear_clue, say("I wanted a card to be played that can be.")),
    (_last_chance, say("It was my last turn, and a mistake cost nothing any more.")),
    (_useless_discard, say("I knew that this card is of no use.")),
    (_vague_clue, say("I wanted to say something about a card that can be played.")),
    (_oldest_discard, say("It was the oldest of my cards that nobody has spoken of.")),
    (_any_clue, say("I had nothing better to do than to give a clue.")),
    (_last_resort, say("I had no good action left and took the one least likely to harm.")),
)
"""What it may do, best first, and what it says of it afterwards."""
