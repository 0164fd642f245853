"""How far the needs of searches are is remembered of so many, and none is tried for ever."""

from __future__ import annotations

from tamaya import Rules
from tamaya.workers.search_pool import MAX_CRASHES, MAX_STATES, CompileKey, CompileState, CompileStates

RULES = Rules(players=2)
NEED = CompileKey.of(RULES, ["simple"])


def test_a_need_is_the_same_whatever_the_order_of_its_policies() -> None:
    assert CompileKey.of(RULES, ["b", "a", "b"]) == CompileKey.of(RULES, ["a", "b"])


def test_what_nobody_has_asked_about_for_longest_is_forgotten() -> None:
    needs, known = [CompileKey.of(RULES, [str(number)]) for number in range(MAX_STATES + 1)], CompileStates()
    for need in needs[:-1]:
        known.settle(need, CompileState.READY)
    assert known.state(needs[0]) is CompileState.READY
    known.record_crash(needs[-1])
    assert [known.state(need) for need in needs[:3]] == [CompileState.READY, CompileState.COLD, CompileState.READY]
    assert len(known._states) == MAX_STATES


def test_counts_of_what_broke_are_forgotten_with_it() -> None:
    known = CompileStates()
    for number in range(2 * MAX_STATES):
        known.record_crash(CompileKey.of(RULES, [str(number)]))
    assert len(known._crashes) == len(known._states) == MAX_STATES


def test_what_breaks_is_tried_again_but_not_for_ever() -> None:
    known, found = CompileStates(), list[CompileState]()
    for _ in range(MAX_CRASHES):
        known.record_crash(NEED)
        found.append(known.state(NEED))
    assert found == [CompileState.COLD] * (MAX_CRASHES - 1) + [CompileState.IMPOSSIBLE]


def test_what_went_well_has_all_its_tries_again() -> None:
    known = CompileStates()
    for _ in range(MAX_CRASHES - 1):
        known.record_crash(NEED)
    known.settle(NEED, CompileState.READY)
    known.record_crash(NEED)
    assert known.state(NEED) is CompileState.COLD
