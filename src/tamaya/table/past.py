"""A game that is over, to look at: any moment of it through any eyes, and what else could have been done."""

from __future__ import annotations

from collections.abc import Sequence

from tamaya.engine import Game, View
from tamaya.rules import Action
from tamaya.table.settings import Watching

Onlooker = int | Watching
"""Through whose eyes one looks: those of a seat, or of a spectator who sees the table alone or every hand."""


class Past:
    """All moments of a game that is over. Nobody may have one while the game goes on."""

    def __init__(self, game: Game) -> None:
        self._game = game

    @property
    def turns(self) -> int:
        """How many actions were taken."""
        return self._game.turn

    def view(self, turn: int, eyes: Onlooker) -> View:
        """What these eyes could see after so many turns."""
        game = self._game.at(turn)
        if isinstance(eyes, int):
            return game.view(eyes)
        return game.reveal_hands() if eyes is Watching.HANDS else game.spectator_view()

    def suppose(self, turn: int, then: Sequence[Action]) -> View:
        """What would have become of the game by other actions after so many turns: every hand face up, from the seat of the
        player to move, who has all choices."""
        game = self._game.at(turn)
        for action in then:
            game.act(action)
        return game.reveal_hands(game.to_move)

    def moves(self, turn: int, then: Sequence[Action]) -> tuple[str, ...]:
        """The moves that lead there, in the notation of records."""
        game = self._game.at(turn)
        for action in then:
            game.act(action)
        return tuple(map(str, game.moves))
