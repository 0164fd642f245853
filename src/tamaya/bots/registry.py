"""The bots by name, with what anybody choosing one wants to know."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tamaya.bots import foreign
from tamaya.bots.cheat import CHEAT
from tamaya.bots.convention import CONVENTION
from tamaya.bots.entry import BotEntry
from tamaya.bots.hat import HAT
from tamaya.bots.learned import LEARNED
from tamaya.bots.policy import Blueprint, Sees
from tamaya.bots.protocol import Bot
from tamaya.bots.random_play import NO_MISTAKES, RANDOM, RandomBot
from tamaya.bots.simple import SIMPLE
from tamaya.rules import MalformedError, say, say_in

BOT_NAMES = ("Kiku", "Botan", "Yanagi", "Senrin", "Kamuro", "Kagiya")
"""What bots are called at a table: kinds of firework shells, and the other great firework house of Edo."""

DEFAULT_BOT = "convention"
"""The bot that plays where nobody chose one: the strongest of the house whose clues mean what they say."""


BOTS: Mapping[str, BotEntry] = {
    "convention": BotEntry(
        say("Plays as people do, by a few agreements that you can learn. After the game it says why it did what."),
        blueprint=CONVENTION,
        title=say_in("bot", "Companion"),
        means={2: 23.19, 3: 23.62, 4: 23.52, 5: 22.67},
    ),
    "simple": BotEntry(
        say("A cautious beginner: plays what surely fits, tells what can be played."),
        blueprint=SIMPLE,
        title=say_in("bot", "Beginner"),
        means={2: 17.55, 3: 17.72, 4: 16.64, 5: 15.45},
    ),
    "hat": BotEntry(
        say("Superb among its own kind: one clue tells every player something, by a code. A poor partner for people."),
        blueprint=HAT,
        title=say_in("bot", "Mathematician"),
        means={2: 23.17, 3: 24.90, 4: 24.96, 5: 24.95},
    ),
    "learned": BotEntry(
        say("Taught itself: its clues mean what it has found out, not what people agree on. For two players."),
        blueprint=LEARNED,
        title=say_in("bot", "Autodidact"),
        means={2: 24.51},
    ),
    "random": BotEntry(
        say("No player at all: takes any legal action, and loses its games."),
        from_views=RandomBot,
        blueprint=RANDOM,
        title=say_in("bot", "Dice"),
        means={2: 0.0, 3: 0.0, 4: 0.0, 5: 0.0},
    ),
    "cheat": BotEntry(say("Sees every hand: the ceiling that others are measured against."), blueprint=CHEAT, offered=False),
    "faultless": BotEntry(
        say("Takes any action that is no mistake, for long games to measure with."), blueprint=NO_MISTAKES, offered=False
    ),
}
"""The bots of this house."""


def every_bot() -> Mapping[str, BotEntry]:
    """The bots of this house and those of installed packages, those that see too much for a table included."""
    return {**BOTS, **_installed().bots}


def known_bots() -> Mapping[str, BotEntry]:
    """The bots that can play at a table."""
    return {name: entry for name, entry in every_bot().items() if entry.is_honest}


def offered_bots() -> Mapping[str, BotEntry]:
    """The bots that people can put on a seat of their table."""
    return {name: entry for name, entry in known_bots().items() if entry.offered}


def known_policies() -> Mapping[str, Blueprint]:
    """Everything that chooses an action from a sight."""
    return {name: entry.blueprint for name, entry in every_bot().items() if entry.blueprint}


def _installed() -> foreign.Installed:
    return foreign.installed(tuple(BOTS))


def make_bot(name: str) -> Bot:
    """A fresh bot of that name."""
    return find_bot(name).make()


def find_bot(name: str) -> BotEntry:
    """The entry of that name, of the house or of an installed package, that can play at a table. Nothing is imported because a
    name asks for it, so the name may come from anywhere: a page, a saved game."""
    return _find(name, known_bots)


def _find(name: str, choose_from: Callable[[], Mapping[str, BotEntry]]) -> BotEntry:
    """The entry of that name among some. For a bot of the house, packages need not be looked at."""
    if name in BOTS and (BOTS[name].is_honest or choose_from is every_bot):
        return BOTS[name]
    known = choose_from()
    if name in known:
        return known[name]
    left_out = _installed().left_out
    if name in left_out:
        message = say("The bot “{name}” of an installed package was left out: {reason}", name=name[:40], reason=left_out[name])
        raise MalformedError("bot_left_out", message)
    message = say("There is no bot “{name}”; the bots are {known}.", name=name[:40], known=tuple(known))
    raise MalformedError("unknown_bot", message)


def load_bot(name: str) -> BotEntry:
    """The entry of that name, or of the place ``module:Class``, which is imported; those that no table may have included. For
    names that the person at a command line or the program that plays has written itself; others are for `find_bot`."""
    return foreign.by_place(name) if ":" in name else _find(name, every_bot)


def find_policy(name: str) -> Blueprint:
    """The policy of that name or place, for batches and the league."""
    entry = load_bot(str(name))
    if entry.blueprint is None:
        message = say("The bot “{name}” plays from views alone; policies are {known}.",
                      name=str(name)[:40], known=tuple(known_policies()))  # fmt: skip
        raise MalformedError("no_policy", message)
    return entry.blueprint


def find_honest_policy(name: str) -> Blueprint:
    """The policy of that name or place, if it sees what a player may see and no more: for search, and for judging moves."""
    blueprint = find_policy(name)
    if blueprint.sees is not Sees.SEAT:
        message = say("The policy “{name}” sees more than a player may; search needs one that does not.", name=name[:40])
        raise MalformedError("policy_sees_too_much", message)
    return blueprint
