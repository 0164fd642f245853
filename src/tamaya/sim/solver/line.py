"""From the steps of the search to real actions, each checked by the rules themselves."""

from __future__ import annotations

from collections.abc import Iterable

from tamaya.engine.kernel import Kernel
from tamaya.engine.layout import ENDED, HEIGHT, NUMBER, SEAT, SLOT
from tamaya.rules import Ending
from tamaya.sim.solver.steps import ANNOUNCED, DISCARD, SPARE, WRONG_COLOUR, read_step


class WrongLineError(RuntimeError):
    """The search found a line that does not win: an error in the search, which nobody must take for a win."""


def actions_of(kernel: Kernel, state: bytes, steps: Iterable[int]) -> tuple[int, ...]:
    """The numbers of the actions that these steps mean in a game, if they are legal and win it."""
    writer = LineWriter(kernel, bytearray(state))
    for step in steps:
        writer.take(step)
    if writer.state[ENDED] != Ending.WON:
        raise WrongLineError("the line ends without a win")
    return tuple(writer.numbers)


class LineWriter:
    """Plays a line in an interpreted game and writes it down."""

    def __init__(self, kernel: Kernel, state: bytearray) -> None:
        self.kernel, self.layout, self.state = kernel, kernel.layout, state
        self.numbers: list[int] = []
        self.mask = bytearray(kernel.layout.actions)
        kernel.legal(state, self.mask)

    def take(self, step: int) -> None:
        """Take a step of the search: its clues, then its card."""
        clues, how, card = read_step(step)
        for turns in range(clues, 0, -1):
            self.pass_on(turns, card)
        self.act(self.number_of(how, card))

    def act(self, number: int) -> None:
        """Take an action, which must be legal."""
        if not self.mask[number]:
            raise WrongLineError(f"action {number} is not legal in turn {len(self.numbers) + 1}")
        self.kernel.apply(self.state, number)
        self.kernel.legal(self.state, self.mask)
        self.numbers.append(number)

    def pass_on(self, turns: int, card: int) -> None:
        """Take a turn that changes nothing, while somebody is to use a card so many turns later.

        A clue, best one that points at that card, so that people see the sense of it; in the last turns perhaps a discard.
        """
        layout = self.layout
        first_clue = self.mask.find(1, layout.colour_action, layout.announce_action)
        if first_clue < 0:
            self.act(layout.discard_action + self.spare_slot())
        elif turns < layout.players and card != SPARE:
            self.act(layout.value_action + (turns - 1) * HEIGHT + card % HEIGHT)
        else:
            self.act(first_clue)

    def number_of(self, how: int, card: int) -> int:
        """The action by which a card leaves the hand of the player to move."""
        slot = self.spare_slot() if card == SPARE else self.hand().index(card)
        if how == DISCARD:
            return self.layout.discard_action + slot
        if how in (ANNOUNCED, WRONG_COLOUR):
            colour = (card // HEIGHT + (how == WRONG_COLOUR)) % self.layout.colours
            return self.layout.announce_action + slot * self.layout.colours + colour
        return self.layout.play_action + slot

    def hand(self) -> list[int]:
        """The cards of the player to move."""
        seat, layout = self.state[SEAT], self.layout
        first = layout.hands + seat * layout.hand_bytes + NUMBER
        slots = range(self.kernel.hand_count(self.state, seat))
        return [self.state[layout.deck + self.state[first + slot * SLOT]] for slot in slots]

    def spare_slot(self) -> int:
        """A card that is on its firework already, else one that the hand holds twice, else the leftmost."""
        hand, fireworks = self.hand(), self.layout.fireworks
        placed = [slot for slot, card in enumerate(hand) if self.state[fireworks + card // HEIGHT] > card % HEIGHT]
        twice = [slot for slot, card in enumerate(hand) if card in hand[:slot]]
        return [*placed, *twice, 0][0]
