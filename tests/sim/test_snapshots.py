"""Snapshots: restoring is exact, snapshots are independent of their batch, and invalid positions are refused."""

import itertools
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamaya.sim
from tamaya import Game, MalformedError, Rules
from tamaya.engine.layout import (
    CLUES,
    DRAWN,
    ENDED,
    LAST_TURNS,
    MISTAKES,
    NAMED,
    NO_CARD,
    NUMBER,
    POSSIBLE_COLOURS,
    POSSIBLE_VALUES,
    SEAT,
    SLOT,
    TURN,
)
from tamaya.sim import Batch, Snapshot
from tamaya.sim.threads import Array
from tests.sim.support import any_legal, batch_of, contents, games, played
from tests.tables import do, game_with, rules


def go_on(batch: Batch) -> tuple[bytes, bytes]:
    choice = np.random.default_rng(2)
    rewards = b"".join(batch.step(any_legal(batch, choice)).tobytes() for _ in range(20))
    return rewards, batch.save().states.tobytes()


def test_a_restored_batch_continues_in_the_same_way() -> None:
    batch = played()
    saved, legal, numbers = batch.save(), batch.legal.copy(), batch.seeds
    first = go_on(batch)
    batch.restore(saved)
    assert batch.save().states.tobytes() == saved.states.tobytes()
    assert batch.legal.tobytes() == legal.tobytes()
    assert batch.seeds.tobytes() == numbers.tobytes()
    assert go_on(batch) == first


def test_restoring_clears_the_last_turns_results() -> None:
    batch = played(illegal="penalise")
    batch.step([-1] * 8)
    batch.restore(batch.save())
    assert not any(array.any() for array in (batch.rewards, batch.endings, batch.scores, batch.illegal))


def test_a_snapshot_and_its_batch_are_independent() -> None:
    batch = played()
    saved = batch.save()
    kept = saved.states.tobytes(), saved.seeds.tobytes()
    go_on(batch)
    assert (saved.states.tobytes(), saved.seeds.tobytes()) == kept
    batch.restore(saved)
    saved.states[:], saved.seeds[:] = 0, 0
    assert batch.save().states.tobytes() == kept[0]
    assert batch.save().seeds.tobytes() == kept[1]


@pytest.mark.compiler
def test_another_batch_of_the_same_size_and_rules_can_restore_a_snapshot() -> None:
    batch, other = played(), Batch(Rules(), 8, seed=5)
    other.restore(batch.save())
    assert go_on(other) == go_on(batch)


@pytest.mark.parametrize(
    "settings",
    [{}, {"automatic": False}, {"rewards": "final"}, {"illegal": "penalise", "penalty": -3.0}, {"threads": 2}],
    ids=str,
)
def test_a_clone_is_independent_with_the_same_options(settings: dict[str, Any]) -> None:
    batch = played(**settings)
    before = contents(batch)
    twin = batch.clone()
    assert contents(twin) == before
    assert contents(pickle.loads(pickle.dumps(batch))) == before
    assert (twin.threads, twin.config) == (batch.threads, batch.config)
    theirs = go_on(twin)
    assert contents(batch) == before
    assert go_on(batch) == theirs
    assert contents(twin) == contents(batch)
    if settings.get("illegal") == "penalise":
        assert twin.step([-1] * 8).tolist() == batch.step([-1] * 8).tolist() == [-3.0] * 8


def refusal_of(batch: Batch, saved: object) -> str:
    """The error code of a snapshot that is refused; checks that nothing has changed."""
    before = contents(batch)
    with pytest.raises(MalformedError) as refusal:
        batch.restore(saved)  # type: ignore[arg-type]
    assert contents(batch) == before
    return refusal.value.code


def test_snapshots_that_do_not_fit_the_batch_are_refused() -> None:
    batch = played()
    saved = batch.save()
    states, halves = saved.states, saved.seeds
    for wrong in (
        None,
        states,
        Batch(Rules(players=3), 8, speed="interpreted").save(),
        Batch(Rules(mistakes=2), 8, speed="interpreted").save(),
        Batch(Rules(), 7, speed="interpreted").save(),
        Snapshot(saved.rules, states[:7], halves[:7]),
        Snapshot(saved.rules, states, halves[:7]),
        Snapshot(saved.rules, states[:, :-1], halves),
        Snapshot(saved.rules, states.astype(np.int64), halves),
        Snapshot(saved.rules, states, halves.astype(np.int64)),
        Snapshot(saved.rules, states.ravel(), halves),
        Snapshot(saved.rules, states, halves.ravel()),
        Snapshot(saved.rules, states.tolist(), halves),
        Snapshot(saved.rules, states, None),  # type: ignore[arg-type]
    ):
        assert refusal_of(batch, wrong) == "bad_saved"
    batch.restore(Snapshot(saved.rules, np.asfortranarray(states), halves[::1]))
    assert batch.save().states.tobytes() == states.tobytes()


def every_byte_changed(state: Array) -> Array:
    """The state with each of its bytes, one at a time, at other values."""
    values = (0, 1, 2, 3, 5, 9, 31, 64, 128, 254, 255)
    rows = np.repeat(state[None], len(state) * len(values), axis=0)
    for row, (place, value) in zip(rows, itertools.product(range(len(state)), values), strict=True):
        row[place] = value
    return rows


def use_every_way(batch: Batch) -> None:
    """Use the games in every possible way, to the end of the present ones."""
    for seat in range(batch.rules.players):
        for encoder in ("canonical", "minimal", "own_hand"):
            batch.observe(encoder, kind="bits", seat=seat)
        belief = batch.observe("belief", kind="float32", seat=seat)
        assert ((belief >= 0) & (belief <= 1)).all()
        batch.resample(seat, seed=seat)
    for place in range(batch.games):
        batch.game(place).reveal_hands()
    for policy in ("faultless", "random"):
        batch.play(80, policy)
    batch.observe()


def restore_or_refuse(batch: Batch, states: Array) -> bool:
    """Whether a batch accepts the states; accepted states must be playable."""
    saved = batch.save()
    saved.states[:] = states
    try:
        batch.restore(saved)
    except MalformedError as refusal:
        assert refusal.code == "bad_saved"
        return False
    use_every_way(batch)
    return True


@given(games(), st.data())
def test_damaged_bytes_are_refused_or_playable(game: Game, data: st.DataObject) -> None:
    batch = batch_of([game])
    state = batch.save().states[0].copy()
    places = st.one_of(st.integers(0, 12), st.integers(0, len(state) - 1))
    for place, byte in data.draw(st.lists(st.tuples(places, st.integers(0, 255)), min_size=1, max_size=3)):
        state[place] = byte
    restore_or_refuse(batch, state[None])


@given(rules(), st.data())
def test_random_bytes_are_refused(table: Rules, data: st.DataObject) -> None:
    batch = Batch(table, 1, seed=1, speed="interpreted")
    size = batch.layout.size
    for states in (data.draw(st.binary(min_size=size, max_size=size)), bytes(size), b"\xff" * size):
        assert not restore_or_refuse(batch, np.frombuffer(states, np.uint8)[None])


@pytest.mark.compiler
def test_any_single_wrong_byte_is_refused_or_harmless_at_compiled_speed() -> None:
    """A game in progress, and one in its last turns; loops that read or wrote out of bounds would crash."""
    game, choice = Batch(Rules(), 1, seed=2, automatic=False), np.random.default_rng(12)
    batch = Batch(Rules(), 1, seed=0)
    for turns in (12, 50):
        for _ in range(turns):
            game.step(any_legal(game, choice, patient=True))
        assert game.running.all()
        rows = every_byte_changed(game.save().states[0])
        taken = sum(restore_or_refuse(batch, row[None]) for row in rows)
        assert 0 < taken < len(rows) // 4


def slot_start(batch: Batch, seat: int, slot: int) -> int:
    return batch.layout.hands + (seat * batch.rules.hand_size + slot) * SLOT


def test_cards_in_two_places_gaps_in_hands_and_false_clues_are_refused() -> None:
    batch = batch_of([do(game_with(Rules(), "R1 R1 R1 R2 R2", "Y1 B2 G3 Y4 Y5"), "clue 2 yellow", "play 1")])
    plan, state, first = batch.layout, batch.save().states[0], slot_start(batch, 1, 0)
    for place, wrong in {
        "a card in two slots": (first + NUMBER, state[slot_start(batch, 1, 1) + NUMBER]),
        "a card that nobody drew": (first + NUMBER, 11),
        "a hole in a hand": (first + NUMBER, 255),
        "a short hand beside a deck": (slot_start(batch, 0, 4) + NUMBER, 255),
        "a card without a colour": (first + POSSIBLE_COLOURS, 0),
        "a card of a colour that there is not": (first + POSSIBLE_COLOURS, 1 << 5 | 31),
        "a card without a value": (first + POSSIBLE_VALUES, 0),
        "a card of a value that there is not": (first + POSSIBLE_VALUES, 1 << 5 | 31),
        "a colour named that there is not": (first + POSSIBLE_COLOURS + NAMED, 1 << 5),
        "a value named that there is not": (first + POSSIBLE_VALUES + NAMED, 1 << 5),
        "a firework whose cards are elsewhere": (plan.fireworks, 2),
        "a discarded card that is in a hand": (plan.discards, 1),
        "a card in a hand and in the deck": (DRAWN, 10),
        "a drawn card that is nowhere": (DRAWN, 12),
        "a deck with a card too many": (plan.deck + 49, 0),
        "all mistakes made, and the game goes on": (MISTAKES, 3),
        "an end by mistakes that nobody made": (ENDED, 3),
        "last turns beside a deck": (LAST_TURNS, 1),
        "more turns than cards and tokens allow": (TURN, 4),
        "more tokens than there are": (CLUES, 9),
        "the turn of nobody": (SEAT, 2),
    }.items():
        saved = batch.save()
        saved.states[0, wrong[0]] = wrong[1]
        assert refusal_of(batch, saved) == "bad_saved", place


def test_a_card_to_the_right_of_an_empty_slot_is_refused() -> None:
    """Every card is in one place then, but hands are counted from the right."""
    batch, choice = Batch(Rules(), 60, seed=1, speed="interpreted", automatic=False), np.random.default_rng(1)
    found = 0
    for _ in range(100):
        batch.step(any_legal(batch, choice, patient=True))
        saved = batch.save()
        last, one_before = slice(-SLOT, None), slice(-2 * SLOT, -SLOT)
        for state in saved.states[batch.running & (saved.states[:, -SLOT] == NO_CARD)]:
            found += 1
            wrong = Batch(Rules(), 1, seed=0, speed="interpreted").save()
            wrong.states[0] = state
            wrong.states[0, last], wrong.states[0, one_before] = state[one_before], state[last]
            assert refusal_of(Batch(Rules(), 1, seed=0, speed="interpreted"), wrong) == "bad_saved"
    assert found > 10


@pytest.mark.parametrize(("old", "new"), [("Saved", "Snapshot"), ("Tally", "ScoreCounts")])
def test_old_names_work_with_a_warning(old: str, new: str) -> None:
    with pytest.warns(DeprecationWarning, match=f"{old} is now tamaya.sim.{new}"):
        assert getattr(tamaya.sim, old) is getattr(tamaya.sim, new)
