"""Instances of plain functions: one for each setting, independent, each with its own values and functions."""

from __future__ import annotations

import inspect
import linecache
import math
import operator
import pickle
import re
import sys
import traceback
from array import array
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from cProfile import Profile
from dataclasses import dataclass
from functools import partial
from pstats import Stats
from threading import Barrier
from types import FunctionType
from typing import Any

import pytest

from tamaya import Rules
from tamaya.bots.simple import SIMPLE
from tamaya.engine.instances import (
    INTERPRETED,
    Fields,
    Instance,
    LookupTable,
    Options,
    Placeholder,
    Row,
    Setting,
    call,
    derived,
    inline,
    instance_of,
    one_of,
    options_of,
    per_rules,
    per_setting,
)
from tamaya.engine.kernel import deal, ending, hands, turn
from tamaya.engine.layout import Layout, layout, layout_of
from tests.programs import run_python

OPTIONS = Options()
TWO, FIVE = Setting(Rules(players=2)), Setting(Rules(players=5))


@dataclass(frozen=True)
class Guessing(Setting):
    """A setting of its own: the rules, and a guess."""

    guess: int


def guess_of(setting: Guessing) -> int:
    return setting.guess


def refuse_rules(rules: Rules) -> int:
    raise ValueError("a value that these rules do not have")


players: int = per_rules(lambda rules: rules.players)
pairs: int = derived(players, lambda players: players * (players - 1))
squares: LookupTable = derived(players, lambda players: LookupTable(number**2 for number in range(players)))
guess: int = per_setting(guess_of)
missing: int = per_rules(refuse_rules)


def pair_count() -> int:
    return pairs


def square(number: int) -> int:
    return squares[number]


def guessed(row: Row, add: int) -> int:
    return guess + row[0] + add


def seats_up(which: Row, add: int) -> int:
    return players + which[0] + add


def needs_missing() -> int:
    return square(1) + missing


def needs_closed() -> int:
    return square(1) + closed()


def enclosed(number: int) -> Callable[[], int]:
    def closed() -> int:
        return number

    return closed


closed = enclosed(3)
itself: Any = sys.modules[__name__]


def dealt(setting: Setting) -> bytearray:
    state = bytearray(layout_of(setting.rules).size)
    instance_of(setting)(deal.deal)(state, 1, 2)
    return state


def test_instances_of_two_rule_sets_are_independent() -> None:
    two, five = instance_of(TWO), instance_of(FIVE)
    states = {own: dealt(own.setting) for own in (two, five)}
    for own in (two, five, two, five):
        rules = own.setting.rules
        assert [own(hands.hand_count)(states[own], seat) for seat in range(rules.players)] == [rules.hand_size] * rules.players
        mask = bytearray(layout_of(rules).actions)
        own(turn.legal)(states[own], mask)
        own(turn.apply)(states[own], mask.index(1, rules.hand_size))
    assert [(own(pair_count)(), own(square)(1)) for own in (two, five)] == [(2, 1), (20, 1)]


def test_a_function_is_made_once_and_calls_the_instances_copies() -> None:
    two = instance_of(TWO)
    assert two(hands.hand_count) is two(hands.hand_count) is not instance_of(FIVE)(hands.hand_count)
    assert two(hands.card_at).__globals__["number_at"] is two(hands.number_at)
    assert two(turn.apply).__globals__["ending"].finish_turn is two(ending.finish_turn), "of a module too"
    assert ending.finish_turn is not two(ending.finish_turn), "the module itself stays as it is"
    assert two(hands.hand_count).__globals__["layout"] is two.value(layout)


def factorial(number: int) -> int:
    return number * factorial(number - 1) if number > 0 else players


def is_even(number: int) -> bool:
    return is_odd(number - 1) if number else True


def is_odd(number: int) -> bool:
    return is_even(number - 1) if number else False


def test_functions_call_themselves_and_each_other() -> None:
    assert [instance_of(setting)(factorial)(4) for setting in (TWO, FIVE)] == [48, 120]
    own = instance_of(TWO)(is_even)
    assert (own(10), own(7)) == (True, False)
    assert own.__globals__["is_odd"].__globals__["is_even"] is own


def with_inner_functions(number: int) -> list[int]:
    return sorted((players - each for each in range(number)), key=lambda each: each % players)


def test_nested_functions_are_copied_too() -> None:
    assert instance_of(FIVE)(with_inner_functions)(6) == [5, 0, 1, 2, 3, 4]


def test_copies_keep_defaults_docstrings_and_names() -> None:
    def plain(first: int, second: int = 2, *, third: int = 3) -> int:
        """The sum."""
        return first + second + third

    own = instance_of(TWO)(call(plain))
    assert own(1) == 6
    assert (own.__doc__, own.__qualname__, own.__module__) == (plain.__doc__, plain.__qualname__, __name__)


def test_tracebacks_and_profiles_have_the_names_files_and_lines_of_the_source() -> None:
    own = instance_of(TWO)(hands.card_at)
    with pytest.raises(IndexError) as problem, Profile() as profile:
        own(bytearray(3), 0, 0)
    last = traceback.extract_tb(problem.value.__traceback__)[-1]
    assert (last.name, last.filename) == ("number_at", hands.__file__)
    assert last.line is not None
    assert last.line.startswith("return state[layout.hands")
    profiled = {(file, name) for file, _, name in Stats(profile).stats}  # type: ignore[attr-defined]
    assert {(hands.__file__, "card_at"), (hands.__file__, "number_at")} <= profiled


class Holder:
    missing, closed, pairs = 1, 2, 3


def total(holder: Holder) -> int:
    return holder.missing + holder.closed + holder.pairs + int(itself.pair_count())


def test_attributes_with_the_name_of_a_global_do_not_use_the_global() -> None:
    """`missing` has no value under any rules, and `closed` is refused as a function."""
    own = instance_of(FIVE)(total)
    assert own(Holder()) == 26
    assert own.__globals__.keys() - {"__name__", "__builtins__"} == {"itself"}


# Functions outside the dialect.


def test_functions_outside_the_dialect_cannot_be_requested() -> None:
    for function in (run_python, math.sqrt, Rules, 3, None):
        with pytest.raises(TypeError, match="is no plain function: its module declares no OPTIONS"):
            instance_of(TWO)(function)  # type: ignore[type-var]
    with pytest.raises(TypeError, match=r"^tests\.programs\.run_python is no"):
        instance_of(TWO)(run_python)


def roots(number: int) -> tuple[int, object]:
    return math.isqrt(number), run_python


def test_functions_outside_the_dialect_are_called_unchanged() -> None:
    own = instance_of(TWO)(roots)
    assert own(10) == (3, run_python)
    assert own.__globals__["math"] is math


def test_the_options_of_a_function_override_its_modules() -> None:
    def plain() -> int:
        return 1

    functions = (plain, inline(FunctionType(plain.__code__, globals())), hands.hand_count, run_python)
    kinds = [options_of(function) for function in functions if isinstance(function, FunctionType)]
    assert kinds == [OPTIONS, Options("inline"), Options("inline"), None]


def test_closures_are_refused_on_every_call_from_any_function() -> None:
    own = Instance(TWO)
    for function in (closed, needs_closed, closed, needs_closed):
        with pytest.raises(TypeError, match=r"enclosed\.<locals>\.closed closes over number; a plain function takes constants"):
            own(function)
    assert own(square)(1) == 1


def test_a_value_that_cannot_be_made_raises_every_time() -> None:
    own = Instance(TWO)
    for _ in range(2):
        with pytest.raises(ValueError, match="a value that these rules do not have"):
            own(needs_missing)
    assert own(square)(1) == 1


# Placeholders.

OPERATORS: list[Callable[[Any, Any], object]] = [
    operator.add, operator.sub, operator.mul, operator.floordiv, operator.truediv, operator.mod, operator.pow,
    operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift,
    operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne,
]  # fmt: skip
USES: list[Callable[[Any], object]] = [
    lambda value: value.players, lambda value: value[0], lambda value: operator.setitem(value, 0, 1), lambda value: 3 in value,
    lambda value: value(1), list, len, int, bool, range, operator.neg, operator.invert,
    *(partial(do, 3) for do in OPERATORS),
    *(lambda value, do=do: do(value, 3) for do in OPERATORS),
]  # fmt: skip


@pytest.mark.parametrize("use", USES)
def test_a_placeholder_used_directly_raises_with_its_module_and_line(use: Callable[[Any], object]) -> None:
    with pytest.raises(LookupError) as refusal:
        use(layout)
    found = re.match(r"tamaya\.engine\.layout, line (\d+), has no value here: .*instance_of\(Setting", str(refusal.value))
    assert found
    assert linecache.getline(inspect.getfile(Layout), int(found[1])) == "layout: Layout = per_rules(layout_of)\n"


def test_a_placeholder_has_a_repr_and_a_plain_function_call_raises() -> None:
    assert isinstance(layout, Placeholder)
    assert repr(layout).startswith("<placeholder: tamaya.engine.layout, line ")
    assert not hasattr(layout, "__wrapped__")
    assert len({layout, players, layout}) == 2
    with pytest.raises(LookupError, match=r"tamaya\.engine\.layout, line \d+, has no value here"):
        hands.hand_count(bytearray(200), 0)


def test_derived_values_follow_from_given_ones() -> None:
    own = Instance(TWO, given={players: 7})
    assert (own.value(players), own(pair_count)(), own(square)(6)) == (7, 42, 36)
    assert own.value(layout).players == 2
    assert instance_of(TWO)(pair_count)() == 2


def test_values_follow_from_a_setting_subclass() -> None:
    one, other = (instance_of(Guessing(TWO.rules, guess)) for guess in (10, 20))
    assert (one(guessed)([1], 1), other(guessed)([1], 1)) == (12, 22)
    assert one.value(layout) == other.value(layout) == layout_of(TWO.rules)
    with pytest.raises(AttributeError, match="guess"):
        instance_of(TWO)(guessed)


def chosen_of(setting: Setting) -> Callable[[int, Row, int], int]:
    settings = (Guessing(FIVE.rules, 10), setting, setting)
    return one_of((guessed, seats_up, square_of), settings, (None, None, Fields((("own", 0),))))


def square_of(memory: Any, add: int) -> int:
    return int(memory.own**2 + add)


chosen: Callable[[int, Row, int], int] = per_setting(chosen_of)


def choose(which: int, row: Row) -> int:
    return chosen(which, row, 3)


def test_one_of_calls_the_numbered_function_with_its_own_setting() -> None:
    own = instance_of(TWO)(choose)
    assert [own(which, memoryview(array("q", [4]))) for which in range(3)] == [17, 9, 19]
    with pytest.raises(TypeError):
        instance_of(TWO).value(chosen)(0)  # type: ignore[call-arg]


# Instances.


def test_settings_and_instances_survive_pickling() -> None:
    for setting in (TWO, Guessing(Rules(players=3), 4)):
        assert pickle.loads(pickle.dumps(setting)) == setting
        assert pickle.loads(pickle.dumps(instance_of(setting))) is instance_of(setting)
    assert pickle.loads(pickle.dumps(INTERPRETED)) is INTERPRETED
    assert pickle.loads(pickle.dumps(SIMPLE)) == SIMPLE


def test_an_instance_with_given_values_cannot_be_pickled() -> None:
    with pytest.raises(TypeError, match="given values"):
        pickle.dumps(Instance(TWO, given={players: 7}))


def test_an_instance_can_be_pickled_to_another_process() -> None:
    code = f"""
import pickle
from tamaya.engine.kernel.deal import deal
own = pickle.loads({pickle.dumps(instance_of(FIVE))!r})
state = bytearray({layout_of(FIVE.rules).size})
own(deal)(state, 1, 2)
print(state.hex(), end="")
"""
    assert run_python("-c", code, check=True).stdout == dealt(FIVE).hex()


made: list[Rules] = []


def count_seats(rules: Rules) -> int:
    made.append(rules)
    return rules.players


counted: int = per_rules(count_seats)


def seats_counted() -> int:
    return counted


def test_concurrent_threads_get_the_same_instance() -> None:
    setting, together = Guessing(Rules(players=4), 99), Barrier(8)

    def ask(_: int) -> tuple[Instance, Callable[[], int]]:
        together.wait()
        own = instance_of(setting)
        return own, own(seats_counted)

    made.clear()
    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(ask, range(8)))
    assert len(found) == 1
    assert made == [setting.rules]
    assert found.pop()[1]() == 4


# Named rows.


def test_a_named_row_reads_and_writes_its_fields() -> None:
    fields = Fields((("first", 0), ("seats", 5), ("row", 0), ("guesses", 3), ("last", 0)))
    numbers = array("q", range(100, 113))
    named = INTERPRETED.view(fields)(memoryview(numbers))
    assert (named.first, list(named.seats), named.row) == (100, [101, 102, 103, 104, 105], 106)
    assert (list(named.guesses), named.last) == ([107, 108, 109], 110)
    named.first += 1
    named.row = -1
    named.seats[4] += 10
    part = named.guesses[1:]
    part[0], part[1] = 1, 2
    numbers[10] = 4
    assert named.last == 4
    assert numbers.tolist() == [101, 101, 102, 103, 104, 115, -1, 107, 1, 2, 4, 111, 112]
    with pytest.raises(IndexError):
        named.seats[5] = 1
    with pytest.raises(AttributeError):
        named.second = 1
