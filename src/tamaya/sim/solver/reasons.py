"""Why a position cannot be won, in words."""

from __future__ import annotations

from tamaya.engine.kernel import Kernel
from tamaya.engine.layout import DRAWN, LAST_TURNS
from tamaya.rules import Message, Rules, say
from tamaya.sim.solver.desk import DEEPEST, Desk
from tamaya.sim.solver.positions import HANDS, NEVER, PLACED, deck_tables


def why_over() -> Message:
    """The game has ended without a win."""
    return say("The game is over, and not all fireworks are complete.")


def why_tried() -> Message:
    """An exhaustive search has found nothing."""
    return say("Every way of playing was tried; none completes all fireworks.")


def why_too_full(rules: Rules, desk: Desk) -> Message:
    """A common hand has lost."""
    return say(
        "The hands are too small: even if all {held} cards were one common hand, too many needed cards would have to be "
        "thrown away. No plan gets further than card {drawn} of {cards} in the deck.",
        held=rules.players * rules.hand_size,
        drawn=desk.figures[DEEPEST] + 0,
        cards=rules.deck_size,
    )


def why_too_late(rules: Rules, kernel: Kernel, state: bytes, desk: Desk) -> Message:
    """A needed card is gone, or comes too late for what has to follow."""
    plan, drawn = kernel.layout, state[DRAWN]
    left = state[LAST_TURNS] if drawn == plan.deck_size else plan.deck_size - drawn + plan.players
    waiting: list[tuple[int, int]] = []  # when each missing card can be played at the earliest, and for which card it waits
    held = 0
    for seat in range(plan.players):
        held |= desk.position[HANDS + seat]
    for colour in range(plan.colours):
        time, cause = 0, -1
        for card in range(5 * colour, 5 * colour + 5):
            if desk.position[PLACED] >> card & 1:
                continue
            time += 1
            if not held >> card & 1:
                place = desk.tables[deck_tables(plan).nexts + drawn * 5 * plan.colours + card]
                if place == NEVER:
                    return say("No {card} is left: every copy has been thrown away.", card=rules.cards[card].word)
                ready = left if place == plan.deck_size - 1 else place - drawn + 2
                if ready >= time:
                    time, cause = ready, card
            waiting.append((time, cause))
    return _told(rules, waiting, left)


def _told(rules: Rules, waiting: list[tuple[int, int]], left: int) -> Message:
    """The card after which most is to do beyond the turns that remain, or the first of such."""
    todo = {time: sum(other >= time for other, _ in waiting) for time, _ in waiting}
    time, cause = max(waiting, key=lambda pair: (todo[pair[0]] + pair[0], -pair[0]))
    if cause < 0:
        return say("Cards still to be played: {missing}. Turns left to play them: {turns}.", missing=len(waiting), turns=left)
    return say(
        "{card} lies too deep in the deck. Once it is drawn, cards still to be played: {missing}; turns left to play them: "
        "{turns}.",
        card=rules.cards[cause].word,
        missing=todo[time],
        turns=max(left - time + 1, 0),
    )
