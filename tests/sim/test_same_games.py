"""Policies play the recorded games, action for action; a change that alters a game must record it again."""

import pytest

from benchmarks.same_games import RecordedRow, interpreted_digests, recorded, rows

RECORDED = recorded()
TEAMS = sorted({(row.bot, row.rules.players) for row in rows()})


def rows_of(bot: str, players: int) -> list[RecordedRow]:
    return [row for row in rows() if (row.bot, row.rules.players) == (bot, players)]


def test_the_games_of_every_row_are_recorded() -> None:
    assert [row.key for row in rows() if row.key not in RECORDED] == []


@pytest.mark.slow
@pytest.mark.parametrize(("bot", "players"), TEAMS)
def test_the_first_deals_of_every_row_are_played_as_recorded(bot: str, players: int) -> None:
    """Interpreted, for every edition and every variant; ``./dev bench same`` plays many more games, compiled."""
    for row in rows_of(bot, players):
        if row.key in RECORDED:
            assert interpreted_digests(row, 1) == RECORDED[row.key][:1], row.key
