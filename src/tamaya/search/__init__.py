"""The value of each move to a player who knows only what one seat knows.

`values` takes a `View` and names of policies, never a game: it draws worlds that agree with everything the seat has seen, and
the policies play each of them to its end.
"""

from tamaya.search.rollouts import Estimate
from tamaya.search.search import Budget, MoveValue, Search, Values, values

__all__ = ["Budget", "Estimate", "MoveValue", "Search", "Values", "values"]
