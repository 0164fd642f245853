"""The searching bot: it deviates from its policy where another move is clearly better, and explains that. And its advice."""

from __future__ import annotations

import pickle
import random
from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest

from tamaya import Game, Rules, View, read_rules
from tamaya.bots import Advice, BotSeat, make_bot, plain_advice, registry
from tamaya.bots.registry import BotEntry
from tamaya.i18n import LANGUAGES, catalogue, reason_in_words
from tamaya.league import Chunk, Match, play_chunk
from tamaya.rules import Clue, Discard, Play, say
from tamaya.search import Budget, Estimate, Search, bot, values
from tamaya.search.beliefs import PEOPLE_NOISE
from tamaya.search.bot import Deviation, SearchBot, advice, deviation
from tamaya.search.hand_sampling import PriorHands
from tamaya.search.rollouts import RolloutRace
from tests.search.enumeration import Past
from tests.search.support import game_at, limit_search, moments
from tests.twins import twin_of

RULES = read_rules("players=2 colours=1 hand_size=3")
SMALL_BUDGET = Budget(200)


def searcher(name: str = "simple", budget: Budget = SMALL_BUDGET) -> SearchBot:
    return SearchBot(name, budget, speed="interpreted")


def ends(count: int) -> list[Game]:
    """Positions with few cards left in games of `simple`."""
    found = [game.copy() for seed in range(count) for game in moments(RULES, ["simple"] * 2, seed) if game.turn == 6]
    assert len(found) >= count // 2
    return found


@pytest.mark.slow
def test_it_deviates_from_its_policy_only_for_a_better_move_and_says_why() -> None:
    deviations = 0
    for game in ends(12):
        view = game.view(game.to_move or 0)
        mind, plain, found = searcher(), make_bot("simple"), values(view, "simple", speed="interpreted")
        assert found.exact
        chosen, agreed = mind.act(view), plain.act(view)
        assert found.policy == agreed
        if chosen == agreed:
            assert str(mind.explain()) == str(plain.explain())  # type: ignore[attr-defined]
            assert found.best.gain.mean <= bot.MIN_GAIN
        else:
            assert found.of(chosen).value.mean == pytest.approx(found.best.value.mean)
            assert found.best.gain.mean > bot.MIN_GAIN
            assert str(mind.explain()) not in ("None", str(plain.explain()))  # type: ignore[attr-defined]
            deviations += 1
    assert deviations >= 2


def test_few_consistent_hands_suffice_if_all_worlds_are_considered() -> None:
    """A hand that is known except for two cards: the best move is certain, and is made."""
    past = Past.of(game_at(4, RULES, ["simple"] * 2, 4, slips=0.3))
    search = Search(past.view, "simple", speed="interpreted")
    assert search.effective_hands < bot.MIN_HANDS
    best = values(past.view, "simple", speed="interpreted").best
    assert best.gain.mean > bot.MIN_GAIN
    found = deviation(Search(past.view, "simple", speed="interpreted"), SMALL_BUDGET)
    assert found is not None
    assert found.gain.mean == pytest.approx(best.gain.mean)


def test_the_race_and_its_confirmation_share_one_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    past, race, given = Past.of(game_at(4, RULES, ["simple"] * 2, 4, slips=0.3)), Search.race, list[Budget]()

    def noted(
        search: Search, moves: list[int], always_include: list[int], budget: Budget, *more: Any, **how: Any
    ) -> RolloutRace:
        given.append(budget)
        return race(search, moves, always_include, budget, *more, **how)

    monkeypatch.setattr(Search, "race", noted)
    assert deviation(Search(past.view, "simple", speed="interpreted"), Budget(200, seconds=60.0)) is not None
    assert len(given) == 2
    assert sum(budget.rollouts for budget in given) <= 200
    assert sum(budget.seconds or 0.0 for budget in given) == pytest.approx(60.0)


class SearchingSeats:
    """Replaces `deviation` and notes which seats search."""

    def __init__(self) -> None:
        self.seats: list[int | None] = []

    def __call__(self, search: Search, budget: Budget) -> Deviation | None:
        self.seats.append(search.view.seat)
        return None


@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        (["search", "search", "search"], {0}),
        (["simple", "search", "search"], {1}),
        (["", "search", "simple"], {1}),
        (["simple", "", "search"], {2}),
    ],
)
def test_of_several_only_the_first_searches(seats: list[str], expected: set[int], monkeypatch: pytest.MonkeyPatch) -> None:
    searching = SearchingSeats()
    monkeypatch.setattr(bot, "deviation", searching)
    game = Game(Rules(players=3, colours=2, hand_size=2), seed=1)
    players = [BotSeat(searcher() if name == "search" else make_bot("simple"), seats) for name in seats]
    for _ in range(6):
        assert game.to_move is not None
        game.act(players[game.to_move].act(game.view(game.to_move)))
    assert set(searching.seats) == expected


class NoiseOfSeats:
    """Replaces `deviation` and notes the noise of each seat."""

    def __init__(self) -> None:
        self.noise: list[tuple[float, ...]] = []

    def __call__(self, search: Search, budget: Budget) -> Deviation | None:
        self.noise.append(search.noise)
        return None


@pytest.mark.parametrize(
    ("seats", "noise"),
    [
        (["search", "simple", ""], (0.0, 0.0, PEOPLE_NOISE)),
        (["search", "hat", "search"], (0.0, PEOPLE_NOISE, 0.0)),
        ([], (0.0, 0.0, 0.0)),
    ],
)
def test_people_and_bots_with_other_policies_get_noise(
    seats: list[str], noise: tuple[float, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    noted = NoiseOfSeats()
    monkeypatch.setattr(bot, "deviation", noted)
    game = Game(Rules(players=3, colours=2, hand_size=2), seed=1)
    BotSeat(searcher(), seats).act(game.view(0))
    assert noted.noise == [noise]


def test_it_starts_from_the_hands_found_on_its_last_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    limit_search(monkeypatch)
    mind, begun = searcher(), []

    def keeping(view: View, *arguments: object, prior_hands: object, **options: Any) -> Search:
        begun.append(prior_hands)
        return Search(view, *arguments, prior_hands=prior_hands, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(bot, "Search", keeping)
    rules = read_rules("players=2 colours=2 hand_size=3")
    for view in [game.view(0) for game in moments(rules, ["simple"] * 2, 7) if game.to_move == 0][:3]:
        mind.act(view)
    assert begun[0] is None
    assert all(isinstance(prior, PriorHands) for prior in begun[1:])


@pytest.mark.slow
def test_the_league_plays_it_from_views(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = BotEntry(say("Thinks ahead."), from_views=partial(searcher, "simple", Budget(40)))
    monkeypatch.setattr(registry, "BOTS", {**registry.BOTS, "search": entry})
    limit_search(monkeypatch)
    chunk = Chunk(Match("search+simple", RULES, seed=1, games=3), 0, 3)
    first, again = play_chunk(chunk), play_chunk(chunk)
    assert first == again, "the same deals and the same rollouts, the same games"
    assert first.scores != play_chunk(Chunk(Match("simple", RULES, seed=1, games=3), 0, 3)).scores


def test_it_can_be_pickled_and_can_join_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that joins a game plays as any other that joins on the same turn."""
    limit_search(monkeypatch)
    here, there = searcher(), pickle.loads(pickle.dumps(searcher()))
    views = [game.view(0) for game in moments(RULES, ["simple"] * 2, 7) if game.to_move == 0]
    for view in views[1:4]:
        assert (here.act(view), str(here.explain())) == (there.act(view), str(there.explain()))


# Advice.


STANDARD = Rules(players=2)
SMALL_TABLE = read_rules("players=2 colours=2 hand_size=4")
NAMES = ("Ann", "Kiku")
SHORT = Budget(rollouts=40)


def game_after(turns: int, seed: int = 3, rules: Rules = STANDARD) -> Game:
    """A game of two `convention` bots after some turns."""
    game, bots = Game(rules, seed=seed), [make_bot("convention") for _ in range(2)]
    for _ in range(turns):
        assert game.to_move is not None
        game.act(bots[game.to_move].act(game.view(game.to_move)))
    return game


def advise(view: View) -> Advice:
    return advice(view, ("", "convention"), budget=SHORT, speed="interpreted")


@pytest.mark.slow
def test_hidden_cards_do_not_change_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot, "FORECAST_BUDGET", SHORT)
    game = game_after(11, 4, SMALL_TABLE)
    seat = game.to_move
    assert seat is not None
    twin = twin_of(game, seat, random.Random(5))
    assert twin.reveal_deck() != game.reveal_deck()
    found = advise(game.view(seat))
    assert found == advise(twin.view(seat))
    assert found.action in game.legal_actions()
    assert "points" in str(found.reasons[-1]), "it says what the game comes to"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", [Clue, Play, Discard])
def test_advice_against_the_conventions_is_explained(monkeypatch: pytest.MonkeyPatch, language: str, kind: type) -> None:
    view = game_after(1).view(1)
    own = plain_advice(view).action
    other = next(action for action in view.legal_actions if isinstance(action, kind) and action != own)
    better = Deviation(other, own, Estimate(0.43, 0.1), Estimate(22.6, 0.2))
    monkeypatch.setattr(bot, "deviation", lambda search, budget: better)
    monkeypatch.setattr(bot, "main_reason", lambda search, policy_action, chosen: say("But card {slot} fits.", slot=1))
    found = advice(view, ("convention", ""), speed="interpreted")
    told = [reason_in_words(catalogue(language), words, NAMES, 1) for words in found.reasons]
    assert found.action == other
    assert not found.idea.values, "an idea names no card and no player"
    assert "4" in told[0]
    assert "23" in told[-1]
    assert "{" not in "".join(told)


def test_advice_trusts_people_less_than_bots_of_the_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    class StopError(Exception):
        """The test has seen enough."""

    trusted: list[Sequence[float]] = []

    def note(view: View, *, noise: Sequence[float], **more: object) -> None:
        trusted.append(noise)
        raise StopError

    monkeypatch.setattr(bot, "Search", note)
    for seats in ((), ("", "convention"), ("", "simple")):
        with pytest.raises(StopError):
            advice(game_after(0).view(0), seats)
    person, companion, stranger = (noise[1] for noise in trusted)
    assert companion == 0.0
    assert person == stranger > 0.0
