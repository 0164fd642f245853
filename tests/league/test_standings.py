"""Files of games are complete, legal and in order, and exist only once complete."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest

from tamaya import Rules, TamayaError
from tamaya.league import CHUNK, Chunk, ChunkResult, InProcess, Match, Processes, Runner, play_game, play_matches, write_games
from tamaya.record import read_file
from tests.league import support
from tests.league.support import match_of

RECORDED = partial(support.played, recorded=True)


@pytest.mark.slow
def test_the_file_replays_and_does_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    match = match_of("quick", 3 * CHUNK + 2, players=3)
    files = [tmp_path / name for name in ("one", "two", "three")]
    runners: list[Runner] = [InProcess(), Processes(2), Processes(3)]
    standings = [write_games(match, runner, path, work=RECORDED) for runner, path in zip(runners, files, strict=True)]
    assert len({path.read_bytes() for path in files}) == 1
    assert {path.name for path in tmp_path.iterdir()} == {"one", "two", "three"}
    entries = list(read_file(files[0]))
    assert len(entries) == match.games
    with support.known():
        for number in (0, CHUNK - 1, CHUNK, match.games - 1):
            replay = entries[number].replay
            assert replay is not None
            assert replay.game == play_game(match, number)
    assert all(entry.error is None and entry.replay and entry.replay.game.outcome for entry in entries)
    expected = play_matches([match], InProcess(), work=support.played)[0].totals
    assert [standing.totals for standing in standings] == [expected] * 3


@pytest.mark.slow
def test_a_killed_process_loses_no_record(tmp_path: Path) -> None:
    match = match_of("dying", 3 * CHUNK)
    work = partial(support.played, mark=tmp_path / "died", recorded=True)
    write_games(match, Processes(2), tmp_path / "with", work=work)
    assert (tmp_path / "died").exists()
    write_games(match, InProcess(), tmp_path / "without", work=work)
    assert (tmp_path / "with").read_bytes() == (tmp_path / "without").read_bytes()


def test_a_failed_match_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(TamayaError, match="The bot raising failed"):
        write_games(match_of("raising", 5), InProcess(), tmp_path / "games.jsonl", work=RECORDED)
    assert list(tmp_path.iterdir()) == []


def test_the_file_does_not_exist_while_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    seen: list[set[str]] = []
    match = match_of("quick", CHUNK + 1)
    write_games(match, InProcess(), path, lambda _: seen.append({one.name for one in tmp_path.iterdir()}), RECORDED)
    assert seen == [{"games.jsonl.part"}, {"games.jsonl.part"}]
    assert [one.name for one in tmp_path.iterdir()] == ["games.jsonl"]


@pytest.mark.parametrize(
    ("there", "name", "code"),
    [
        ("games.jsonl", "games.jsonl", "file_exists"),
        ("games.jsonl.part", "games.jsonl", "part_exists"),
        ("else", "nowhere/games.jsonl", "cannot_write"),
        ("else", "else/games.jsonl", "cannot_write"),
        ("else", ".", "file_exists"),
        ("else", "x" * 300, "cannot_write"),
        ("else", "\0", "cannot_write"),
    ],
)
def test_an_existing_or_unwritable_file_is_refused_before_playing(tmp_path: Path, there: str, name: str, code: str) -> None:
    (tmp_path / there).write_text("kept")
    with pytest.raises(TamayaError) as caught:
        write_games(Match("simple", Rules(), 0, 1), InProcess(), tmp_path / name, work=never)
    assert caught.value.code == code
    assert [path.name for path in tmp_path.iterdir()] == [there]
    assert (tmp_path / there).read_text() == "kept"


def never(chunk: Chunk) -> ChunkResult:
    raise AssertionError("nothing should be played")


def test_a_full_disk_is_reported_and_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(TamayaError, match="cannot be written: No space left on device"):
        write_games(match_of("quick", 3), InProcess(), tmp_path / "games.jsonl", work=RECORDED)
    assert list(tmp_path.iterdir()) == []
