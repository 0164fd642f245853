"""What must hold when everything is over: of the moves, of the games, of what was shown, and of the processes."""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from dataclasses import dataclass

from tamaya import Game
from tamaya.rules import Arrange
from tamaya.table import Table
from tamaya.table.events import Moved, Started, decode
from tests.faults.drawing import OwnHand
from tests.faults.people import Ledger
from tests.faults.proc import Holding, connections_at, holding_of, processes_of
from tests.faults.server import Server
from tests.faults.wire import Wire
from tests.support.fakes import game_of

MEMORY = 80
"""MiB by which a process may be larger afterwards, besides the drawings that it keeps, of which it says what they take: what
was used for the first time, and what is not quite so in that reckoning."""
FILES, THREADS = 16, 16
"""How many more it may have: connections to the database and their threads are kept, in pools of about that size."""
SETTLING = 60.0


def check_games(ledger: Ledger, logs: dict[str, list[str]], *, calm: bool) -> dict[str, Game]:
    """Every confirmed move is there once, at its turn; nothing else is there; every game replays legally.

    Where the database went away, both halves of a double click may be confirmed: whoever does not know what became of a commit
    finds the very same move at its place.
    """
    games: dict[str, Game] = {}
    for code in ledger.codes:
        assert code in logs, f"table {code} is gone"
        games[code] = game = replayed(code, logs[code])
        moves = [str(move) for move in game.moves if not isinstance(move, Arrange)]
        for turn, move in enumerate(moves):
            known = ledger.confirmed.get((code, turn), []), ledger.unanswered.get((code, turn), [])
            assert move in [*known[0], *known[1]], f"turn {turn} of {code}: {move} was never sent, or was refused: {known}"
    for (code, turn), confirmed in ledger.confirmed.items():
        assert len(confirmed) == 1 or not calm, f"turn {turn} of {code} was confirmed more than once: {confirmed}"
        kept = {str(move) for move in games[code].moves[turn : turn + 1]}
        assert kept == set(confirmed), f"turn {turn} of {code} was confirmed as {confirmed} and is {kept}"
    return games


def replayed(code: str, lines: list[str]) -> Game:
    """The game that a table's events tell, played again from its deck; each move must have been legal."""
    events = [decode(line) for line in lines]
    table = Table(code, events)
    (started,) = (event for event in events if isinstance(event, Started))
    game = Game(table.settings.rules, deck=[*game_of(table).reveal_deck()])
    assert " ".join(map(str, game.reveal_deck())) == started.deck
    for event in events:
        if isinstance(event, Moved):
            assert game.to_move == event.seat, f"it was not seat {event.seat}'s turn at {code}"
            assert event.parsed in game.legal_actions(), f"{event.move} was not legal at {code}"
            game.move(event.parsed)
    assert (game.moves, game.outcome) == (game_of(table).moves, game_of(table).outcome)
    return game


def check_secrets(ledger: Ledger, games: dict[str, Game]) -> int:
    """Nobody was told more of the own cards than clues tell, nor shown another's page; returns how many hands were checked."""
    said: dict[tuple[frozenset[str], frozenset[int]], set[str]] = defaultdict(set)
    seats: dict[tuple[str, str], set[int]] = defaultdict(set)
    checked = 0
    for (code, turn), shown in ledger.hands.items():
        game = games[code]
        assert turn <= game.turn, f"somebody was shown turn {turn} of {code}, which has never been"
        then = game.at(turn)
        for name, hand in shown:
            assert told(hand) == known(then, hand.seat), f"{name} at turn {turn} of {code}"
            assert not hand.left & {card.number for card in hand.cards}, f"{name} saw a face at turn {turn} of {code}"
            seats[code, name].add(hand.seat)
            for card in hand.cards:
                said[card.colours, card.values].add(card.words)
            checked += 1
    assert checked or not ledger.moves, "nobody was shown a hand"
    assert all(len(found) == 1 for found in seats.values()), f"somebody was sent another's page: {seats}"
    assert all(len(words) == 1 for words in said.values()), f"what is said of a card depends on more than on clues: {said}"
    return checked


def told(hand: OwnHand) -> list[tuple[int, set[str], set[int]]]:
    """What a page tells of the own cards."""
    return [(card.number, set(card.colours), set(card.values)) for card in hand.cards]


def known(game: Game, seat: int) -> list[tuple[int, set[str], set[int]]]:
    """What the clues tell of them."""
    return [(seen.number, set(map(str, seen.colours)), set(seen.values)) for seen in game.view(seat).hand]


@dataclass(frozen=True)
class Standing:
    """What a server holds when nobody is there."""

    processes: int
    serving: tuple[Holding, ...]
    drawings: int
    """The MiB of drawings that all of them keep."""

    @property
    def besides(self) -> int:
        """The MiB that they hold besides."""
        return sum(held.memory for held in self.serving) - self.drawings

    def __str__(self) -> str:
        each = " and ".join(f"{held.memory} MiB, {held.files} files, {held.threads} threads" for held in self.serving)
        return f"{each}, of which drawings {self.drawings} MiB"


async def standing(server: Server) -> Standing:
    """What a server holds once everybody has gone, which it must notice."""
    async with asyncio.timeout(SETTLING):
        while connections_at(server.port):
            await asyncio.sleep(0.1)
        counted = (await Wire(server.port).ask("GET", "/metrics")).body
    drawings = re.search(r"(?m)^tamaya_drawings_bytes (\S+)", counted)
    assert drawings, f"the server does not say what drawings take: {counted[:200]}"
    return Standing(len(processes_of(server.group)), tuple(map(holding_of, server.serving())), int(float(drawings[1])) // 2**20)


async def check_standing(server: Server, before: Standing) -> Standing:
    """A server holds what it held before, or about as much; it is given time to settle."""
    async with asyncio.timeout(2 * SETTLING):
        now = await standing(server)
        for _ in range(100):
            if not (found := _too_much(before, now)):
                return now
            await asyncio.sleep(SETTLING / 100)
            now = await standing(server)
    raise AssertionError(f"{found}; before: {before}; now: {now}")


def _too_much(before: Standing, now: Standing) -> str:
    if now.processes > before.processes or len(now.serving) != len(before.serving):
        return f"there are {now.processes} processes and were {before.processes}"
    if now.besides > before.besides + MEMORY * len(now.serving):
        return f"besides drawings, {now.besides} MiB are held and were {before.besides}"
    files, threads = (max(getattr(held, name) for held in before.serving) for name in ("files", "threads"))
    for held in now.serving:
        if held.files > files + FILES or held.threads > threads + THREADS:
            return f"a process holds more than before: {held}"
    return ""


def check_log(complaints: str, logs: dict[str, list[str]], *, calm: bool) -> None:
    """The server's log names no deck; where nothing was wrong with its database, there is no traceback in it either."""
    decks = (event.deck for lines in logs.values() for event in map(decode, lines) if isinstance(event, Started))
    assert not any(deck in complaints for deck in decks), "a deck is in the log"
    assert not calm or "Traceback" not in complaints, complaints[complaints.find("Traceback") :][:4000]
