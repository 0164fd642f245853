"""Advice for players: thought out ahead where what that needs is ready, and by the agreements alone everywhere else."""

from __future__ import annotations

from collections.abc import Sequence

from tamaya.bots import DEFAULT_BOT, Advice, plain_advice
from tamaya.engine import View
from tamaya.live.needs import Need
from tamaya.live.searching import ANSWERING, LONGEST_SEARCH, PATIENCE, SearchPool, answer_after
from tamaya.rules import MissingPartError, Rules


class SearchingAdviser:
    """Gives advice from a place to search in, after a fixed number of `seconds`: nobody learns anything by the clock. Until
    that place is ready for the rules of a game, the agreements give it at once."""

    def __init__(self, searches: SearchPool, seconds: float = ANSWERING) -> None:
        self._searches, self._seconds = searches, seconds

    async def advise(self, view: View, seats: Sequence[str]) -> Advice:
        """What a good player would do."""
        need = _need(view.rules)
        if not self._searches.is_ready(*need):
            self._searches.want(*need)
            return plain_advice(view)
        limits = {"limit": LONGEST_SEARCH, "patience": PATIENCE}
        search = self._searches.run(searched_advice, view, tuple(seats), need=need, **limits)
        return await answer_after(self._seconds, search) or plain_advice(view)


def best_advice(view: View, seats: Sequence[str]) -> Advice:
    """What a good player would do, thought out here and now as far as nothing has to be compiled for it."""
    try:
        from tamaya.search.search import is_ready

        ready = is_ready(*_need(view.rules))
    except (ImportError, MissingPartError):
        ready = False
    return searched_advice(view, tuple(seats)) if ready else plain_advice(view)


def searched_advice(view: View, seats: tuple[str, ...]) -> Advice:
    """Advice from a search; what that needs must be ready."""
    from tamaya.search.bot import advice

    return advice(view, seats)


def _need(rules: Rules) -> Need:
    return Need.of(rules, (DEFAULT_BOT,))
