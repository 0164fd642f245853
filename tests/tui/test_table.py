"""A person at the terminal table."""

import io
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from tamaya import Game, Rules, read_rules
from tamaya.bots import SimpleBot, plain_advice
from tamaya.i18n import LANGUAGES, catalogue, propose
from tamaya.record import AdvisedTurn, from_text
from tamaya.rules import rating
from tamaya.tui import Seats, TerminalTable, table

NAMES = ("Ana", "Kiku", "Botan", "Yanagi", "Senrin")


@pytest.fixture(autouse=True)
def _by_the_agreements(monkeypatch: pytest.MonkeyPatch) -> None:
    """Advice as it is without a compiler, whatever this machine has in its cache."""
    monkeypatch.setattr(table, "best_advice", lambda view, seats: plain_advice(view))


class Person:
    """A person who types prepared lines, then leaves; `screen` is the output."""

    def __init__(self, rules: Rules, seed: int = 1, language: str = "en", seat: int = 0) -> None:
        self._out = io.StringIO()
        bots = tuple(None if other == seat else "simple" for other in range(rules.players))
        console = Console(file=self._out, width=80, highlight=False)
        seats = Seats(NAMES[: rules.players], bots)
        self.table = TerminalTable(lambda: Game(rules, seed=seed), seats, catalogue(language), console)

    def types(self, *lines: str) -> str:
        before, left = len(self.screen), list(lines)

        def read_line(prompt: str) -> str:
            if not left:
                raise EOFError
            self._out.write(prompt)
            return left.pop(0)

        self.table.run(read_line)
        return self.screen[before:]

    @property
    def screen(self) -> str:
        return self._out.getvalue()


def plays_to_the_end(person: Person) -> str:
    """A person who decides like a bot."""
    bot = SimpleBot()
    while person.table.game.outcome is None:
        action = bot.act(person.table.game.view(0))
        person.types(str(action))
    return person.screen


def test_the_table_shows_everything_but_the_persons_cards() -> None:
    person = Person(Rules(players=3))
    screen = person.types()
    view = person.table.game.view(0)
    for seat in (1, 2):
        for seen in view.hands[seat]:
            assert str(seen.card) in screen
    assert "8/8 ●●●●●●●●" in screen
    assert "0/3 ○○○" in screen
    assert "35 cards" in screen
    assert screen.count("RYGWB") == 5
    assert screen.count("12345") == 5


def test_after_a_clue_all_moves_until_the_persons_turn_are_shown() -> None:
    person = Person(Rules(players=3))
    hint = person.table.game.view(0).hands[1][0].card
    assert hint is not None
    screen = person.types(f"clue 2 {hint.value}")
    assert f"You tell Kiku “{hint.value}”" in screen
    assert person.table.game.to_move == 0
    assert person.table.game.turn == 3


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_is_finished_with_score_and_rating_in_every_language(language: str) -> None:
    person = Person(Rules(players=3), language=language)
    screen = " ".join(plays_to_the_end(person).split())
    end = person.table.game.outcome
    assert end is not None
    assert end.score is not None
    for message in (rating(end.score), end.ending.word):
        assert " ".join(catalogue(language)(message).split()) in screen
    for hand in person.table.game.table_view().hands:
        assert all(seen.card for seen in hand)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["players=2 all-or-nothing", "french players=4 multicolour-five announced-plays", "players=5 multicolour-unnamed"]
)
def test_variants_are_played_to_the_end(text: str) -> None:
    person = Person(read_rules(text))
    assert "Game over" in plays_to_the_end(person) + person.types("h")


def test_undo_goes_back_to_the_persons_last_decision() -> None:
    person = Person(Rules(players=3))
    before = person.table.game.copy()
    person.types("play 1", "u")
    assert person.table.game == before
    assert "not done anything" in person.types("u")


def test_undo_also_takes_back_the_end_of_a_game() -> None:
    person = Person(Rules(players=2, mistakes=1))
    person.types("play 1")
    while person.table.game.outcome is None:
        person.types("play 1")
    assert "Game over" in person.types("h")
    person.types("u")
    assert person.table.game.outcome is None


def test_an_unsaved_game_is_given_up_only_on_the_second_request() -> None:
    person = Person(Rules(players=2))
    assert "neither over nor saved" in person.types("play 1", "n", "b", "n", "log")
    assert person.table.game.turn == 2
    person = Person(Rules(players=2))
    person.types("play 1", "n", "n")
    assert person.table.game.turn == 0
    assert "neither over nor saved" in Person(Rules(players=2)).types("play 1", "q", "log")
    assert "You play" not in Person(Rules(players=2)).types("play 1", "q", "q", "log").split("saved")[1]
    assert "neither over nor saved" not in Person(Rules(players=2)).types("q")


def test_undo_also_takes_back_a_rearrangement() -> None:
    person = Person(Rules(players=2))
    before = person.table.game.copy()
    person.types("a 2 1 3 4 5", "u")
    assert person.table.game == before


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text", ["players=5 multicolour-ten", "players=3 multicolour-ten", "players=4", "players=2"])
def test_board_last_moves_and_prompt_fit_80_columns_and_24_lines(language: str, text: str) -> None:
    person = Person(read_rules(text), language=language)
    person.types("play 1", "play 1")
    for typed in ("b", "play 1"):
        screen = person.types(typed).split("> ")[1]
        assert len(screen.splitlines()) < 24
        assert max(map(cell_len, screen.splitlines())) <= 80
        assert "…" not in screen


def test_an_empty_line_shows_the_table_again_and_changes_nothing() -> None:
    person = Person(Rules(players=3))
    before = person.table.game.copy()
    assert person.types("h", "").count("Fireworks") == 2
    assert person.table.game == before


def test_wrong_input_changes_nothing_and_is_answered() -> None:
    person = Person(Rules(players=3))
    before = person.table.game.copy()
    screen = person.types("play 9", "clue 1 red", "xyz", "c 2", "discard 1", "clue 7 1", "a 1 1 1 1 1")
    assert person.table.game == before
    for words in (
        "no card 9",
        "Nobody gives a clue to themselves",
        "no command “xyz”",
        "Write it like this",
        "nothing may be discarded",
        "no player 7",
        "each card",
    ):
        assert words in " ".join(screen.split())


@given(
    st.lists(st.text(max_size=12), max_size=6),
    st.lists(st.sampled_from(["p 1", "d 1", "c 2 1", "c 2 r", "u", "l", "r", "a 5 4 3 2 1", "n", "h"]), max_size=8),
)
def test_no_input_breaks_the_table(noise: list[str], commands: list[str]) -> None:
    lines = [line for pair in zip(noise, commands, strict=False) for line in pair if not line.strip().lower().startswith("s")]
    person = Person(Rules(players=2))
    person.types(*lines)
    assert "Traceback" not in person.screen


def in_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], str]:
    monkeypatch.chdir(tmp_path)
    return lambda name: (tmp_path / name).read_text("utf-8")


def test_a_saved_game_can_be_read_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    saved = in_folder(monkeypatch, tmp_path)
    person = Person(Rules(players=3))
    assert "Saved as evening.json" in person.types("play 1", "save evening.json")
    assert from_text(saved("evening.json")).game == person.table.game
    person.types("play 1", "save")
    assert from_text(saved("evening.json")).game == person.table.game


def test_saving_never_overwrites_another_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    in_folder(monkeypatch, tmp_path)
    (tmp_path / "precious").write_text("mine")
    screen = Person(Rules(players=3)).types("save precious", "save no/such/folder/x", "save .", "save a\0b")
    assert "There is a file precious already" in screen
    assert screen.count("cannot be written") == 2
    assert (tmp_path / "precious").read_text() == "mine"


@given(st.text(max_size=12))
def test_any_file_name_is_saved_to_or_refused_with_a_message(name: str) -> None:
    with TemporaryDirectory() as folder:
        person = Person(Rules(players=2))
        screen = " ".join(person.types(f"save {folder}/{name}", "save ~nobody/there").split())
        assert "cannot be written" in screen
        assert len(list(Path(folder).rglob("*"))) <= 1


def test_advice_comes_step_by_step_and_restarts_with_each_turn() -> None:
    person = Person(Rules(players=3))
    told = [line.partition("> · ")[2] for line in person.types(*["advice"] * 4).splitlines()]
    idea, move, reason, again = filter(None, told)
    advice = plain_advice(person.table.game.view(0))
    assert str(advice.idea) == idea
    assert str(propose(advice.action, person.table.game.view(0))).split("player")[0] in move
    assert reason == again
    assert len({idea, move, reason}) == 3
    person.types(str(advice.action))
    assert str(plain_advice(person.table.game.view(0)).idea) in person.types("hint")


def test_a_saved_game_records_who_took_advice(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    saved = in_folder(monkeypatch, tmp_path)
    person = Person(Rules(players=2))
    person.types("v", "v", "play 1", "v", "save evening.json")
    assert from_text(saved("evening.json")).record.advised == (AdvisedTurn(0, 1), AdvisedTurn(0, 3))
    person.types("undo", "save")
    assert from_text(saved("evening.json")).record.advised == (AdvisedTurn(0, 1), AdvisedTurn(0, 1))


def test_there_is_no_advice_after_the_end() -> None:
    person = Person(Rules(players=2))
    plays_to_the_end(person)
    assert "The game is over." in person.types("v")


def test_the_log_and_the_rules_are_shown_on_demand() -> None:
    screen = Person(Rules(players=2)).types("play 1", "log", "rules")
    assert screen.count("You play") == 2
    assert "Together you build 5 fireworks" in screen


def test_a_person_may_sit_anywhere() -> None:
    person = Person(Rules(players=3), seat=2)
    person.types()
    assert person.table.game.to_move == 2
    assert person.table.game.turn == 2


def test_the_table_never_prints_a_hidden_card_before_the_end() -> None:
    """The same public game with other hidden cards looks the same on the screen."""
    rules = Rules(players=2)
    deck = list(Game(rules, seed=1).reveal_deck())
    other = [*deck[:5][::-1], *deck[5:10], *deck[10:][::-1]]
    screens = []
    for cards in (deck, other):
        person = Person(rules)
        person.table.game = Game(rules, deck=cards)
        screens.append(person.types("h", "log", "rules", "v", "v", "v", "d 1", "p 9", "a 2 1 3 4 5", "v", "v", "v"))
    assert screens[0] == screens[1]
