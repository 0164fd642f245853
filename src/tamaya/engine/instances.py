"""Instances of plain functions: copies of them, specialised to one game's rules and interpreted or compiled.

The rules and the bots are ordinary functions at the top of ordinary modules. A value that depends on the rules of a game is
a global of its module, declared as a placeholder::

    layout: Layout = per_rules(layout_of)

    def clues_left(state: Row) -> bool:
        return state[CLUES] < layout.clue_tokens

An `Instance` holds all plain functions for one setting (the rules, and what else matters) at one speed. Called with a
function, it returns its own copy: the same bytecode over globals in which each placeholder has its value and each plain
function is the instance's own copy too. Compilers take globals for constants, so none of this costs anything at run time.

A function belongs to this dialect if its module declares `OPTIONS`, or if it is decorated with `options`; other functions,
and modules such as ``math``, are left alone.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass, replace
from dis import get_instructions
from functools import cache, lru_cache
from itertools import pairwise
from threading import Lock, RLock
from types import CodeType, FunctionType, ModuleType
from typing import Any, Concatenate, NoReturn, ParamSpec, Protocol, TypeAlias, TypeVar, cast, overload

from tamaya.rules import Rules

Value = TypeVar("Value")
Source = TypeVar("Source")
Function = TypeVar("Function", bound=Callable[..., Any])
Arguments = ParamSpec("Arguments")
Part_co = TypeVar("Part_co", covariant=True)


class Row(Protocol):
    """A flat row of integers: a game's state, what a seat sees of it, a mask of actions, a policy's memory."""

    @overload
    def __getitem__(self, at: int, /) -> int: ...
    @overload
    def __getitem__(self, at: slice, /) -> Row: ...
    def __setitem__(self, at: int, number: int, /) -> None: ...
    def __len__(self) -> int: ...


class Stack(Protocol[Part_co]):
    """Parts of a larger array, in order: rows, or stacks of rows."""

    def __getitem__(self, at: int, /) -> Part_co: ...
    def __len__(self) -> int: ...


Rows: TypeAlias = Stack[Row]


@dataclass(frozen=True)
class Setting:
    """What an instance is made for; functions that depend on more than the rules subclass it."""

    rules: Rules

    def __str__(self) -> str:
        return str(self.rules)


SomeSetting = TypeVar("SomeSetting", bound=Setting)


class Placeholder:
    """Stands in a module for a value that differs between instances."""

    def __init__(self, make: Callable[[Instance], object]) -> None:
        frame = sys._getframe(1)
        while frame.f_code.co_name != "<module>" and frame.f_back:
            frame = frame.f_back
        self.make, self._where = make, f"{frame.f_globals['__name__']}, line {frame.f_lineno},"

    def _refuse(self, *_: object) -> NoReturn:
        raise LookupError(
            f"{self._where} has no value here: it depends on the rules. Take the function from an instance, "
            "instance_of(Setting(rules))(function), and let its module declare OPTIONS."
        )

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):  # inspect and others probe for such names
            raise AttributeError(name)
        self._refuse()

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, (int, tuple)) and self._refuse())

    __hash__ = object.__hash__
    __getitem__ = __setitem__ = __contains__ = __call__ = __iter__ = __len__ = __bool__ = __index__ = __int__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = _refuse
    __truediv__ = __rtruediv__ = __pow__ = __rpow__ = __neg__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __invert__ = _refuse
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = _refuse

    def __repr__(self) -> str:
        return f"<placeholder: {self._where}>"


def per_setting(make: Callable[[SomeSetting], Value]) -> Value:
    """A placeholder for a value computed from the setting of an instance."""
    return cast(Value, Placeholder(lambda instance: make(cast(SomeSetting, instance.setting))))


def per_rules(make: Callable[[Rules], Value]) -> Value:
    """A placeholder for a value computed from the rules."""
    return cast(Value, Placeholder(lambda instance: make(instance.setting.rules)))


def derived(source: Source, make: Callable[[Source], Value]) -> Value:
    """A placeholder for a value computed from the value of another placeholder."""
    return cast(Value, Placeholder(lambda instance: make(instance.value(source))))


def per_speed(interpreted: Value, compiled: Value) -> Value:
    """A placeholder for a function that has two versions: one interpreted, one for compilers."""
    return cast(Value, Placeholder(lambda instance: interpreted if instance.speed.interprets else compiled))


class LookupTable(tuple[int, ...]):
    """Constants to be indexed by a run-time number; compiled, a constant array."""


@dataclass(frozen=True)
class Fields:
    """Names for the numbers of a row, in order, each with its length; 0 means a single number."""

    sizes: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Part:
    """A function in the instance of its own setting, and the names it has for its first argument, a row."""

    function: Callable[..., Any]
    setting: Setting
    fields: Fields | None = None


@dataclass(frozen=True)
class Choice:
    """Several functions as one; the first argument selects the function."""

    parts: tuple[Part, ...]


def one_of(
    functions: Iterable[Callable[Concatenate[Any, Arguments], Value]],
    settings: Iterable[Setting],
    fields: Iterable[Fields | None],
) -> Callable[Concatenate[int, Row, Arguments], Value]:
    """Several functions as one: ``choose = one_of([hat.choose, simple.choose], ...)`` is called ``choose(1, memory, ...)``."""
    parts = map(Part, functions, settings, fields)
    return cast(Callable[Concatenate[int, Row, Arguments], Value], Choice(tuple(parts)))


@dataclass(frozen=True)
class Options:
    """How compilers treat a function.

    ``inline``: a few lines that become part of every caller. ``call``: stays a function. ``paste``: its source is put into its
    caller's, for what stands between a loop and long functions, which would otherwise be optimised again in every caller; it
    must be called by its bare name. ``loop``: called from Python, with arrays; compiled on its first call and cached on disk.
    """

    kind: str = "call"


def options(kind: str) -> Callable[[Function], Function]:
    """A decorator that overrides the `OPTIONS` of a function's module."""

    def mark(function: Function) -> Function:
        function.__dict__["options"] = {"kind": kind}
        return function

    return mark


inline, call, paste, loop = options("inline"), options("call"), options("paste"), options("loop")


def options_of(function: FunctionType) -> Options | None:
    """The options of a function, else its module's; None for a function outside the dialect."""
    own, common = function.__dict__.get("options"), function.__globals__.get("OPTIONS")
    if own is None:
        return common if isinstance(common, Options) else None
    return replace(common if isinstance(common, Options) else Options(), **own)


class Speed(Protocol):
    """A way to run functions: interpreted or by a compiler."""

    @property
    def interprets(self) -> bool:
        """Whether functions run without a compiler."""

    def make(self, function: FunctionType, options: Options, setting: Setting) -> Any:
        """The function at this speed."""

    def table(self, numbers: LookupTable) -> Any:
        """Constants to be indexed by a run-time number."""

    def view(self, fields: Fields) -> Callable[[Any], Any]:
        """A function that gives names to the numbers of a row."""

    def is_ready(self, loop: Any, arguments: Iterable[Any]) -> bool:
        """Whether a loop can be called with these arguments without compiling first."""

    def __hash__(self) -> int: ...


class Interpreted:
    """Runs the functions unchanged; loops see NumPy arrays as rows of Python's integers."""

    interprets = True

    def make(self, function: FunctionType, options: Options, setting: Setting) -> Any:
        """The function itself; a loop accepts arrays."""
        return (lambda *arguments: function(*map(as_rows, arguments))) if options.kind == "loop" else function

    def table(self, numbers: LookupTable) -> Any:
        """The numbers themselves."""
        return tuple(numbers)

    def view(self, fields: Fields) -> Callable[[Any], Any]:
        """A class of objects that are views of a row."""
        return view_class(fields)

    def is_ready(self, loop: Any, arguments: Iterable[Any]) -> bool:
        """Always true: nothing is compiled."""
        return True

    def __reduce__(self) -> str:
        return "INTERPRETED"


INTERPRETED = Interpreted()


def as_rows(argument: Any) -> Any:
    """An array, or a named tuple of arrays, as a view for plain Python, or a list of views of its rows."""
    if isinstance(argument, tuple) and hasattr(argument, "_fields"):
        return type(argument)(*map(as_rows, argument))
    if not hasattr(argument, "ndim") or not argument.ndim:
        return argument
    return argument.data if argument.ndim == 1 else [as_rows(row) for row in argument]


@lru_cache(maxsize=256)
def view_class(fields: Fields) -> type[Any]:
    """A class whose attributes are parts of a row: slices, and single numbers that can be written."""
    parts, members, at = list[tuple[str, slice]](), dict[str, Any](), 0
    for name, size in fields.sizes:
        if size:
            parts.append((name, slice(at, at + size)))
        else:
            members[name] = _single(at)
        at += size or 1

    def look(self: Any, row: Any) -> None:
        self._row = row
        for name, part in parts:
            setattr(self, name, row[part])

    return type("Memory", (), {"__slots__": ("_row", *(name for name, _ in parts)), "__init__": look, **members})


def _single(at: int) -> property:
    def write(self: Any, number: int) -> None:
        self._row[at] = number

    return property(lambda self: self._row[at], write)


class Instance:
    """The plain functions for one setting at one speed, each made on first use.

    `given` overrides the values of some placeholders, for example with a layout made by hand.
    """

    def __init__(self, setting: Setting, speed: Speed = INTERPRETED, given: Mapping[Any, object] | None = None) -> None:
        self.setting, self.speed = setting, speed
        self._given = dict(given or {})
        self._made: dict[Any, Any] = self._given.copy()
        self._ready: dict[Any, Any] = {}
        self._lock = RLock()

    def __call__(self, function: Function) -> Function:
        """The instance's own copy of a plain function."""
        if function not in self._ready:
            if not isinstance(function, FunctionType) or not options_of(function):
                raise TypeError(f"{describe(function)} is no plain function: its module declares no OPTIONS.")
            self._ready[function] = self.value(function)
        return cast(Function, self._ready[function])

    def value(self, placeholder: Value) -> Value:
        """The value of a placeholder in this instance."""
        with self._lock:
            made = self._made.copy()
            try:
                return cast(Value, self._own(placeholder))
            except BaseException:
                self._made = made  # publish only now: a function exists before its globals do
                raise

    def __reduce__(self) -> tuple[Any, ...]:
        if self._given:
            raise TypeError("An instance with given values cannot be pickled.")
        return instance_of, (self.setting, self.speed)

    def _own(self, value: Any) -> Any:
        """What replaces a value in the globals of this instance."""
        if isinstance(value, (Placeholder, Choice)) or (isinstance(value, FunctionType) and options_of(value)):
            if value not in self._made:
                self._make(value)
            return self._made[value]
        if isinstance(value, LookupTable):
            return self.speed.table(value)
        return value

    def _make(self, value: Any) -> None:
        if isinstance(value, FunctionType):
            self._function(value)
        else:
            self._made[value] = self._own(value.make(self)) if isinstance(value, Placeholder) else self._choice(value)

    def _function(self, plain: FunctionType) -> None:
        if plain.__closure__:
            free = ", ".join(plain.__code__.co_freevars)
            raise TypeError(f"{describe(plain)} closes over {free}; a plain function takes constants from module globals.")
        own: dict[str, Any] = {"__name__": plain.__module__, "__builtins__": plain.__globals__["__builtins__"]}
        copy = FunctionType(plain.__code__, own, plain.__name__, plain.__defaults__)
        copy.__kwdefaults__, copy.__doc__, copy.__qualname__ = plain.__kwdefaults__, plain.__doc__, plain.__qualname__
        self._made[plain] = self.speed.make(copy, options_of(plain) or Options(), self.setting)  # may call itself
        used = globals_in(plain.__code__)
        for name in used.keys() & plain.__globals__.keys():
            value = plain.__globals__[name]
            own[name] = self._module(value, used[name]) if isinstance(value, ModuleType) else self._own(value)

    def _module(self, module: ModuleType, names: Set[str]) -> ModuleType:
        """The instance's own copy of a module, if the names used of it (``cards.card_at``) differ between instances."""
        used = {name: module.__dict__[name] for name in names & module.__dict__.keys()}
        own = {name: self._own(value) for name, value in used.items() if not isinstance(value, ModuleType)}
        if module not in self._made and all(own[name] is used[name] for name in own):
            return module
        mine: ModuleType = self._made.setdefault(module, ModuleType(module.__name__, module.__doc__))
        mine.__dict__.update(used | own)
        return mine

    def _choice(self, choice: Choice) -> Any:
        """A function that calls one of several, written out because compilers cannot index functions."""
        memory, *others = (f"a{at}" for at in range(choice.parts[0].function.__code__.co_argcount))
        own, lines = dict[str, Any](), list[str]()
        for at, part in enumerate(choice.parts):
            instance = self if part.setting == self.setting else instance_of(part.setting, self.speed)
            own[f"f{at}"] = instance(part.function)
            row = f"v{at}({memory})" if part.fields else memory
            if part.fields:
                own[f"v{at}"] = self.speed.view(part.fields)
            test = f"if which == {at}: " if at < len(choice.parts) - 1 else ""
            lines.append(f"    {test}return f{at}({', '.join([row, *others])})")
        text = f"def one_of(which, {', '.join([memory, *others])}):\n" + "\n".join(lines)
        exec(compile(text, "<one_of>", "exec"), own)
        return self.speed.make(cast(FunctionType, own["one_of"]), Options("paste"), self.setting)


def describe(function: object) -> str:
    """The module and name of a function, for error messages."""
    return f"{getattr(function, '__module__', '')}.{getattr(function, '__qualname__', repr(function))}"


@cache
def globals_in(code: CodeType) -> Mapping[str, Set[str]]:
    """The globals that bytecode uses, and the attributes it takes of each, including those of nested functions."""
    steps = [step for step in get_instructions(code) if step.opname != "EXTENDED_ARG"]
    found: dict[str, set[str]] = {step.argval: set() for step in steps if step.opname == "LOAD_GLOBAL"}
    for step, following in pairwise(steps):
        if step.opname == "LOAD_GLOBAL" and following.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            found[step.argval].add(following.argval)
    for inner in (constant for constant in code.co_consts if isinstance(constant, CodeType)):
        for name, attributes in globals_in(inner).items():
            found.setdefault(name, set()).update(attributes)
    return found


_instance, _one_at_a_time = lru_cache(maxsize=256)(Instance), Lock()


def instance_of(setting: Setting, speed: Speed = INTERPRETED) -> Instance:
    """The instance for a setting at a speed, cached."""
    with _one_at_a_time:
        return _instance(setting, speed)
