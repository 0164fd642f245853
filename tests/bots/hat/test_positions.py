"""The search for the end takes turns as the kernel does, and refuses rules that its positions cannot hold."""

from __future__ import annotations

import random

import pytest

from tamaya import Ending, Rules, RulesError
from tamaya.bots.hat import build_hat
from tamaya.bots.hat.habits import HABITS
from tamaya.bots.hat.memory import REMEMBERED, HatMemory
from tamaya.bots.hat.positions import MOST_DECK, NOT_THERE, Positions, bits_of, build_positions
from tamaya.bots.policy import plan
from tamaya.engine.kernel import Kernel, interpreted, interpreted_kernel
from tamaya.engine.layout import DRAWN, ENDED, HEIGHT, NUMBER, RUNNING, SEAT, Layout, layout_of
from tamaya.i18n import LANGUAGES, catalogue
from tests.bots.hat.games import turns

RULES = [
    *(Rules(players=players) for players in (2, 3, 4, 5)),
    Rules(players=3, announced_plays=True, clue_tokens=4),
    Rules(players=2, multicolour="five", multicolour_named=False, empty_clues=True),  # type: ignore[arg-type]
]

USUAL = layout_of(Rules())


def action_for(kernel: Kernel, state: bytearray, option: int, positions: Positions) -> int | None:
    """The kernel's action that an option stands for; None if there is none. The first card of the hand is made the one to play,
    or to discard: a placed one, which nobody needs."""
    layout, mask = kernel.layout, bytearray(kernel.layout.actions)
    kernel.legal(state, mask)
    clues = [action for action in range(layout.colour_action, layout.announce_action) if mask[action]]
    if option == positions.clue:
        return clues[0] if clues else None
    heights = state[layout.fireworks : layout.fireworks + layout.colours]
    number = state[layout.hands + state[SEAT] * layout.hand_bytes + NUMBER]
    if option == positions.discard:
        state[layout.deck + number] = heights.index(max(heights)) * HEIGHT
        return layout.discard_action if mask[layout.discard_action] else None
    if heights[option] == kernel.reach(state, option):
        return None
    state[layout.deck + number] = option * HEIGHT + heights[option]
    return layout.announce_action + option if layout.announced_plays else layout.play_action


def walk(
    kernel: Kernel, state: bytearray, memory: list[int], position: int, positions: Positions, choice: random.Random
) -> int:
    """Try every option in the kernel and in the search, go on with one until the game ends; returns how many were tried."""
    bits, tried = bits_of(kernel.layout), 0
    while state[ENDED] == RUNNING:
        ways = []
        for option in range(positions.discard + 1):
            after, there = positions.after(memory, position, option), bytearray(state)
            action = action_for(kernel, there, option, positions)
            assert (after == NOT_THERE) == (action is None), (option, list(state))
            if action is not None:
                kernel.apply(there, action)
                # Once everything is made the kernel neither draws nor counts turns, and the search goes no further.
                compared = 1 << (bits.deck if there[ENDED] == Ending.WON else bits.told)
                assert after % compared == positions.pack(there) % compared, (option, list(state))
                assert positions.seat(after) == there[SEAT]
                ways.append((after, there))
                tried += 1
        position, state = choice.choice(ways)
    return tried


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_every_option_does_what_the_kernel_does(rules: Rules) -> None:
    kernel = interpreted_kernel(rules)
    layout, notes = kernel.layout, plan(HatMemory, kernel.layout)
    positions, choice, tried = build_positions(layout, interpreted, notes), random.Random(1), 0
    for seed in range(6):
        for moment in turns(rules, seed):
            if layout.deck_size - moment.state[DRAWN] <= HABITS[rules.players].last_cards:
                memory = list(moment.memory)
                for card in range(layout.cards):
                    memory[notes.known_by + card] = (1 << rules.players) - 1
                for colour in range(layout.colours):
                    memory[notes.reach + colour] = kernel.reach(moment.state, colour)
                position = positions.pack(moment.sight)
                tried += walk(kernel, bytearray(moment.state), memory, position, positions, choice)
    assert tried > 300


@pytest.mark.parametrize("wide", [USUAL._replace(players=6), USUAL._replace(clue_tokens=32), USUAL._replace(colours=12)])
def test_rules_that_a_position_cannot_hold_are_refused(wide: Layout) -> None:
    kernel = interpreted_kernel(Rules())._replace(layout=wide)
    with pytest.raises(RulesError, match=r"6|32|12") as refused:
        build_hat(kernel, interpreted, tuple)
    assert refused.value.code == "rules_too_wide"
    said = {catalogue(language)(refused.value.message) for language in LANGUAGES}
    assert len(said) == len(LANGUAGES)
    assert all("31" in text and "11" in text for text in said)


def test_every_search_has_room_for_its_deck_and_for_what_it_remembers() -> None:
    assert all(habits.last_cards <= MOST_DECK and habits.budget <= REMEMBERED for habits in HABITS.values())
