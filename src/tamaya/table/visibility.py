"""Who may see what of a game that is over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tamaya.bots.convention.meaning import meanings
from tamaya.engine import Game, View
from tamaya.engine.view import Eyes
from tamaya.record import Record
from tamaya.rules import Action, Message
from tamaya.table.settings import SpectatorMode

Viewpoint = int | SpectatorMode
"""Through whose eyes one looks: those of a seat, or of a spectator who sees the table alone or every hand."""


class PastGame:
    """All moments of a game that is over. Nobody may have one while the game goes on."""

    def __init__(self, game: Game) -> None:
        self._game = game

    @property
    def turns(self) -> int:
        """How many actions were taken."""
        return self._game.turn

    def view(self, turn: int, eyes: Viewpoint) -> View:
        """What these eyes could see after so many turns."""
        game = self._game.at(turn)
        if isinstance(eyes, int):
            return game.view(eyes)
        return game.reveal_hands() if eyes is SpectatorMode.HANDS else game.spectator_view()

    def what_if(self, turn: int, then: Sequence[Action], seat: int | None = None) -> View:
        """What would have become of the game by other actions after so many turns: every hand face up, from the seat of the
        player to move, who has all choices; with a `seat`, what its player would see and no more."""
        game = self._what_if(turn, then)
        return game.reveal_hands(game.to_move) if seat is None else game.view(seat)

    def moves(self, turn: int, then: Sequence[Action]) -> tuple[str, ...]:
        """The moves that lead there, in the notation of records."""
        return tuple(map(str, self._what_if(turn, then).moves))

    def meanings(self, eyes: Viewpoint) -> Mapping[int, Message]:
        """By turn, what each move meant by the conventions, as these eyes could read it at that time."""
        seats, record = frozenset(range(self._game.rules.players)), Record.of(self._game, ())
        if isinstance(eyes, int):
            return meanings(record, Eyes(eyes, seats - {eyes}))
        return meanings(record, Eyes(None, seats if eyes is SpectatorMode.HANDS else frozenset()))

    def what_if_meanings(
        self, turn: int, then: Sequence[Action], eyes: Viewpoint = SpectatorMode.HANDS
    ) -> Mapping[int, Message]:
        """The same of other actions after so many turns, by itself with every hand face up."""
        return PastGame(self._what_if(turn, then)).meanings(eyes)

    def _what_if(self, turn: int, then: Sequence[Action]) -> Game:
        game = self._game.at(turn)
        for action in then:
            game.act(action)
        return game
