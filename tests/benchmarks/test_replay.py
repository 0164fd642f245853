"""The benchmark of replays in miniature: that it finds games that change on the way, not how fast this machine is."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.replay import replay
from tamaya.record import native
from tamaya.rules import EDITIONS
from tests.support.games import a_record

pytestmark = pytest.mark.slow


def test_games_of_every_edition_survive_for_every_turn_and_viewer(tmp_path: Path) -> None:
    games = [a_record(edition.rules(2 + place % 4), seed=place) for place, edition in enumerate(EDITIONS.values())]
    file = tmp_path / "games.jsonl"
    file.write_text("\n".join(json.dumps(native.to_json(game)) for game in games))
    report = json.loads(CliRunner().invoke(replay, [str(file), "--every", "5", "--json"]).output)
    assert (report["games"], report["wrong"]) == (len(EDITIONS), [])
    looks = (len({*range(0, len(game.moves), 5), len(game.moves)}) * (game.rules.players + 2) for game in games)
    assert report["steps"] == sum(looks)
    assert report["bar"]["p95_ms"] == 50


def test_a_game_that_is_not_shown_is_named_and_fails_the_benchmark(tmp_path: Path) -> None:
    (tmp_path / "no game.json").write_text("{}")
    done = CliRunner().invoke(replay, [str(tmp_path / "no game.json")])
    assert done.exit_code == 1
    assert "wrong: no game.json: This is no record" in done.output
