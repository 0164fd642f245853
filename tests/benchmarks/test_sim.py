"""The benchmark of the simulator in miniature: that it compares like with like and counts right, not the machine's speed."""

import json
import sys
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from benchmarks.measuring import POLICIES, Row, measure
from benchmarks.openspiel import LOOKS, SEED, openspiel_game, openspiel_loop, recorded_games, replay
from benchmarks.sim import compiling, jaxmarl, report, sim
from benchmarks.sim.batches import MODES, as_row, memory
from benchmarks.sim.compiling import CompileTime
from benchmarks.sim.device import GpuDevice, beside_jaxmarl, device_rows
from benchmarks.sim.plot import contenders
from tamaya.cli.grids import as_text
from tamaya.engine.layout import LAST_ACTION, layout_of
from tamaya.rules import Rules
from tamaya.sim import Batch

pytestmark = pytest.mark.compiler

KEYS = ["players", "mode", "play", "device", "cores", "moves_per_s", "openspiel_moves_per_s", "ratio"]
PNG = b"\x89PNG"
TINY = ("--seconds", "0.001", "--players", "2")


def bench_sim(*arguments: str) -> Result:
    return CliRunner().invoke(sim, arguments)


# What is compared.


@pytest.mark.parametrize(("play", "least", "most"), [("random", 12, 13), ("faultless", 65, 80)])
def test_random_games_are_short_and_faultless_ones_long(play: str, least: float, most: float) -> None:
    with Batch(Rules(players=2), 2000, seed=1) as batch:
        batch.play(200, play)
        tally = batch.play(1000, play)
    assert least <= tally.moves / tally.games <= most


@pytest.mark.parametrize("play", POLICIES.values())
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_openspiel_replays_our_games_to_the_same_scores(players: int, play: str) -> None:
    games = recorded_games(players, play, 64)
    hanabi, longest = openspiel_game(players), max(len(game.actions) for game in games)
    with Batch(Rules(players=players), len(games), seed=SEED, automatic=False, speed="interpreted") as batch:
        plan, states = layout_of(Rules(players=players)), batch.save().states
        assert [tuple(deck) for deck in states[:, plan.deck : plan.hands].tolist()] == [game.deck for game in games]
        scores = np.zeros(len(games), int)
        for turn in range(longest):
            batch.step([game.actions[turn] if turn < len(game.actions) else 0 for game in games])
            scores[batch.endings > 0] = batch.scores[batch.endings > 0]
        assert not batch.running.any()
    assert [replay(hanabi, game).returns()[0] for game in games] == scores.tolist()


@pytest.mark.parametrize("play", POLICIES.values())
def test_recorded_games_are_those_of_a_batch(play: str) -> None:
    games = recorded_games(2, play, 64)
    shortest = min(len(game.actions) for game in games)
    with Batch(Rules(players=2), len(games), seed=SEED) as batch:
        for turn in range(shortest - 1):
            batch.play(1, play)
            assert batch.save().states[:, LAST_ACTION].tolist() == [game.actions[turn] for game in games]


@pytest.mark.parametrize("mode", MODES)
def test_each_mode_asks_openspiel_for_its_data(mode: str) -> None:
    state, look = openspiel_game(2).new_initial_state(), LOOKS[mode]
    for card in recorded_games(2, "faultless", 1)[0].deck[:10]:
        state.apply_action(card)
    wanted = {"raw": None, "mask": state.legal_actions_mask(), "canonical": state.observation_tensor(0)}[mode]
    assert (look(state) if look else None) == wanted


def test_openspiel_deals_by_the_cards_probabilities() -> None:
    asked: list[dict[int, float]] = []

    class Choice:
        def choices(self, cards: tuple[int, ...], chances: tuple[float, ...]) -> list[int]:
            asked.append(dict(zip(cards, chances, strict=True)))
            return [cards[0]]

        def choice(self, actions: list[int]) -> int:
            return actions[-1]

    loop: Any = openspiel_loop(2)
    assert loop(Choice()) > 0
    assert [round(50 * chance) for chance in list(asked[0].values())[:5]] == [3, 2, 2, 2, 1]


# What is counted.


def test_loops_are_measured_in_turns_at_least_once() -> None:
    order: list[str] = []

    def loop(name: str) -> int:
        order.append(name)
        return 7

    speeds = measure({"ours": lambda _: loop("ours"), "theirs": lambda _: loop("theirs")}, 0)
    assert order == ["ours", "theirs"] * 4
    assert all(speed > 0 for speed in speeds.values())


def test_ratios_divide_our_figure_by_theirs() -> None:
    assert as_row(2, "raw", "random", "cpu", 1, 15_000_000.4, 120_000)["ratio"] == 125
    alone = as_row(2, "raw", "random", "cpu", 1, 15_000_000.4, None)
    assert (alone["moves_per_s"], alone["openspiel_moves_per_s"], alone["ratio"]) == (15_000_000, None, None)


def test_a_million_games_fit() -> None:
    held, most = memory()
    assert 150_000_000 < held <= most < 400_000_000


# The command.


def test_rows_have_their_keys_and_the_plot_is_written(tmp_path: Path) -> None:
    picture = tmp_path / "figures.png"
    rows = json.loads(bench_sim("--json", *TINY, "--cores", "1", "--plot", str(picture)).stdout)
    assert [list(row) for row in rows] == [KEYS] * 6
    assert [(row["play"], row["mode"]) for row in rows] == [(play, mode) for play in POLICIES for mode in MODES]
    assert {(row["players"], row["device"], row["cores"]) for row in rows} == {(2, "cpu", 1)}
    for row in rows:
        assert row["ratio"] == pytest.approx(row["moves_per_s"] / row["openspiel_moves_per_s"], rel=0.01)
    assert picture.read_bytes().startswith(PNG)


PAGE = "before\n" + "".join(
    f"<!-- figures: {name} -->\nobsolete\n<!-- end of figures: {name} -->\nafter {name}\n"
    for name in ("processor", "device", "compiler", "memory")
)


def test_tables_in_the_terminal_and_on_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "benchmarks.sim.compile_times", lambda players: [CompileTime("deal", 2.0, 0.25), CompileTime("play random", 3.0, 0.5)]
    )
    page, elsewhere = tmp_path / "page.md", tmp_path / "elsewhere.json"
    page.write_text(PAGE)
    there = as_row(2, "canonical", "random", "H200", 132, 6e8, 1e5) | {"bandwidth_fraction": 0.81}
    elsewhere.write_text(json.dumps([as_row(2, "raw", "random", "cpu", 16, 1, 1), there]))
    output = bench_sim(*TINY, "--cores", "2", "--markdown", str(page), "--add", str(elsewhere)).output
    assert "OpenSpiel's Python loop is measured on one core" in output
    assert "2 cores / 1 core: raw " in output
    assert "1,000,000 games of 2 players hold " in output
    assert "Loops made ready in this run: " in output
    text = page.read_text()
    assert "obsolete" not in text
    assert text.startswith("before\n")
    assert text.endswith("after memory\n")
    assert "| players | play | mode | 1 core | 2 cores | OpenSpiel | 1 core / OpenSpiel | 2 cores / OpenSpiel |" in text
    assert "| 2 | long | canonical | " in text
    assert "| 2 | random | canonical | 600,000,000 | 100,000 | 6000 |  |  | 81% |" in text
    assert "| together | 5.00 | 0.75 |" in text
    assert "16 cores" not in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--players", "6"), "6 is not in the range 2<=x<=5"),
        (("--players", "two"), "'two' is not a valid integer"),
        (("--cores", "0"), "0 is not in the range x>=1"),
        (("--add", "nowhere.json"), "'nowhere.json' does not exist"),
    ],
)
def test_invalid_options_are_refused(arguments: tuple[str, ...], words: str) -> None:
    result = bench_sim(*arguments)
    assert result.exit_code == 2
    assert words in result.output


@pytest.mark.parametrize("content", ["", "{}", "[1]", '[{"players": 2}]'])
def test_rows_of_another_benchmark_are_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "rows.json"
    path.write_text(content)
    result = bench_sim(*TINY, "--add", str(path))
    assert (result.exit_code, result.output) == (1, "Error: rows.json does not hold the rows of this command.\n")


def test_a_page_without_a_place_is_unchanged(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("nothing here")
    result = bench_sim(*TINY, "--markdown", str(page))
    assert result.exit_code == 1
    assert "page.md has no place for figures: a line <!-- figures: processor -->" in result.output
    assert page.read_text() == "nothing here"


@pytest.mark.parametrize(("package", "extra"), [("numba", "sim"), ("numpy", "sim"), ("matplotlib", "plots")])
def test_a_missing_package_is_named(package: str, extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    result = bench_sim(*TINY, "--plot", "figures.png")
    assert result.exit_code == 1
    assert f"package {package}" in result.output
    assert f"tamaya[{extra}]" in result.output


def test_without_openspiel_only_our_figures_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    rows = json.loads(bench_sim("--json", *TINY, "--cores", "1").stdout)
    assert {(row["openspiel_moves_per_s"], row["ratio"]) for row in rows} == {(None, None)}
    assert "OpenSpiel is not installed here" in bench_sim(*TINY, "--cores", "1").output


def test_compile_times_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    compiling.print_compilations(2)
    waits = {loop: took for loop, took, _ in json.loads(capsys.readouterr().out)}
    assert {"deal", "play random", "play faultless", "observe canonical uint8"} <= set(waits)
    assert all(took > 0 for took in waits.values())


def test_compile_times_come_from_two_consecutive_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = iter([[("deal", 2.0, False), ("play random", 3.0, False)], [("deal", 0.25, True), ("play random", 0.5, True)]])
    monkeypatch.setattr(compiling, "_compile_elsewhere", lambda players, folder: next(runs))
    assert compiling.compile_times(2) == [CompileTime("deal", 2.0, 0.25), CompileTime("play random", 3.0, 0.5)]


# The GPU.


class FakeBatch:
    """Counts the calls that a GPU would get."""

    def __init__(self, rules: Rules, games: int, seed: int) -> None:
        self.games, self.looks = games, 0

    def play(self, turns: int, policy: str) -> Any:
        return SimpleNamespace(moves=turns * self.games)

    def advance(self, policy: str, *, encoder: str | None = None, out: Any = None) -> None:
        self.looks += encoder == "canonical" and out is not None

    def buffer(self, encoder: str, kind: str) -> Any:
        return SimpleNamespace(shape=(self.games, 658))

    def synchronize(self) -> None: ...

    def close(self) -> None:
        assert self.looks


def fake_rows() -> list[Row]:
    return device_rows(GpuDevice("H200", 132, 4e12, FakeBatch), 2, 0, {("random", "raw"): 100_000.0})


def test_a_devices_rows_have_the_same_keys_and_its_bandwidth() -> None:
    rows = fake_rows()
    assert [(row["play"], row["mode"]) for row in rows] == [(play, mode) for play in POLICIES for mode in MODES]
    assert all(list(row)[:8] == KEYS and (row["device"], row["cores"]) == ("H200", 132) for row in rows)
    assert rows[0]["ratio"] == pytest.approx(rows[0]["moves_per_s"] / 100_000, rel=0.01)
    for row in rows:
        assert ("bandwidth_fraction" in row) == (row["mode"] == "canonical")
    assert rows[2]["bandwidth_fraction"] == pytest.approx(rows[2]["moves_per_s"] * 658 / 4e12, rel=0.01)


def test_jaxmarl_is_compared_with_random_play_with_observations(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = fake_rows()
    monkeypatch.setattr("benchmarks.sim.device.jaxmarl_speed", lambda players, seconds: 8_800_000.0)
    assert beside_jaxmarl(rows, 2, 0) == ""
    assert [row.get("jaxmarl_moves_per_s") for row in rows] == [None, None, 8_800_000, None, None, None]
    assert "JaxMARL" in {side.name for side in contenders(rows, "canonical", "random")}
    assert "8,800,000" in "\n".join(as_text(report.device_grid(rows)))


def test_a_missing_jaxmarl_or_gpu_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (jaxmarl.jaxmarl_speed(2, 0) == jaxmarl.ABSENT) == (find_spec("jaxmarl") is None)
    monkeypatch.setattr("numba.cuda.is_available", lambda: False)
    result = bench_sim(*TINY, "--gpu")
    assert (result.exit_code, result.output) == (1, "Error: There is no GPU here that CUDA can use.\n")
