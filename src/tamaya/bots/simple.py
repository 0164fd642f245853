"""The beginner's rules: play what is known to fit, clue what can be played, discard the oldest card nobody spoke of."""

from __future__ import annotations

from collections.abc import Callable

from tamaya.bots.knowledge import Knowledge
from tamaya.engine import SeenCard, View
from tamaya.rules import Action, Card, Clue, Discard, Play


class SimpleBot:
    """A cautious beginner. It plays only what it knows to fit, and tells its teammates what they can play."""

    def act(self, view: View) -> Action:
        """The first idea that applies and is legal; when none is, whatever risks least."""
        know = Knowledge(view)
        ideas = (_safe_play, _helpful_clue, _useless_discard, _saving_clue, _oldest_discard, _any_clue)
        for idea in ideas:
            action = idea(know)
            if action is not None and action in view.legal_actions:
                return action
        return _last_resort(know)


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


def _helpful_clue(know: Knowledge) -> Action | None:
    """The clue that helps most: above all one after which a teammate knows a card to play."""
    clues = [(_worth(know, clue), -place, clue) for place, clue in enumerate(_legal_clues(know.view))]
    worth, _, clue = max(clues, default=(0, 0, None), key=lambda option: option[:2])
    return clue if worth > 0 else None


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
            worth += 10 if know.surely_playable(after) and not know.surely_playable(_open(seen)) else 3 * new
        elif not seen.clued:
            worth -= 1
    return worth


def _known_elsewhere(know: Knowledge) -> set[Card]:
    """Cards that some hand holds and whose owner already knows them to be playable."""
    hands = (seen for hand in know.view.hands for seen in hand)
    return {seen.card for seen in hands if seen.card and know.surely_playable(_open(seen))}


def _saving_clue(know: Knowledge) -> Action | None:
    """A clue that keeps the next teammate from discarding the last copy of a card."""
    view = know.view
    assert view.seat is not None
    seat = (view.seat + 1) % view.rules.players
    oldest = min((seen for seen in view.hands[seat] if not seen.clued), key=lambda seen: seen.number, default=None)
    if oldest is None or oldest.card is None or not know.is_last_copy(oldest.card):
        return None
    wishes = [clue for clue in _legal_clues(view) if clue.seat == seat and view.rules.matches(clue.hint, oldest.card)]
    return min(wishes, key=lambda clue: _touched(clue, view), default=None)


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
        return max(discards, key=lambda action: _share(options[action.slot], know.is_useless))
    plays = [action for action in view.legal_actions if isinstance(action, Play) and action.announced is None]
    return max(plays, key=lambda action: _share(options[action.slot], know.is_playable))


def _share(cards: list[Card], has: Callable[[Card], bool]) -> float:
    return sum(has(card) for card in cards) / len(cards) if cards else 0.0


def _legal_clues(view: View) -> list[Clue]:
    return [action for action in view.legal_actions if isinstance(action, Clue)]


def _open(seen: SeenCard) -> list[Card]:
    """What a card can be by the clues alone."""
    return [Card(colour, value) for colour in seen.colours for value in seen.values]


def _touched(clue: Clue, view: View) -> int:
    return sum(view.rules.matches(clue.hint, seen.card) for seen in view.hands[clue.seat] if seen.card)


def _after(clue: Clue, seen: SeenCard, view: View) -> list[Card]:
    """What a touched card can be after a clue."""
    return [card for card in _open(seen) if view.rules.matches(clue.hint, card)]
