"""What a move is worth to a player who knows what one seat knows, and no more.

`values` takes a `View` and names of policies, never a game: it draws worlds that agree with all that the seat has seen, and
lets the policies play each of them to its end.
"""

from tamaya.search.rollouts import Estimate
from tamaya.search.search import Budget, MoveValue, Search, Values, values

__all__ = ["Budget", "Estimate", "MoveValue", "Search", "Values", "values"]
