"""The action that stands in for a bot's own."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from tamaya.bots.knowledge import Knowledge, share
from tamaya.engine import View
from tamaya.rules import Action, Clue, Discard, Play


def safe_action(view: View) -> Action:
    """A legal action that harms least.

    A card that surely fits is played and one that is surely useless discarded. Otherwise the oldest card nobody spoke of
    goes, unless it is known to matter; then comes a clue that speaks of as few new cards as possible; then the discard least
    likely to be missed, and last the play most likely to fit. Where a single discard can lose the game, clues come first.
    """
    know = Knowledge(view)
    options = [know.possible(seen) for seen in view.hand]
    plays = [action for action in view.legal_actions if isinstance(action, Play) and action.announced is None]
    discards = [action for action in view.legal_actions if isinstance(action, Discard)]
    discards.sort(key=lambda action: view.hand[action.slot].number)
    clues = [action for action in view.legal_actions if isinstance(action, Clue)]
    clues.sort(key=lambda clue: _disturbance(clue, know))
    fitting = [action for action in plays if know.surely_playable(options[action.slot])]
    useless = [action for action in discards if know.surely_useless(options[action.slot])]
    unspoken = [action for action in discards if not view.hand[action.slot].clued]
    unspoken = [action for action in unspoken if not all(map(know.is_last_copy, options[action.slot]))]
    discards.sort(key=lambda action: share(options[action.slot], know.is_last_copy))
    plays.sort(key=lambda action: -share(options[action.slot], know.is_playable))
    harmless = [] if view.rules.all_or_nothing else unspoken
    ideas: Iterator[Action] = chain(fitting, useless, harmless, clues, discards, plays)
    return next(ideas)


def _disturbance(clue: Clue, know: Knowledge) -> tuple[int, int]:
    """How many cards a clue brings into play that cannot be played, then how many it touches at all."""
    view = know.view
    touched = [seen for seen in view.hands[clue.seat] if seen.card and view.rules.matches(clue.hint, seen.card)]
    wrong = [seen for seen in touched if not seen.clued and seen.card and not know.is_playable(seen.card)]
    return len(wrong), len(touched)
