"""An interrupted league resumes where it stopped, with the same results."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tamaya import Rules, TamayaError
from tamaya.bots.learned.weights import FILE
from tamaya.cli import tamaya as command_line
from tamaya.league import CHUNK, Checkpoint, Chunk, ChunkResult, InProcess, Match, MatchResult, checkpoint, play_matches
from tests.league import support
from tests.league.support import match_of
from tests.programs import Program, rest_of, start_python, wait_until

MATCHES = [match_of("quick", 3 * CHUNK + 5), match_of("quick", 2 * CHUNK, players=3), match_of("forgetful", CHUNK)]


@cache
def once(chunk: Chunk) -> ChunkResult:
    """The workers' function, cached because the tests play the same chunks repeatedly."""
    return support.played(chunk)


def played(path: Path, work: Callable[[Chunk], ChunkResult] = once, matches: list[Match] = MATCHES) -> list[MatchResult]:
    with support.known(), closing(Checkpoint(path, matches)) as kept:
        return play_matches(matches, InProcess(), work=work, checkpoint=kept)


def without_times(standings: list[MatchResult]) -> list[MatchResult]:
    return [MatchResult(standing.match, standing.totals, scores=standing.scores) for standing in standings]


@cache
def whole() -> list[MatchResult]:
    """The results of an uninterrupted league."""
    return without_times(play_matches(MATCHES, InProcess(), work=once))


def never(chunk: Chunk) -> ChunkResult:
    raise AssertionError("nothing should be played")


class Stopping:
    """Plays some chunks and then stops the league."""

    def __init__(self, after: int) -> None:
        self.left = after

    def __call__(self, chunk: Chunk) -> ChunkResult:
        if not self.left:
            raise KeyboardInterrupt
        self.left -= 1
        return once(chunk)


@pytest.mark.slow
@pytest.mark.parametrize("after", [0, 1, 3, 5])
def test_completed_chunks_are_not_played_again(tmp_path: Path, after: int) -> None:
    with pytest.raises(KeyboardInterrupt):
        played(tmp_path / "kept", Stopping(after))
    seen: list[Chunk] = []

    def noting(chunk: Chunk) -> ChunkResult:
        seen.append(chunk)
        return once(chunk)

    assert without_times(played(tmp_path / "kept", noting)) == whole()
    assert seen == [chunk for match in MATCHES for chunk in match.chunks()][after:]


@pytest.mark.slow
def test_a_completed_league_returns_at_once_with_the_same_times(tmp_path: Path) -> None:
    first = played(tmp_path / "kept")
    assert played(tmp_path / "kept", never) == first


@pytest.mark.parametrize("cut", [1, 10, 100])
def test_an_incomplete_line_is_played_again(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "kept"
    played(path)
    path.write_bytes(path.read_bytes()[:-cut])
    assert without_times(played(path, Stopping(1))) == whole()
    assert without_times(played(path, never)) == whole()


def test_an_incomplete_first_line_starts_afresh(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    played(path)
    path.write_bytes(path.read_bytes()[:50])
    assert without_times(played(path)) == whole()


@pytest.mark.slow
def test_games_cut_into_other_chunks_count_too(tmp_path: Path) -> None:
    path, match = tmp_path / "kept", MATCHES[0]
    with support.known(), closing(Checkpoint(path, [match])) as kept:
        kept.add(chunk := Chunk(match, 7, 33), once(chunk))
    assert without_times(played(path, matches=[match])) == whole()[:1]


@pytest.mark.parametrize(
    ("damage", "line"),
    [
        (lambda lines: [lines[0], b"nonsense\n", *lines[2:]], 2),
        (lambda lines: [*lines[:3], lines[3].replace(b'"first"', b'"last"'), *lines[4:]], 4),
        (lambda lines: [*lines, lines[1]], 9),
        (lambda lines: [lines[0], lines[1].replace(b'"run": 0', b'"run": 9')], 2),
        (lambda lines: [lines[0], lines[1].replace(b'"run": 0', b'"run": -1')], 2),
        (lambda lines: [lines[0], lines[1].replace(b'"first": 0', b'"first": 64')], 2),
        (lambda lines: [lines[0], lines[1].replace(b'"scores": "', b'"scores": "Z')], 2),
        (lambda lines: [lines[0], b'{"run": 0, "first": 0, "lost": 0, "moves": 0, "nanoseconds": 0, "scores": ""}\n'], 2),
        (lambda lines: [lines[0], b"[]\n"], 2),
    ],
)
def test_a_damaged_file_is_refused_with_the_line_number(
    tmp_path: Path, damage: Callable[[list[bytes]], list[bytes]], line: int
) -> None:
    path = tmp_path / "kept"
    played(path)
    text = b"".join(damage(path.read_bytes().splitlines(keepends=True)))
    path.write_bytes(text)
    with pytest.raises(TamayaError, match=f"is damaged in line {line}; remove it, or choose another name.") as caught:
        played(path, never)
    assert (caught.value.code, path.read_bytes()) == ("damaged_file", text)


@pytest.mark.parametrize(
    ("matches", "words"),
    [
        ([Match("random", Rules(), 0, 9)], "with BOT simple, and this one has BOT random; ask for the same"),
        ([Match("simple", Rules(players=3), 0, 9)], "with --players 2, and this one has --players 3"),
        ([Match("simple", Rules(players=count), 0, 9) for count in (2, 3)], "with --players 2, and this one has --players 2,3"),
        ([Match("simple", Rules(), 1, 9)], "with --seed 0, and this one has --seed 1"),
        ([Match("simple", Rules(), 0, 10)], "with --games 9, and this one has --games 10"),
        ([Match("simple", Rules(mistakes=2), 0, 9)], "with --set -, and this one has --set mistakes=2"),
    ],
)
def test_the_file_of_another_league_is_refused_with_the_difference(tmp_path: Path, matches: list[Match], words: str) -> None:
    path = tmp_path / "kept"
    Checkpoint(path, [Match("simple", Rules(), 0, 9)]).close()
    before = path.read_bytes()
    with pytest.raises(TamayaError) as caught:
        Checkpoint(path, matches)
    assert words in str(caught.value)
    assert (caught.value.code, path.read_bytes()) == ("other_run", before)


def test_the_file_of_another_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, matches = tmp_path / "kept", [Match("simple", Rules(), 0, 9)]
    monkeypatch.setattr(checkpoint, "fingerprint", lambda teams: "0123456789")
    Checkpoint(path, matches).close()
    monkeypatch.setattr(checkpoint, "fingerprint", lambda teams: "abcdefghij")
    with pytest.raises(TamayaError, match=r"another version of Tamaya or of a bot, .*\(01234567\), and this is .*\(abcdef"):
        Checkpoint(path, matches)


def test_another_network_is_another_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    file = tmp_path / "mine.weights"
    module = f"from tamaya.bots.learned import learned_from\n\nMINE = learned_from({str(file)!r})\n"
    (tmp_path / "a_network_to_change.py").write_text(module)
    file.write_bytes(FILE.read_bytes())
    matches = [Match("a_network_to_change:MINE", Rules(players=2), 0, 3)]
    Checkpoint(tmp_path / "kept", matches).close()
    Checkpoint(tmp_path / "kept", matches).close()
    changed = bytearray(FILE.read_bytes())
    changed[-1000] ^= 1
    file.write_bytes(changed)
    monkeypatch.delitem(sys.modules, "a_network_to_change")
    with pytest.raises(TamayaError, match="of Tamaya or of a bot"):
        Checkpoint(tmp_path / "kept", matches)


def test_a_changed_third_party_bot_is_another_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    bot = tmp_path / "a_bot_to_change.py"
    bot.write_text("class Mine:\n    def act(self, view):\n        return view.legal_actions[0]\n")
    matches = [Match("a_bot_to_change:Mine", Rules(), 0, 3)]
    with closing(Checkpoint(tmp_path / "kept", matches)) as kept:
        assert len(play_matches(matches, InProcess(), checkpoint=kept)[0].scores) == 3
    bot.write_text(bot.read_text().replace("[0]", "[-1]"))
    with pytest.raises(TamayaError, match="of Tamaya or of a bot"):
        Checkpoint(tmp_path / "kept", matches)


@pytest.mark.parametrize("content", [b"a letter\n", b"{}\n", b"[1]\n", b'{"runs": []}\n', b"\0\n"])
def test_other_files_are_left_unchanged(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "letter"
    path.write_bytes(content)
    with pytest.raises(TamayaError, match="is no file that a league has kept; choose another name"):
        Checkpoint(path, [Match("simple", Rules(), 0, 9)])
    assert path.read_bytes() == content


def test_a_file_is_locked_by_one_league_at_a_time(tmp_path: Path) -> None:
    matches = [Match("simple", Rules(), 0, 9)]
    with closing(Checkpoint(tmp_path / "kept", matches)), pytest.raises(TamayaError, match="is being written by another run"):
        Checkpoint(tmp_path / "kept", matches)
    Checkpoint(tmp_path / "kept", matches).close()


# The command.

WISHES = ("league", "random", "--players", "2", "--games", "5000", "--lang", "en")


def tamaya(*arguments: str) -> Result:
    return CliRunner().invoke(command_line, arguments)


@contextmanager
def started(path: Path, workers: str) -> Iterator[Program]:
    """The command in a separate process, with some chunks completed."""
    with start_python("-m", "tamaya", *WISHES, "--keep", str(path), "--workers", workers) as program:
        wait_until(lambda: path.exists() and path.read_bytes().count(b"\n") >= 4, "some chunks to be kept", program)
        yield program


@pytest.mark.slow
def test_a_killed_league_resumes(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    with started(path, "2") as program:
        program.kill()
        rest_of(program)
    done = path.read_bytes()
    done = done[: done.rindex(b"\n") + 1]
    assert 3 <= done.count(b"\n") - 1 < 5000 / CHUNK
    wishes = tuple("100" if word == "5000" else word for word in WISHES)
    assert "with --games 5000, and this one has --games 100" in tamaya(*wishes, "--keep", str(path)).stderr
    match = Match("random", Rules(), 0, 5000)
    with closing(Checkpoint(path, [match])) as kept:
        found = dict(kept.completed_chunks(match))
    assert sum(len(piece.scores) for piece in found.values()) == CHUNK * (done.count(b"\n") - 1)
    for first in list(found)[:2]:
        assert found[first].scores == play_matches([Match("random", Rules(), 0, first + CHUNK)], InProcess())[0].scores[first:]


@pytest.mark.slow
def test_an_interruption_reports_what_is_saved_and_how_to_resume(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    with started(path, "1") as program:
        program.send_signal(signal.SIGINT)
        said = rest_of(program)[1]
    games = CHUNK * (path.read_bytes().count(b"\n") - 1)
    assert said == f"Stopped after {games} of 5000 games, which {path} keeps; the same command goes on from there.\n"
    assert program.returncode == 130


@pytest.mark.slow
def test_the_command_resumes_from_a_file_with_the_same_output(tmp_path: Path) -> None:
    wishes = ("league", "random,cheat+random", "--players", "2", "--games", "30", "--workers", "1", "--json")
    expected = json.loads(tamaya(*wishes).stdout)
    path = tmp_path / "kept"
    first = tamaya(*wishes, "--keep", str(path)).stdout
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]) + lines[-1][:20])
    for text in (first, tamaya(*wishes, "--keep", str(path)).stdout):
        assert [row | {"games_per_s": 0} for row in json.loads(text)] == [row | {"games_per_s": 0} for row in expected]
