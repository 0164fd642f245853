"""Which actions the rules allow now."""

from __future__ import annotations

from typing import Any

from tamaya.engine.kernel.parts import Jit, Parts
from tamaya.engine.layout import CLUES, ENDED, NUMBER, RUNNING, SEAT, SLOT, Layout


def build_legal(rules: Layout, jit: Jit, hands: Parts) -> Parts:
    """The function that marks the legal actions."""
    players, colours, named_colours = rules.players, rules.colours, rules.named_colours
    clue_tokens, empty_clues, announced_plays = rules.clue_tokens, rules.empty_clues, rules.announced_plays
    multicolour, deck, first_slot, hand_bytes = rules.multicolour, rules.deck, rules.hands, rules.hand_size * SLOT
    discard_action, play_action, announce_action = rules.discard_action, rules.play_action, rules.announce_action
    colour_action, value_action, actions = rules.colour_action, rules.value_action, rules.actions
    every_colour = (1 << rules.named_colours) - 1
    hand_count = hands.hand_count

    @jit
    def legal_cards(state: Any, mask: Any) -> None:
        """Any card of one's hand may be played, and discarded unless all clue tokens are there."""
        for slot in range(hand_count(state, state[SEAT])):
            mask[discard_action + slot] = state[CLUES] < clue_tokens
            mask[play_action + slot] = 1
            if announced_plays:
                for colour in range(colours):
                    mask[announce_action + slot * colours + colour] = 1

    @jit
    def legal_clues(state: Any, mask: Any, distance: int) -> None:
        """What may be named to one teammate: what the hand holds, or anything where empty clues are allowed."""
        seat = (state[SEAT] + 1 + distance) % players
        held_colours, held_values = 0, 0
        if empty_clues:
            held_colours, held_values = every_colour, 31
        else:
            for slot in range(hand_count(state, seat)):
                card = state[deck + state[first_slot + seat * hand_bytes + slot * SLOT + NUMBER]]
                held_colours |= every_colour if card // 5 == multicolour else 1 << (card // 5)
                held_values |= 1 << (card % 5)
        for colour in range(named_colours):
            mask[colour_action + distance * named_colours + colour] = (held_colours >> colour) & 1
        for value in range(5):
            mask[value_action + distance * 5 + value] = (held_values >> value) & 1

    @jit
    def legal(state: Any, mask: Any) -> None:
        """Write 1 for each legal action and 0 for each other into `mask`."""
        for action in range(actions):
            mask[action] = 0
        if state[ENDED] == RUNNING:
            legal_cards(state, mask)
            if state[CLUES] > 0:
                for distance in range(players - 1):
                    legal_clues(state, mask, distance)

    return Parts(legal=legal)
