"""What observations mean: what a `View` says, no more and no less."""

import itertools
import random
from collections import Counter

import numpy as np
from hypothesis import given

from tamaya import Card, Game, Rules, View
from tamaya.bots.encoding import ENCODERS
from tamaya.engine import SeenCard
from tamaya.sim import Batch
from tests.sim.decoding import decoded, possible, said_by
from tests.sim.many import batch_of, games, seeds
from tests.twins import twin_of

SEEN = ("canonical", "minimal", "belief")


def kind_of(encoder: str) -> str:
    return "float32" if encoder == "belief" else "uint8"


@given(games())
def test_canonical_and_minimal_observations_say_what_a_view_says(game: Game) -> None:
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
def test_without_a_seat_the_one_to_move_looks(game: Game) -> None:
    batch = batch_of([game, game])
    seat = int(batch.to_move[0])
    assert batch.observe().tobytes() == batch.observe(seat=seat).tobytes()
    assert game.to_move in (seat, None)


def unseen_by_all(view: View) -> Counter[Card]:
    """The copies of each card that do not lie on the table."""
    placed = [Card(colour, value) for colour, height in view.fireworks.items() for value in range(1, height + 1)]
    return Counter({card: view.rules.copies(card) for card in view.rules.cards}) - Counter(placed) - Counter(view.discards)


def weighed(seen: SeenCard, unseen: Counter[Card], table: Rules) -> list[float]:
    """The probability of each card by counting."""
    fitting = possible(seen.colours, seen.values, table)
    total = sum(unseen[card] for card in fitting)
    return [unseen[card] / total if card in fitting else 0.0 for card in table.cards]


@given(games())
def test_beliefs_count_the_cards_that_cannot_be_seen(game: Game) -> None:
    """In the own hand what lies in no other hand nor on the table, in another hand what does not lie on the table."""
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


def test_an_observation_goes_into_the_buffer_it_is_given() -> None:
    batch = Batch(Rules(), 5, seed=1, speed="interpreted")
    buffer = np.full((5, 658), 7, np.uint8)
    assert batch.observe(out=buffer) is buffer
    assert buffer.tobytes() == batch.observe().tobytes()


def test_one_can_look_at_some_games_alone() -> None:
    batch = Batch(Rules(), 7, seed=1, speed="interpreted", threads=2)
    for encoder in ENCODERS:
        every = batch.observe(encoder, kind="float32", seat=1)
        for places in ([4, 0], [6], [], np.arange(7) % 2 == 0):
            some = batch.observe(encoder, kind="float32", seat=1, places=places)
            assert some.tobytes() == every[np.asarray(places, None if len(places) else int)].tobytes()
    buffer = np.zeros((2, 658), np.uint8)
    assert batch.observe(places=[4, 0], out=buffer) is buffer
    assert buffer.tobytes() == batch.observe()[[4, 0]].tobytes()


# What a seat may not know.


@given(games(), seeds)
def test_a_seat_cannot_tell_worlds_apart_by_its_observations(game: Game, seed: int) -> None:
    """Neither when hidden cards were others from the start, nor when they are dealt anew now."""
    choice = random.Random(seed)
    for seat in range(game.rules.players):
        batch = batch_of([game, twin_of(game, seat, choice), game])
        other = batch_of([game] * 3)
        other.resample(seat, seed=seed)
        for encoder in SEEN:
            expected = batch.observe(encoder, kind=kind_of(encoder), seat=seat)
            assert expected[0].tobytes() == expected[1].tobytes()
            assert other.observe(encoder, kind=kind_of(encoder), seat=seat).tobytes() == np.repeat(expected[:1], 3, 0).tobytes()


def test_the_worlds_really_differ() -> None:
    batch = Batch(Rules(), 20, seed=1, speed="interpreted")
    before = batch.observe("own_hand", seat=0)
    batch.resample(0, seed=2)
    assert (before != batch.observe("own_hand", seat=0)).any(axis=1).all()


def test_teammates_see_that_a_hand_is_another() -> None:
    batch = Batch(Rules(), 20, seed=1, speed="interpreted")
    before = batch.observe(seat=1)
    batch.resample(0, seed=2)
    assert (before != batch.observe(seat=1)).any(axis=1).all()
