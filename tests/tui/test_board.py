"""The board in the terminal, symbol by symbol."""

import io

from rich.console import Console

from tamaya import Arrange, Game, Rules, View, read_rules
from tamaya.i18n import catalogue
from tamaya.tui.board import TerminalBoard
from tests.tables import do, game_with


def drawn(view: View, *names: str) -> str:
    out = io.StringIO()
    Console(file=out, width=80, highlight=False).print(TerminalBoard(names or ("Ana", "Bo"), catalogue("en")).draw(view))
    return out.getvalue()


def line_with(text: str, word: str) -> str:
    return next(" ".join(line.split()) for line in text.splitlines() if word in line)


def a_game() -> Game:
    game = game_with(Rules(), "R1 R5 R1 R2 R2", "Y1 B2 Y3 Y4 W5", "G1 G2")
    return do(game, "play 1", "clue 1 5", "discard 1", "clue 1 2")


def test_fireworks_show_what_is_placed_to_come_and_out_of_reach() -> None:
    assert line_with(drawn(a_game().view(0)), "Fireworks") == "Fireworks R 1···× Y ····· G ····· W ····· B ·····"


def test_tokens_deck_and_points_are_counted() -> None:
    screen = drawn(a_game().view(0))
    assert line_with(screen, "Clue tokens") == "Clue tokens 7/8 ●●●●●●●○ Mistakes 0/3 ○○○"
    assert line_with(screen, "Deck") == "Deck 38 cards Points 1 (at most 24)"


def test_the_discard_pile_is_grouped_by_colour() -> None:
    game = do(a_game(), "discard 1", "play 3")
    assert line_with(drawn(game.view(0)), "Discard pile") == "Discard pile R 15 Y 3"


def test_teammates_cards_show_their_face_the_newest_and_what_was_told() -> None:
    game = do(a_game(), "clue 2 yellow")
    screen = drawn(game.view(0)).splitlines()
    row = next(place for place, line in enumerate(screen) if "2 Bo" in line)
    assert screen[row].split() == ["▶2", "Bo", "Y1", "B2", "Y3", "Y4", "W5+"]
    assert screen[row + 1].split() == ["Y?", "Y?", "Y?"]


def test_own_cards_show_only_what_they_can_be() -> None:
    screen = drawn(a_game().view(0)).splitlines()
    row = next(place for place, line in enumerate(screen) if "1 Ana" in line)
    assert screen[row].split() == ["▶1", "Ana", "??", "?2", "?2", "??", "?2+"]
    assert screen[row + 1].split() == ["RYGWB"] * 5
    assert screen[row + 2].split() == ["1·34·", "·2···", "·2···", "1·34·", "·2···"]


def test_a_card_laid_sideways_is_marked_wherever_it_lies() -> None:
    game = a_game()
    game.arrange(Arrange(1, (4, 3, 2, 1, 0), turned=(0,)))
    assert line_with(drawn(game.view(0)), "2 Bo") == "2 Bo W5⟂+ Y4 Y3 B2 Y1"


def test_the_last_turns_are_counted_down() -> None:
    game = do(game_with(Rules(players=2, colours=1, hand_size=4), "R1 R3 R1 R1", "R2 R5 R4 R4"), "play 1", "play 1")
    assert line_with(drawn(game.view(0)), "Deck") == "Deck 0 cards Points 2 (at most 4) 2 turns left"
    do(game, "play 1")
    assert line_with(drawn(game.view(0)), "Deck") == "Deck 0 cards Points 3 (at most 4) 1 turn left"


def test_a_game_won_in_its_last_round_has_no_turns_left() -> None:
    game = game_with(Rules(players=2, colours=1, hand_size=3), "R1 R3 R5", "R2 R4 R1", "R1 R2 R3 R4")
    do(game, "play 1", "play 1", "play 1", "play 1")
    assert "2 turns left" in line_with(drawn(game.view(0)), "Deck")
    do(game, "play 1")
    assert "left" not in line_with(drawn(game.view(0)), "Deck")


def test_all_or_nothing_counts_cards_not_points() -> None:
    screen = drawn(Game(read_rules("players=2 all-or-nothing"), seed=1).view(0))
    assert "Cards placed 0" in screen
    assert "Points" not in screen


def test_long_names_are_cut_and_do_not_break_the_table() -> None:
    screen = drawn(a_game().view(0), "A" * 40, "漢" * 40)
    assert len(screen.splitlines()) == len(drawn(a_game().view(0)).splitlines())
