"""The benchmark of the coach in miniature: what it counts, not what a coach finds."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from benchmarks import coach as bench
from tamaya import Rules
from tamaya.record import Record, native
from tamaya.review.analysis import MoveAnalysis
from tamaya.rules import MalformedError, say
from tests.support.analyses import imagined
from tests.support.games import played_game, record_of

RECORD = record_of(played_game(Rules(players=2), 3))


def test_flagged_moves_are_analysed_again_and_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judged = list(imagined(RECORD))

    def said(record: Record, turn: int, seed: int = 0, **how: Any) -> MoveAnalysis:
        """The same judgement of every flag again, except the first."""
        flags = [one.turn for one in judged if one.verdict.is_flag]
        good = next(one for one in judged if not one.verdict.is_flag)
        return good if seed and turn == flags[0] else judged[turn - 1]

    monkeypatch.setattr(bench, "analyse_move", said)
    (tmp_path / "game.json").write_text(native.write(RECORD))
    done = CliRunner().invoke(bench.coach, [str(tmp_path / "game.json"), "--json"])
    report = json.loads(done.stdout)
    flags = sum(one.verdict.is_flag for one in judged)
    assert (report["games"], report["moves"], report["flags"]) == (1, len(judged), flags)
    assert report["looks_again"] == 2 * flags
    assert report["flags_again"] == pytest.approx(1 - 1 / flags, abs=0.001)
    assert report["named_again"] == report["named_as_good"] == 1


def test_a_game_that_the_coach_cannot_analyse_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*game: object, **how: object) -> MoveAnalysis:
        raise MalformedError("odd", say("This is odd."))

    monkeypatch.setattr(bench, "analyse_move", refuse)
    (tmp_path / "game.json").write_text(native.write(RECORD))
    done = CliRunner().invoke(bench.coach, [str(tmp_path / "game.json")])
    assert done.exit_code == 1
    assert "This is odd." in done.stdout
