"""Invalid arguments to a batch: a clear error, nothing changed, never a crash. Valid positions are accepted (for those refused
see `test_snapshots.py`)."""

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tamaya import Game, IllegalError, MalformedError, Rules, RulesError
from tamaya.engine.layout import layout_of
from tamaya.sim import Batch
from tamaya.sim.validation import are_valid_states
from tests.sim.support import all_rules, contents, decks_of, played
from tests.tables import careful_action, moves_of_a_game, patient_action, random_action

GAMES, CELLS = 8, 658


def refused(batch: Batch, wish: Callable[[], object], code: str) -> str:
    """The message of a refusal; checks that nothing has changed."""
    before = contents(batch)
    with pytest.raises(MalformedError) as refusal:
        wish()
    assert refusal.value.code == code
    assert contents(batch) == before
    return str(refusal.value)


# Creating a batch.


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"games": 0}, "bad_number"),
        ({"games": -5}, "bad_number"),
        ({"games": 2.0}, "bad_number"),
        ({"games": "2"}, "bad_number"),
        ({"games": True}, "bad_number"),
        ({"games": None}, "bad_number"),
        ({"threads": 0}, "bad_number"),
        ({"threads": 1.5}, "bad_number"),
        ({"seed": -1}, "bad_seed"),
        ({"seed": 2**64}, "bad_seed"),
        ({"seed": "7"}, "bad_seed"),
        ({"seed": True}, "bad_seed"),
        ({"rewards": "points"}, "bad_choice"),
        ({"rewards": None}, "bad_choice"),
        ({"illegal": "ignore"}, "bad_choice"),
        ({"illegal": ["raise"]}, "bad_choice"),
        ({"speed": "fast"}, "bad_choice"),
        ({"speed": 3}, "bad_choice"),
        ({"games": 2**31}, "bad_number"),
        ({"games": 10**30}, "bad_number"),
        ({"threads": 10**6}, "bad_number"),
        ({"penalty": "1"}, "bad_number"),
        ({"penalty": float("nan")}, "bad_number"),
        ({"penalty": float("inf")}, "bad_number"),
        ({"penalty": None}, "bad_number"),
        ({"rules": "french"}, "bad_rules"),
        ({"rules": 3}, "bad_rules"),
    ],
    ids=str,
)
def test_a_batch_with_invalid_options_is_refused(settings: dict[str, Any], code: str) -> None:
    with pytest.raises(MalformedError) as refusal:
        Batch(**({"speed": "interpreted"} | settings))
    assert refusal.value.code == code


@pytest.mark.parametrize("players", [-1, 0, 1, 6, 100, 2.5, "2", None])
def test_an_impossible_number_of_players_is_refused(players: Any) -> None:
    with pytest.raises(RulesError):
        Batch(Rules(players=players), speed="interpreted")


def test_integers_of_any_type_are_accepted() -> None:
    batch = Batch(Rules(), np.int64(3), threads=np.uint8(1), speed="interpreted")  # type: ignore[arg-type]
    assert (batch.games, type(batch.games)) == (3, int)
    assert batch.observe(seat=np.int32(1)).shape == (3, 658)  # type: ignore[arg-type]
    assert batch.play(np.int16(2)).moves == 6  # type: ignore[arg-type]
    batch.deal(np.uint64(2**64 - 1))  # type: ignore[arg-type]


# Actions.


@pytest.mark.parametrize(
    "actions",
    [
        None,
        5,
        5.0,
        "5" * GAMES,
        [5] * (GAMES - 1),
        [5] * (GAMES + 1),
        [],
        [5.0] * GAMES,
        [True] * GAMES,
        ["5"] * GAMES,
        [None] * GAMES,
        [[5]] * GAMES,
        [[5], [5, 5]] * (GAMES // 2),
        [2**70] * GAMES,
        np.full(GAMES, 5.0),
        np.full((GAMES, 1), 5),
        np.full((1, GAMES), 5),
        np.full(GAMES, 5j),
        {5: 5},
    ],
    ids=repr,
)
@pytest.mark.parametrize("illegal", ["raise", "mask", "penalise"])
def test_anything_but_one_integer_per_game_is_refused_as_actions(actions: Any, illegal: str) -> None:
    batch = played(illegal=illegal)
    assert f"{GAMES} games" in refused(batch, lambda: batch.step(actions), "bad_actions")


@pytest.mark.parametrize("speed", ["compiled", "interpreted"])
@pytest.mark.parametrize("action", [-1, 0, 20, 255, 256, 2**31, 2**32 + 5, -(2**40), 2**63 - 1, -(2**63), 2**64 - 1])
def test_an_illegal_action_is_refused_before_any_game_changes(action: int, speed: str) -> None:
    """A discard is illegal at the start; there are actions 0 to 19."""
    batch = Batch(Rules(), GAMES, seed=1, speed=speed)
    before, actions = contents(batch), batch.legal.argmax(axis=1).tolist()
    for place in (0, 3, GAMES - 1):
        wrong = np.array([*actions[:place], action, *actions[place + 1 :]], np.uint64 if action >= 2**63 else np.int64)
        with pytest.raises(IllegalError) as refusal:
            batch.step(wrong)
        assert refusal.value.code == "illegal_action"
        assert f"in game {place};" in str(refusal.value)
        assert contents(batch) == before
    batch.step(actions)


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.uint32, np.int32, np.uint64, np.int64])
def test_actions_may_have_any_integer_type_and_memory_order(kind: type[Any]) -> None:
    expected = played(turns=0)
    expected.step(expected.legal.argmax(axis=1))
    for apart in (1, 2):
        batch = played(turns=0)
        batch.step(np.repeat(batch.legal.argmax(axis=1), apart).astype(kind)[::apart])
        assert contents(batch) == contents(expected)


# Deals.


@pytest.mark.parametrize(
    "places", [5, -1, [-1], [GAMES], [1, 1], [0.0], [[0]], [[0], [0, 1]], ["0"], [True], [None], np.ones(7, bool)]
)
def test_deals_into_invalid_places_are_refused(places: Any) -> None:
    batch = played()
    refused(batch, lambda: batch.deal(places=places), "bad_places")
    refused(batch, lambda: batch.observe(places=places), "bad_places")


def test_invalid_decks_are_refused() -> None:
    batch = played()
    good = decks_of(batch)
    twice, foreign = good.copy(), good.astype(int)
    twice[3, 0] = twice[3, np.flatnonzero(good[3] != good[3, 0])[0]]
    foreign[0, 0] = 25
    for decks in (
        good[:-1], good[0], good[:, :-1], good.astype(float), good.tolist()[:-1], twice, foreign, -good.astype(int), [], 5,
        "deck", [[1], [2, 3]], good[None], good.astype(int) + 256,
    ):  # fmt: skip
        refused(batch, lambda decks=decks: batch.deal(decks=decks), "bad_decks")  # type: ignore[misc]
    refused(batch, lambda: batch.deal(decks=good, places=[1, 2]), "bad_decks")
    refused(batch, lambda: batch.deal(decks=good[:1], places=[1, 2]), "bad_decks")


@pytest.mark.parametrize("seed", [-1, 2**64, 1.0, "1", True, [1]])
def test_invalid_seeds_are_refused(seed: Any) -> None:
    batch = played()
    refused(batch, lambda: batch.deal(seed), "bad_seed")
    refused(batch, lambda: batch.deal(seed, places=[1]), "bad_seed")
    refused(batch, lambda: batch.resample(seed=seed), "bad_seed")


# Observing.


def read_only() -> Any:
    buffer = np.zeros((GAMES, CELLS), np.uint8)
    buffer.flags.writeable = False
    return buffer


@pytest.mark.parametrize(
    "buffer",
    [
        np.zeros((GAMES, CELLS - 1), np.uint8),
        np.zeros((GAMES, CELLS + 1), np.uint8),
        np.zeros((GAMES - 1, CELLS), np.uint8),
        np.zeros((GAMES + 1, CELLS), np.uint8),
        np.zeros((CELLS, GAMES), np.uint8),
        np.zeros(GAMES * CELLS, np.uint8),
        np.zeros((1, GAMES, CELLS), np.uint8),
        np.zeros((GAMES, CELLS), np.int8),
        np.zeros((GAMES, CELLS), np.float32),
        np.zeros((GAMES, CELLS), bool),
        np.zeros((GAMES, CELLS), object),
        np.zeros((GAMES, CELLS), np.uint8, order="F"),
        np.zeros((GAMES, 2 * CELLS), np.uint8)[:, ::2],
        np.zeros((2 * GAMES, CELLS), np.uint8)[::2],
        np.zeros((GAMES, CELLS + 1), np.uint8)[:, 1:],
        np.zeros((GAMES, CELLS), np.uint8)[::-1],
        read_only(),
        np.zeros((GAMES, CELLS), np.uint8).tolist(),
        bytearray(GAMES * CELLS),
        "buffer",
        5,
    ],
    ids=lambda buffer: f"{type(buffer).__name__} {getattr(buffer, 'dtype', '')} {getattr(buffer, 'strides', '')}",
)
@pytest.mark.parametrize("speed", ["compiled", "interpreted"])
def test_a_buffer_of_another_shape_type_or_order_is_refused(buffer: Any, speed: str) -> None:
    batch = Batch(Rules(), GAMES, seed=1, speed=speed)
    before = buffer.tobytes() if isinstance(buffer, np.ndarray) and buffer.dtype != object else None
    words = refused(batch, lambda: batch.observe(out=buffer), "bad_buffer")
    assert "uint8" in words
    assert f"({GAMES}, {CELLS})" in words
    assert before is None or buffer.tobytes() == before


def test_words_of_bits_need_a_buffer_of_words() -> None:
    batch = played()
    refused(batch, lambda: batch.observe(kind="bits", out=np.zeros((GAMES, 21), ">u4")), "bad_buffer")
    refused(batch, lambda: batch.observe(kind="bits", out=np.zeros((GAMES, CELLS), np.uint8)), "bad_buffer")
    refused(batch, lambda: batch.observe(kind="bits", out=np.zeros((GAMES, 20), np.uint32)), "bad_buffer")
    batch.observe(kind="bits", out=np.zeros((GAMES, 21), np.uint32))


def test_unknown_encoders_and_kinds_are_refused() -> None:
    batch = played()
    for encoder in ("", "Canonical", "full", None, 3, ["canonical"]):
        refused(batch, lambda encoder=encoder: batch.observe(encoder), "unknown_encoder")  # type: ignore[misc]
        refused(batch, lambda encoder=encoder: batch.sections(encoder), "unknown_encoder")  # type: ignore[misc]
    for kind in ("", "float64", "int8", None, np.uint8, ["uint8"]):
        refused(batch, lambda kind=kind: batch.observe(kind=kind), "bad_kind")  # type: ignore[misc]
    for kind in ("uint8", "bits"):
        assert "float32" in refused(batch, lambda kind=kind: batch.observe("belief", kind=kind), "bad_kind")  # type: ignore[misc]


@pytest.mark.parametrize("seat", [-1, 2, 255, 2**70, 1.0, "1", True, [1]])
def test_invalid_seats_are_refused(seat: Any) -> None:
    batch = played()
    refused(batch, lambda: batch.observe(seat=seat), "bad_number")
    refused(batch, lambda: batch.resample(seat), "bad_number")


@pytest.mark.parametrize("place", [-1, GAMES, 2**70, 0.0, "0", None, False])
def test_invalid_places_have_no_game(place: Any) -> None:
    batch = played()
    refused(batch, lambda: batch.game(place), "bad_number")


def test_invalid_turns_and_policies_are_refused() -> None:
    batch = played()
    for turns in (0, -1, 2.0, "5", None, True, 2**60):
        refused(batch, lambda turns=turns: batch.play(turns), "bad_number")  # type: ignore[misc]
    for policy in ("", "best", None, 5, ["random"]):
        refused(batch, lambda policy=policy: batch.play(1, policy), "unknown_bot")  # type: ignore[misc]


def test_long_values_are_shortened_in_messages() -> None:
    batch = played()
    for wish in (
        lambda: batch.play(1, "x" * 10_000),
        lambda: batch.observe("x" * 10_000),
        lambda: batch.observe(kind="x" * 10_000),
        lambda: batch.play("x" * 10_000),  # type: ignore[arg-type]
    ):
        with pytest.raises(MalformedError) as refusal:
            wish()
        assert len(str(refusal.value)) < 200


def test_the_arrays_of_a_batch_are_read_only() -> None:
    batch = played()
    shown = [batch.legal, batch.rewards, batch.endings, batch.scores, batch.illegal, batch.step(batch.legal.argmax(axis=1))]
    before = contents(batch)
    for array in shown:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    assert contents(batch) == before


# Closing.


@pytest.mark.parametrize("threads", [1, 2])
def test_a_closed_batch_refuses_everything_but_closing(threads: int) -> None:
    with played(threads=threads) as batch:
        saved = batch.save()
    batch.close()
    wishes: list[Callable[[], object]] = [
        batch.deal,
        lambda: batch.deal(1, places=[1]),
        lambda: batch.step([5] * GAMES),
        lambda: batch.play(1),
        batch.observe,
        batch.resample,
        batch.save,
        batch.clone,
        lambda: batch.restore(saved),
        lambda: batch.game(0),
        lambda: batch.seeds,
        lambda: batch.to_move,
        lambda: batch.turns,
        lambda: batch.running,
    ]
    for wish in wishes:
        with pytest.raises(MalformedError) as refusal:
            wish()
        assert refusal.value.code == "closed"


def test_leaving_the_context_by_an_error_closes_the_batch() -> None:
    with pytest.raises(ZeroDivisionError), played(threads=2) as batch:
        raise ZeroDivisionError
    with pytest.raises(MalformedError, match="closed"):
        batch.play(1)


# States.


@pytest.mark.slow
@pytest.mark.parametrize("rules", [*all_rules()[::5], Rules(players=5, hand_size=2, colours=2, clue_tokens=1)], ids=str)
def test_every_position_of_a_game_is_valid(rules: Rules) -> None:
    states = []
    for seed, style in enumerate([random_action, careful_action, patient_action] * 2):
        game = Game(rules, seed=seed)
        states.append(game.state)
        for _ in moves_of_a_game(game, random.Random(seed), style):
            states.append(game.state)
        assert game.outcome is not None
    assert are_valid_states(np.stack([np.frombuffer(state, np.uint8) for state in states]), layout_of(rules))
