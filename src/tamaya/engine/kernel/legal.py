"""Which actions the rules allow now."""

from __future__ import annotations

from collections.abc import Callable

from tamaya.engine.kernel.dialect import Jit, Row
from tamaya.engine.kernel.hands import Hands
from tamaya.engine.layout import CLUES, ENDED, EVERY_VALUE, HEIGHT, NUMBER, RUNNING, SEAT, SLOT, Layout


def build_legal(layout: Layout, jit: Jit, hands: Hands) -> Callable[[Row, Row], None]:
    """The function that marks the legal actions."""
    every_colour = (1 << layout.named_colours) - 1

    @jit
    def legal_cards(state: Row, mask: Row) -> None:
        """Any card of one's hand may be played, and discarded unless all clue tokens are there."""
        for slot in range(hands.hand_count(state, state[SEAT])):
            mask[layout.discard_action + slot] = state[CLUES] < layout.clue_tokens
            mask[layout.play_action + slot] = 1
            if layout.announced_plays:
                for colour in range(layout.colours):
                    mask[layout.announce_action + slot * layout.colours + colour] = 1

    @jit
    def legal_clues(state: Row, mask: Row, distance: int) -> None:
        """What may be named to one teammate: what the hand holds, or anything where empty clues are allowed."""
        seat = (state[SEAT] + 1 + distance) % layout.players
        held_colours, held_values = 0, 0
        if layout.empty_clues:
            held_colours, held_values = every_colour, EVERY_VALUE
        else:
            for slot in range(hands.hand_count(state, seat)):
                card = state[layout.deck + state[layout.hands + seat * layout.hand_bytes + slot * SLOT + NUMBER]]
                held_colours |= every_colour if card // HEIGHT == layout.multicolour else 1 << (card // HEIGHT)
                held_values |= 1 << (card % HEIGHT)
        for colour in range(layout.named_colours):
            mask[layout.colour_action + distance * layout.named_colours + colour] = (held_colours >> colour) & 1
        for value in range(HEIGHT):
            mask[layout.value_action + distance * HEIGHT + value] = (held_values >> value) & 1

    @jit
    def legal(state: Row, mask: Row) -> None:
        """Write 1 for each legal action and 0 for each other into `mask`."""
        for action in range(layout.actions):
            mask[action] = 0
        if state[ENDED] == RUNNING:
            legal_cards(state, mask)
            if state[CLUES] > 0:
                for distance in range(layout.players - 1):
                    legal_clues(state, mask, distance)

    return legal
