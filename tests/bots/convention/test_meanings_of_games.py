"""Meanings of whole games: nothing hidden is in them, nothing that came later, and they agree with what the bot itself says."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamaya import Game, Rules
from tamaya.bots import make_bot
from tamaya.bots.convention.meaning import meanings
from tamaya.bots.convention.minds import Minds
from tamaya.bots.protocol import ExplainingBot
from tamaya.engine.kernel import interpreted_kernel
from tamaya.engine.kernel.hands import EVERYBODY
from tamaya.engine.view import Eyes
from tamaya.record import Record
from tamaya.rules import Message
from tests.bots.convention.turns import seen, turns
from tests.tables import careful_action, moves_of_a_game, random_action, rules
from tests.twins import twin_of


def every_eyes(table: Rules) -> Iterator[Eyes]:
    """Those of each seat, of a spectator, and of somebody who sees every hand."""
    seats = frozenset(range(table.players))
    yield from (Eyes(seat, seats - {seat}) for seat in seats)
    yield Eyes(None, frozenset())
    yield Eyes(None, seats)


def a_game(table: Rules, seed: int, style: Callable[..., object]) -> Game:
    game, choice = Game(table, seed=seed), random.Random(seed)
    for _ in zip(range(seed % 70), moves_of_a_game(game, choice, style), strict=False):  # type: ignore[arg-type]
        pass
    return game


STYLES = st.sampled_from([random_action, careful_action])
SEEDS = st.integers(0, 2**64 - 1)


@pytest.mark.slow
@settings(max_examples=25)
@given(rules(), SEEDS, STYLES)
def test_the_meaning_of_a_turn_is_the_same_whatever_comes_later(table: Rules, seed: int, style: Callable[..., object]) -> None:
    record = Record.of(a_game(table, seed, style), ())
    shorter = replace(record, moves=record.moves[: seed % (len(record.moves) + 1)])
    for eyes in every_eyes(table):
        early, late = meanings(shorter, eyes), meanings(record, eyes)
        assert early == {turn: late[turn] for turn in early}


@pytest.mark.slow
@settings(max_examples=25)
@given(rules(), SEEDS, STYLES)
def test_a_seat_reads_alike_what_it_cannot_tell_apart(table: Rules, seed: int, style: Callable[..., object]) -> None:
    game, choice = a_game(table, seed, style), random.Random(seed)
    for eyes in every_eyes(table):
        if len(eyes.open_seats) < table.players:
            seat = choice.randrange(table.players) if eyes.seat is None else eyes.seat
            twin = twin_of(game, seat, choice)
            assert meanings(Record.of(game, ()), eyes) == meanings(Record.of(twin, ()), eyes)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_with_every_hand_open_players_are_taken_to_believe_what_they_do(players: int) -> None:
    table = Rules(players=players)
    kernel = interpreted_kernel(table)
    for turn in turns(table, players):
        everything = seen(kernel, turn.state, EVERYBODY)
        for seat, memory in enumerate(turn.memories):
            own, shown = Minds(table, memory, seen(kernel, turn.state, seat)), Minds(table, memory, everything)
            for slot in own.slots(seat):
                assert own.belief(seat, slot) == shown.belief(seat, slot)
                assert own.proven(seat, slot) == shown.proven(seat, slot)


BY_CLUES = ("The clue of turn {turn} called for it.", "By the agreements it could only be a card that fits.")
AGREEING = {
    "it can only be": ("It could only be {card}.",),
    "whatever it is, it fits": ("Whatever it was, it had to fit.",),
    "as I read the clues, it": BY_CLUES,
    "(a prompt)": (
        "The clue on {focus} of {player} made sense only if it was {wanted} (a prompt).",
        "Whatever it was, it had to fit.",
        *BY_CLUES,
    ),
    "I hold": (
        "The clue on {focus} of {player} made sense only if it was {wanted} (a finesse).",
        "The last clue made sense only if it was {wanted} (a finesse).",
    ),
    "whatever it is, nobody needs it": ("It was known to be useless.",),
    "as I read the clues, nobody needs it": ("By the agreements it was useless.",),
    "my oldest card without a clue": ("It was the oldest card without a clue, as custom has it.",),
    "all my cards are clued": ("All cards had been clued.",),
}
"""Parts of the bot's reasons for a play or a discard, and the meanings that go with them."""


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_what_the_bot_does_means_what_it_says(players: int) -> None:
    spoken = Counter[str]()
    for seed in range(3):
        for why, meant in whys_and_meanings(Rules(players=players), seed):
            for part, agreeing in AGREEING.items():
                if part in why:
                    assert meant.text in agreeing, why
                    spoken[part] += 1
            assert "it can be played" not in why or "which does not fit yet" not in str(meant)
    assert sum(spoken.values()) > 60


def whys_and_meanings(table: Rules, seed: int) -> Iterator[tuple[str, Message]]:
    """Why the bot acts, and what others make of it, turn by turn."""
    game, whys = Game(table, seed=seed), list[str]()
    bots = [make_bot("convention") for _ in range(table.players)]
    while game.to_move is not None:
        bot = bots[game.to_move]
        action = bot.act(game.view(game.to_move))
        assert isinstance(bot, ExplainingBot)
        whys.append(str(bot.explain()))
        game.act(action)
    found = meanings(Record.of(game, ()), Eyes(None, frozenset(range(table.players))))
    yield from zip(whys, found.values(), strict=True)
