"""People who take back what they did, and write down what they think."""

from __future__ import annotations

import random
from functools import partial

import pytest

from tamaya import Rules, TamayaError
from tamaya.table import Decision, Settings, Table, commands
from tamaya.table.events import AnyEvent
from tests.table.fakes import ANN, BOB, CID, bot_moves, some_wish, standing, started

ALLOWED = Settings(str(Rules(players=3, empty_clues=True)), take_backs=True)


def moves(*texts: str) -> list[Decision]:
    """These actions, each by whoever has the turn."""
    return [partial(_move, text=text) for text in texts]


def _move(table: Table, text: str) -> list[AnyEvent]:
    assert table.to_move is not None
    seat = table.seats[table.to_move]
    if seat.bot:
        return bot_moves(table, text, table.turn, line=table.line)
    return commands.move(table, seat.person, text, table.turn, line=table.line)


def takes_back(person: str) -> Decision:
    """Somebody takes back what they did last."""

    def decide(table: Table) -> list[AnyEvent]:
        turn = table.last_turn_of(table.seat_of(person) or 0)
        return commands.take_back(table, person, turn or 0, table.line)

    return decide


def answers(person: str, agrees: bool) -> Decision:
    return lambda now: commands.answer(now, person, agrees, now.questions)


def refusal(table: Table, decide: Decision) -> str:
    """The code with which a table refuses; it stays as it was."""
    before = standing(table)
    with pytest.raises(TamayaError) as problem:
        table.after(decide(table))
    assert standing(table) == before
    return problem.value.code


def second_thought(table: Table, choice: random.Random) -> Decision:
    """Somebody takes back or notes something down."""
    person, text = choice.choice((ANN, BOB, CID)), choice.choice(("a one?", "later", ""))
    about = choice.choice(({"card": choice.randrange(20)}, {"turn": table.turn}))
    return choice.choice((takes_back(person), lambda now: commands.note(now, person, text, **about)))


def evening(seed: int, wishes: int = 120) -> tuple[Table, list[AnyEvent]]:
    """Three people, or two and a bot, who take back and note down a lot; and all that happened."""
    choice = random.Random(seed)
    table = started(ALLOWED, bots=(1,) if seed % 2 else (), seed=seed)
    happened: list[AnyEvent] = []
    for _ in range(wishes):
        wish = choice.choice((second_thought, second_thought, some_wish, some_wish, some_wish))(table, choice)
        try:
            events = wish(table)
            table = table.after(events)
        except TamayaError:
            continue
        happened += events
    return table, happened
