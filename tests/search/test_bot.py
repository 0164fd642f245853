"""The bot that thinks ahead: where another move is clearly better it leaves its policy, and says so."""

from __future__ import annotations

import pickle
from functools import partial
from typing import Any

import pytest

from tamaya import Game, Rules, View, read_rules
from tamaya.bots import BotSeat, make_bot, registry
from tamaya.bots.registry import BotEntry
from tamaya.league import Chunk, Match, play_chunk
from tamaya.rules import say
from tamaya.search import Budget, Search, bot, values
from tamaya.search.bot import Departure, SearchBot, departure
from tamaya.search.hands import Recollection
from tamaya.search.race import Race
from tamaya.search.trust import PEOPLE
from tests.search.enumeration import Past
from tests.search.games import game_at, moments
from tests.search.sampling import think_little

RULES = read_rules("players=2 colours=1 hand_size=3")
LITTLE = Budget(200)


def thinker(name: str = "simple", budget: Budget = LITTLE) -> SearchBot:
    return SearchBot(name, budget, speed="interpreted")


def ends(count: int) -> list[Game]:
    """Positions with few cards left, as `simple` comes to them."""
    found = [game.copy() for seed in range(count) for game in moments(RULES, ["simple"] * 2, seed) if game.turn == 6]
    assert len(found) >= count // 2
    return found


@pytest.mark.slow
def test_it_leaves_its_policy_for_a_better_move_alone_and_says_why() -> None:
    left = 0
    for game in ends(12):
        view = game.view(game.to_move or 0)
        mind, plain, found = thinker(), make_bot("simple"), values(view, "simple", speed="interpreted")
        assert found.exact
        chosen, agreed = mind.act(view), plain.act(view)
        assert found.policy == agreed
        if chosen == agreed:
            assert str(mind.explain()) == str(plain.explain())  # type: ignore[attr-defined]
            assert found.best.gain.mean <= bot.MARGIN
        else:
            assert found.of(chosen).value.mean == pytest.approx(found.best.value.mean)
            assert found.best.gain.mean > bot.MARGIN
            assert str(mind.explain()) not in ("None", str(plain.explain()))  # type: ignore[attr-defined]
            left += 1
    assert left >= 2


def test_few_hands_that_fit_are_no_doubt_where_all_worlds_are_known() -> None:
    """A hand that is known but for two cards: what is best there is certain, and done."""
    past = Past.of(game_at(4, RULES, ["simple"] * 2, 4, slips=0.3))
    search = Search(past.view, "simple", speed="interpreted")
    assert search.fitting < bot.TOO_DOUBTFUL
    best = values(past.view, "simple", speed="interpreted").best
    assert best.gain.mean > bot.MARGIN
    found = departure(Search(past.view, "simple", speed="interpreted"), LITTLE)
    assert found is not None
    assert found.gain.mean == pytest.approx(best.gain.mean)


def test_the_race_and_the_trial_after_it_take_no_longer_together_than_they_may(monkeypatch: pytest.MonkeyPatch) -> None:
    past, race, given = Past.of(game_at(4, RULES, ["simple"] * 2, 4, slips=0.3)), Search.race, list[Budget]()

    def noted(search: Search, moves: list[int], keep: list[int], budget: Budget, *more: Any, **how: Any) -> Race:
        given.append(budget)
        return race(search, moves, keep, budget, *more, **how)

    monkeypatch.setattr(Search, "race", noted)
    assert departure(Search(past.view, "simple", speed="interpreted"), Budget(200, seconds=60.0)) is not None
    assert len(given) == 2
    assert sum(budget.rollouts for budget in given) <= 200
    assert sum(budget.seconds or 0.0 for budget in given) == pytest.approx(60.0)


class Counting:
    """Stands in for `departure` and counts how often somebody thinks ahead."""

    def __init__(self) -> None:
        self.seats: list[int | None] = []

    def __call__(self, search: Search, budget: Budget) -> Departure | None:
        self.seats.append(search.view.seat)
        return None


@pytest.mark.parametrize(
    ("seats", "thinking"),
    [
        (["search", "search", "search"], {0}),
        (["simple", "search", "search"], {1}),
        (["", "search", "simple"], {1}),
        (["simple", "", "search"], {2}),
    ],
)
def test_of_several_only_the_first_thinks_ahead(seats: list[str], thinking: set[int], monkeypatch: pytest.MonkeyPatch) -> None:
    counting = Counting()
    monkeypatch.setattr(bot, "departure", counting)
    game = Game(Rules(players=3, colours=2, hand_size=2), seed=1)
    players = [BotSeat(thinker() if name == "search" else make_bot("simple"), seats) for name in seats]
    for _ in range(6):
        assert game.to_move is not None
        game.act(players[game.to_move].act(game.view(game.to_move)))
    assert set(counting.seats) == thinking


class Believing:
    """Stands in for `departure` and notes how partners are taken."""

    def __init__(self) -> None:
        self.softness: list[tuple[float, ...]] = []

    def __call__(self, search: Search, budget: Budget) -> Departure | None:
        self.softness.append(search._softness)
        return None


@pytest.mark.parametrize(
    ("seats", "softness"),
    [
        (["search", "simple", ""], (0.0, 0.0, PEOPLE)),
        (["search", "hat", "search"], (0.0, PEOPLE, 0.0)),
        ([], (0.0, 0.0, 0.0)),
    ],
)
def test_people_and_bots_with_other_policies_are_not_taken_at_their_moves(
    seats: list[str], softness: tuple[float, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    believing = Believing()
    monkeypatch.setattr(bot, "departure", believing)
    game = Game(Rules(players=3, colours=2, hand_size=2), seed=1)
    BotSeat(thinker(), seats).act(game.view(0))
    assert believing.softness == [softness]


def test_what_it_found_in_its_last_turn_is_where_it_looks_first(monkeypatch: pytest.MonkeyPatch) -> None:
    think_little(monkeypatch)
    mind, begun = thinker(), []

    def keeping(view: View, *arguments: object, before: object, **options: Any) -> Search:
        begun.append(before)
        return Search(view, *arguments, before=before, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(bot, "Search", keeping)
    rules = read_rules("players=2 colours=2 hand_size=3")
    for view in [game.view(0) for game in moments(rules, ["simple"] * 2, 7) if game.to_move == 0][:3]:
        mind.act(view)
    assert begun[0] is None
    assert all(isinstance(before, Recollection) for before in begun[1:])


@pytest.mark.slow
def test_the_league_plays_it_from_views(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = BotEntry(say("Thinks ahead."), from_views=partial(thinker, "simple", Budget(40)))
    monkeypatch.setattr(registry, "BOTS", {**registry.BOTS, "search": entry})
    think_little(monkeypatch)
    chunk = Chunk(Match("search+simple", RULES, seed=1, games=3), 0, 3)
    first, again = play_chunk(chunk), play_chunk(chunk)
    assert first == again, "the same deals and the same rollouts, the same games"
    assert first.scores != play_chunk(Chunk(Match("simple", RULES, seed=1, games=3), 0, 3)).scores


def test_it_travels_to_a_worker_and_takes_up_a_game_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever it takes up a game, it goes on as another one would that takes it up there."""
    think_little(monkeypatch)
    here, there = thinker(), pickle.loads(pickle.dumps(thinker()))
    views = [game.view(0) for game in moments(RULES, ["simple"] * 2, 7) if game.to_move == 0]
    for view in views[1:4]:
        assert (here.act(view), str(here.explain())) == (there.act(view), str(there.explain()))
