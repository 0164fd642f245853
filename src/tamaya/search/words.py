"""Why a bot left its policy, in words: what the policy would have done, what speaks against it, and what is to be expected."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tamaya.bots import Knowledge
from tamaya.i18n import move_words, tenths
from tamaya.rules import Action, Card, Clue, Discard, Message, Play, say
from tamaya.search.race import Estimate
from tamaya.search.values import Search

WORTH_SAYING = 0.05
"""What happens more rarely than this is no reason."""


def why_left(search: Search, agreed: Action, done: Action, value: Estimate, gain: Estimate) -> Message:
    """Why one action was taken and not the agreed one: both in words, with what the worlds show."""
    move = say("By our agreements I would {move}.", move=move_words(agreed))
    more, less = tenths(value.mean), tenths(value.mean - gain.mean)
    if more == less:
        points = say("With my move I expect slightly more than {less} points.", less=less)
    else:
        points = say("With my move I expect {more} points instead of {less}.", more=more, less=less)
    reason = because(search, agreed, done)
    if reason is None:
        return say("{move} {sum}", move=move, sum=points)
    return say("{move} {why} {sum}", move=move, why=reason, sum=points)


def because(search: Search, agreed: Action, done: Action) -> Message | None:
    """What the worlds show against the agreed action or for the other, if it can be said in a sentence. Where both play the
    same card, only a colour announced wrongly makes a difference."""
    if isinstance(agreed, Play) and isinstance(done, Play) and agreed.slot == done.slot:
        return _against_play(search, agreed) if agreed.announced else None
    return _against(search, agreed) or _for(search, done)


def _against(search: Search, action: Action) -> Message | None:
    """What an action on a card risks, as the worlds show it."""
    if isinstance(action, Play):
        return _against_play(search, action)
    found = _cases(search, action.slot, Knowledge(search.view).is_last_copy) if isinstance(action, Discard) else None
    if found is None:
        return None
    if found.only:
        return say("But {often} that loses the last {card}.", **found.words)
    return say("But {often} that loses the last copy of a card that we need, most often {card}.", **found.words)


def _against_play(search: Search, action: Play) -> Message | None:
    """In how many cases the card does not fit, or not as the colour that would be announced."""
    fits = _fitting(search, action)
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
    """What speaks for playing or discarding another card."""
    if isinstance(action, Clue):
        return None
    has = _fitting(search, action) if isinstance(action, Play) else Knowledge(search.view).is_useless
    found, slot = _cases(search, action.slot, has), action.slot + 1
    if found is None:
        return None
    if isinstance(action, Discard):
        return say("But {often} nobody needs card {slot}.", slot=slot, **found.words)
    if found.only:
        return say("But {often} card {slot} is {card}, which fits.", slot=slot, **found.words)
    return say("But {often} card {slot} fits, most often as {card}.", slot=slot, **found.words)


def _fitting(search: Search, action: Play) -> Callable[[Card], bool]:
    """Which cards a play would place: those that continue a firework, and if a colour is announced, only that one."""
    view = search.view
    return lambda card: view.is_playable(card) and action.announced in (None, card.colour)


@dataclass(frozen=True)
class _Cases:
    """In which cases a card of the own hand is of a kind: how `often`, and the likeliest such `card`, which may be the only
    one."""

    words: Mapping[str, Message]
    only: bool


def _cases(search: Search, slot: int, has: Callable[[Card], bool]) -> _Cases | None:
    """In which cases a card of the own hand is of a kind; nothing if that is rare. Only clues and cards in sight make it
    certain, since the worlds that were found are not all there are."""
    cases = {card: share for card, share in search.chances(slot).items() if has(card)}
    share = sum(cases.values())
    if share < WORTH_SAYING:
        return None
    possible = Knowledge(search.view).possible(search.view.hand[slot])
    most = 100 if all(map(has, possible)) else 99
    often = say("certainly") if len(possible) == 1 else say("in {percent} of 100 cases", percent=min(round(100 * share), most))
    return _Cases({"often": often, "card": max(cases, key=lambda card: cases[card]).word}, len(cases) == 1)
