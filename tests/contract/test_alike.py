"""After any changes, every store answers like the one in memory."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

import pytest

from tamaya import MalformedError
from tamaya.table import ConflictError, EventBatch, GameFilter, Phase, Store, TableSummary
from tests.contract.batches import SHORT_RETENTION
from tests.contract.place import PersistentPlace
from tests.support.games import some_filter, some_game
from tests.support.memory_store import MemoryStore

STEPS, TABLES = 150, 12
PEOPLE = ("p-ann", "p-P00", "p-P11", "p-none")
Step = Callable[[Store], Awaitable[object]]


def after(summary: TableSummary, choice: random.Random, now: float) -> TableSummary:
    """A table a little later: after a message or a move, ended, left by a player, or open to join."""
    phase = choice.choice((summary.phase, summary.phase, *Phase))
    people = summary.player_ids if choice.random() < 0.8 else summary.player_ids[:1]
    return replace(
        summary,
        phase=phase,
        updated_at=now,
        player_ids=people,
        player_names=summary.player_names[: len(people)],
        progress=summary.progress if phase is summary.phase else some_game(choice, 0).progress,
        ended=now if phase is Phase.ENDED else None,
        offered=choice.choice(("", "p-ann", "p-host")) if phase is Phase.OPEN else "",
    )


def some_batches(model: MemoryStore, choice: random.Random, now: float) -> list[EventBatch]:
    """The batches of one call: for one table or several, or two for the same, sometimes with a wrong number."""
    batches, last, summaries = list[EventBatch](), dict[str, int](), dict(model.listings)
    for number in choice.choices(range(TABLES), k=choice.choice((1, 1, 2, 3))):
        new = replace(some_game(choice, number), updated_at=now)
        code = new.code
        before = summaries.get(code)
        summary = after(before, choice, now) if before else replace(new, ended=now if new.phase is Phase.ENDED else None)
        first = last.get(code, len(model.kept.get(code, ()))) + 1
        lines = tuple(f"{first + line} {now}" for line in range(choice.choice((1, 2, 5))))
        batches.append(EventBatch(summary, first + choice.choice((*[0] * 12, -1, 1)), lines))
        last[code], summaries[code] = first - 1 + len(lines), summary
    return batches


def some_step(model: MemoryStore, choice: random.Random, now: float) -> Step:
    """A random change, the same for each store that it is applied to."""
    code, person = f"table{choice.randrange(TABLES):04}", choice.choice(PEOPLE)
    batches, sequence = some_batches(model, choice, now), len(model.kept.get(code, ())) - choice.choice((0, 0, 1))
    steps: Sequence[Step] = (
        *[lambda store: store.append(batches)] * 12,
        lambda store: store.remove(code, sequence),
        lambda store: store.delete_solo_games(person),
        lambda store: store.save_analysis(code, f"words {now}"),
        *[lambda store: store.sweep(replace(SHORT_RETENTION, share=0.2), now)] * 2,
    )
    return choice.choice(steps)


async def outcome(step: Step, store: Store) -> object:
    try:
        return await step(store)
    except (ConflictError, MalformedError) as refusal:
        return type(refusal), getattr(refusal, "code", "")


async def everything(store: Store, wanted: Sequence[GameFilter]) -> dict[str, object]:
    """The results of all reads of a store."""
    codes = [f"table{number:04}" for number in range(TABLES)]
    results: dict[str, object] = {
        f"of {code}": (await store.read_events(code), await store.last_sequence(code), await store.load_analysis(code))
        for code in codes
    }
    for person in PEOPLE:
        results[f"{person}'s partners"] = await store.partners_of(person)
        results[f"{person}'s ended games"] = await store.finished_codes(person)
        results[f"on offer to {person}"] = await store.open_tables(person)
        for number, one in enumerate(wanted):
            results[f"{person}'s games, filter {number}"] = await store.tables_of(person, one, limit=5, skip=number)
            results[f"{person}'s summary, filter {number}"] = await store.summary_of(person, one)
    return results


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (2, 100))])
def test_after_any_steps_every_store_answers_as_the_one_in_memory(persistent: PersistentPlace, seed: int) -> None:
    choice, model = random.Random(seed), MemoryStore(at_once=True)

    async def steps(store: Store) -> None:
        now, refused = 1000.0, 0
        for number in range(STEPS):
            now += choice.choice((0.5, 1.0, 5.0, 30.0))
            step = some_step(model, choice, now)
            expected = await outcome(step, model)
            assert await outcome(step, store) == expected
            refused += isinstance(expected, tuple) and ConflictError in expected
            if number % 10 == 9:
                wanted = [GameFilter(), *(some_filter(choice) for _ in range(3))]
                assert await everything(store, wanted) == await everything(model, wanted)
        assert refused, "some calls were refused"

    persistent.use(steps)
