"""``tamaya review``: sentences for people, facts for programs, a page to keep."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tamaya import Rules
from tamaya.cli import tamaya as command_line
from tamaya.i18n import LANGUAGES
from tamaya.record import native
from tamaya.review import facts_of
from tamaya.review.winning import winning_of
from tests.review.games import played_game, record_of

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
    """A file whose game breaks off after some moves."""
    path = tmp_path / "torn.json"
    text = native.write(RECORD)
    path.write_text(text[: text.rindex('"', 0, len(text) - 400)], "utf-8")
    return str(path)


@pytest.mark.parametrize("language", LANGUAGES)
def test_people_read_sentences_in_their_language(saved: str, language: str) -> None:
    shown = review(saved, "--lang", language)
    assert shown.exit_code == 0
    assert shown.output.startswith("game.json\n")
    assert (language == "en") == ("The best still possible fell from 25" in shown.output)
    assert "{" not in shown.output


def test_programs_get_every_fact_with_exact_chances(saved: str) -> None:
    shown, facts = review(saved, "--json", "--solve"), facts_of(RECORD)
    assert shown.exit_code == 0
    row = json.loads(shown.output)
    assert (row["id"], row["error"], row["names"]) == ("game.json", None, ["Ann", "Bob"])
    assert [turn["maximum"] for turn in row["turns"]] == [turn.maximum for turn in facts.turns]
    assert [Fraction(play["chance"]) for play in row["plays"]] == [play.chance for play in facts.plays]
    assert Fraction(row["clues_per_card"]) == facts.clues_per_card
    assert [loss["card"] for loss in row["losses"]] == [str(loss.card) for loss in facts.losses]
    assert [mark["turn"] for mark in row["marks"]] == [mark.turn for mark in facts.marks]
    assert row["winning"]["until"] == winning_of(RECORD, 20_000).until


def test_the_line_that_wins_is_told_if_one_asks_for_it(saved: str) -> None:
    assert "With every card known" not in review(saved).output
    shown = review(saved, "--solve").output
    assert f"could be won until turn {winning_of(RECORD, 20_000).until}." in shown
    assert "completes the firework!" in shown.splitlines()[-1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_holds_all_that_it_shows(saved: str, tmp_path: Path, language: str) -> None:
    out = tmp_path / "page.html"
    assert review(saved, saved, "--html", str(out), "--solve", "--lang", language).exit_code == 0
    page = out.read_text("utf-8")
    assert page.count('class="facts-plot"') == 2
    assert not re.search(r"<script|<link|https?:|@import|url\(|\sstyle=|\son\w+=", page)
    places = re.findall(r'\sid="([^"]+)"', page)
    assert len(set(places)) == len(places)
    assert {link[1:] for link in re.findall(r'href="([^"]*)"', page)} <= set(places)


def test_names_are_written_on_the_page_and_never_run(tmp_path: Path) -> None:
    path, out = tmp_path / "game.json", tmp_path / "page.html"
    path.write_text(native.write(replace(RECORD, names=("<script>alert(1)</script>", "<b>"))), "utf-8")
    assert review(str(path), "--html", str(out)).exit_code == 0
    assert "<script" not in out.read_text("utf-8")
    assert "<b>" not in out.read_text("utf-8")


def test_a_file_that_is_there_is_not_written_over(saved: str, tmp_path: Path) -> None:
    refused = review(saved, "--html", saved)
    assert refused.exit_code == 2
    assert "There is a file" in refused.output
    assert Path(saved).read_text("utf-8") == native.write(RECORD)


def test_of_a_damaged_game_what_could_be_read_is_reviewed(damaged: str, tmp_path: Path) -> None:
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


def test_what_is_no_game_is_told_and_the_others_are_reviewed(saved: str, tmp_path: Path) -> None:
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
