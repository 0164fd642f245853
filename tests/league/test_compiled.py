"""Compiled policies play the games that interpreted ones play, alone and in teams, whoever hands them out."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest

from tamaya import Rules
from tamaya.bots import registry
from tamaya.league import Chunk, ChunkResult, Here, LeagueError, Processes, Run, Standing, matches, play_chunk, play_runs
from tamaya.league.matches import CHUNK, FAST_CHUNK, chunks_of
from tamaya.sim.team import Results, team
from tests.league.policies import ENTRIES, RULES
from tests.programs import run_python

TEAMS = ("peeking", "peeking+oldest", "oldest+oldest+peeking")


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(registry, "BOTS", {**registry.BOTS, **ENTRIES})
    monkeypatch.setattr(matches, "can_compile", lambda: True)
    yield
    team.cache_clear()


def interpreted(chunk: Chunk) -> ChunkResult:
    """The chunk as it is played where there is no compiler."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matches, "can_compile", lambda: False)
        return play_chunk(chunk)


def in_the_loop(chunk: Chunk) -> Results:
    """The games of a chunk in the loop that is compiled elsewhere."""
    run = chunk.run
    players = team(run.rules, tuple(sorted(set(run.lineup))), "interpreted")
    return players.play(run.lineup, run.seed, chunk.first, chunk.end)


@pytest.mark.compiler
@pytest.mark.parametrize("names", TEAMS)
def test_a_compiled_chunk_comes_to_what_it_comes_to_by_hand(names: str) -> None:
    chunk = Chunk(Run(names, RULES, seed=3, games=FAST_CHUNK), 40, 52)
    by_hand, compiled = interpreted(chunk), play_chunk(chunk)
    assert compiled == by_hand
    assert len(set(compiled.scores)) > 1
    assert compiled.totals.moves > 0


@pytest.mark.slow
@pytest.mark.parametrize("names", ["hat", "hat+cheat", "simple", "convention+simple"])
def test_bots_of_the_house_play_the_same_in_the_loop_as_at_their_seats(names: str) -> None:
    """In the loop all seats of one bot share a memory; at a table everybody has their own."""
    chunk = Chunk(Run(names, Rules(players=3), games=20), 5, 8)
    results, by_hand = in_the_loop(chunk), interpreted(chunk)
    assert (bytes(results.scores.tolist()), results.turns.sum()) == (by_hand.scores, by_hand.totals.moves)


@pytest.mark.compiler
def test_totals_and_scores_do_not_depend_on_how_games_are_cut() -> None:
    run = Run("peeking+oldest", RULES, games=FAST_CHUNK + 50)
    whole = play_runs([run], Here())[0]
    assert len(whole.scores) == run.games
    parts = [play_chunk(Chunk(run, first, first + 110)) for first in range(0, run.games, 110)]
    assert b"".join(part.scores for part in parts) == whole.scores
    assert sum(part.totals.moves for part in parts) == whole.totals.moves


def test_a_loop_is_made_ready_by_chunks_without_games_one_for_each_where_it_is_worth_it() -> None:
    games = FAST_CHUNK
    runs = [
        Run(bots, rules, games=games) for rules in (RULES, Rules()) for bots in ("oldest", "peeking+oldest", "oldest+peeking")
    ]
    chunks = list(chunks_of([*runs, Run("random", RULES, games=30), Run("oldest", RULES, games=games - 1)]))
    empty = [chunk for chunk in chunks if not chunk.numbers]
    assert chunks[: len(empty)] == empty
    assert [(chunk.run.bot, chunk.run.rules) for chunk in empty] == [
        ("oldest", RULES), ("peeking+oldest", RULES), ("oldest", Rules()), ("peeking+oldest", Rules())
    ]  # fmt: skip
    assert [len(chunk.numbers) for chunk in chunks[len(empty) :]] == [games] * 6 + [CHUNK, 30 - CHUNK] + [CHUNK] * 24 + [
        CHUNK - 1
    ]


@pytest.mark.compiler
def test_the_house_plays_alike_in_processes_and_here() -> None:
    """Workers find the compiled loop on disk, or compile it one after the other."""
    run = Run("cheat", RULES, seed=2, games=2 * FAST_CHUNK + 7)
    here, there = (play_runs([run], runner)[0] for runner in (Here(), Processes(2)))
    assert Standing(run, here.totals, scores=here.scores) == Standing(run, there.totals, scores=there.scores)
    assert here.scores[:3] == interpreted(Chunk(run, 0, 3)).scores


def test_an_illegal_action_ends_the_run_with_the_game_and_the_action(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tamaya.sim.team.team", partial(team, speed_name="interpreted"))
    with pytest.raises(LeagueError, match="The bot wrong failed with 3 players in game 7 of seed 0, turn 1: it chose discard"):
        play_chunk(Chunk(Run("wrong", RULES, games=FAST_CHUNK), 7, 9))


@pytest.mark.slow
def test_without_a_compiler_policies_play_interpreted_in_small_chunks() -> None:
    code = """
import sys
sys.modules.update(numba=None, numpy=None)
from importlib import util
find = util.find_spec
util.find_spec = lambda name: None if name in ("numba", "numpy") else find(name)
from tamaya import Rules
from tamaya.league import CHUNK, Here, Run, play_runs
run = Run("cheat", Rules(players=3), games=CHUNK + 2)
print([len(chunk.numbers) for chunk in run.chunks()], list(play_runs([run], Here())[0].scores))
"""
    done = run_python("-c", code, check=True)
    results = in_the_loop(Chunk(Run("cheat", Rules(players=3), games=22), 0, 22))
    assert done.stdout == f"[20, 2] {results.scores.tolist()}\n"
