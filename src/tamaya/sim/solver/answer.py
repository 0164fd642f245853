"""What the solver says of a position: whether it can be won, by which line, or why not, in words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tamaya.engine.layout import DRAWN, HEIGHT, LAST_TURNS, Layout
from tamaya.rules import Action, Message, Rules, say
from tamaya.sim.solver.positions import HANDS, NEVER, PLACED, deck_row
from tamaya.sim.solver.workspace import DEEPEST, Workspace


class Verdict(StrEnum):
    """Whether the maximum can be reached by players who know the deck."""

    WINNABLE = "winnable"
    LOST = "not_winnable"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Answer:
    """The verdict; a line that wins, or the reason why none does; and how many positions were looked at."""

    verdict: Verdict
    line: tuple[Action, ...] = ()
    reason: Message | None = None
    nodes: int = 0


def why_over() -> Message:
    """The game has ended without a win."""
    return say("The game is over, and not all fireworks are complete.")


def why_tried() -> Message:
    """An exhaustive search has found nothing."""
    return say("Every way of playing was tried; none completes all fireworks.")


def why_too_full(rules: Rules, workspace: Workspace) -> Message:
    """A common hand has lost."""
    return say(
        "The hands are too small: even if all {held} cards were one common hand, too many needed cards would have to be "
        "thrown away. No plan gets further than card {drawn} of {cards} in the deck.",
        held=rules.players * rules.hand_size,
        drawn=workspace.figures[DEEPEST] + 0,
        cards=rules.deck_size,
    )


def why_too_late(rules: Rules, layout: Layout, state: bytes, workspace: Workspace) -> Message:
    """A needed card is gone, or comes too late for what has to follow."""
    drawn, position = state[DRAWN], workspace.position
    left = state[LAST_TURNS] if drawn == layout.deck_size else layout.deck_size - drawn + layout.players
    waiting: list[tuple[int, int]] = []  # when each missing card can be played at the earliest, and for which card it waits
    held = 0
    for seat in range(layout.players):
        held |= position[HANDS + seat]
    for colour in range(layout.colours):
        time, cause = 0, -1
        for card in range(HEIGHT * colour, HEIGHT * (colour + 1)):
            if position[PLACED] >> card & 1:
                continue
            time += 1
            if not held >> card & 1:
                place = workspace.deck[deck_row(layout).next_places + drawn * layout.cards + card]
                if place == NEVER:
                    return say("No {card} is left: every copy has been thrown away.", card=rules.cards[card].word)
                ready = left if place == layout.deck_size - 1 else place - drawn + 2
                if ready >= time:
                    time, cause = ready, card
            waiting.append((time, cause))
    return _why_too_few_turns(rules, waiting, left)


def _why_too_few_turns(rules: Rules, waiting: list[tuple[int, int]], left: int) -> Message:
    """The card after which most is to do beyond the turns that remain, or the first of such."""
    to_play = {time: sum(other >= time for other, _ in waiting) for time, _ in waiting}
    time, cause = max(waiting, key=lambda pair: (to_play[pair[0]] + pair[0], -pair[0]))
    if cause < 0:
        return say("Cards still to be played: {missing}. Turns left to play them: {turns}.", missing=len(waiting), turns=left)
    return say(
        "{card} lies too deep in the deck. Once it is drawn, cards still to be played: {missing}; turns left to play them: "
        "{turns}.",
        card=rules.cards[cause].word,
        missing=to_play[time],
        turns=max(left - time + 1, 0),
    )
