"""The loop of the terminal table: show the board, read a command, execute it, let the bots act."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from tamaya.bots import BOTS, Advice, Bot, BotMove, BotRunner, import_bot, make_bot
from tamaya.engine import Arranged, Event, Game, View
from tamaya.i18n import Catalogue, explain, propose, reason_in_words, tell
from tamaya.record import AdvisedTurn, Record, native
from tamaya.rules import IllegalError, Message, TamayaError, say, say_n
from tamaya.tui.board import TerminalBoard
from tamaya.tui.commands import Command, CommandReader, Kind, help_lines, legend
from tamaya.workers import PoolBotExecutor, SearchBotExecutor, SearchPool, best_advice


class TerminalBots:
    """Lets bots take their turns.

    A bot of another package runs in a process of its own, so that it cannot crash the table, with the time limit of the web.
    """

    def __init__(self) -> None:
        self._house = BotRunner(make_bot)
        self._runner: asyncio.Runner | None = None
        self._executor: SearchBotExecutor | None = None
        self._pool: SearchPool | None = None

    def think(self, bot: str, view: View, lineup: Sequence[str] = ()) -> BotMove:
        """A bot's turn; `bot` may be a ``module:Class`` that the person has typed."""
        if bot in BOTS:
            return self._house.think(bot, view, lineup=lineup)
        self._runner = self._runner or asyncio.Runner()
        return self._runner.run(self._think_in_process(bot, view, lineup))

    def advise(self, view: View, seats: Sequence[str]) -> Advice:
        """The advice for the person's turn; `seats` names the bot at each seat, empty for the person."""
        return best_advice(view, tuple(seats))

    async def _think_in_process(self, bot: str, view: View, lineup: Sequence[str]) -> BotMove:
        self._pool = self._pool or SearchPool()
        self._executor = self._executor or SearchBotExecutor(
            PoolBotExecutor(make=make_chosen_bot), self._pool, find=import_bot, make=make_chosen_bot
        )
        return await self._executor.choose_move(bot, view, lineup=lineup)

    def close(self) -> None:
        """Stop the processes."""
        if self._runner and self._executor and self._pool:
            self._runner.run(self._executor.close())
            self._runner.run(self._pool.close())
            self._runner.close()
        self._runner = self._executor = self._pool = None


def make_chosen_bot(name: str) -> Bot:
    """Make the bot that the person at the terminal has chosen."""
    return import_bot(name).make()


@dataclass(frozen=True)
class Seats:
    """Who sits where: every player's name, and the bot at each seat, None for the person."""

    names: tuple[str, ...]
    bots: tuple[str | None, ...]

    @property
    def person(self) -> int:
        """The seat without a bot."""
        return self.bots.index(None)

    @property
    def lineup(self) -> tuple[str, ...]:
        """The bot of each seat, empty for the person."""
        return tuple(bot or "" for bot in self.bots)


class TerminalTable:
    """One person, bots at the other seats, and games one after another.

    `deal` makes each game; `path` is the file of the first one, which is saved there again, and `advised` are the turns
    of it in which advice was taken before.
    """

    def __init__(
        self,
        deal: Callable[[], Game],
        seats: Seats,
        catalogue: Catalogue,
        console: Console,
        path: Path | None = None,
        advised: tuple[AdvisedTurn, ...] = (),
    ) -> None:
        self._deal, self._seats, self._seat = deal, seats, seats.person
        self._say, self._console = catalogue, console
        self._bots = TerminalBots()
        self._why: dict[int, Message] = {}
        self._advice: tuple[Game, Advice, int] | None = None
        self._advised = advised
        self._board, self._reader = TerminalBoard(seats.names, catalogue), CommandReader(self._seat, seats.names, catalogue)
        self.game = deal()
        self._path, self._saved = path, self.game.copy()
        self._warned_about: Kind | None = None

    def run(self, read_line: Callable[[str], str]) -> None:
        """Play until the person leaves; `read_line` shows a prompt and returns what was typed."""
        try:
            self._play(read_line)
        finally:
            self._bots.close()

    def _play(self, read_line: Callable[[str], str]) -> None:
        self._start_game()
        self._console.print(Text(self._say(say("Type h for help.")), "dim"))
        while True:
            try:
                line = read_line(self._prompt())
            except EOFError:
                self._console.print()
                return
            except KeyboardInterrupt:
                self._console.print()
                line = Kind.QUIT.value
            try:
                command = self._reader.read(line, self.game.view(self._seat))
                if command.kind in (Kind.QUIT, Kind.NEW):
                    self._confirm_giving_up(command.kind)
                if command.kind is Kind.QUIT:
                    return
                self._warned_about = None
                self._execute(command)
            except TamayaError as problem:
                self._console.print(Text(self._say(problem.message), "bold red"))

    def _prompt(self) -> str:
        ask = say("Game over (n: new game, w: why, u: undo, s: save, q: quit)") if self.game.outcome else say("Your turn")
        return f"{self._say(ask)} > "

    def _confirm_giving_up(self, kind: Kind) -> None:
        """Refuse, the first time, to give up a game that is neither over nor saved."""
        if self.game.outcome is None and self.game.moves and self.game != self._saved and self._warned_about is not kind:
            self._warned_about = kind
            message = say("This game is neither over nor saved. {key} again gives it up, s saves it.", key=kind.value)
            raise IllegalError("not_saved", message)

    def _execute(self, command: Command) -> None:
        match command.kind:
            case Kind.HELP:
                view = self.game.view(self._seat)
                self._print_rows(help_lines(self._say, view))
                self._print_rows(legend(self._say))
            case Kind.BOARD:
                self._print_board(self.game.log[-len(self._seats.names) :])
            case Kind.LOG:
                self._print_events(self.game.log)
            case Kind.WHY:
                self._print_reasons()
            case Kind.ADVICE:
                self._print_advice()
            case Kind.RULES:
                self._print_rules()
            case Kind.SAVE:
                self._save(command.argument)
            case Kind.UNDO:
                self._undo()
                self._print_board(self.game.log[-len(self._seats.names) :])
            case Kind.NEW:
                self.game, self._path, self._why, self._advised = self._deal(), None, {}, ()
                self._start_game()
            case _:
                assert command.move is not None
                before = len(self.game.log)
                self.game.move(command.move)
                self._bots_act()
                self._print_board(self.game.log[before:])

    def _start_game(self) -> None:
        self._bots_act()
        self._saved = self.game.copy()
        self._print_board(self.game.log[-len(self._seats.names) :])

    def _bots_act(self) -> None:
        while self.game.to_move is not None and self.game.to_move != self._seat:
            seat = self.game.to_move
            bot = self._seats.bots[seat]
            assert bot is not None
            thought = self._bots.think(bot, self.game.view(seat), self._seats.lineup)
            self.game.act(thought.action)
            if thought.why:
                self._why[self.game.turn] = thought.why
            if thought.problem:
                self._print_failure(self._seats.names[seat], thought.problem)

    def _print_failure(self, name: str, problem: str) -> None:
        message = say("{name} could not decide ({problem}); a safe action was taken for it.", name=name, problem=problem)
        self._console.print(Text(self._say(message), "bold red"))

    def _print_reasons(self) -> None:
        """Print the bots' reasons, which may name any card and are therefore shown after the end only."""
        if self.game.outcome is None:
            raise IllegalError("game_not_over", say("Bots name cards that you do not see; ask again after the game."))
        explained = [event for event in self.game.log if not isinstance(event, Arranged) and event.turn in self._why]
        if not explained:
            raise IllegalError("nothing_said", say("No bot of this game has said why it acted so."))
        self._print_rows((f"{event.turn}", f"{self._sentences(event)}\n{self._reason(event.turn)}") for event in explained)

    def _reason(self, turn: int) -> str:
        return reason_in_words(self._say, self._why[turn], self._seats.names, self._seat)

    def _print_advice(self) -> None:
        """Print the idea of the advice; when asked again the move, then the reason. The record notes that advice was taken."""
        if self.game.outcome is not None:
            raise IllegalError("game_over", say("The game is over."))
        view, taken = self.game.view(self._seat), AdvisedTurn(self._seat, self.game.turn + 1)
        if self._advice is None or self._advice[0] != self.game:
            self._advice = self.game.copy(), self._bots.advise(view, self._seats.lineup), 0
        game, advice, steps = self._advice
        self._advice = game, advice, min(steps + 1, 2)
        self._advised += () if taken in self._advised else (taken,)
        told = ((advice.idea,), (propose(advice.action, view),), advice.reasons)[steps]
        words = (reason_in_words(self._say, message, self._seats.names, self._seat) for message in told)
        self._print_rows((("·", sentence) for sentence in words), gap=1)

    def _undo(self) -> None:
        if not any(event.seat == self._seat for event in self.game.log):
            raise IllegalError("nothing_to_undo", say("You have not done anything yet that could be taken back."))
        while self.game.undo().seat != self._seat:
            pass
        self._why = {turn: why for turn, why in self._why.items() if turn <= self.game.turn}
        self._advised = tuple(replace(taken, turn=min(taken.turn, self.game.turn + 1)) for taken in self._advised)

    def _save(self, name: str) -> None:
        path = Path(name) if name else self._path or Path(f"hanabi-{datetime.now():%Y%m%d-%H%M%S}.json")
        try:
            path = path.expanduser()
            if path.exists() and path != self._path:
                raise IllegalError("file_exists", say("There is a file {name} already; choose another name.", name=str(path)))
            record = Record.of(self.game, self._seats.names, self._seats.bots)
            path.write_text(native.write(replace(record, advised=self._advised)), "utf-8")
        except TamayaError:
            raise
        except (OSError, ValueError, RuntimeError) as problem:
            reason = (getattr(problem, "strerror", None) or str(problem)).rstrip(".")
            message = say("{name} cannot be written: {reason}.", name=str(path), reason=reason)
            raise IllegalError("cannot_write", message) from None
        self._path, self._saved = path, self.game.copy()
        self._console.print(self._say(say("Saved as {name}.", name=str(path))), markup=False)

    def _print_board(self, recent: Sequence[Event]) -> None:
        """Print the board, the recent events and, at the end, every hand and the score."""
        end = self.game.outcome
        self._console.print(self._board.draw(self.game.table_view() if end else self.game.view(self._seat)))
        self._print_events(recent)
        if end is None:
            return
        words = [end.ending.word]
        if end.score is not None:
            words.append(say_n("{score} of {n} point.", "{score} of {n} points.", self.game.rules.maximum, score=end.score))
        for message in (*words, *filter(None, [end.rating])):
            self._console.print(Text(self._say(message), "bold"))

    def _print_events(self, events: Sequence[Event]) -> None:
        self._print_rows((("·", self._sentences(event)) for event in events), gap=1)

    def _sentences(self, event: Event) -> str:
        return self._say.text(tell(event, self._seats.names, self.game.rules, self._seat))

    def _print_rules(self) -> None:
        for section in explain(self.game.rules):
            self._console.print(Text(self._say(section.title), "bold"))
            self._print_rows((" ", self._say(sentence)) for sentence in section.sentences)

    def _print_rows(self, rows: Iterable[tuple[str, str]], gap: int = 2) -> None:
        """Print two columns, so that long lines wrap within theirs."""
        grid = Grid.grid(padding=(0, gap))
        for left, right in rows:
            grid.add_row(Text(left, "bold"), Text(right))
        self._console.print(grid)
