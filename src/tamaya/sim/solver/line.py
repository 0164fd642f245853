"""From the steps of the search to real actions, each checked by the rules themselves."""

from __future__ import annotations

from collections.abc import Iterable

from tamaya.engine.kernel import Kernel
from tamaya.engine.layout import ENDED, NUMBER, SEAT, SLOT
from tamaya.rules import Ending
from tamaya.sim.solver.steps import ANNOUNCED, DISCARD, SPARE, WRONG, read_step


class WrongLineError(RuntimeError):
    """The search found a line that does not win: an error in the search, which nobody must take for a win."""


def actions_of(kernel: Kernel, state: bytes, steps: Iterable[int]) -> tuple[int, ...]:
    """The numbers of the actions that these steps mean in a game, if they are legal and win it."""
    writer = _Writer(kernel, bytearray(state))
    for step in steps:
        clues, how, card = read_step(step)
        for turns in range(clues, 0, -1):
            writer.pass_on(turns, card)
        writer.act(writer.number_of(how, card))
    if writer.state[ENDED] != Ending.WON:
        raise WrongLineError("the line ends without a win")
    return tuple(writer.numbers)


class _Writer:
    """Plays a line in an interpreted game and writes it down."""

    def __init__(self, kernel: Kernel, state: bytearray) -> None:
        self.kernel, self.plan, self.state = kernel, kernel.layout, state
        self.numbers: list[int] = []
        self.mask = bytearray(kernel.layout.actions)

    def act(self, number: int) -> None:
        """Take an action, which must be legal."""
        self.kernel.legal(self.state, self.mask)
        if not self.mask[number]:
            raise WrongLineError(f"action {number} is not legal in turn {len(self.numbers) + 1}")
        self.kernel.apply(self.state, number)
        self.numbers.append(number)

    def pass_on(self, turns: int, card: int) -> None:
        """Take a turn that changes nothing, while somebody is to use a card so many turns later.

        A clue, best one that points at that card, so that people see the sense of it; in the last turns perhaps a discard.
        """
        self.kernel.legal(self.state, self.mask)
        plan = self.plan
        clues = [number for number in range(plan.colour_action, plan.announce_action) if self.mask[number]]
        telling = plan.value_action + (turns - 1) * 5 + card % 5
        if not clues:
            self.act(plan.discard_action + self.spare_slot())
        else:
            self.act(telling if turns < plan.players and card != SPARE else clues[0])

    def number_of(self, how: int, card: int) -> int:
        """The action by which a card leaves the hand of the player to move."""
        slot = self.spare_slot() if card == SPARE else self.hand().index(card)
        if how == DISCARD:
            return self.plan.discard_action + slot
        if how in (ANNOUNCED, WRONG):
            colour = (card // 5 + (how == WRONG)) % self.plan.colours
            return self.plan.announce_action + slot * self.plan.colours + colour
        return self.plan.play_action + slot

    def hand(self) -> list[int]:
        """The cards of the player to move."""
        seat = self.state[SEAT]
        first = self.plan.hands + seat * self.plan.hand_size * SLOT
        slots = range(self.kernel.hand_count(self.state, seat))
        return [self.state[self.plan.deck + self.state[first + slot * SLOT + NUMBER]] for slot in slots]

    def spare_slot(self) -> int:
        """A card that is on its firework already, else one that the hand holds twice, else the leftmost."""
        hand = self.hand()
        placed = [slot for slot, card in enumerate(hand) if self.state[self.plan.fireworks + card // 5] > card % 5]
        twice = [slot for slot, card in enumerate(hand) if card in hand[:slot]]
        return [*placed, *twice, 0][0]
