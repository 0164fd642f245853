"""One game in a list of somebody's games."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tamaya.rules import EDITIONS, Message, say, say_in, say_n
from tamaya.table import GameKind, Listing, Phase

MARKS: Mapping[GameKind, Message] = {
    GameKind.LESSON: say("guided first deal"),
    GameKind.PLAYED_ON: say_in("game", "played on from another"),
    GameKind.BROUGHT: say_in("game", "from elsewhere"),
}
"""What a list says of games that are not counted."""


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game as its line says it: where it is, with whom, when it ended or was last touched, by which edition and how far it
    has come. It `waits` if it is the reader's turn, and says if players were `advised`."""

    code: str
    address: str
    names: tuple[str, ...]
    when: float
    edition: Message
    how_far: Message
    mark: Message | None = None
    over: bool = False
    waits: bool = False
    perfect: bool = False
    advised: bool = False


def game_row(game: Listing, person: str) -> GameRow:
    """The line of a game in the list of one of its people."""
    over, progress = game.phase is Phase.ENDED, game.progress
    return GameRow(
        code=game.code,
        address=f"/t/{game.code}/replay" if over else f"/t/{game.code}",
        names=tuple(name for name in game.names if name and name != own_name(game, person)) or game.names[:1],
        when=game.touched if game.ended is None else game.ended,
        edition=EDITIONS[game.edition].title,
        how_far=_how_far(game, person),
        mark=MARKS.get(game.kind),
        over=over,
        waits=is_waiting(game, person),
        advised=progress is not None and progress.advised > 0,
        perfect=over and progress is not None and progress.perfect and game.kind is not GameKind.BROUGHT,
    )


def own_name(game: Listing, person: str) -> str:
    """What a person is called in a game, as far as it is known."""
    return dict(zip(game.people, game.called, strict=False)).get(person, "")


def is_waiting(game: Listing, person: str) -> bool:
    """Whether a game goes on and it is the person's turn."""
    return game.phase is Phase.PLAYING and game.progress is not None and game.progress.person == person


def _how_far(game: Listing, person: str) -> Message:
    if game.phase is Phase.OPEN:
        return say("waiting for players") if "" in game.names else say("about to start")
    if game.phase is Phase.PLAYING:
        if game.progress is None:
            return say_in("game", "goes on")
        return say("Your turn") if is_waiting(game, person) else say("{player}'s turn", player=game.progress.turn_of)
    if game.kind is GameKind.BROUGHT:
        return say("Replay")  # whoever brought it may not have seen how it ends
    if game.progress is None:
        return say_in("game", "over")
    return say("Lost") if game.progress.lost else say_n("{n} point", "{n} points", game.progress.points)
