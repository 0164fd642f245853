"""Compiled policies play the games that interpreted ones play, alone and in teams, whoever hands them out."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tamaya import Rules
from tamaya.bots import policies
from tamaya.sim.league import Chunk, Here, LeagueError, Played, Processes, Run, Standing, play_chunk, play_runs, teams
from tamaya.sim.league.fast import play_fast
from tamaya.sim.league.run import CHUNK, FAST_CHUNK, chunks_of
from tamaya.sim.selfplay import self_play
from tamaya.sim.teamplay import team_play
from tests.programs import run_python
from tests.sim.league.policies import RULES, build_oldest, build_peeking, build_wrong

TEAMS = ("peeking", "peeking+oldest", "oldest+oldest+peeking")


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(policies, "POLICIES", {**policies.POLICIES, "oldest": build_oldest, "wrong": build_wrong})
    monkeypatch.setitem(policies.CHEATS, "peeking", build_peeking)
    yield
    self_play.cache_clear()
    team_play.cache_clear()


def interpreted(chunk: Chunk) -> Played:
    """The chunk as it is played where there is no compiler."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(teams, "can_compile", lambda: False)
        return play_chunk(chunk)


@pytest.mark.compiler
@pytest.mark.parametrize("team", TEAMS)
def test_a_compiled_chunk_comes_to_what_it_comes_to_by_hand(team: str) -> None:
    chunk = Chunk(Run(team, RULES, seed=3, games=100), 40, 52)
    by_hand, compiled = interpreted(chunk), play_chunk(chunk)
    assert compiled == by_hand
    assert len(set(compiled.scores)) > 1
    assert compiled.totals.moves > 0


@pytest.mark.parametrize("team", ["hat", "hat+cheat"])
def test_bots_of_the_house_play_the_same_in_the_loop_as_at_their_seats(team: str) -> None:
    """In the loop all seats of one bot share a memory; at a table everybody has their own."""
    chunk = Chunk(Run(team, Rules(players=3), games=20), 5, 8)
    totals, scores, _ = play_fast(chunk, "interpreted")
    by_hand = interpreted(chunk)
    assert (totals, scores) == (by_hand.totals, by_hand.scores)


@pytest.mark.compiler
def test_totals_and_scores_do_not_depend_on_how_games_are_cut() -> None:
    run = Run("peeking+oldest", RULES, games=FAST_CHUNK + 50)
    whole = play_runs([run], Here())[0]
    assert len(whole.scores) == run.games
    parts = [play_chunk(Chunk(run, first, first + 110)) for first in range(0, run.games, 110)]
    assert b"".join(part.scores for part in parts) == whole.scores
    assert sum(part.totals.moves for part in parts) == whole.totals.moves


def test_a_loop_is_made_ready_by_chunks_without_games_one_for_each() -> None:
    runs = [Run(team, rules, games=30) for rules in (RULES, Rules()) for team in ("oldest", "peeking+oldest", "oldest+peeking")]
    chunks = list(chunks_of([*runs, Run("simple", RULES, games=30)]))
    empty = [chunk for chunk in chunks if not chunk.numbers]
    assert chunks[: len(empty)] == empty
    assert [(chunk.run.bot, chunk.run.rules) for chunk in empty] == [
        ("oldest", RULES), ("peeking+oldest", RULES), ("oldest", Rules()), ("peeking+oldest", Rules())
    ]  # fmt: skip
    assert [len(chunk.numbers) for chunk in chunks[len(empty) :]] == [30] * 6 + [CHUNK, 30 - CHUNK]


@pytest.mark.compiler
def test_the_house_plays_alike_in_processes_and_here() -> None:
    """Workers find the compiled loop on disk, or compile it one after the other."""
    run = Run("cheat", RULES, seed=2, games=2 * FAST_CHUNK + 7)
    here, there = (play_runs([run], runner)[0] for runner in (Here(), Processes(2)))
    assert Standing(run, here.totals, scores=here.scores) == Standing(run, there.totals, scores=there.scores)
    assert here.scores[:3] == interpreted(Chunk(run, 0, 3)).scores


def test_an_illegal_action_ends_the_run_with_the_game_and_the_action() -> None:
    with pytest.raises(LeagueError, match="The bot wrong failed with 3 players in game 7 of seed 0, turn 1: it chose discard"):
        play_fast(Chunk(Run("wrong", RULES, games=9), 7, 9), "interpreted")


@pytest.mark.slow
def test_without_a_compiler_policies_play_interpreted_in_small_chunks() -> None:
    code = """
import sys
sys.modules.update(numba=None, numpy=None)
from importlib import util
find = util.find_spec
util.find_spec = lambda name: None if name in ("numba", "numpy") else find(name)
from tamaya import Rules
from tamaya.sim.league import CHUNK, Here, Run, play_runs
run = Run("cheat", Rules(players=3), games=CHUNK + 2)
print([len(chunk.numbers) for chunk in run.chunks()], list(play_runs([run], Here())[0].scores))
"""
    done = run_python("-c", code, check=True)
    played = play_fast(Chunk(Run("cheat", Rules(players=3), games=22), 0, 22), "interpreted")
    assert done.stdout == f"[20, 2] {list(played[1])}\n"
