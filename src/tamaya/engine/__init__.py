"""The game engine: a game, its events, and what each seat may see of it."""

from tamaya.engine.events import Arranged, Clued, Discarded, Event, Played
from tamaya.engine.game import Game
from tamaya.engine.view import SeenCard, View

__all__ = ["Arranged", "Clued", "Discarded", "Event", "Game", "Played", "SeenCard", "View"]
