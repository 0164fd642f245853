"""What a move is worth, to somebody who knows what one seat knows and no more.

`values` weighs the moves of a view: worlds that agree with all that the seat has seen, in each of which policies play the game
on to its end. It is shown a `View` and names of policies, never a game.
"""

from tamaya.search.budget import Budget
from tamaya.search.race import Estimate
from tamaya.search.values import MoveValue, Search, Values, values

__all__ = ["Budget", "Estimate", "MoveValue", "Search", "Values", "values"]
