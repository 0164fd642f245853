"""Third-party bots: those of installed packages, and those named by import path on the command line."""

from __future__ import annotations

import importlib
import importlib.metadata
import inspect
import logging
import os
import re
import sys
from functools import cache, reduce
from typing import NamedTuple

from tamaya.bots.policy import Policy
from tamaya.bots.protocol import plain_words
from tamaya.bots.registry import BotEntry
from tamaya.record.validation import MAX_BOT_LENGTH
from tamaya.rules import MalformedError, Message, TamayaError, say
from tamaya.rules.message import quote

logger = logging.getLogger(__name__)

GROUP = "tamaya.bots"
"""The entry point group of packages that bring bots."""

EXAMPLE = "mypackage.mymodule:MyBot"
MAX_SUMMARY_LENGTH, MAX_ERROR_LENGTH = 200, 200
_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,39}", re.ASCII)
_PLACE = re.compile(r"(?P<module>\w+(\.\w+)*):(?P<name>\w+(\.\w+)*)")


class Installed(NamedTuple):
    """The bots of installed packages, and the reasons why others were left out."""

    bots: dict[str, BotEntry]
    left_out: dict[str, Message]


@cache
def installed(taken: tuple[str, ...]) -> Installed:
    """The installed bots under names that are not taken, read once; one that does not load is logged and left out."""
    found = Installed({}, {})
    for point in sorted(importlib.metadata.entry_points(group=GROUP), key=_is_foreign):
        try:
            if not _NAME.fullmatch(point.name) or point.name in taken or point.name in found.bots:
                raise MalformedError("bot_name_taken", say("its name is taken, or is not one of letters, digits, . - and _."))
            found.bots[point.name] = _entry(point.value, point.load())
        except (Exception, SystemExit) as problem:
            reason = _in_words(problem)
            logger.warning("the bot “%s” (%s) was left out: %s", plain_words(point.name, 40), point.value, reason)
            found.left_out.setdefault(point.name, reason)
    return found


def _is_foreign(point: importlib.metadata.EntryPoint) -> bool:
    """Whether an entry point comes from elsewhere; the project's own bots come first."""
    return not point.value.startswith("tamaya.")


def import_entry(place: str) -> BotEntry:
    """The bot at ``module:Class``. It imports that module, from the current folder too, as ``python -m`` would: pass only what
    the user typed on a command line."""
    found = _PLACE.fullmatch(place)
    if found is None or len(place) > MAX_BOT_LENGTH:
        message = say("“{place}” is no place of a bot; write it like {example}, with at most {most} characters.",
                      place=place[:80], example=EXAMPLE, most=MAX_BOT_LENGTH)  # fmt: skip
        raise MalformedError("bad_bot_place", message)
    entry = _entry(place, _attribute(_module(found["module"]), found["name"].split(".")))
    if entry.from_views:
        try:
            bot: object = entry.from_views()
        except (Exception, SystemExit) as problem:
            raise _not_made(place, problem) from problem
        if not _is_bot(bot):
            raise _no_bot(place)
    return entry


def _module(name: str) -> object:
    if not {"", os.getcwd()} & set(sys.path):
        sys.path.insert(0, os.getcwd())
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as problem:
        if problem.name and f"{name}.".startswith(f"{problem.name}."):
            message = say("There is no module “{module}”, neither installed nor in this folder.", module=problem.name)
            raise MalformedError("no_bot_module", message) from None
        raise _unimportable(name, problem) from problem
    except (Exception, SystemExit) as problem:
        raise _unimportable(name, problem) from problem


def _unimportable(name: str, problem: BaseException) -> MalformedError:
    message = say("The module “{module}” cannot be imported: {problem}", module=name, problem=_in_words(problem))
    return MalformedError("bad_bot_module", message)


def _attribute(module: object, path: list[str]) -> object:
    try:
        return reduce(getattr, path, module)
    except AttributeError:
        known = tuple(name for name, value in vars(module).items() if inspect.isclass(value) and _is_bot(value))
        name, place = ".".join(path), getattr(module, "__name__", "")
        if known:
            message = say("The module “{module}” has no “{name}”; its bots are {known}.", module=place, name=name, known=known)
        else:
            message = say("The module “{module}” has no “{name}”, and no class with a method {act}.",
                          module=place, name=name, act="act(view)")  # fmt: skip
        raise MalformedError("no_such_bot_class", message) from None


def _entry(place: str, factory: object) -> BotEntry:
    """An entry for a policy, a class or another factory. No bot is made here, as that may take long."""
    if isinstance(factory, BotEntry):
        return factory
    if isinstance(factory, Policy):
        return BotEntry(_summary(factory if factory.summary else factory.choose), policy=factory)
    if not callable(factory) or (inspect.isclass(factory) and not _is_bot(factory)):
        raise _no_bot(place)
    try:
        inspect.signature(factory).bind()
    except TypeError as problem:
        raise _not_made(place, problem) from None
    except ValueError:
        pass  # some callables written in C have no signature
    base = getattr(factory, "base_policy", "")
    return BotEntry(_summary(factory), from_views=factory, base_policy=base if isinstance(base, str) else "")


def _not_made(place: str, problem: BaseException) -> MalformedError:
    message = say("“{place}” cannot be made without arguments: {problem}", place=place, problem=_in_words(problem))
    return MalformedError("bot_not_made", message)


def _is_bot(thing: object) -> bool:
    return callable(getattr(thing, "act", None))


def _no_bot(place: str) -> MalformedError:
    message = say("“{place}” is no bot; a bot is a class with a method {act}.", place=place, act="act(view)")
    return MalformedError("no_bot", message)


def _summary(factory: object) -> Message:
    """A bot's `summary`, or the first line of its docstring."""
    words = getattr(factory, "summary", None) or (inspect.getdoc(factory) or "").partition("\n")[0]
    told = plain_words(words, MAX_SUMMARY_LENGTH) if isinstance(words, str) else ""
    return quote(told) if told else say("A bot of another package.")


def _in_words(problem: BaseException) -> Message:
    """An exception in words. It is raised before any game, so it cannot name a card."""
    if isinstance(problem, TamayaError):
        return problem.message
    return quote(plain_words(f"{type(problem).__name__}: {problem}", MAX_ERROR_LENGTH))
