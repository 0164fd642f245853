"""What each viewpoint may see of a finished game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tamaya.bots.convention.meaning import meanings
from tamaya.engine import Game, View
from tamaya.engine.view import Eyes
from tamaya.record import Record
from tamaya.rules import Action, Message
from tamaya.table.settings import SpectatorMode

Viewpoint = int | SpectatorMode
"""A seat, or a spectator who sees the table only or every hand."""


class PastGame:
    """All moments of a finished game; never made while the game goes on."""

    def __init__(self, game: Game) -> None:
        self._game = game

    @property
    def turns(self) -> int:
        """The number of actions."""
        return self._game.turn

    def view(self, turn: int, eyes: Viewpoint) -> View:
        """The view from a viewpoint after a turn."""
        game = self._game.at(turn)
        if isinstance(eyes, int):
            return game.view(eyes)
        return game.reveal_hands() if eyes is SpectatorMode.HANDS else game.spectator_view()

    def what_if(self, turn: int, then: Sequence[Action], seat: int | None = None) -> View:
        """The view after other actions `then` from a turn: of the player to move with every hand shown, or exactly what the
        player at `seat` would see."""
        game = self._what_if(turn, then)
        return game.reveal_hands(game.to_move) if seat is None else game.view(seat)

    def moves(self, turn: int, then: Sequence[Action]) -> tuple[str, ...]:
        """All moves of the game after other actions `then` from a turn, in the notation of records."""
        return tuple(map(str, self._what_if(turn, then).moves))

    def meanings(self, eyes: Viewpoint) -> Mapping[int, Message]:
        """The conventional meaning of each move, by turn, as it could be read from a viewpoint at that time."""
        seats, record = frozenset(range(self._game.rules.players)), Record.of(self._game, ())
        if isinstance(eyes, int):
            return meanings(record, Eyes(eyes, seats - {eyes}))
        return meanings(record, Eyes(None, seats if eyes is SpectatorMode.HANDS else frozenset()))

    def what_if_meanings(
        self, turn: int, then: Sequence[Action], eyes: Viewpoint = SpectatorMode.HANDS
    ) -> Mapping[int, Message]:
        """The same after other actions `then` from a turn, by default with every hand shown."""
        return PastGame(self._what_if(turn, then)).meanings(eyes)

    def _what_if(self, turn: int, then: Sequence[Action]) -> Game:
        game = self._game.at(turn)
        for action in then:
            game.act(action)
        return game
