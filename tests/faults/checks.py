"""Checks after all faults: of moves, games, pages and processes."""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from dataclasses import dataclass

from tamaya import Game
from tamaya.rules import Arrange
from tamaya.table import Table
from tamaya.table.events import Moved, Started, decode
from tests.faults.board import OwnHand
from tests.faults.people import Ledger
from tests.faults.proc import Holding, connections_at, holding_of, processes_of
from tests.faults.server import Server
from tests.faults.wire import Wire
from tests.support.fakes import game_of

MEMORY_GROWTH = 80
"""MiB by which a process may have grown, apart from its render cache, whose size it reports: for what was used for the first
time, and for inaccuracies of that report."""
FILES, THREADS = 16, 16
"""How many more files and threads it may have: connection pools and their threads have about that size."""
SETTLE_TIMEOUT = 60.0


def check_games(ledger: Ledger, events: dict[str, list[str]], *, calm: bool) -> dict[str, Game]:
    """Every confirmed move is stored once, at its turn; no other move is stored; every game replays legally.

    If the database was unreachable, both requests of a double click may be confirmed: after an unconfirmed commit, the same
    move is found in its place.
    """
    games: dict[str, Game] = {}
    for code in ledger.codes:
        assert code in events, f"table {code} is gone"
        games[code] = game = replayed(code, events[code])
        moves = [str(move) for move in game.moves if not isinstance(move, Arrange)]
        for turn, move in enumerate(moves):
            known = ledger.confirmed.get((code, turn), []), ledger.unanswered.get((code, turn), [])
            assert move in [*known[0], *known[1]], f"turn {turn} of {code}: {move} was never sent, or was refused: {known}"
    for (code, turn), confirmed in ledger.confirmed.items():
        assert len(confirmed) == 1 or not calm, f"turn {turn} of {code} was confirmed more than once: {confirmed}"
        stored = {str(move) for move in games[code].moves[turn : turn + 1]}
        assert stored == set(confirmed), f"turn {turn} of {code} was confirmed as {confirmed} and stored as {stored}"
    return games


def replayed(code: str, lines: list[str]) -> Game:
    """Replay the game in a table's events from its deck; each move must be legal."""
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
    """No page told its player more about their cards than the clues, or was another's; returns the number of hands checked."""
    said: dict[tuple[frozenset[str], frozenset[int]], set[str]] = defaultdict(set)
    seats: dict[tuple[str, str], set[int]] = defaultdict(set)
    checked = 0
    for (code, turn), shown in ledger.hands.items():
        game = games[code]
        assert turn <= game.turn, f"a page showed turn {turn} of {code}, which has never been"
        then = game.at(turn)
        for name, hand in shown:
            assert cards_on_page(hand) == cards_by_clues(then, hand.seat), f"{name} at turn {turn} of {code}"
            assert not hand.left & {card.number for card in hand.cards}, f"{name} saw a face at turn {turn} of {code}"
            seats[code, name].add(hand.seat)
            for card in hand.cards:
                said[card.colours, card.values].add(card.words)
            checked += 1
    assert checked or not ledger.moves, "no page showed a hand"
    assert all(len(found) == 1 for found in seats.values()), f"a player was sent another's page: {seats}"
    assert all(len(words) == 1 for words in said.values()), f"what is said of a card depends on more than on clues: {said}"
    return checked


def cards_on_page(hand: OwnHand) -> list[tuple[int, set[str], set[int]]]:
    """What a page tells about the player's own cards."""
    return [(card.number, set(card.colours), set(card.values)) for card in hand.cards]


def cards_by_clues(game: Game, seat: int) -> list[tuple[int, set[str], set[int]]]:
    """What the clues tell about them."""
    return [(seen.number, set(map(str, seen.colours)), set(seen.values)) for seen in game.view(seat).hand]


@dataclass(frozen=True)
class Resources:
    """The resources of an idle server."""

    processes: int
    serving: tuple[Holding, ...]
    render_cache: int
    """The MiB of the render caches of all processes."""

    @property
    def other_memory(self) -> int:
        """The other memory of all processes, in MiB."""
        return sum(held.memory for held in self.serving) - self.render_cache

    def __str__(self) -> str:
        each = " and ".join(f"{held.memory} MiB, {held.files} files, {held.threads} threads" for held in self.serving)
        return f"{each}, of which render cache {self.render_cache} MiB"


async def measure(server: Server) -> Resources:
    """The resources of a server once it has noticed that all clients have left."""
    async with asyncio.timeout(SETTLE_TIMEOUT):
        while connections_at(server.port):
            await asyncio.sleep(0.1)
        counted = (await Wire(server.port).request("GET", "/metrics")).body
    cache_size = re.search(r"(?m)^tamaya_drawings_bytes (\S+)", counted)
    assert cache_size, f"the server reports no size of its render cache: {counted[:200]}"
    serving = tuple(map(holding_of, server.serving()))
    return Resources(len(processes_of(server.group)), serving, int(float(cache_size[1])) // 2**20)


async def check_resources(server: Server, before: Resources) -> Resources:
    """A server has about the same resources as before, after some time to settle."""
    async with asyncio.timeout(2 * SETTLE_TIMEOUT):
        now = await measure(server)
        for _ in range(100):
            if not (found := _too_much(before, now)):
                return now
            await asyncio.sleep(SETTLE_TIMEOUT / 100)
            now = await measure(server)
    raise AssertionError(f"{found}; before: {before}; now: {now}")


def _too_much(before: Resources, now: Resources) -> str:
    if now.processes > before.processes or len(now.serving) != len(before.serving):
        return f"there are {now.processes} processes and were {before.processes}"
    if now.other_memory > before.other_memory + MEMORY_GROWTH * len(now.serving):
        return f"without the render cache, {now.other_memory} MiB are used and were {before.other_memory}"
    files, threads = (max(getattr(held, name) for held in before.serving) for name in ("files", "threads"))
    for held in now.serving:
        if held.files > files + FILES or held.threads > threads + THREADS:
            return f"a process holds more than before: {held}"
    return ""


def check_log(log: str, events: dict[str, list[str]], *, calm: bool) -> None:
    """The server's log contains no deck and, unless its database had failed, no traceback."""
    decks = (event.deck for lines in events.values() for event in map(decode, lines) if isinstance(event, Started))
    assert not any(deck in log for deck in decks), "a deck is in the log"
    assert not calm or "Traceback" not in log, log[log.find("Traceback") :][:4000]
