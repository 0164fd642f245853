"""What is marked on a board: the card drawn last, the one that would be discarded next, cards that one knows, and losses."""

from __future__ import annotations

import random
import re

import pytest

from tamaya import EDITIONS, Game, Rules
from tamaya.rules import Clue, Colour
from tamaya.table import ClueMemory
from tamaya.web.table.board import draw_board, draw_side
from tamaya.web.table.log import losses
from tamaya.web.table.snapshot import Moment, Player, TableFacts
from tests.tables import careful_action, moves_of_a_game

CARD = re.compile(r'<li id="card-(\d+)" class="card ([^"]*)".*?</li>', re.DOTALL)
NEW, NEXT = '<span class="badge">', '<span class="badge next">'


def drawn(game: Game, seat: int = 0, memory: ClueMemory = ClueMemory.RULED_OUT, *, wished: bool = False) -> str:
    """The board of a player."""
    facts = TableFacts(tuple(Player(name) for name in ("Ann", "Bob", "Cid")[: game.rules.players]), memory)
    moment = Moment(game.view(seat), facts, seat, live=True, wants_next_discard=wished)
    return draw_board(moment, "en", draw_side(moment, "en"))


def marked(page: str, mark: str) -> set[int]:
    """The numbers of the cards with a mark."""
    return {int(found[1]) for found in CARD.finditer(page) if mark in found[0]}


def look_of(page: str, number: int) -> str:
    """The classes of a card."""
    return next(found[2] for found in CARD.finditer(page) if int(found[1]) == number)


def hints_of(game: Game, seat: int, slot: int) -> tuple[Colour, int]:
    """What could be told about a card."""
    card = game.reveal_hands().hands[seat][slot].card
    assert card is not None
    return card.colour, card.value


def test_the_card_drawn_last_is_marked_in_each_hand_once_somebody_has_drawn() -> None:
    game = Game(Rules(players=3), seed=4)
    assert marked(drawn(game), NEW) == set()
    expected = set()
    for _ in range(2):
        expected.add(game.rules.deck_size - game.deck_count)
        game.act("play 1")
    for seat in range(3):
        assert marked(drawn(game, seat), NEW) == expected


def test_the_oldest_card_without_a_clue_is_marked_as_the_next_discard_for_those_who_wish_it() -> None:
    game = Game(Rules(players=2), seed=4)
    oldest = [min(seen.number for seen in hand) for hand in game.reveal_hands().hands]
    assert marked(drawn(game), NEXT) == set()
    assert marked(drawn(game, wished=True), NEXT) == set(oldest)
    game.act(Clue(1, hints_of(game, 1, 0)[1]))
    unclued = [seen.number for seen in game.reveal_hands().hands[1] if not seen.clued]
    for seat in (0, 1):
        assert marked(drawn(game, seat, wished=True), NEXT) == {oldest[0], min(unclued)}
    assert marked(drawn(game, 0, ClueMemory.NOTHING, wished=True), NEXT) == set(), (
        "where nothing is remembered, nobody can tell"
    )


@pytest.mark.parametrize("memory", ClueMemory)
def test_a_card_of_ones_own_that_one_knows_is_drawn_as_a_face(memory: ClueMemory) -> None:
    game = Game(Rules(players=2), seed=4)
    colour, value = hints_of(game, 1, 0)
    number = game.reveal_hands().hands[1][0].number
    game.act(Clue(1, colour))
    assert "back" in look_of(drawn(game, 1, memory), number)
    game.act(Clue(0, hints_of(game, 0, 0)[1]))
    game.act(Clue(1, value))
    look = look_of(drawn(game, 1, memory), number)
    if memory is ClueMemory.NOTHING:
        assert look.startswith("back")
    else:
        assert look.startswith(f"known face {colour}")


@pytest.mark.parametrize("seed", range(6))
def test_a_turn_that_lowers_what_a_firework_can_reach_says_so_and_no_other_does(seed: int) -> None:
    rules = EDITIONS["french"].rules(3, ("multicolour-five",) if seed % 2 else ())
    game, turns = Game(rules, seed=seed), set()
    reach = dict(game.spectator_view().reach)
    for _ in moves_of_a_game(game, random.Random(seed), careful_action):
        now = dict(game.spectator_view().reach)
        if now != reach:
            turns.add(game.spectator_view().turn)
        reach = now
    assert set(losses(game.spectator_view())) == turns
