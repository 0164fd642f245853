"""The checks themselves: they notice made-up violations."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tamaya import EDITIONS, Game
from tamaya.table.events import AnyEvent, Moved, Opened, Sat, Started, encode
from tamaya.table.settings import Settings
from tests.faults.board import OwnCard, OwnHand, read_board
from tests.faults.checks import check_games, check_secrets
from tests.faults.people import Ledger
from tests.support.fakes import deal_of

CODE = "abcdefghjk"
RULES = EDITIONS["standard"].rules(2)
MOVES = ("clue 2 2", "discard 1", "play 1")


def played() -> tuple[Ledger, dict[str, list[str]]]:
    """The ledger and events of two players after three confirmed moves."""
    deck = deal_of(7, RULES)
    seats = [Sat(seat, name, name) for seat, name in enumerate(("Ann", "Bob"))]
    moves = [Moved(turn % 2, move) for turn, move in enumerate(MOVES)]
    events: list[AnyEvent] = [Opened("Ann", Settings(str(RULES))), *seats, Started(" ".join(map(str, deck)), 0), *moves]
    ledger = Ledger(codes=[CODE])
    for turn, move in enumerate(MOVES):
        ledger.confirmed[CODE, turn].append(move)
    return ledger, {CODE: list(map(encode, events))}


def shown(game: Game, seat: int) -> OwnHand:
    """A hand as a page shows it, with what clues tell."""
    cards = (
        OwnCard(seen.number, frozenset(map(str, seen.colours)), frozenset(seen.values), f"{seen.colours} {seen.values}")
        for seen in game.view(seat).hand
    )
    return OwnHand(seat, tuple(cards), frozenset())


def test_a_correct_game_passes() -> None:
    ledger, logs = played()
    games = check_games(ledger, logs, calm=True)
    for turn in range(len(MOVES) + 1):
        for seat, name in enumerate(("Ann", "Bob")):
            ledger.hands[CODE, turn].add((name, shown(games[CODE].at(turn), seat)))
    assert check_secrets(ledger, games) == 8


def lost(ledger: Ledger, lines: list[str]) -> None:
    lines.pop()


def doubled(ledger: Ledger, lines: list[str]) -> None:
    lines.append(encode(Moved(1, "play 2")))


def exchanged(ledger: Ledger, lines: list[str]) -> None:
    ledger.confirmed[CODE, 1] = ["discard 2"]


def confirmed_twice(ledger: Ledger, lines: list[str]) -> None:
    ledger.confirmed[CODE, 1] *= 2


def out_of_turn(ledger: Ledger, lines: list[str]) -> None:
    lines[-1] = encode(Moved(1, MOVES[-1]))


def gone(ledger: Ledger, lines: list[str]) -> None:
    ledger.codes.append("another")


@pytest.mark.parametrize("spoil", [lost, doubled, exchanged, confirmed_twice, out_of_turn, gone])
def test_lost_doubled_and_changed_moves_are_noticed(spoil: Callable[[Ledger, list[str]], None]) -> None:
    ledger, logs = played()
    spoil(ledger, logs[CODE])
    with pytest.raises(AssertionError):
        check_games(ledger, logs, calm=True)


def test_a_move_without_a_response_may_be_stored_or_not() -> None:
    ledger, logs = played()
    ledger.unanswered[CODE, 3].append("play 2")
    check_games(ledger, logs, calm=True)
    doubled(ledger, logs[CODE])
    check_games(ledger, logs, calm=True)


def test_pages_that_tell_more_than_clues_are_noticed() -> None:
    ledger, logs = played()
    games = check_games(ledger, logs, calm=True)
    hand = shown(games[CODE].at(1), 0)
    first, *rest = hand.cards
    told_colour = hand._replace(cards=(first._replace(colours=frozenset(["red"])), *rest))
    told_value = hand._replace(cards=(first._replace(values=first.values - {5}), *rest))
    in_words = hand._replace(cards=(first._replace(words="a red card"), *rest))
    of_another = shown(games[CODE].at(1), 1)
    for wrong in (told_colour, told_value, in_words, of_another, hand._replace(left=frozenset([first.number]))):
        ledger.hands = {(CODE, 0): {("Ann", shown(games[CODE].at(0), 0))}, (CODE, 1): {("Ann", wrong)}}
        with pytest.raises(AssertionError):
            check_secrets(ledger, games)


def test_pages_are_parsed_as_rendered() -> None:
    back = (
        '<li id="card-{}" class="card back {}" data-slot="0"><button><span class="hide">Your card 1: </span>'
        '<span class="pips"><i class="shut">1</i><i class="open">2</i></span>{}<span class="hide">words</span></button></li>'
    )
    open_colours = '<i class="open"><svg class="shape red"></svg></i><i class="shut"><svg class="shape blue"></svg></i>'
    known = '<span class="known-colour inked"><svg class="shape blue"></svg></span>'
    page = (
        '<div id="table" data-turn="3" data-line="0" data-active="yes"><section id="hand-1" class="hand own turn">'
        + back.format(4, " ", open_colours)
        + back.format(7, "blue clued", known)
        + '</section><input name="move" value="play 1" data-say="x"><input name="move" value="play 2" data-refusal="no">'
        '<li data-movement="discard" data-turn="3" data-number="2" data-colour="red">'
    )
    board = read_board(page)
    assert board
    assert (board.turn, board.active, board.ended, board.moves) == (3, True, False, ("play 1",))
    two = frozenset([2])
    cards = (OwnCard(4, frozenset(["red"]), two, "words"), OwnCard(7, frozenset(["blue"]), two, "words"))
    assert board.own == OwnHand(1, cards, two)
    leaking = read_board(re.sub("back  ", "back green ", page))
    assert leaking
    assert leaking.own
    assert leaking.own.cards[0].colours == frozenset()
