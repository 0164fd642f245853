"""How far the needs of searches are is remembered of so many, and none is tried for ever."""

from __future__ import annotations

from tamaya import Rules
from tamaya.workers.search_pool import MOST_BROKEN, MOST_KNOWN, KnownNeeds, Need, Warmth

RULES = Rules(players=2)
NEED = Need.of(RULES, ["simple"])


def test_a_need_is_the_same_whatever_the_order_of_its_policies() -> None:
    assert Need.of(RULES, ["b", "a", "b"]) == Need.of(RULES, ["a", "b"])


def test_what_nobody_has_asked_about_for_longest_is_forgotten() -> None:
    needs, known = [Need.of(RULES, [str(number)]) for number in range(MOST_KNOWN + 1)], KnownNeeds()
    for need in needs[:-1]:
        known.settle(need, Warmth.READY)
    assert known.warmth(needs[0]) is Warmth.READY
    known.broke(needs[-1])
    assert [known.warmth(need) for need in needs[:3]] == [Warmth.READY, Warmth.COLD, Warmth.READY]
    assert len(known._warmth) == MOST_KNOWN


def test_counts_of_what_broke_are_forgotten_with_it() -> None:
    known = KnownNeeds()
    for number in range(2 * MOST_KNOWN):
        known.broke(Need.of(RULES, [str(number)]))
    assert len(known._broken) == len(known._warmth) == MOST_KNOWN


def test_what_breaks_is_tried_again_but_not_for_ever() -> None:
    known, found = KnownNeeds(), list[Warmth]()
    for _ in range(MOST_BROKEN):
        known.broke(NEED)
        found.append(known.warmth(NEED))
    assert found == [Warmth.COLD] * (MOST_BROKEN - 1) + [Warmth.NEVER]


def test_what_went_well_has_all_its_tries_again() -> None:
    known = KnownNeeds()
    for _ in range(MOST_BROKEN - 1):
        known.broke(NEED)
    known.settle(NEED, Warmth.READY)
    known.broke(NEED)
    assert known.warmth(NEED) is Warmth.COLD
