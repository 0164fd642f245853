"""Workers play the same games as playing by hand; compiled policies play as interpreted ones do."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterator
from functools import partial

import pytest

from tamaya import Game, Rules
from tamaya.bots import make_bot, registry
from tamaya.engine import View
from tamaya.i18n import catalogue
from tamaya.league import (
    CHUNK,
    Chunk,
    ChunkResult,
    InProcess,
    LeagueError,
    Match,
    MatchResult,
    Processes,
    matches,
    play_chunk,
    play_game,
    play_matches,
)
from tamaya.league.matches import FAST_CHUNK, chunks_of
from tamaya.record import from_text
from tamaya.rules import Action
from tamaya.sim.deals import seed_of
from tamaya.sim.team import Results, team
from tests.league import support
from tests.league.policies import ENTRIES
from tests.league.support import RULES
from tests.programs import run_python


def by_hand(match: Match, number: int) -> Game:
    game = Game(match.rules, seed=seed_of(match.seed, number))
    bots = [make_bot(match.bot) for _ in range(match.rules.players)]
    while game.to_move is not None:
        game.act(bots[game.to_move].act(game.view(game.to_move)))
    return game


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_chunks_totals_are_those_of_its_games_played_by_hand(seats: int) -> None:
    match = Match("simple", Rules(players=seats), 11, 100)
    played = play_chunk(Chunk(match, 40, 43))
    games = [by_hand(match, number) for number in (40, 41, 42)]
    assert played.totals.games == 3
    assert {score: count for score, count in enumerate(played.totals.histogram) if count} == Counter(g.score for g in games)
    assert played.totals.moves == sum(game.turn for game in games)
    assert played.totals.lost == sum(game.outcome is not None and game.outcome.ending.lost for game in games)
    assert played.records == ""
    assert played.nanoseconds > 0


def test_all_bots_get_the_same_deals() -> None:
    with support.known():
        one, other = (play_game(support.match_of(bot, 9), 4) for bot in ("quick", "forgetful"))
    assert one.reveal_deck() == other.reveal_deck()
    assert one.moves != other.moves


def test_a_game_is_the_same_on_every_worker() -> None:
    match = support.match_of("forgetful", CHUNK)
    whole = support.played(Chunk(match, 0, CHUNK))
    alone = [support.played(Chunk(match, number, number + 1)) for number in reversed(range(CHUNK))]
    assert sum((played.totals for played in alone[1:]), alone[0].totals) == whole.totals


def test_bots_get_only_views(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[object] = []

    def note(view: View) -> Action:
        given.append(view)
        return view.legal_actions[0]

    monkeypatch.setattr(support, "_quick", note)
    support.played(Chunk(support.match_of("quick", 1, players=3), 0, 1))
    assert {type(view) for view in given} == {View}
    seats = [view.seat for view in given if isinstance(view, View)]
    assert seats == [turn % 3 for turn in range(len(seats))]


def test_records_are_of_these_games_in_order() -> None:
    match = support.match_of("quick", 50, players=4)
    played = support.played(Chunk(match, 7, 12), recorded=True)
    lines = played.records.splitlines()
    assert played == support.played(Chunk(match, 7, 12), recorded=True)
    with support.known():
        for number, line in zip(range(7, 12), lines, strict=True):
            replay = from_text(line)
            assert replay.error is None
            assert replay.game == play_game(match, number)
            assert replay.record.bots == ("quick",) * 4


@pytest.mark.parametrize(
    ("bot", "words"),
    [
        ("raising", "turn 4: KeyError: 'a mistake of its author' (support.py:"),
        ("leaving", "turn 1: SystemExit: 3 (support.py:"),
        ("illegal", "turn 1: it chose play 100, which is none of its legal actions."),
        ("telling", "which is none of its legal actions."),
        ("unborn", "turn 1: ZeroDivisionError: integer division or modulo by zero (support.py:"),
    ],
)
def test_a_failing_bot_is_reported_with_its_game(bot: str, words: str) -> None:
    with pytest.raises(LeagueError) as caught:
        support.played(Chunk(support.match_of(bot, 50), 21, 30))
    assert f"The bot {bot} failed with 2 players in game 21 of seed 5, turn" in str(caught.value)
    assert words in str(caught.value)
    travelled = pickle.loads(pickle.dumps(caught.value))
    assert (travelled.code, catalogue("en")(travelled.message)) == ("bot_failed", str(caught.value))


TEAMS = ("peeking", "peeking+oldest", "oldest+oldest+peeking")


@pytest.fixture
def compiling(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(registry, "BOTS", {**registry.BOTS, **ENTRIES})
    monkeypatch.setattr(matches, "can_compile", lambda: True)
    yield
    team.cache_clear()


def played_interpreted(chunk: Chunk) -> ChunkResult:
    """The chunk, played without a compiler."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matches, "can_compile", lambda: False)
        return play_chunk(chunk)


def in_the_loop(chunk: Chunk) -> Results:
    """The games of a chunk in the loop, interpreted."""
    match = chunk.match
    players = team(match.rules, tuple(sorted(set(match.lineup))), "interpreted")
    return players.play(match.lineup, match.seed, chunk.first, chunk.end)


@pytest.mark.usefixtures("compiling")
@pytest.mark.compiler
@pytest.mark.parametrize("names", TEAMS)
def test_a_compiled_chunk_scores_as_played_by_hand(names: str) -> None:
    chunk = Chunk(Match(names, RULES, seed=3, games=FAST_CHUNK), 40, 52)
    by_hand, compiled = played_interpreted(chunk), play_chunk(chunk)
    assert compiled == by_hand
    assert len(set(compiled.scores)) > 1
    assert compiled.totals.moves > 0


@pytest.mark.usefixtures("compiling")
@pytest.mark.slow
@pytest.mark.parametrize("names", ["hat", "hat+cheat", "simple", "convention+simple"])
def test_built_in_bots_play_the_same_in_the_loop_and_at_their_seats(names: str) -> None:
    """In the loop all seats of one bot share a memory; at a table each has its own."""
    chunk = Chunk(Match(names, Rules(players=3), games=20), 5, 8)
    results, by_hand = in_the_loop(chunk), played_interpreted(chunk)
    assert (bytes(results.scores.tolist()), results.turns.sum()) == (by_hand.scores, by_hand.totals.moves)


@pytest.mark.usefixtures("compiling")
@pytest.mark.compiler
def test_totals_and_scores_do_not_depend_on_the_chunks() -> None:
    match = Match("peeking+oldest", RULES, games=FAST_CHUNK + 50)
    whole = play_matches([match], InProcess())[0]
    assert len(whole.scores) == match.games
    parts = [play_chunk(Chunk(match, first, first + 110)) for first in range(0, match.games, 110)]
    assert b"".join(part.scores for part in parts) == whole.scores
    assert sum(part.totals.moves for part in parts) == whole.totals.moves


@pytest.mark.usefixtures("compiling")
def test_an_empty_chunk_compiles_each_loop_that_is_worth_it() -> None:
    games = FAST_CHUNK
    matches = [
        Match(bots, rules, games=games) for rules in (RULES, Rules()) for bots in ("oldest", "peeking+oldest", "oldest+peeking")
    ]
    chunks = list(chunks_of([*matches, Match("random", RULES, games=30), Match("oldest", RULES, games=games - 1)]))
    empty = [chunk for chunk in chunks if not chunk.numbers]
    assert chunks[: len(empty)] == empty
    assert [(chunk.match.bot, chunk.match.rules) for chunk in empty] == [
        ("oldest", RULES), ("peeking+oldest", RULES), ("oldest", Rules()), ("peeking+oldest", Rules())
    ]  # fmt: skip
    assert [len(chunk.numbers) for chunk in chunks[len(empty) :]] == [games] * 6 + [CHUNK, 30 - CHUNK] + [CHUNK] * 24 + [
        CHUNK - 1
    ]


@pytest.mark.usefixtures("compiling")
@pytest.mark.compiler
def test_built_in_bots_play_the_same_in_worker_processes() -> None:
    """Workers load the compiled loop from disk, or compile it one at a time."""
    match = Match("cheat", RULES, seed=2, games=2 * FAST_CHUNK + 7)
    here, there = (play_matches([match], runner)[0] for runner in (InProcess(), Processes(2)))
    assert MatchResult(match, here.totals, scores=here.scores) == MatchResult(match, there.totals, scores=there.scores)
    assert here.scores[:3] == played_interpreted(Chunk(match, 0, 3)).scores


@pytest.mark.usefixtures("compiling")
def test_an_illegal_action_ends_the_league_naming_game_and_action(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tamaya.sim.team.team", partial(team, speed_name="interpreted"))
    with pytest.raises(LeagueError, match="The bot wrong failed with 3 players in game 7 of seed 0, turn 1: it chose discard"):
        play_chunk(Chunk(Match("wrong", RULES, games=FAST_CHUNK), 7, 9))


@pytest.mark.slow
def test_without_a_compiler_policies_play_interpreted_in_small_chunks() -> None:
    code = """
import sys
sys.modules.update(numba=None, numpy=None)
from importlib import util
find = util.find_spec
util.find_spec = lambda name: None if name in ("numba", "numpy") else find(name)
from tamaya import Rules
from tamaya.league import CHUNK, InProcess, Match, play_matches
match = Match("cheat", Rules(players=3), games=CHUNK + 2)
print([len(chunk.numbers) for chunk in match.chunks()], list(play_matches([match], InProcess())[0].scores))
"""
    done = run_python("-c", code, check=True)
    results = in_the_loop(Chunk(Match("cheat", Rules(players=3), games=22), 0, 22))
    assert done.stdout == f"[20, 2] {results.scores.tolist()}\n"
