"""The cache of compile states is bounded, and so are retries."""

from __future__ import annotations

from tamaya import Rules
from tamaya.workers.search_pool import MAX_CRASHES, MAX_STATES, CompileKey, CompileState, CompileStates

RULES = Rules(players=2)
KEY = CompileKey.of(RULES, ["simple"])


def test_a_compile_key_does_not_depend_on_the_order_of_policies() -> None:
    assert CompileKey.of(RULES, ["b", "a", "b"]) == CompileKey.of(RULES, ["a", "b"])


def test_the_least_recently_used_state_is_evicted() -> None:
    keys, known = [CompileKey.of(RULES, [str(number)]) for number in range(MAX_STATES + 1)], CompileStates()
    for key in keys[:-1]:
        known.settle(key, CompileState.READY)
    assert known.state(keys[0]) is CompileState.READY
    known.record_crash(keys[-1])
    assert [known.state(key) for key in keys[:3]] == [CompileState.READY, CompileState.COLD, CompileState.READY]
    assert len(known._states) == MAX_STATES


def test_crash_counts_are_evicted_with_their_key() -> None:
    known = CompileStates()
    for number in range(2 * MAX_STATES):
        known.record_crash(CompileKey.of(RULES, [str(number)]))
    assert len(known._crashes) == len(known._states) == MAX_STATES


def test_crashes_are_retried_but_not_forever() -> None:
    known, found = CompileStates(), list[CompileState]()
    for _ in range(MAX_CRASHES):
        known.record_crash(KEY)
        found.append(known.state(KEY))
    assert found == [CompileState.COLD] * (MAX_CRASHES - 1) + [CompileState.IMPOSSIBLE]


def test_a_success_resets_the_crash_count() -> None:
    known = CompileStates()
    for _ in range(MAX_CRASHES - 1):
        known.record_crash(KEY)
    known.settle(KEY, CompileState.READY)
    known.record_crash(KEY)
    assert known.state(KEY) is CompileState.COLD
