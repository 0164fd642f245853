"""The bots by name, with what anybody choosing one wants to know."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from tamaya.bots import foreign
from tamaya.bots.chance import RandomBot
from tamaya.bots.convention import explain_convention
from tamaya.bots.entry import BotEntry
from tamaya.bots.hat.explaining import explain_hat
from tamaya.bots.protocol import Bot
from tamaya.bots.seated_policy import PolicyBot
from tamaya.bots.simple import SimpleBot
from tamaya.rules import MalformedError, say

BOT_NAMES = ("Kiku", "Botan", "Yanagi", "Senrin", "Kamuro", "Kagiya")
"""What bots are called at a table: kinds of firework shells, and the other great firework house of Edo."""

BOTS: Mapping[str, BotEntry] = {
    "convention": BotEntry(
        partial(PolicyBot, "convention", explain_convention),
        say("Plays as people do: saves and play clues, prompts and finesses. After the game it says why it did what."),
        {2: 23.19, 3: 23.62, 4: 23.52, 5: 22.67},
    ),
    "simple": BotEntry(
        SimpleBot,
        say("A cautious beginner: plays what surely fits, tells what can be played."),
        {2: 17.55, 3: 17.72, 4: 16.64, 5: 15.45},
    ),
    "hat": BotEntry(
        partial(PolicyBot, "hat", explain_hat),
        say("Superb among its own kind: one clue tells every player something, by a code. A poor partner for people."),
        {2: 23.17, 3: 24.90, 4: 24.96, 5: 24.95},
        coded=True,
    ),
    "random": BotEntry(
        RandomBot,
        say("No player at all: takes any legal action, and loses its games."),
        {2: 0.0, 3: 0.0, 4: 0.0, 5: 0.0},
    ),
}
"""The bots of this house."""


def known_bots() -> Mapping[str, BotEntry]:
    """The bots of this house and those of installed packages."""
    return {**BOTS, **_installed().bots}


def offered_bots() -> Mapping[str, BotEntry]:
    """The bots that people can put on a seat of their table."""
    return {name: entry for name, entry in known_bots().items() if entry.offered}


def _installed() -> foreign.Installed:
    return foreign.installed(tuple(BOTS))


def default_bot() -> str:
    """The bot that plays where nobody chose one: the strongest of the house whose clues mean what they say."""
    plain = (name for name in BOTS if not BOTS[name].coded)
    return max(plain, key=lambda name: sum(BOTS[name].means.values()))


def make_bot(name: str) -> Bot:
    """A fresh bot of that name."""
    return find_bot(name).make()


def find_bot(name: str) -> BotEntry:
    """The entry of that name, of the house or of an installed package. Nothing is imported because a name asks for it, so the
    name may come from anywhere: a page, a saved game."""
    if name in BOTS:
        return BOTS[name]
    brought = _installed()
    if name in brought.bots:
        return brought.bots[name]
    if name in brought.left_out:
        message = say("The bot “{name}” of an installed package was left out: {reason}",
                      name=name[:40], reason=brought.left_out[name])  # fmt: skip
        raise MalformedError("bot_left_out", message)
    known = tuple(known_bots())
    raise MalformedError("unknown_bot", say("There is no bot “{name}”; the bots are {known}.", name=name[:40], known=known))


def load_bot(name: str) -> BotEntry:
    """The entry of that name, or of the place ``module:Class``, which is imported. For names that the person at a command line
    or the program that plays has written itself; others are for `find_bot`."""
    return foreign.by_place(name) if ":" in name else find_bot(name)
