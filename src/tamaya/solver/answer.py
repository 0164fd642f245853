"""The solver's answers: whether a position can be won, by which actions, or a reason why not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from tamaya.engine.instances import Setting, instance_of
from tamaya.engine.kernel import hands, turn
from tamaya.engine.layout import DRAWN, ENDED, LAST_TURNS, SEAT, layout, order
from tamaya.rules import Action, Ending, Message, Rules, say
from tamaya.solver.position import HANDS, MAX_DRAWN, NEVER, PLACED, SolverWorkspace, card_in_deck, deck_layout_of
from tamaya.solver.proofs import stranded_card
from tamaya.solver.steps import ANNOUNCED, DISCARD, SPARE, WRONG_COLOUR, read_step


class Verdict(StrEnum):
    """Whether players who know the deck can reach the maximum."""

    WINNABLE = "winnable"
    LOST = "not_winnable"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Answer:
    """The verdict; winning actions, or the reason why there are none; and the number of positions searched."""

    verdict: Verdict
    solution: tuple[Action, ...] = ()
    reason: Message | None = None
    nodes: int = 0


# Reasons.


def why_over() -> Message:
    """The reason for a game that ended without a win."""
    return say("The game is over, and not all fireworks are complete.")


def why_tried() -> Message:
    """The reason if an exhaustive search found nothing."""
    return say("Every way of playing was tried; none completes all fireworks.")


def why_hands_overflow(rules: Rules, workspace: SolverWorkspace) -> Message:
    """The reason if a common hand loses."""
    return say(
        "The hands are too small: even if all {held} cards were one common hand, too many needed cards would have to be "
        "thrown away. No plan gets further than card {drawn} of {cards} in the deck.",
        held=rules.players * rules.hand_size,
        drawn=workspace.figures[MAX_DRAWN] + 0,
        cards=rules.deck_size,
    )


def why_turns_run_out(rules: Rules, state: bytes, workspace: SolverWorkspace) -> Message:
    """The reason if a needed card is gone, or comes too late for the cards that must follow it."""
    instance = instance_of(Setting(rules))
    table, cards = instance.value(layout), instance.value(order)
    drawn, position = state[DRAWN], workspace.position
    left = state[LAST_TURNS] if drawn == table.deck_size else table.deck_size - drawn + table.players
    next_places = deck_layout_of(table).next_places + drawn * table.cards
    waiting: list[tuple[int, int]] = []  # the earliest turn of each missing card, and the card that it waits for
    held = 0
    for seat in range(table.players):
        held |= position[HANDS + seat]
    for colour in range(table.colours):
        time, cause = 0, -1
        for card in range(table.values * colour, table.values * (colour + 1)):
            if position[PLACED] >> card & 1:
                continue
            time += 1
            if not held >> card & 1:
                place = workspace.deck[next_places + card]
                if place == NEVER:
                    return say("No {card} is left: every copy has been thrown away.", card=rules.cards[cards[card]].word)
                ready = left if place == table.deck_size - 1 else place - drawn + 2
                if ready >= time:
                    time, cause = ready, cards[card]
            waiting.append((time, cause))
    return _why_too_few_turns(rules, waiting, left)


def _why_too_few_turns(rules: Rules, waiting: list[tuple[int, int]], left: int) -> Message:
    """The reason for the card that is followed by the most work beyond the remaining turns; the first of several."""
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


def why_seats_miss(rules: Rules, state: bytes, workspace: SolverWorkspace) -> Message:
    """The reason if the wrong seats hold the last cards of a firework."""
    instance = instance_of(Setting(rules))
    card = instance(stranded_card)(workspace.position, state[DRAWN], workspace.deck)
    return say(
        "Once {card} can be played, the cards after it have to be played by one player after the other in the last turns, and "
        "those who hold them do not sit in that order.",
        card=rules.cards[instance.value(order)[card]].word,
    )


# From the steps of the search to actions, each checked by the rules.


class WrongSolutionError(RuntimeError):
    """The search found steps that do not win: a bug in the search, which must not be taken for a win."""


def actions_of(rules: Rules, state: bytes, steps: Iterable[int]) -> tuple[int, ...]:
    """The action numbers of these steps in a game, checked to be legal and to win it."""
    writer = SolutionWriter(rules, bytearray(state))
    for step in steps:
        writer.take(step)
    if writer.state[ENDED] != Ending.WON:
        raise WrongSolutionError("the solution ends without a win")
    return tuple(writer.numbers)


class SolutionWriter:
    """Plays the steps of a solution in an interpreted game and records the actions."""

    def __init__(self, rules: Rules, state: bytearray) -> None:
        self.state = state
        self.numbers: list[int] = []
        instance = instance_of(Setting(rules))
        self._layout, self._order = instance.value(layout), instance.value(order)
        self._legal, self._apply = instance(turn.legal), instance(turn.apply)
        self._hand_count, self._number_at = instance(hands.hand_count), instance(hands.number_at)
        self._card_in_deck = instance(card_in_deck)
        self._mask = bytearray(self._layout.actions)
        self._legal(state, self._mask)

    def take(self, step: int) -> None:
        """Take a step of the search: its clues, then its card."""
        clues, how, card = read_step(step)
        for turns in range(clues, 0, -1):
            self.pass_on(turns, card)
        self.act(self.number_of(how, card))

    def act(self, number: int) -> None:
        """Take an action, which must be legal."""
        if not self._mask[number]:
            raise WrongSolutionError(f"action {number} is not legal in turn {len(self.numbers) + 1}")
        self._apply(self.state, number)
        self._legal(self.state, self._mask)
        self.numbers.append(number)

    def pass_on(self, turns: int, card: int) -> None:
        """Take a turn that changes nothing, preferably a clue on `card`, which is used after this many turns."""
        table = self._layout
        first_clue = self._mask.find(1, table.colour_action, table.announce_action)
        if first_clue < 0:
            self.act(table.discard_action + self.spare_slot())
        elif turns < table.players and card != SPARE:
            self.act(table.value_action + (turns - 1) * table.values + self._order[card] % table.values)
        else:
            self.act(first_clue)

    def number_of(self, how: int, card: int) -> int:
        """The action by which a card leaves the hand of the player to move."""
        table = self._layout
        slot = self.spare_slot() if card == SPARE else self.hand().index(card)
        if how == DISCARD:
            return table.discard_action + slot
        if how in (ANNOUNCED, WRONG_COLOUR):
            colour = (card // table.values + (how == WRONG_COLOUR)) % table.colours
            return table.announce_action + slot * table.colours + colour
        return table.play_action + slot

    def hand(self) -> list[int]:
        """The cards of the player to move, by their places in their fireworks."""
        seat = self.state[SEAT]
        slots = range(self._hand_count(self.state, seat))
        return [self._card_in_deck(self.state, self._number_at(self.state, seat, slot)) for slot in slots]

    def spare_slot(self) -> int:
        """The slot of a card that is on its firework already, else of one that the hand holds twice, else the leftmost."""
        hand, values = self.hand(), self._layout.values
        heights = [self.state[self._layout.fireworks + card // values] for card in hand]
        placed = [slot for slot, card in enumerate(hand) if heights[slot] > card % values]
        twice = [slot for slot, card in enumerate(hand) if card in hand[:slot]]
        return [*placed, *twice, 0][0]
