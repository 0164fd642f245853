"""Explanations of a bot's deviation from its policy: the policy's move, the reason against it, and the expected scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tamaya.bots import Knowledge
from tamaya.i18n import move_words, tenths
from tamaya.rules import Action, Card, Clue, Discard, Message, Play, say
from tamaya.search.rollouts import Estimate
from tamaya.search.search import Search

MIN_PROBABILITY = 0.05
"""A less likely case is not given as a reason."""


def explain_deviation(search: Search, policy_action: Action, chosen: Action, value: Estimate, gain: Estimate) -> Message:
    """Say what the policy would have done, why another move was chosen, and the expected scores of both."""
    move = say("By our agreements I would {move}.", move=move_words(policy_action))
    more, less = tenths(value.mean), tenths(value.mean - gain.mean)
    if more == less:
        points = say("With my move I expect slightly more than {less} points.", less=less)
    else:
        points = say("With my move I expect {more} points instead of {less}.", more=more, less=less)
    reason = main_reason(search, policy_action, chosen)
    if reason is None:
        return say("{move} {sum}", move=move, sum=points)
    return say("{move} {why} {sum}", move=move, why=reason, sum=points)


def main_reason(search: Search, policy_action: Action, chosen: Action) -> Message | None:
    """The main reason against the policy's action or for the chosen one; None if no sentence applies."""
    if isinstance(policy_action, Play) and isinstance(chosen, Play) and policy_action.slot == chosen.slot:
        return _against_play(search, policy_action) if policy_action.announced else None
    return _against(search, policy_action) or _for(search, chosen)


def _against(search: Search, action: Action) -> Message | None:
    if isinstance(action, Play):
        return _against_play(search, action)
    found = _cases(search, action.slot, Knowledge(search.view).is_last_copy) if isinstance(action, Discard) else None
    if found is None:
        return None
    if found.only:
        return say("But {often} that loses the last {card}.", **found.words)
    return say("But {often} that loses the last copy of a card that we need, most often {card}.", **found.words)


def _against_play(search: Search, action: Play) -> Message | None:
    """The risk that the card is not playable, or not as the colour that would be announced."""
    fits = _would_place(search, action)
    found = _cases(search, action.slot, lambda card: not fits(card))
    if found is None:
        return None
    if action.announced:
        colour = action.announced.word
        if found.only:
            return say("But {often} it is {card}, which does not fit as {colour}.", colour=colour, **found.words)
        return say("But {often} it does not fit as {colour}; most often it is {card} then.", colour=colour, **found.words)
    if found.only:
        return say("But {often} it is {card}, which does not fit.", **found.words)
    return say("But {often} it does not fit; most often it is {card} then.", **found.words)


def _for(search: Search, action: Action) -> Message | None:
    """The reason for playing or discarding a card."""
    if isinstance(action, Clue):
        return None
    has = _would_place(search, action) if isinstance(action, Play) else Knowledge(search.view).is_useless
    found, slot = _cases(search, action.slot, has), action.slot + 1
    if found is None:
        return None
    if isinstance(action, Discard):
        return say("But {often} nobody needs card {slot}.", slot=slot, **found.words)
    if found.only:
        return say("But {often} card {slot} is {card}, which fits.", slot=slot, **found.words)
    return say("But {often} card {slot} fits, most often as {card}.", slot=slot, **found.words)


def _would_place(search: Search, action: Play) -> Callable[[Card], bool]:
    """Return a test whether a play would place a card: on its firework, and on the announced one if a colour is announced."""
    view = search.view
    return lambda card: view.is_playable(card) and action.announced in (None, card.colour)


@dataclass(frozen=True)
class _Cases:
    """In words, how `often` a card of the hand is of a kind, and the most likely such `card`; `only` if there is no other."""

    words: Mapping[str, Message]
    only: bool


def _cases(search: Search, slot: int, has: Callable[[Card], bool]) -> _Cases | None:
    """How often an own card is of a kind; None if rare. It is certain only by clues and visible cards, not by drawn worlds."""
    cases = {card: probability for card, probability in search.card_probabilities(slot).items() if has(card)}
    probability = sum(cases.values())
    if probability < MIN_PROBABILITY:
        return None
    possible = Knowledge(search.view).possible(search.view.hand[slot])
    most = 100 if all(map(has, possible)) else 99
    percent = min(round(100 * probability), most)
    often = say("certainly") if len(possible) == 1 else say("in {percent} of 100 cases", percent=percent)
    return _Cases({"often": often, "card": max(cases, key=lambda card: cases[card]).word}, len(cases) == 1)
