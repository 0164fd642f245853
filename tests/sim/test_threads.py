"""Batches are safe with threads, processes and careless callers."""

from threading import Event

import pytest

from tamaya.engine.layout import CLUES, DRAWN, HEAD, LAST_TURNS, NO_CARD, NUMBER, SLOT
from tamaya.rules import MalformedError, Rules
from tamaya.sim import Batch, Snapshot
from tamaya.sim.threads import Threads
from tests.limits import WAIT
from tests.programs import run_python


def test_every_game_is_in_exactly_one_range() -> None:
    for count in (1, 2, 3, 7):
        for games in (0, 1, 5, 100):
            done: list[int] = []
            Threads(count).map_ranges(lambda first, last, _, done=done: done.extend(range(first, last)), games)  # type: ignore[misc]
            assert sorted(done) == list(range(games))


def test_after_a_failure_in_one_thread_the_others_have_finished() -> None:
    failed, finished = Event(), Event()

    def work(first: int, last: int, thread: int) -> None:
        if thread == 0:
            failed.set()
            raise KeyboardInterrupt
        assert failed.wait(WAIT)
        Event().wait(0.05)
        finished.set()

    with pytest.raises(KeyboardInterrupt):
        Threads(2).map_ranges(work, 10)
    assert finished.is_set()


def test_a_batch_with_threads_works_in_a_forked_process() -> None:
    code = """
import os
from tamaya.sim import Batch
batch = Batch(games=4, seed=1, threads=2, speed="interpreted")
batch.play(3)
child = os.fork()
if child == 0:
    batch.play(3)
    os._exit(int(batch.turns[0]))
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    done = run_python("-c", code, check=True)
    assert done.stdout == "6\n"


@pytest.mark.parametrize("name", ["legal", "rewards", "endings", "scores", "illegal"])
def test_the_arrays_of_a_batch_are_read_only(name: str) -> None:
    batch = Batch(games=2, seed=1, speed="interpreted")
    with pytest.raises(ValueError, match="read-only"):
        getattr(batch, name)[:] = 1


def test_a_running_game_without_legal_actions_is_refused() -> None:
    rules = Rules(players=2, colours=1, hand_size=1)
    batch = Batch(rules, 1, seed=1, speed="interpreted")
    states, layout = batch.save().states, batch.layout
    states[0, :HEAD] = 0
    states[0, [CLUES, DRAWN, LAST_TURNS]] = 0, layout.deck_size, 1
    states[0, layout.discards : layout.deck] = layout.copies
    hands = states[:, layout.hands :].reshape(-1, SLOT)
    hands[:] = 0
    hands[:, NUMBER] = NO_CARD
    before = batch.save().states
    with pytest.raises(MalformedError, match="does not hold 1 games"):
        batch.restore(Snapshot(rules, states, batch.save().seeds))
    assert (batch.save().states == before).all()
