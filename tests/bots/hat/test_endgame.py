"""The endgame search takes turns as the kernel does, ignores caches of other searches, and refuses rules that do not fit."""

from __future__ import annotations

import random

import pytest

from tamaya import Ending, Rules, RulesError
from tamaya.bots.hat import HAT
from tamaya.bots.hat.endgame import CLUE_MOVE, DISCARD_MOVE, MAX_DECK, NO_POSITION, after_turn, bits, position_of, seat_in
from tamaya.bots.hat.inference import SURE
from tamaya.bots.hat.memory import CACHE_SIZE, WEIGHTS, HatMemory
from tamaya.engine.instances import Instance, Setting
from tamaya.engine.kernel.ending import next_card, reach
from tamaya.engine.kernel.hands import number_at
from tamaya.engine.kernel.turn import apply, legal
from tamaya.engine.layout import DRAWN, ENDED, RUNNING, SEAT, Layout, layout, layout_of
from tamaya.i18n import LANGUAGES, catalogue
from tests.bots.hat.support import blank, turns

RULES = [
    *(Rules(players=players) for players in (2, 3, 4, 5)),
    Rules(players=3, announced_plays=True, clue_tokens=4),
    Rules(players=2, multicolour="five", multicolour_named=False, empty_clues=True),  # type: ignore[arg-type]
]

USUAL = layout_of(Rules())


def action_for(own: Instance, state: bytearray, move: int) -> int | None:
    """The kernel's action for a move; None if there is none. The first card of the hand becomes the card to play or to discard:
    a placed one, which no firework needs."""
    place = own.value(layout)
    mask = bytearray(place.actions)
    own(legal)(state, mask)
    clues = [action for action in range(place.colour_action, place.announce_action) if mask[action]]
    if move == own.value(CLUE_MOVE):
        return clues[0] if clues else None
    heights = state[place.fireworks : place.fireworks + place.colours]
    first = place.deck + own(number_at)(state, state[SEAT], 0)
    if move == own.value(DISCARD_MOVE):
        state[first] = place.order[heights.index(max(heights)) * place.values]
        return place.discard_action if mask[place.discard_action] else None
    if heights[move] == own(reach)(state, move):
        return None
    state[first] = own(next_card)(state, move)
    return place.announce_action + move if place.announced_plays else place.play_action


def walk(own: Instance, state: bytearray, memory: HatMemory, position: int, choice: random.Random) -> int:
    """Try every move in the kernel and in the search, continue with one until the game ends; return how many were tried."""
    parts, tried = own.value(bits), 0
    while state[ENDED] == RUNNING:
        ways = []
        for move in range(own.value(DISCARD_MOVE) + 1):
            after, there = own(after_turn)(memory, position, move), bytearray(state)
            action = action_for(own, there, move)
            assert (after == NO_POSITION) == (action is None), (move, list(state))
            if action is not None:
                own(apply)(there, action)
                # Once the fireworks are complete the kernel neither draws nor counts turns, and the search stops.
                compared = 1 << (parts.deck if there[ENDED] == Ending.WON else parts.told)
                assert after % compared == own(position_of)(there) % compared, (move, list(state))
                assert own(seat_in)(after) == there[SEAT]
                ways.append((after, there))
                tried += 1
        position, state = choice.choice(ways)
    return tried


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_every_move_does_what_the_kernel_does(rules: Rules) -> None:
    choice, tried = random.Random(1), 0
    for seed in range(6):
        for moment in turns(rules, seed):
            own, place = moment.own, moment.own.value(layout)
            if place.deck_size - moment.state[DRAWN] <= WEIGHTS[rules.players].last_cards:
                memory = HAT.named(rules, blank(rules))
                for card in range(place.cards):
                    memory.known_by[card] = (1 << rules.players) - 1
                for colour in range(place.colours):
                    memory.reaches[colour] = own(reach)(moment.state, colour)
                tried += walk(own, bytearray(moment.state), memory, own(position_of)(moment.sight), choice)
    assert tried > 300


@pytest.mark.parametrize("value", [0, SURE])
def test_a_search_ignores_cache_entries_of_another(value: int) -> None:
    rules = Rules(players=2)
    for seed in range(4):
        for moment in turns(rules, seed):
            numbers = blank(rules)
            numbers[:] = moment.numbers
            memory = HAT.named(rules, numbers)
            for entry in range(CACHE_SIZE):
                memory.cached_values[entry] = value
            assert moment.own(HAT.choose)(memory, moment.sight, moment.mask, 0) == moment.action
            assert memory.looked_ahead == moment.memory.looked_ahead


@pytest.mark.parametrize("wide", [USUAL._replace(players=6), USUAL._replace(clue_tokens=32), USUAL._replace(colours=12)])
def test_rules_that_a_position_cannot_hold_are_refused(wide: Layout) -> None:
    with pytest.raises(RulesError, match=r"6|32|12") as refused:
        Instance(Setting(Rules()), given={layout: wide})(HAT.choose)
    assert refused.value.code == "rules_too_wide"
    said = {catalogue(language)(refused.value.message) for language in LANGUAGES}
    assert len(said) == len(LANGUAGES)
    assert all("31" in text and "11" in text for text in said)


def test_every_search_has_room_for_its_deck_and_its_cache() -> None:
    assert all(weights.last_cards <= MAX_DECK and weights.budget <= CACHE_SIZE for weights in WEIGHTS.values())
