"""Parse what a person types at the terminal table, in English or their own language, as words or single letters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from tamaya.engine import View
from tamaya.i18n import LETTERS, Catalogue
from tamaya.rules import Arrange, Clue, Colour, Discard, MalformedError, Message, Move, Play, read_number, say, say_in
from tamaya.rules.message import folded


class Kind(Enum):
    """What a command asks for, with its one-letter short form."""

    CLUE = "c"
    PLAY = "p"
    DISCARD = "d"
    ARRANGE = "a"
    BOARD = "b"
    UNDO = "u"
    SAVE = "s"
    LOG = "l"
    WHY = "w"
    ADVICE = "v"
    RULES = "r"
    NEW = "n"
    HELP = "h"
    QUIT = "q"


WORDS: Mapping[Kind, Message] = {
    Kind.CLUE: say_in("command", "clue"),
    Kind.PLAY: say_in("command", "play"),
    Kind.DISCARD: say_in("command", "discard"),
    Kind.ARRANGE: say_in("command", "arrange"),
    Kind.BOARD: say_in("command", "board"),
    Kind.UNDO: say_in("command", "undo"),
    Kind.SAVE: say_in("command", "save"),
    Kind.LOG: say_in("command", "log"),
    Kind.WHY: say_in("command", "why"),
    Kind.ADVICE: say_in("command", "advice"),
    Kind.RULES: say_in("command", "rules"),
    Kind.NEW: say_in("command", "new"),
    Kind.HELP: say_in("command", "help"),
    Kind.QUIT: say_in("command", "quit"),
}


ALIASES: Mapping[str, Kind] = {"?": Kind.HELP, "hint": Kind.ADVICE}
"""Words that players know from other programs."""


@dataclass(frozen=True, slots=True)
class Command:
    """One command: its kind, the move if it is one, and the rest of the line."""

    kind: Kind
    move: Move | None = None
    argument: str = ""


class CommandReader:
    """Parses the commands of the player at one seat."""

    def __init__(self, seat: int, names: Sequence[str], catalogue: Catalogue) -> None:
        self._seat, self._names, self._say = seat, names, catalogue

    def read(self, line: str, view: View) -> Command:
        """Parse a line; an empty one asks for the board."""
        spaced = re.sub(r"^\s*(\w)(\d)", r"\1 \2", line)
        word, *rest = unicodedata.normalize("NFKC", spaced).split() or [Kind.BOARD.value]
        kind = self._kind(word)
        match kind:
            case Kind.PLAY:
                return Command(kind, self._play(rest, view))
            case Kind.DISCARD if len(rest) == 1:
                return Command(kind, Discard(_number(rest[0]) - 1))
            case Kind.CLUE:
                return Command(kind, self._clue(rest, view))
            case Kind.ARRANGE if rest:
                order = tuple(_number(slot.rstrip("-")) - 1 for slot in rest)
                turned = tuple(new for new, slot in enumerate(rest) if slot.endswith("-"))
                return Command(kind, Arrange(self._seat, order, turned))
            case Kind.DISCARD | Kind.ARRANGE:
                raise _incomplete(self._say(WORDS[kind]), "2" if kind is Kind.DISCARD else "2 1 3 4 5")
        return Command(kind, argument="".join(spaced.split(maxsplit=1)[1:]).strip())

    def _kind(self, word: str) -> Kind:
        wanted = folded(word)
        if wanted in ALIASES:
            return ALIASES[wanted]
        for kind, message in WORDS.items():
            if wanted in (kind.value, message.text, folded(self._say(message))):
                return kind
        raise MalformedError(
            "malformed_command",
            say(
                "There is no command “{word}”; the commands are {known}.",
                word=word[:20],
                known=tuple(self._say(message) for message in WORDS.values()),
            ),
        )

    def _play(self, words: list[str], view: View) -> Play:
        filler = {"as", folded(self._say(say_in("play 1 as red", "as")))}
        rest = [word for word in words if folded(word) not in filler]
        if len(rest) not in (1, 2):
            raise _incomplete(self._say(WORDS[Kind.PLAY]), "1")
        return Play(_number(rest[0]) - 1, self._colour(rest[1], view) if len(rest) == 2 else None)

    def _clue(self, words: list[str], view: View) -> Clue:
        if len(words) == 1 and len(self._names) == 2:
            words = [str(2 - self._seat), *words]
        if len(words) != 2:
            raise _incomplete(self._say(WORDS[Kind.CLUE]), f"2 {self._say(Colour.RED.word)}")
        who, what = words
        value = read_number(what)
        return Clue(self._player(who), self._colour(what, view) if value is None else value)

    def _player(self, word: str) -> int:
        number = read_number(word)
        if number is not None:
            return number - 1
        found = [seat for seat, name in enumerate(self._names) if folded(name).startswith(folded(word))]
        if len(found) != 1:
            known = tuple(f"{seat + 1} {name}" for seat, name in enumerate(self._names))
            raise MalformedError(
                "malformed_command", say("“{word}” is not one player; the players are {known}.", word=word[:20], known=known)
            )
        return found[0]

    def _colour(self, word: str, view: View) -> Colour:
        """A colour by the language's letter, by the beginning of its name, or by its English name."""
        wanted = folded(word)
        suits = view.rules.suits
        names = {colour: folded(self._say(colour.word)) for colour in suits}
        for found in (
            [colour for colour in suits if folded(self._say(LETTERS[colour])) == wanted],
            [colour for colour in suits if wanted in (names[colour], colour.value)],
            [colour for colour in suits if names[colour].startswith(wanted)],
        ):
            if len(found) == 1:
                return found[0]
        known = tuple(f"{self._say(LETTERS[colour])} {self._say(colour.word)}" for colour in suits)
        raise MalformedError(
            "malformed_command", say("“{word}” is not one colour; the colours are {known}.", word=word[:20], known=known)
        )


def help_lines(catalogue: Catalogue, view: View) -> Iterator[tuple[str, str]]:
    """Each command as it is typed at this table, and its description."""
    word = {kind: catalogue(message) for kind, message in WORDS.items()}
    red, blue = catalogue(Colour.RED.word), catalogue(LETTERS[Colour.BLUE])
    hand, other = view.rules.hand_size, 1 if view.seat else 2
    order = " ".join(["2", "1-", *map(str, range(3, hand + 1))][:hand])
    if view.rules.players == 2:
        yield f"{word[Kind.CLUE]} {red} · c {blue} · c 3", catalogue(say("tell your teammate a colour or a value"))
    else:
        clue = say("tell player {seat} (or a name) a colour or a value", seat=other)
        yield f"{word[Kind.CLUE]} {other} {red} · c {other} {blue} · c {other} 3", catalogue(clue)
    yield f"{word[Kind.PLAY]} 1 · p 1", catalogue(say("play your card 1"))
    if view.rules.announced_plays:
        yield f"{word[Kind.PLAY]} 1 {red} · p 1 {blue}", catalogue(say("play it and announce its colour"))
    yield f"{word[Kind.DISCARD]} {hand} · d {hand}", catalogue(say("discard your card {slot}", slot=hand))
    yield f"{word[Kind.ARRANGE]} {order} · a {order}", catalogue(say("lay your hand out anew; - turns a card sideways"))
    yield f"{word[Kind.BOARD]} · b · ⏎", catalogue(say("show the table again"))
    yield f"{word[Kind.UNDO]} · u", catalogue(say("take your last action back"))
    yield f"{word[Kind.SAVE]} · s · s game.json", catalogue(say("write the game to a file"))
    yield f"{word[Kind.LOG]} · l", catalogue(say("all that has happened"))
    yield f"{word[Kind.WHY]} · w", catalogue(say("after the game: why bots acted as they did"))
    advice = say("ask what a good player would do; again for the move and for the reason")
    yield f"{word[Kind.ADVICE]} · v", catalogue(advice)
    yield f"{word[Kind.RULES]} · r", catalogue(say("the rules of this game"))
    yield f"{word[Kind.NEW]} · n", catalogue(say("deal a new game"))
    yield f"{word[Kind.HELP]} · h · ?", catalogue(say("this help"))
    yield f"{word[Kind.QUIT]} · q", catalogue(say("leave the table"))


def legend(catalogue: Catalogue) -> Iterator[tuple[str, str]]:
    """The symbols on the board and their meanings."""
    yield "▶", catalogue(say("whose turn it is"))
    yield "+", catalogue(say("the newest card of a hand"))
    yield "⟂", catalogue(say("a card laid sideways"))
    yield "×", catalogue(say("a value that can no longer be placed"))
    yield "?3", catalogue(say("under a card: what its owner was told"))


def _number(word: str) -> int:
    number = read_number(word)
    if number is not None:
        return number
    message = say("“{word}” is not a card of yours; name it by its number, the leftmost is 1.", word=word[:20])
    raise MalformedError("malformed_command", message)


def _incomplete(word: str, example: str) -> MalformedError:
    return MalformedError("malformed_command", say("Write it like this: {example}", example=f"{word} {example}"))
