"""A person and bots around a terminal: the loop of looking, typing and being answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from tamaya.bots import Bot
from tamaya.engine import Arranged, Event, Game
from tamaya.i18n import Catalogue, explain, tell
from tamaya.record import Record, own
from tamaya.rules import IllegalError, Rules, TamayaError, say, say_n
from tamaya.tui.board import Board
from tamaya.tui.commands import Command, Kind, Reader, help_lines


class TerminalTable:
    """One person at `seat`, bots at the other seats, and games one after another."""

    def __init__(
        self,
        deal: Callable[[], Game],
        seat: int,
        names: Sequence[str],
        bots: Mapping[int, Bot],
        catalogue: Catalogue,
        console: Console,
    ) -> None:
        self._deal, self._seat, self._names, self._bots = deal, seat, names, bots
        self._say, self._console = catalogue, console
        self._board, self._reader = Board(names, catalogue), Reader(seat, names, catalogue)
        self._written: Path | None = None
        self.game = deal()

    @property
    def rules(self) -> Rules:
        """The rules of the game on the table."""
        return self.game.rules

    def run(self, read_line: Callable[[str], str]) -> None:
        """Play until the person leaves; `read_line` shows a prompt and returns what was typed."""
        legend = say("Type h for help. + marks the newest card of a hand, × a value out of reach.")
        self._console.print(Text(self._say(legend), "dim"))
        self._bots_act()
        self._show()
        while True:
            try:
                line = read_line(self._prompt())
            except (EOFError, KeyboardInterrupt):
                self._console.print()
                return
            try:
                command = self._reader.read(line, self.game.view(self._seat))
                if command.kind is Kind.QUIT:
                    return
                self._obey(command)
            except TamayaError as problem:
                self._console.print(Text(self._say(problem.message), "bold red"))

    def _prompt(self) -> str:
        ask = say("Game over (n: new game, u: undo, s: save, q: quit)") if self.game.outcome else say("Your turn")
        return f"{self._say(ask)} > "

    def _obey(self, command: Command) -> None:
        match command.kind:
            case Kind.HELP:
                self._help()
            case Kind.LOG:
                self._tell(self.game.log)
            case Kind.RULES:
                self.explain()
            case Kind.SAVE:
                self._save(command.argument)
            case Kind.UNDO:
                self._undo()
                self._show()
            case Kind.NEW:
                self.game, self._written = self._deal(), None
                self._bots_act()
                self._show()
            case _:
                assert command.move is not None
                before = len(self.game.log)
                self.game.move(command.move)
                self._bots_act()
                self._tell(self.game.log[before:])
                self._show()

    def _bots_act(self) -> None:
        while self.game.to_move is not None and self.game.to_move != self._seat:
            seat = self.game.to_move
            self.game.act(self._bots[seat].act(self.game.view(seat)))

    def _undo(self) -> None:
        """Back to where the person last decided on an action; nothing if there was no such action."""
        if not any(event.seat == self._seat and not isinstance(event, Arranged) for event in self.game.log):
            raise IllegalError("nothing_to_undo", say("You have not done anything yet that could be taken back."))
        while True:
            event = self.game.undo()
            if event.seat == self._seat and not isinstance(event, Arranged):
                return

    def _save(self, name: str) -> None:
        path = Path(name) if name else self._written or Path(f"hanabi-{datetime.now():%Y%m%d-%H%M%S}.json")
        if path.exists() and path != self._written:
            raise IllegalError("file_exists", say("There is a file {name} already; choose another name.", name=path.name))
        try:
            path.write_text(own.write(Record.of(self.game, self._names)), "utf-8")
        except OSError as problem:
            message = say("{name} cannot be written: {reason}.", name=path.name, reason=problem.strerror or str(problem))
            raise IllegalError("cannot_write", message) from None
        self._written = path
        self._console.print(self._say(say("Saved as {name}.", name=str(path))))

    def _show(self) -> None:
        """The board, and at the end all hands and what the evening was worth."""
        end = self.game.outcome
        self._console.print(self._board.draw(self.game.table_view() if end else self.game.view(self._seat)))
        if end is None:
            return
        self._console.print(Text(self._say(end.ending.word), "bold"))
        if end.score is not None:
            score = say_n("{score} of {n} point.", "{score} of {n} points.", self.rules.maximum, score=end.score)
            self._console.print(Text(self._say(score), "bold"))
        if end.rating is not None:
            self._console.print(Text(self._say(end.rating), "bold"))

    def _tell(self, events: Sequence[Event]) -> None:
        for event in events:
            sentences = (self._say(message) for message in tell(event, self._names, self.rules))
            self._console.print(Text("· " + " ".join(sentences)))

    def _help(self) -> None:
        grid = Grid.grid(padding=(0, 3))
        for typed, meaning in help_lines(self._say, self.rules.announced_plays):
            grid.add_row(Text(typed, "bold"), Text(meaning))
        self._console.print(grid)

    def explain(self) -> None:
        """The rules of this game, in sentences."""
        for section in explain(self.rules):
            self._console.print(Text(self._say(section.title), "bold"))
            for sentence in section.sentences:
                self._console.print(Text("  " + self._say(sentence)))
