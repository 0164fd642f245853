"""The rules that the solver restates for speed are those of the kernel: compared move by move."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import pytest

from tamaya import Game, Rules, RulesError, read_rules
from tamaya.engine.instances import Instance, Setting, instance_of
from tamaya.engine.kernel import turn
from tamaya.engine.layout import (
    DRAWN,
    ENDED,
    LAST_ACTION,
    LAST_CARD,
    LAST_PLACED,
    NO_CARD,
    NUMBER,
    RUNNING,
    SEAT,
    SLOT,
    Layout,
    layout,
    layout_of,
)
from tamaya.solver import position as positions
from tamaya.solver import steps
from tamaya.solver.answer import SolutionWriter
from tamaya.solver.position import (
    HANDS,
    HELD,
    MISTAKES_MADE,
    PLACED,
    PLACES,
    TO_MOVE,
    TOKENS,
    TURNS_LEFT,
    deck_layout_of,
    refuse_unpackable_rules,
    words_of,
)
from tamaya.solver.steps import ANNOUNCED, CLUES_AT, DISCARD, HOW_AT, MISTAKE, PLAY, SPARE, WRONG_COLOUR
from tests.sim.support import all_rules
from tests.tables import careful_action, moves_of_a_game, patient_action, random_action

UNUSUAL = [
    read_rules(text)
    for text in (
        "players=2 clue_tokens=1 mistakes=9",
        "players=2 multicolour-five multicolour_named=no announced-plays clue_tokens=2",
        "players=3 multicolour-ten empty_clues=yes announced-plays",
        "players=2 hand_size=6 all-or-nothing clue_tokens=1",
        "players=4 hand_size=1 colours=2 all-or-nothing announced-plays",
        "players=5 hand_size=2 colours=2 one-mistake",
        "players=5",
    )
]
MANY_RULES = [*all_rules()[::9], *UNUSUAL]
STYLES = (random_action, careful_action, patient_action)


class Solving:
    """The solver's functions for given rules, without its search."""

    def __init__(self, rules: Rules) -> None:
        self.rules, own = rules, instance_of(Setting(rules))
        self.layout, self.legal, self.apply = own.value(layout), own(turn.legal), own(turn.apply)
        self.read_position, self.read_deck = own(positions.read_position), own(positions.read_deck)
        self.take_step, self.list_steps = own(steps.take_step), own(steps.list_steps)
        self.can_clue, self.way_to_throw = own(steps.can_clue), own(steps.way_to_throw)
        self.playable_cards = own(steps.playable_cards)

    def position(self, state: bytes) -> list[int]:
        position = [0] * PLACES
        self.read_position(bytearray(state), position)
        return position

    def deck(self, state: bytes) -> list[int]:
        deck = [0] * deck_layout_of(self.layout).size
        self.read_deck(bytearray(state), deck)
        return deck

    def after(self, state: bytes, step: int) -> list[int]:
        child = [0] * PLACES
        self.take_step(self.position(state), child, state[DRAWN], self.deck(state), step)
        return child

    def listed(self, state: bytes) -> list[int]:
        """Every step, none left out for speed."""
        listed = [0] * 500
        count = self.list_steps(self.position(state), state[DRAWN], self.deck(state), 1, listed)
        return listed[:count]

    def after_action(self, state: bytes, action: int) -> bytearray:
        then = bytearray(state)
        self.apply(then, action)
        return then


def what_matters(position: list[int], was_counted: bool, layout: Layout) -> list[int]:
    """A position without what no longer matters in the last turns: tokens, mistakes and the hands of seats that had their
    turn."""
    if not was_counted and not position[TURNS_LEFT]:
        return position
    to_come = [(position[TO_MOVE] + turn) % layout.players for turn in range(position[TURNS_LEFT])]
    return [position[PLACED], position[TO_MOVE], position[TURNS_LEFT], *(position[HANDS + seat] for seat in to_come)]


def states_of_a_game(rules: Rules, seed: int) -> Iterator[bytes]:
    """Every position of a game in one of three styles."""
    game = Game(rules, seed=seed)
    yield game.state
    for _ in moves_of_a_game(game, random.Random(seed), STYLES[seed % len(STYLES)]):
        yield game.state


def step_of(solving: Solving, before: bytes, state: bytes, passed: int) -> int:
    """The step that ends with the last action, after `passed` turns were passed; `before` is the state at its start."""
    layout, action, card = solving.layout, state[LAST_ACTION], state[LAST_CARD]
    position = solving.position(before)
    if action < layout.play_action:
        how = DISCARD
    elif state[LAST_PLACED]:
        how = PLAY if action < layout.announce_action else ANNOUNCED
    else:
        how = WRONG_COLOUR if solving.playable_cards(position[PLACED]) >> card & 1 else MISTAKE
    hand = SolutionWriter(solving.rules, bytearray(before)).hand()
    is_spare = position[PLACED] >> card & 1 or (how > ANNOUNCED and hand.count(card) > 1)
    return passed << CLUES_AT | how << HOW_AT | (SPARE if is_spare else card)


@pytest.mark.slow
@pytest.mark.parametrize("rules", MANY_RULES, ids=str)
def test_steps_lead_to_the_positions_of_a_game(rules: Rules) -> None:
    """Clues only pass the turn; in the last turns, so does every action that places nothing."""
    solving, compared = Solving(rules), Counter[int]()
    layout = solving.layout
    for seed in range(9):
        states = list(states_of_a_game(rules, seed))
        start, passed = states[0], 0
        for before, state in pairwise(states):
            action, counted = state[LAST_ACTION], before[DRAWN] == layout.deck_size and not layout.all_or_nothing
            is_clue = layout.colour_action <= action < layout.announce_action
            if before[:ENDED] == state[:ENDED]:
                continue  # a hand was rearranged
            if is_clue or (counted and not state[LAST_PLACED]):
                passed += 1
                continue
            step = step_of(solving, before, state, passed)
            if state[ENDED] == RUNNING:
                expected = what_matters(solving.position(state), counted, layout)
                assert what_matters(solving.after(start, step), counted, layout) == expected
                compared[step >> HOW_AT & 7] += 1
            start, passed = state, 0
    assert compared[PLAY] + compared[ANNOUNCED] >= 5
    assert compared[DISCARD] >= 5


def assert_clues_to_empty_hands_are_the_same(solving: Solving, state: bytes) -> None:
    """Games hardly ever reach positions in which only one seat holds cards, so the others' cards are removed here."""
    layout, alone, mask = solving.layout, bytearray(state), bytearray(solving.layout.actions)
    for place in range(layout.players * layout.hand_size):
        if place // layout.hand_size != state[SEAT]:
            alone[layout.hands + place * SLOT + NUMBER] = NO_CARD
    solving.legal(alone, mask)
    can_clue = solving.can_clue(solving.position(bytes(alone)), 0)
    assert can_clue == any(mask[layout.colour_action : layout.announce_action])


@pytest.mark.slow
@pytest.mark.parametrize("rules", MANY_RULES, ids=str)
def test_possible_actions_are_those_that_the_kernel_allows(rules: Rules) -> None:
    solving = Solving(rules)
    layout, mask = solving.layout, bytearray(solving.layout.actions)
    for seed in range(6):
        for state in states_of_a_game(rules, seed):
            if state[ENDED] != RUNNING:
                continue
            solving.legal(bytearray(state), mask)
            position = solving.position(state)
            hand = SolutionWriter(rules, bytearray(state)).hand()
            assert solving.can_clue(position, 0) == any(mask[layout.colour_action : layout.announce_action])
            assert_clues_to_empty_hands_are_the_same(solving, state)
            if hand:
                assert (solving.way_to_throw(position, 0) == DISCARD) == mask[layout.discard_action]
            for slot, card in enumerate(hand):
                is_placed = solving.after_action(state, layout.play_action + slot)[LAST_PLACED]
                assert solving.playable_cards(position[PLACED]) >> card & 1 == is_placed


@pytest.mark.slow
@pytest.mark.parametrize("rules", UNUSUAL, ids=str)
def test_every_listed_step_is_legal_and_leads_to_its_position(rules: Rules) -> None:
    solving, choice, taken = Solving(rules), random.Random(3), Counter[int]()
    for seed in range(12):
        for state in states_of_a_game(rules, seed):
            listed = solving.listed(state) if state[ENDED] == RUNNING else []
            for step in choice.sample(listed, min(2, len(listed))):
                writer = SolutionWriter(solving.rules, bytearray(state))
                writer.take(step)
                if writer.state[ENDED] == RUNNING:
                    counted = state[DRAWN] == solving.layout.deck_size and not solving.layout.all_or_nothing
                    expected = what_matters(solving.position(bytes(writer.state)), counted, solving.layout)
                    assert what_matters(solving.after(state, step), counted, solving.layout) == expected
                taken[step >> HOW_AT & 7] += 1
    assert taken.total() >= 200
    assert min(taken[PLAY] + taken[ANNOUNCED], taken[DISCARD]) >= 10


def test_cards_are_numbered_by_their_places_in_the_layout() -> None:
    rules = read_rules("players=2")
    descending = layout_of(rules)._replace(order=tuple(card // 5 * 5 + 4 - card % 5 for card in range(25)))
    own, state = Instance(Setting(rules), given={layout: descending}), bytearray(Game(rules, seed=1).state)
    state[descending.fireworks + 1] = 2
    deck, position = [0] * deck_layout_of(descending).size, [0] * PLACES
    own(positions.read_deck)(state, deck)
    own(positions.read_position)(state, position)
    assert [descending.order[card] for card in deck[:50]] == list(state[descending.deck : descending.deck + 50])
    assert position[PLACED] == 0b11 << 5
    assert position[HANDS] == sum({1 << card for card in deck[:5]} - {1 << 5, 1 << 6})


# The range of packed positions.


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_packed_positions_hold_the_largest_numbers_of_the_rules(players: int) -> None:
    rules = read_rules(f"players={players} hand_size=6 clue_tokens=20 mistakes=9 multicolour-ten")
    own, layout, choice = instance_of(Setting(rules)), layout_of(rules), random.Random(players)
    for _ in range(50):
        position = [0] * PLACES
        largest = {PLACED: layout.every_card, TOKENS: 20, MISTAKES_MADE: 8, TO_MOVE: players - 1, TURNS_LEFT: players}
        largest |= dict.fromkeys(range(HANDS, HANDS + players), layout.every_card)
        largest |= dict.fromkeys(range(HELD, HELD + players), layout.hand_size)
        for place, most in largest.items():
            position[place] = choice.choice((0, most, choice.randint(0, most)))
        words, again = [7] * (words_of(layout) + 2), [0] * PLACES
        own(positions.pack)(position, words, 1)
        own(positions.unpack)(words, 1, again)
        assert again == position
        assert max(words) < 2**63
        assert (words[0], words[-1]) == (7, 7)


@pytest.mark.parametrize(
    ("name", "value", "most"),
    [("cards", 35, 30), ("players", 6, 5), ("hand_size", 8, 7), ("clue_tokens", 32, 31), ("mistakes", 17, 16)],
)
def test_rules_too_large_for_packed_positions_are_refused(name: str, value: int, most: int) -> None:
    layout = layout_of(Rules())
    refuse_unpackable_rules(layout._replace(**{name: most}))  # type: ignore[arg-type]
    with pytest.raises(RulesError) as refused:
        refuse_unpackable_rules(layout._replace(**{name: value}))  # type: ignore[arg-type]
    assert str(refused.value) == f"The solver cannot work with {name}={value}; it can with at most {most}."
