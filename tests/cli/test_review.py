"""``tamaya review``: sentences for people, facts for programs, and a page."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rich.cells import cell_len

from tamaya import Rules
from tamaya.cli import tamaya as command_line
from tamaya.i18n import LANGUAGES, catalogue, tenths
from tamaya.record import native
from tamaya.review import facts_of
from tamaya.review.analysis import MoveGrade
from tamaya.review.analysis_sentences import SIGNS, VERDICTS
from tamaya.review.winnability import winnability_of
from tests.support.analyses import imagined
from tests.support.games import first_turns, played_game, record_of

RECORD = record_of(played_game(Rules(players=2), 12))


def review(*arguments: str) -> Result:
    return CliRunner().invoke(command_line, ["review", *arguments])


@pytest.fixture
def saved(tmp_path: Path) -> str:
    """A file with a game in which cards were lost."""
    path = tmp_path / "game.json"
    path.write_text(native.write(RECORD), "utf-8")
    return str(path)


@pytest.fixture
def damaged(tmp_path: Path) -> str:
    """A file whose game is cut off after some moves."""
    path = tmp_path / "torn.json"
    text = native.write(RECORD)
    path.write_text(text[: text.rindex('"', 0, len(text) - 400)], "utf-8")
    return str(path)


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_are_in_the_chosen_language(saved: str, language: str) -> None:
    shown = review(saved, "--lang", language)
    assert shown.exit_code == 0
    assert shown.output.startswith("game.json\n")
    assert (language == "en") == ("The best still possible fell from 25" in shown.output)
    assert "{" not in shown.output


def test_json_has_every_fact_with_exact_chances(saved: str) -> None:
    shown, facts = review(saved, "--json", "--solve"), facts_of(RECORD)
    assert shown.exit_code == 0
    row = json.loads(shown.output)
    assert (row["id"], row["error"], row["names"]) == ("game.json", None, ["Ann", "Bob"])
    assert [turn["maximum"] for turn in row["turns"]] == [turn.maximum for turn in facts.turns]
    assert [Fraction(play["chance"]) for play in row["plays"]] == [play.chance for play in facts.plays]
    assert Fraction(row["clues_per_card"]) == facts.clues_per_card
    assert [loss["card"] for loss in row["losses"]] == [str(loss.card) for loss in facts.losses]
    assert [mark["turn"] for mark in row["marks"]] == [mark.turn for mark in facts.marks]
    assert row["winning"]["until"] == winnability_of(RECORD, 20_000).until


def test_the_winning_line_is_printed_with_solve(saved: str) -> None:
    assert "With every card known" not in review(saved).output
    shown = review(saved, "--solve").output
    assert f"could be won until turn {winnability_of(RECORD, 20_000).until}." in shown
    assert "completes the firework!" in shown.splitlines()[-1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_self_contained(saved: str, tmp_path: Path, language: str) -> None:
    out = tmp_path / "page.html"
    assert review(saved, saved, "--html", str(out), "--solve", "--lang", language).exit_code == 0
    page = out.read_text("utf-8")
    assert page.count('class="facts-plot"') == 2
    assert not re.search(r"<script|<link|https?:|@import|url\(|\sstyle=|\son\w+=", page)
    places = re.findall(r'\sid="([^"]+)"', page)
    assert len(set(places)) == len(places)
    assert {link[1:] for link in re.findall(r'href="([^"]*)"', page)} <= set(places)


def test_names_on_the_page_are_escaped(tmp_path: Path) -> None:
    path, out = tmp_path / "game.json", tmp_path / "page.html"
    path.write_text(native.write(replace(RECORD, names=("<script>alert(1)</script>", "<b>"))), "utf-8")
    assert review(str(path), "--html", str(out)).exit_code == 0
    assert "<script" not in out.read_text("utf-8")
    assert "<b>" not in out.read_text("utf-8")


def test_an_existing_file_is_not_overwritten(saved: str, tmp_path: Path) -> None:
    refused = review(saved, "--html", saved)
    assert refused.exit_code == 2
    assert "There is a file" in refused.output
    assert Path(saved).read_text("utf-8") == native.write(RECORD)


def test_the_readable_part_of_a_damaged_game_is_reviewed(damaged: str, tmp_path: Path) -> None:
    shown = review(damaged)
    assert shown.exit_code == 2
    assert "still possible" in shown.stdout
    assert "The file is damaged" in shown.stderr
    row = json.loads(review(damaged, "--json").stdout)
    assert "The file is damaged" in row["error"]
    assert 0 < len(row["turns"]) - 1 < len(facts_of(RECORD).turns) - 1
    out = tmp_path / "page.html"
    assert review(damaged, "--html", str(out)).exit_code == 2
    assert "The file is damaged" in out.read_text("utf-8")


def test_invalid_games_are_reported_and_the_others_reviewed(saved: str, tmp_path: Path) -> None:
    (tmp_path / "none.json").write_text("[]", "utf-8")
    shown = review(str(tmp_path / "none.json"), saved, str(tmp_path / "gone.json"))
    assert shown.exit_code == 2
    assert "This is no record" in shown.stderr
    assert "There is no file gone.json." in shown.stderr
    assert "The game ended" in shown.stdout


@pytest.mark.parametrize("budget", ["0", "x", "-1", "1.5"])
def test_a_budget_is_a_number(saved: str, budget: str) -> None:
    refused = review(saved, "--solve", "--budget", budget)
    assert refused.exit_code == 2
    assert "--budget must be a whole number from 1" in refused.output


@pytest.fixture
def quick_coach(monkeypatch: pytest.MonkeyPatch) -> None:
    """A coach that judges every move without a search."""
    monkeypatch.setattr("tamaya.cli.review.analyse_moves", imagined)


@pytest.mark.usefixtures("quick_coach")
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_coach_reports_accuracy_and_costly_moves(language: str, tmp_path: Path) -> None:
    begun = tmp_path / "begun.json"
    begun.write_text(native.write(first_turns(RECORD, 9)), "utf-8")
    saved = str(begun)
    text = review(saved, "--coach", "--lang", language).output
    assert "{" not in text
    assert (language == "en") == ("At the start, about" in text)
    assert (language == "en") == ("That cost about" in text)
    page = tmp_path / "page.html"
    assert review(saved, "--coach", "--html", str(page), "--lang", language).exit_code == 0
    assert page.read_text("utf-8").count("<details") >= 1
    assert "{" not in re.sub(r"<style>.*?</style>", "", page.read_text("utf-8"), flags=re.DOTALL)


@pytest.mark.usefixtures("quick_coach")
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_move_has_a_line_with_grade_value_and_loss(saved: str, language: str) -> None:
    lines, speak = review(saved, "--coach", "--lang", language).output.splitlines(), catalogue(language)
    judged = list(imagined(RECORD))
    start = next(place for place, line in enumerate(lines) if re.match(r"\s+1  Ann  ", line))
    moves = lines[start : start + len(judged)]
    for one, line in zip(judged, moves, strict=True):
        assert line.split()[:2] == [str(one.turn), RECORD.names[one.seat]]
        assert f"{SIGNS[one.verdict]:2} {speak(VERDICTS[one.verdict])}  " in line
        cost = "" if one.verdict is MoveGrade.BEST else f"  −{speak(tenths(one.loss))}"
        assert line.endswith(f"  {speak(tenths(one.value))}{cost}")
    assert max(map(cell_len, moves)) <= 80
    assert len({cell_len(line) for line in moves if "−" in line}) == 1, "figures stand below each other"


@pytest.mark.usefixtures("quick_coach")
def test_moves_are_named_with_their_card(saved: str) -> None:
    text = review(saved, "--coach").output
    assert "  Every move, the points to be expected after it, and what it cost:" in text
    assert re.search(r"^ +\d+  Ann  tell Bob “\w+” ", text, re.MULTILINE)
    assert re.search(r"^ +\d+  Bob  (play|discard) card \d: (red|yellow|green|blue|white) [1-5] ", text, re.MULTILINE)


@pytest.mark.usefixtures("quick_coach")
def test_the_page_plots_the_expected_score_and_the_coachs_marks(saved: str, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    assert review(saved, "--html", str(out), "--coach", "--solve").exit_code == 0
    page = out.read_text("utf-8")
    assert 'class="plot-expected"' in page
    flags = [one.turn for one in imagined(RECORD) if one.verdict.is_flag]
    assert [int(turn) for turn in re.findall(r'<a href="#game1-move(\d+)"', page)] == flags
    places = re.findall(r'\sid="([^"]+)"', page)
    assert len(set(places)) == len(places)
    assert {link[1:] for link in re.findall(r'href="([^"]*)"', page)} <= set(places)


@pytest.mark.usefixtures("quick_coach")
def test_json_has_every_judgement_and_the_totals_add_up(saved: str) -> None:
    (line,) = review(saved, "--coach", "--json").output.splitlines()
    told = json.loads(line)["coaching"]
    assert len(told["judgements"]) == len(told["luck"]) == len(told["expected"]) - 1
    assert told["expected"][0] - sum(told["lost"].values()) + sum(told["luck"]) == pytest.approx(told["score"])
    assert set(told["accuracy"]) == {"1", "2"}
    assert "coaching" not in json.loads(review(saved, "--json").output)


def test_an_unknown_depth_is_refused(saved: str) -> None:
    done = review(saved, "--coach", "--depth", "abyss")
    assert done.exit_code == 2
    assert "abyss" in done.output
    assert "ordinary" in done.output
