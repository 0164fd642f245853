"""Five people at a table, and their turns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tamaya.rules import EDITIONS
from tamaya.table import AdviceFor, Settings, Table, Watching, commands
from tests.table.fakes import deal_of, game_of

PEOPLE = ("p-ann", "p-bob", "p-cem", "p-dan", "p-eve")
NOBODY = frozenset[str]()


def table_with(names: Iterable[str] = PEOPLE) -> Table:
    """Five people, whose game has begun, and who let others watch."""
    host, *guests = zip(PEOPLE, names, strict=True)
    settings = Settings(str(EDITIONS["standard"].rules(len(PEOPLE))), watching=Watching.HANDS, advice=AdviceFor.EVERYBODY)
    table = Table("abcdefghjk", commands.open_table(settings, *host))
    for person, name in guests:
        table = table.after(commands.sit(table, person, name))
    return table.after(commands.start(table, host[0], 0, lambda rules: deal_of(1, rules)))


def turns(table: Table, count: int) -> Iterator[Table]:
    """The table after each of so many moves."""
    for _ in range(count):
        assert table.to_move is not None
        move = str(game_of(table).legal_actions()[-1])
        table = table.after(commands.move(table, PEOPLE[table.to_move], move, table.turn))
        yield table
