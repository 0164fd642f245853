"""``tamaya bots``, and the tables that it writes, which must be those of the current bots."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tamaya.bots import BOTS, known_bots
from tamaya.cli import tamaya as command_line
from tamaya.cli.bots import figures
from tamaya.cli.bots.figures import PLACES, figures_for_page
from tamaya.league import Match, matches, play_game
from tamaya.league.checkpoint import from_digits
from tamaya.rules import EDITIONS, Rules
from tamaya.rules.editions import VARIANTS
from tamaya.sim.team import team
from tests.programs import run_python
from tests.tables import FULL

DOCS = Path(__file__).parents[2] / "docs"
ROWS = figures.read_rows(DOCS / "bots.json")
STANDARD = figures.RuleChoice("standard")
REPLAYED_GAMES = figures.MAX_KEPT_SCORES if FULL else 10
"""How many games of each row of the standard rules are replayed."""


def tamaya(*arguments: str) -> Result:
    return CliRunner(env={"LC_ALL": "en_GB.UTF-8"}).invoke(command_line, ("bots", *arguments))


def part(page: str, name: str) -> str:
    return page.partition(f"<!-- figures: {name} -->\n")[2].partition(f"\n<!-- end of figures: {name} -->")[0]


def test_bots_are_listed_with_their_scores_without_cheats() -> None:
    lines = tamaya().stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(known_bots())
    assert all(line.endswith(str(known_bots()[line.split()[0]].summary)) for line in lines)
    rows = json.loads(tamaya("--json").stdout)
    assert [row["bot"] for row in rows] == list(known_bots())
    assert next(row for row in rows if row["bot"] == "simple") == {
        "bot": "simple",
        "means": {str(players): mean for players, mean in BOTS["simple"].mean_scores.items()},
        "offered": True,
        "summary": str(BOTS["simple"].summary),
    }


@pytest.mark.slow
def test_one_command_measures_all_bots_and_writes_page_and_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "can_compile", lambda: False)
    monkeypatch.setattr(figures, "house_bots", lambda: ["random", "cheat"])
    monkeypatch.setattr(figures, "worthwhile_bots", lambda: ["random"])
    page = tmp_path / "page.md"
    shutil.copy(DOCS / "bots.md", page)
    result = tamaya("--tables", str(page), "--games", "20", "--seed", "4", "--workers", "1")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "page.md and page.json are written.\n", "")
    rows = figures.read_rows(tmp_path / "page.json")
    counts = {(row["bot"], row["edition"], row["variant"]): row["games"] for row in rows}
    editions = {(bot, edition, ""): games for bot, few in (("cheat", 20), ("random", 2))
                for edition, games in (("standard", few), ("spanish", few // 10 or 1), ("french", few // 10 or 1),
                                       ("chinese", few // 10 or 1))}  # fmt: skip
    assert counts == editions | {("random", "standard", variant): 1 for variant in VARIANTS}
    text = page.read_text("utf-8")
    assert {name: part(text, name) for name in PLACES} == figures_for_page(rows)
    assert "seed 4, 20 games each of cheat, 2 games each of random." in text
    assert "**Chinese, Italian, Romanian**; 2 games each of cheat, 1 game each of random." in text
    assert "**`one-mistake`** (D): The first mistake already ends the game. 1 game each of random." in text
    assert re.search(r"\| random \| 0\.000 ± 0\.000 \(0\.0%\)", text)


def test_a_page_without_a_place_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("nothing")
    result = tamaya("--tables", str(tmp_path / "page.md"))
    assert result.exit_code == 2
    assert "page.md has no place for figures" in result.stderr
    assert list(tmp_path.iterdir()) == [tmp_path / "page.md"]


# The committed tables.


def test_the_page_shows_the_stored_figures() -> None:
    text = (DOCS / "bots.md").read_text("utf-8")
    assert {name: part(text, name) for name in PLACES} == figures_for_page(ROWS)


@pytest.mark.parametrize("bot", ["convention", "hat", "learned"])
def test_figures_beside_published_results_match_the_tables(bot: str) -> None:
    published = (DOCS / "bots.md").read_text("utf-8").partition("## Published results\n")[2]
    beside = re.search(rf"^\| \*\*`{bot}`\*\* \| \d+ \| none \| 10,000.*? \|(.*)\|$", published, re.MULTILINE)
    assert beside
    rows = [row for row in ROWS if (row["bot"], figures.choice_of(row)) == (bot, STANDARD)]
    assert {row["games"] for row in rows} == {10_000}
    found = [cell.strip() for cell in beside[1].split("|")]
    assert [cell for cell in found if cell] == [f"{row['mean']:.3f} ± {row['stderr']:.3f}" for row in rows]


def test_every_house_bot_has_rows_for_every_edition_and_variant() -> None:
    expected = {(run.bot, which, run.rules) for run, which in figures.matches_for(1, 0).items()}
    assert {(row["bot"], figures.choice_of(row), figures.rules_of(row)) for row in ROWS} == expected
    assert {str(edition.rules(3)) for edition in EDITIONS.values()} == {
        str(EDITIONS[name].rules(3)) for name in figures.editions_by_rules()
    }


def test_the_figures_match_the_stored_histograms() -> None:
    for row in ROWS:
        assert sum(row["histogram"]) == row["games"]
        assert row["mean"] == pytest.approx(sum(s * n for s, n in enumerate(row["histogram"])) / row["games"], abs=1e-4)
        assert len(row["first"]) == min(row["games"], figures.MAX_KEPT_SCORES)
        assert all(from_digits(row["first"]).count(score) <= count for score, count in enumerate(row["histogram"]))


@pytest.mark.slow
@pytest.mark.parametrize("bot", figures.house_bots())
def test_the_current_bots_repeat_the_stored_scores(bot: str) -> None:
    """The first games of the tables, replayed. If a bot was changed: ./dev tamaya bots --tables docs/bots.md"""
    for row in (row for row in ROWS if row["bot"] == bot):
        wanted = min(row["games"], REPLAYED_GAMES if figures.choice_of(row) == STANDARD else 1)
        again = scores(row, wanted)
        assert from_digits(row["first"])[:wanted] == again, (bot, figures.choice_of(row), row["players"])


def scores(row: figures.Row, games: int) -> bytes:
    """The scores of the first games of a row, interpreted."""
    rules = figures.rules_of(row)
    if BOTS[row["bot"]].is_compiled:
        lineup = [row["bot"]] * rules.players
        return bytes(team(rules, (row["bot"],), "interpreted").play(lineup, row["seed"], 0, games).scores.tolist())
    run = Match(row["bot"], rules, row["seed"])
    return bytes(play_game(run, number).score for number in range(games))


@pytest.mark.parametrize("bot", known_bots())
def test_the_points_in_a_bots_description_match_the_tables(bot: str) -> None:
    for row in (row for row in ROWS if (row["bot"], figures.choice_of(row)) == (bot, STANDARD)):
        assert BOTS[bot].mean_scores[row["players"]] == pytest.approx(row["mean"], abs=0.05 + 3 * row["stderr"])


def test_rules_of_a_row_are_those_of_its_edition() -> None:
    assert figures.rules_of({"edition": "standard", "variant": "", "players": 4}) == Rules(players=4)
    assert figures.rules_of({"edition": "standard", "variant": "one-mistake", "players": 4}) == Rules(players=4, mistakes=1)


@pytest.mark.compiler
@pytest.mark.slow
def test_probe_reports_the_actions_after_a_bots_clues() -> None:
    done = run_python("-m", "tamaya", "probe", "learned", "--games", "60")
    heads, *rows = done.stdout.splitlines()
    assert heads.split()[0] == "clue"
    assert len(rows) == 10
    assert all(len(row.split()) == len(rows[0].split()) for row in rows)
    found = json.loads(run_python("-m", "tamaya", "probe", "learned", "--games", "60", "--json").stdout)
    means = {row["clue"]: row["plays"].index(max(row["plays"])) + 1 for row in found}
    assert (means["2"], means["3"], means["4"], means["red"]) == (5, 5, 4, 3), "what docs/learned.md says"
    refused = run_python("-m", "tamaya", "probe", "learned", "--players", "3")
    assert (refused.returncode != 0, "not with 3 players" in refused.stderr) == (True, True)
