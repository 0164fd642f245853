"""Observations tell exactly what a `View` tells; and bit for bit what DeepMind's environment, OpenSpiel's hanabi, observes."""

import itertools
import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from open_spiel.python.observation import make_observation

from tamaya import Card, Game, Rules, View
from tamaya.bots.encoding import ENCODERS
from tamaya.engine import SeenCard
from tamaya.sim import Batch
from tests.bots.encoding.support import decoded, possible, said_by
from tests.openspiel import SETTINGS, deal, theirs
from tests.sim.support import any_legal, batch_of, decks_of, games, seeds
from tests.tables import FULL
from tests.twins import twin_of

SEEN = ("canonical", "minimal", "belief")


def kind_of(encoder: str) -> str:
    return "float32" if encoder == "belief" else "uint8"


@given(games())
def test_canonical_and_minimal_observations_tell_what_a_view_tells(game: Game) -> None:
    batch = batch_of([game])
    for seat in range(game.rules.players):
        for encoder in ("canonical", "minimal"):
            sections = batch.sections(encoder)
            row = batch.observe(encoder, seat=seat)[0]
            assert decoded(row, sections, game.rules, seat) == said_by(game.view(seat), "knowledge" in sections)


@given(games())
def test_the_minimal_observation_is_the_canonical_one_without_knowledge(game: Game) -> None:
    batch = batch_of([game])
    canonical, minimal = batch.observe(), batch.observe("minimal")
    knowledge = batch.sections()["knowledge"]
    assert (knowledge.start, knowledge.stop) == (minimal.shape[1], canonical.shape[1])
    assert canonical[:, : knowledge.start].tobytes() == minimal.tobytes()
    assert dict(batch.sections("minimal")) == {name: part for name, part in batch.sections().items() if name != "knowledge"}


@given(games())
def test_the_default_seat_is_the_one_to_move(game: Game) -> None:
    batch = batch_of([game, game])
    seat = int(batch.to_move[0])
    assert batch.observe().tobytes() == batch.observe(seat=seat).tobytes()
    assert game.to_move in (seat, None)


def unseen_by_all(view: View) -> Counter[Card]:
    """The copies of each card that are not on the table."""
    placed = [Card(colour, value) for colour, height in view.fireworks.items() for value in range(1, height + 1)]
    return Counter({card: view.rules.copies(card) for card in view.rules.cards}) - Counter(placed) - Counter(view.discards)


def weighed(seen: SeenCard, unseen: Counter[Card], table: Rules) -> list[float]:
    """The probability of each card by counting."""
    fitting = possible(seen.colours, seen.values, table)
    total = sum(unseen[card] for card in fitting)
    return [unseen[card] / total if card in fitting else 0.0 for card in table.cards]


@given(games())
def test_beliefs_count_the_unseen_cards(game: Game) -> None:
    """For the own hand, cards that are in no other hand and not on the table; for another hand, cards that are not on the
    table."""
    table, batch = game.rules, batch_of([game])
    cards, width = len(table.cards), len(table.cards) + len(table.suits) + 5
    for seat in range(table.players):
        view, row = game.view(seat), batch.observe("belief", kind="float32", seat=seat)[0]
        public = unseen_by_all(view)
        private = public - Counter(seen.card for hand in view.hands for seen in hand if seen.card)
        expected = batch.observe(kind="float32", seat=seat)[0]
        told = expected[batch.sections()["knowledge"]].reshape(table.players, table.hand_size, width)
        for distance, slot in itertools.product(range(table.players), range(table.hand_size)):
            hand = view.hands[(seat + distance) % table.players]
            if slot < len(hand):
                beliefs = weighed(hand[slot], public if distance else private, table)
                assert abs(sum(beliefs) - 1) < 1e-9
                told[distance, slot, :cards] = beliefs
        assert row.tobytes() == expected.tobytes()


@given(games())
def test_the_own_hand_is_the_true_hand(game: Game) -> None:
    batch, faces = batch_of([game]), game.reveal_hands().hands
    cards = list(game.rules.cards)
    for seat in range(game.rules.players):
        row = batch.observe("own_hand", seat=seat)[0].reshape(game.rules.hand_size, len(cards))
        for slot, cells in enumerate(row):
            held = [faces[seat][slot].card] if slot < len(faces[seat]) else []
            assert [card for card, cell in zip(cards, cells, strict=True) if cell] == held


@given(games())
def test_bytes_floats_and_bits_are_the_same_cells(game: Game) -> None:
    batch = batch_of([game])
    for encoder in ("canonical", "minimal", "own_hand"):
        size, cells = batch.sections(encoder).size, batch.observe(encoder)
        floats, bits = batch.observe(encoder, kind="float32"), batch.observe(encoder, kind="bits")
        assert (cells.dtype, floats.dtype, bits.dtype) == (np.uint8, np.float32, np.uint32)
        assert (floats == cells).all()
        assert bits.shape == (1, -(-size // 32))
        spread = np.unpackbits(bits.astype("<u4").view(np.uint8), axis=1, bitorder="little")
        assert spread[:, :size].tobytes() == cells.tobytes()
        assert not spread[:, size:].any()


def test_an_observation_is_written_into_the_given_buffer() -> None:
    batch = Batch(Rules(), 5, seed=1, speed="interpreted")
    buffer = np.full((5, 658), 7, np.uint8)
    assert batch.observe(out=buffer) is buffer
    assert buffer.tobytes() == batch.observe().tobytes()


def test_some_games_can_be_observed_alone() -> None:
    batch = Batch(Rules(), 7, seed=1, speed="interpreted", threads=2)
    for encoder in ENCODERS:
        every = batch.observe(encoder, kind="float32", seat=1)
        for places in ([4, 0], [6], [], np.arange(7) % 2 == 0):
            some = batch.observe(encoder, kind="float32", seat=1, places=places)
            assert some.tobytes() == every[np.asarray(places, None if len(places) else int)].tobytes()
    buffer = np.zeros((2, 658), np.uint8)
    assert batch.observe(places=[4, 0], out=buffer) is buffer
    assert buffer.tobytes() == batch.observe()[[4, 0]].tobytes()


# Hidden information.


@given(games(), seeds)
def test_observations_do_not_distinguish_worlds_that_agree_with_a_seat(game: Game, seed: int) -> None:
    """Neither if hidden cards were different from the start, nor if they are resampled now."""
    choice = random.Random(seed)
    for seat in range(game.rules.players):
        batch = batch_of([game, twin_of(game, seat, choice), game])
        other = batch_of([game] * 3)
        other.resample(seat, seed=seed)
        for encoder in SEEN:
            expected = batch.observe(encoder, kind=kind_of(encoder), seat=seat)
            assert expected[0].tobytes() == expected[1].tobytes()
            assert other.observe(encoder, kind=kind_of(encoder), seat=seat).tobytes() == np.repeat(expected[:1], 3, 0).tobytes()


def test_resampled_worlds_differ() -> None:
    batch = Batch(Rules(), 20, seed=1, speed="interpreted")
    before = batch.observe("own_hand", seat=0)
    batch.resample(0, seed=2)
    assert (before != batch.observe("own_hand", seat=0)).any(axis=1).all()


def test_teammates_see_a_different_hand() -> None:
    batch = Batch(Rules(), 20, seed=1, speed="interpreted")
    before = batch.observe(seat=1)
    batch.resample(0, seed=2)
    assert (before != batch.observe(seat=1)).any(axis=1).all()


# Comparison with OpenSpiel.

STANDARD = [Rules(players=players) for players in (2, 3, 4, 5)]
NAMES = {"canonical": "card_knowledge", "minimal": "minimal"}
LENGTHS = {
    2: {"hands": 127, "board": 76, "discards": 50, "last_action": 55, "knowledge": 350},
    3: {"hands": 253, "board": 71, "discards": 50, "last_action": 57, "knowledge": 525},
    4: {"hands": 304, "board": 70, "discards": 50, "last_action": 57, "knowledge": 560},
    5: {"hands": 405, "board": 66, "discards": 50, "last_action": 59, "knowledge": 700},
}


class SideBySide:
    """The games of a batch, and the same games played by OpenSpiel."""

    def __init__(self, rules: Rules, games: int, seed: int, encoder: str, speed: str = "interpreted") -> None:
        self.encoder = encoder
        self.ours = Batch(rules, games, seed=seed, automatic=False, speed=speed)
        game = theirs(rules, observation_type=NAMES[encoder])
        self.states = [game.new_initial_state() for _ in range(games)]
        self.decks = [deck.tolist() for deck in decks_of(self.ours)]
        self.observation = make_observation(game)
        for state, deck in zip(self.states, self.decks, strict=True):
            deal(state, deck)

    def observations_are_the_same(self) -> bool:
        """Whether every seat's observation is the same, even after the end."""
        expected = np.empty((len(self.states), self.ours.sections(self.encoder).size), np.uint8)
        for seat in range(self.ours.rules.players):
            for row, state in zip(expected, self.states, strict=True):
                self.observation.set_from(state, seat)
                row[:] = self.observation.tensor
            if self.ours.observe(self.encoder, seat=seat).tobytes() != expected.tobytes():
                return False
        return True

    def legal_actions_are_the_same(self) -> bool:
        mask = np.zeros_like(self.ours.legal)
        for row, state in zip(mask, self.states, strict=True):
            row[[] if state.is_terminal() else state.legal_actions()] = 1
        return mask.tobytes() == self.ours.legal.tobytes()

    def step(self, actions: list[int]) -> None:
        before = [state.is_terminal() for state in self.states]
        rewards = self.ours.step(actions)
        for place, (state, action) in enumerate(zip(self.states, actions, strict=True)):
            if not before[place]:
                state.apply_action(action)
                assert state.rewards() == [rewards[place]] * self.ours.rules.players
                if not state.is_terminal():
                    deal(state, self.decks[place])

    def play_to_the_end(self, choice: np.random.Generator, patient: bool) -> int:
        """Compare everything on all moves; return how many games reached the end of the deck."""
        while True:
            assert self.observations_are_the_same()
            assert self.legal_actions_are_the_same()
            assert self.ours.running.tolist() == [not state.is_terminal() for state in self.states]
            if not self.ours.running.any():
                break
            self.step(any_legal(self.ours, choice, patient).tolist())
        for state, score in zip(self.states, self.ours.scores, strict=True):
            assert state.returns() == [score] * self.ours.rules.players
        return sum(not deck for deck in self.decks)


@pytest.mark.slow
@pytest.mark.parametrize("rules", STANDARD, ids=str)
def test_sections_have_the_published_lengths(rules: Rules) -> None:
    batch = Batch(rules, speed="interpreted")
    for encoder in NAMES:
        sections = batch.sections(encoder)
        assert (
            sections.size
            == theirs(rules, observation_type=NAMES[encoder]).observation_tensor_shape()[0]
            == batch.observe(encoder).shape[1]
        )
        lengths = {name: part.stop - part.start for name, part in sections.items()}
        assert lengths == {name: LENGTHS[rules.players][name] for name in lengths}
        assert [part.start for part in sections.values()] == [0, *np.cumsum(list(lengths.values()))[:-1]]
    assert batch.sections().size == {2: 658, 3: 956, 4: 1041, 5: 1280}[rules.players]


@pytest.mark.slow
@pytest.mark.compiler
@pytest.mark.parametrize("patient", [False, True], ids=["random", "patient"])
@pytest.mark.parametrize("rules", STANDARD, ids=str)
def test_canonical_observations_rewards_and_legal_actions_match_openspiel(rules: Rules, patient: bool) -> None:
    games = (100 if patient else 400) * (2 if FULL else 1)
    finished = SideBySide(rules, games, 1, "canonical", "compiled").play_to_the_end(np.random.default_rng(1), patient)
    assert (finished > games // 2) == patient


@pytest.mark.slow
@pytest.mark.parametrize("rules", STANDARD, ids=str)
def test_minimal_observations_match_openspiel(rules: Rules) -> None:
    SideBySide(rules, 60, 2, "minimal").play_to_the_end(np.random.default_rng(2), patient=False)
    SideBySide(rules, 15, 3, "minimal").play_to_the_end(np.random.default_rng(3), patient=True)


@pytest.mark.slow
@pytest.mark.parametrize("encoder", NAMES)
@pytest.mark.parametrize("rules", SETTINGS, ids=str)
def test_observations_under_other_common_rules_match_openspiel(rules: Rules, encoder: str) -> None:
    SideBySide(rules, 30, 4, encoder).play_to_the_end(np.random.default_rng(4), patient=False)
    SideBySide(rules, 30, 5, encoder).play_to_the_end(np.random.default_rng(5), patient=True)
