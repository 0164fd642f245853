"""A Ray cluster plays the same games: the same totals, the same records, and nothing lost with a worker.

One test holds everything that needs a running Ray, so that it starts once.
"""

from __future__ import annotations

import importlib
import json
import os
import socket
import sys
import types
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tamaya.league import CHUNK, Cluster, InProcess, LeagueError, Match, MatchResult, Processes, play_matches, write_games
from tamaya.league.matches import FAST_CHUNK
from tamaya.league.workers import ray_cluster
from tamaya.rules import MissingPartError, Rules, TamayaError
from tests.league import support
from tests.league.support import RULES, match_of
from tests.programs import run_python

MATCHES = [match_of("quick", 3 * CHUNK + 5, players=2), match_of("quick", 2 * CHUNK + 1, players=4)]


@pytest.fixture
def own_environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Restore the environment variables that Ray reads."""
    before = dict(os.environ)
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    yield
    os.environ.clear()
    os.environ.update(before)


def totals(standings: list[MatchResult]) -> list[MatchResult]:
    return [MatchResult(standing.match, standing.totals) for standing in standings]


@pytest.mark.cluster
@pytest.mark.usefixtures("own_environment")
def test_a_cluster_plays_the_same_games_and_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ray_cluster.connected("local", 2) as ray:
        assert ray.cluster_resources()["CPU"] == 2
        address = ray.get_runtime_context().gcs_address
        check_totals()
        check_a_compiled_policy()
        check_records(tmp_path)
        check_a_killed_worker(tmp_path / "died")
        check_a_bot_that_raises()
        check_a_bot_that_kills_every_worker(monkeypatch)
        check_a_machine_without_our_code(monkeypatch)
        check_a_machine_with_another_version(monkeypatch)
        check_the_command(address)
        assert ray.get_runtime_context().gcs_address == address, "a Ray that was there before stays"
    assert not ray.is_initialized()


def check_totals() -> None:
    expected = totals(play_matches(MATCHES, InProcess(), work=support.played))
    heard: list[int] = []
    assert totals(play_matches(MATCHES, Cluster("local"), heard.append, support.played)) == expected
    assert sum(heard) == sum(match.games for match in MATCHES)
    assert totals(play_matches(MATCHES, Cluster("local", workers=1), work=support.played)) == expected


def check_a_compiled_policy() -> None:
    """Workers compile what they play, or load it from disk."""
    match = Match("cheat", RULES, seed=2, games=FAST_CHUNK + 3)
    here, there = (play_matches([match], runner)[0] for runner in (InProcess(), Cluster("local")))
    assert (there.totals, there.scores) == (here.totals, here.scores)


def check_records(folder: Path) -> None:
    work = partial(support.played, recorded=True)
    write_games(MATCHES[0], Cluster("local"), folder / "cluster", work=work)
    write_games(MATCHES[0], InProcess(), folder / "here", work=work)
    assert (folder / "cluster").read_bytes() == (folder / "here").read_bytes()


def check_a_killed_worker(mark: Path) -> None:
    match = match_of("dying", 4 * CHUNK)
    standings = play_matches([match], Cluster("local"), work=support.leaving_a_mark(mark))
    assert mark.exists(), "a worker did die"
    assert totals(standings) == totals(play_matches([match], Processes(2), work=support.leaving_a_mark(mark)))


def check_a_bot_that_raises() -> None:
    with pytest.raises(LeagueError, match=r"The bot raising failed .* KeyError: 'a mistake of its author'"):
        play_matches([match_of("raising", 6 * CHUNK)], Cluster("local"), work=support.played)


def check_a_bot_that_kills_every_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Ray's own retries, the scheduler's attempts run out."""
    with monkeypatch.context() as patch:
        patch.setattr(ray_cluster, "RETRIES", 0)
        with pytest.raises(LeagueError, match="with the bot dying was lost 3 times"):
            play_matches([match_of("dying", 1)], Cluster("local"), work=support.played)


def check_a_machine_without_our_code(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("known_here_alone")
    work = types.FunctionType(support.played.__code__, vars(support), "played")
    work.__module__, work.__qualname__ = "known_here_alone", "played"
    vars(module)["played"] = work
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "known_here_alone", module)
        with pytest.raises(LeagueError, match=r"A machine of the cluster cannot play: .*No module named 'known_here_alone'"):
            play_matches(MATCHES, Cluster("local"), work=work)


def check_a_machine_with_another_version(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(ray_cluster, "_own_version", lambda: "99.9")
        with pytest.raises(LeagueError, match=r"has Tamaya .*, and this one has 99\.9"):
            play_matches(MATCHES, Cluster("local"), work=support.played)


def check_the_command(address: str) -> None:
    """Another process joins the cluster by its address; it finds the token in its settings."""
    command = ("-m", "tamaya", "league", "tamaya.bots:SimpleBot", "--players", "2", "--games", str(CHUNK + 1), "--json")
    done = run_python(*command, "--cluster", address)
    assert (done.returncode, done.stderr) == (0, "")
    expected = play_matches([Match("tamaya.bots:SimpleBot", Rules(), 0, CHUNK + 1)], InProcess())[0].row()
    assert json.loads(done.stdout) == [{**expected, "games_per_s": json.loads(done.stdout)[0]["games_per_s"]}]


def failed(address: str) -> TamayaError:
    with pytest.raises(TamayaError) as caught:
        play_matches([match_of("quick", 1)], Cluster(address), work=support.played)
    return caught.value


@pytest.mark.cluster
@pytest.mark.usefixtures("own_environment")
def test_an_address_without_a_server_is_refused_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    problem = failed(f"127.0.0.1:{port}")
    assert problem.code == "cluster_unusable"
    assert str(problem) == f"The Ray cluster at 127.0.0.1:{port} cannot be used: Connection refused"


@pytest.mark.cluster
@pytest.mark.usefixtures("own_environment")
def test_a_server_that_is_not_ray_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_cluster, "PING_TIMEOUT", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        problem = failed(f"127.0.0.1:{silent.getsockname()[1]}")
    assert problem.code == "cluster_unusable"
    assert str(problem).endswith("cannot be used: no Ray answers there.")


@pytest.mark.cluster
def test_a_cluster_that_requires_a_token_is_recognised(monkeypatch: pytest.MonkeyPatch) -> None:
    greeting = "import sys; print('Failed to connect'); sys.exit('GCS: Unauthenticated: RPC error: InvalidAuthToken')"
    monkeypatch.setattr(ray_cluster, "_PING", greeting)
    with socket.create_server(("127.0.0.1", 0)) as stern:
        problem = failed(f"127.0.0.1:{stern.getsockname()[1]}")
    assert str(problem).endswith("it asks for a token; set RAY_AUTH_MODE, RAY_AUTH_TOKEN as on its own machines.")


@pytest.mark.cluster
def test_rays_reason_for_a_refusal_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_cluster, "_PING", "import sys; print('Version mismatch:\\n  theirs: 2'); sys.exit(1)")
    with socket.create_server(("127.0.0.1", 0)) as other:
        problem = failed(f"127.0.0.1:{other.getsockname()[1]}")
    assert str(problem).endswith("cannot be used: Version mismatch: theirs: 2")


@pytest.mark.cluster
@pytest.mark.usefixtures("own_environment")
@pytest.mark.parametrize("address", ["", "nonsense", "host:", "host:0", "host:99999", "http://host:80", "a b:1", "host:1\n"])
def test_an_invalid_address_is_refused_with_an_example(address: str) -> None:
    problem = failed(address)
    assert problem.code == "bad_cluster"
    assert "192.168.0.10:6379" in str(problem)


def test_a_missing_ray_is_named_with_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def without_ray(name: str, *arguments: Any) -> Any:
        if name == "ray":
            raise ModuleNotFoundError("No module named 'ray'")
        return importlib.import_module(name, *arguments)

    monkeypatch.setattr("tamaya.rules.errors.import_module", without_ray)
    problem = failed("local")
    assert isinstance(problem, MissingPartError)
    assert "pip install 'tamaya[cluster]'" in str(problem)


@pytest.mark.slow
def test_ray_and_numpy_are_imported_only_for_a_cluster() -> None:
    code = """
import sys
from tamaya import Rules
from tamaya.cli import tamaya
from tamaya.league import InProcess, Match, play_matches
play_matches([Match("random", Rules(), 0, 1)], InProcess())
print(sorted({"ray", "numpy", "numba"} & set(sys.modules)))
"""
    done = run_python("-c", code, check=True)
    assert done.stdout == "[]\n"
