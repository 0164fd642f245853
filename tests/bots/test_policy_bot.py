"""A policy at a table: what it keeps between its turns changes nothing, and whatever happens at the table it goes on."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamaya import Ending, Game, IllegalError, Rules
from tamaya.bots import BOTS, Blueprint, PolicyBot, PolicyFunctions, find_policy
from tamaya.bots.policy import Explain, interpreted_policy
from tamaya.bots.policy_bot import SightTracker, retrace
from tamaya.engine.kernel import Constants, Jit, Kernel, Row
from tamaya.rules import Message, say
from tests.tables import FULL, random_arrangement, rules

HONEST = [name for name, entry in BOTS.items() if entry.plays_fair and entry.is_compiled]


def seated(name: str) -> PolicyBot:
    return PolicyBot(find_policy(name))


def hat() -> PolicyBot:
    return seated("hat")


@pytest.mark.slow
@pytest.mark.parametrize("name", HONEST)
@settings(max_examples=30 if FULL else 15)
@given(rules(), st.integers(0, 2**64 - 1))
def test_a_bot_that_was_there_all_along_acts_as_one_that_has_just_come(name: str, table: Rules, seed: int) -> None:
    if not BOTS[name].knows(table):
        table = Rules(players=2)
    game = Game(table, seed=seed)
    bots = [seated(name) for _ in range(table.players)]
    while game.to_move is not None:
        view = game.view(game.to_move)
        action = bots[game.to_move].act(view)
        assert action in view.legal_actions
        assert seated(name).act(view) == action
        assert bots[game.to_move].act(view) == action, "asked again"
        game.act(action)


@pytest.mark.slow
def test_one_bot_can_be_shown_one_game_after_the_other_and_moves_taken_back() -> None:
    bot, choice = hat(), random.Random(1)
    games = [Game(Rules(players=players), seed=seed) for players in (2, 3) for seed in (1, 2)]
    for _ in range(200):
        game = choice.choice(games)
        if choice.random() < 0.3 and game.turn:
            game.undo()
        if game.to_move is not None:
            view = game.view(game.to_move)
            assert bot.act(view) == hat().act(view)
            game.act(bot.act(view))


def pictures(game: Game) -> list[list[int]]:
    """What each seat of a game has written down by now and keeps."""
    policy, memories = interpreted_policy(find_policy("hat"), game.rules), []
    for seat in range(game.rules.players):
        memory = [0] * policy.words
        policy.begin(memory, SightTracker(game.view(seat)).now)
        for before, after in retrace(game.view(seat)):
            policy.notice(memory, seat, before, after)
        memories.append(memory[: policy.kept])
    return memories


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_hands_laid_out_anew_neither_divide_a_team_nor_harm_it(players: int) -> None:
    scores, choice = [], random.Random(players)
    for seed in range(10):
        game = Game(Rules(players=players), seed=seed)
        bots = [hat() for _ in range(players)]
        while game.to_move is not None:
            for _ in range(choice.choice((0, 0, 1, 2))):
                game.arrange(random_arrangement(game, choice))
            game.act(bots[game.to_move].act(game.view(game.to_move)))
            if choice.random() < 0.2:
                first, *others = pictures(game)
                assert all(other == first for other in others)
        assert game.outcome
        assert game.outcome.ending in (Ending.WON, Ending.POINTS)
        scores.append(game.score)
    assert sum(scores) / len(scores) > (21 if players == 2 else 24)


def build_wrong(kernel: Kernel, _jit: Jit, _constants: Constants, number: int) -> PolicyFunctions:
    """Always the same action, whether legal or not; a negative one fails."""

    def choose(_memory: Row, _sight: Row, _mask: Row, _luck: int) -> int:
        if number < 0:
            raise ZeroDivisionError
        return number

    def begin(memory: Row, _sight: Row) -> None:
        memory[0] = 7

    def notice(memory: Row, _seat: int, _before: Row, _after: Row) -> None:
        memory[0] += 1

    return PolicyFunctions(1, 1, begin, choose, notice)


def always(number: int, explain: Explain | None = None) -> PolicyBot:
    return PolicyBot(Blueprint(partial(build_wrong, number=number), explain=explain))


def test_an_illegal_choice_is_raised() -> None:
    with pytest.raises(IllegalError, match="discard 1"):
        always(0).act(Game(Rules()).view(0))


def test_after_a_failure_it_begins_anew() -> None:
    bot = always(-1, lambda rules, memory: say("Never said."))
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            bot.act(Game(Rules()).view(0))
        assert bot.explain() is None


def test_it_explains_what_its_policy_explains() -> None:
    game, asked = Game(Rules(players=2), seed=1), []

    def explain(rules: Rules, memory: Sequence[int]) -> Message:
        asked.append((rules, memory[0]))
        return say("So it is.")

    bot = always(5, explain)
    assert bot.explain() is None, "it has not acted yet"
    for turns in (0, 2):
        game.act(bot.act(game.view(0)))
        assert str(bot.explain()) == "So it is."
        assert asked[-1] == (game.rules, 7 + turns)
        game.act("clue 1 1" if "clue 1 1" in map(str, game.legal_actions()) else game.legal_actions()[0])
    assert hat().explain() is None
