"""Two games that differ only in what a seat cannot see look the same to that seat, byte for byte."""

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamaya import Card, Game, MalformedError, Rules
from tamaya.bots import SimpleBot
from tamaya.rules import Move, TamayaError
from tests.tables import careful_action, moves_of_a_game, random_action, rules
from tests.twins import twin_deck, twin_of


def everything_shown_to(game: Game, seat: int) -> str:
    """Everything that a game shows a seat: its view with log and legal actions, the public properties, the text form."""
    public = [game.turn, game.to_move, game.clue_tokens, game.mistakes, game.deck_count, game.points, game.maximum, repr(game)]
    return json.dumps([game.view(seat).to_json(), public]) + repr(game.view(seat)) + repr(game.log)


def replays_alike(table: Rules, moves: list[Move], decks: tuple[list[Card], list[Card]], seat: int) -> None:
    one, other = Game(table, deck=decks[0]), Game(table, deck=decks[1])
    assert everything_shown_to(one, seat) == everything_shown_to(other, seat)
    for move in moves:
        one.move(move)
        other.move(move)
        assert everything_shown_to(one, seat) == everything_shown_to(other, seat)
    assert one.copy().undo() == other.copy().undo() if moves else True


@pytest.mark.slow
@given(rules(), st.integers(0, 2**64 - 1), st.sampled_from([random_action, careful_action]), st.data())
def test_a_seat_cannot_distinguish_games_by_hidden_cards(table: Rules, seed: int, style: object, data: st.DataObject) -> None:
    choice = random.Random(seed)
    game = Game(table, seed=seed)
    moves: list[Move] = []
    length = data.draw(st.integers(0, 60))
    for move in moves_of_a_game(game, choice, style):  # type: ignore[arg-type]
        moves.append(move)
        if len(moves) > length:
            break
    for seat in range(table.players):
        twin = twin_deck(game, seat, choice)
        replays_alike(table, moves, (list(game.reveal_deck()), twin), seat)


@given(rules(), st.integers(0, 2**64 - 1))
def test_refusals_are_the_same_in_games_that_look_the_same(table: Rules, seed: int) -> None:
    choice = random.Random(seed)
    game = Game(table, seed=seed)
    for _, _ in zip(range(choice.randrange(20)), moves_of_a_game(game, choice), strict=False):
        pass
    if game.to_move is None:
        return
    twin = twin_of(game, game.to_move, choice)
    for text in ("clue 1 1", "clue 2 red", "clue 2 6", "clue 9 1", "play 9", "discard 1", "play 1 as red", "nonsense"):
        refusals = []
        for table_game in (game.copy(), twin.copy()):
            try:
                table_game.act(text)
                refusals.append(("accepted", ""))
            except TamayaError as problem:
                refusals.append((problem.code, str(problem)))
        assert refusals[0] == refusals[1]


@given(rules(), st.integers(0, 2**64 - 1))
def test_a_bot_decides_the_same_in_games_that_look_the_same(table: Rules, seed: int) -> None:
    choice, bot = random.Random(seed), SimpleBot()
    game = Game(table, seed=seed)
    for _ in range(choice.randrange(1, 30)):
        if game.to_move is None:
            return
        game.act(bot.act(game.view(game.to_move)))
    if game.to_move is None:
        return
    seat = game.to_move
    twin = twin_of(game, seat, choice)
    assert bot.act(game.view(seat)) == bot.act(twin.view(seat))


def test_the_compared_games_really_differ() -> None:
    game = Game(Rules(), seed=1)
    assert twin_deck(game, 0, random.Random(1)) != list(game.reveal_deck())


def test_a_refused_seed_is_not_quoted_in_the_message() -> None:
    secret = 2**64 + 123456789
    with pytest.raises(MalformedError) as refusal:
        Game(Rules(), seed=secret)
    assert str(secret) not in str(refusal.value)
