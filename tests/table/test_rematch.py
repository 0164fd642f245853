"""The same people once more: who sits where, who begins, and what the first game leaves behind."""

from __future__ import annotations

from functools import partial

import msgspec
import pytest

from tamaya.bots import DEFAULT_BOT
from tamaya.table import AnyEvent, ClueMemory, Phase, Table, Talk, commands
from tamaya.table.events import Rematched
from tests.table.fakes import ANN, BOB, CID, bot_moves, deal_of, decided, ended, game_of, plain_settings, started

DEAL = partial(deal_of, 7)


def test_a_rematch_keeps_everybody_waits_for_them_and_then_the_next_player_begins() -> None:
    table = ended(plain_settings(memory=ClueMemory.SAID, talk=Talk.FREE, starter="custom"), bots=[1])
    old, new = commands.rematch(table, CID, "b" * 10)
    assert old == [Rematched("b" * 10)]
    following = Table("b" * 10, new)
    assert following.seats == table.seats[1:] + table.seats[:1]
    assert (following.host, following.phase, following.said, following.rematch) == (CID, Phase.OPEN, [], "")
    assert following.settings == msgspec.structs.replace(table.settings, starter="1")
    begun = decided(following, lambda now: commands.start(now, CID, now.settings.first(lambda _: 2), DEAL))
    assert (begun.seats, begun.to_move) == (following.seats, 0), "whoever sat second begins"


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_whoever_let_a_bot_play_has_their_seat_back_in_the_rematch(seat: int) -> None:
    away = started().seats[seat].person
    table = decided(started(), lambda now: commands.take_over(now, ANN if seat else BOB, seat, DEFAULT_BOT, away=True))
    while table.phase is Phase.PLAYING:
        table = decided(table, lambda now: _next(now))
    assert [player.person for player in table.seats if player.bot] == [away]
    following = Table("b" * 10, commands.rematch(table, BOB, "b" * 10)[1])
    assert {player.person: player.bot for player in following.seats} == dict.fromkeys((ANN, BOB, CID), "")


def _next(table: Table) -> list[AnyEvent]:
    assert table.to_move is not None
    player = table.seats[table.to_move]
    text = str(game_of(table).legal_actions()[0])
    return bot_moves(table, text, table.turn) if player.bot else commands.move(table, player.person, text, table.turn)
