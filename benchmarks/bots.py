"""``./dev bench bots``: games per second of the policies, and the response time of bots at a table."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Sequence
from itertools import count
from typing import NamedTuple

import click

from benchmarks.measuring import Loop, Row, as_figure, as_ratio, machine_line, measure
from tamaya.bots import BOTS, known_bots, make_bot
from tamaya.cli.grids import as_text
from tamaya.engine import Game
from tamaya.rules import Rules, TamayaError
from tamaya.rules.errors import require
from tamaya.sim.deals import seed_of

OWN_BOTS = [name for name in BOTS if name in known_bots()]
"""Our own bots that can play at a table."""
BATCH_SIZE = 20
"""Games in one call of a compiled loop."""
NEWCOMER_EVERY = 5
"""Every this many moves, a new bot is asked too; it has to replay the whole game first."""
HEADINGS = [
    "players",
    "bot",
    "games/s compiled",
    "games/s at a table",
    "ratio",
    "p50 ms",
    "p99 ms",
    "longest",
    "newcomer's p99",
]


class Times(NamedTuple):
    """Response times in seconds, of bots seated since the deal and of new ones, and the number of games played."""

    seated: list[float]
    newcomers: list[float]
    games: int

    @property
    def games_per_s(self) -> float:
        """Games per second, by the thinking time of the seated bots."""
        return self.games / sum(self.seated)


@click.command()
@click.option("--json", "as_json", is_flag=True, help="A list of rows instead of a table.")
@click.option("--players", type=click.IntRange(2, 5), multiple=True, default=(2, 3, 4, 5), help="Only so many; repeatable.")
@click.option("--bot", "bots", type=click.Choice(OWN_BOTS), multiple=True, default=OWN_BOTS, help="Only this one; repeatable.")
@click.option(
    "--seconds", type=click.FloatRange(0), default=0.5, show_default=True, help="How long each of a loop's 4 rounds is."
)
def bots(as_json: bool, players: tuple[int, ...], bots: tuple[str, ...], seconds: float) -> None:
    """Games per second of policies, compiled, on one core; and the response time of bots at a table."""
    try:
        require("numba", "sim")
        rows = [row for number in sorted(set(players)) for row in bot_rows(number, tuple(dict.fromkeys(bots)), seconds)]
    except TamayaError as problem:
        raise click.ClickException(str(problem)) from problem
    if as_json:
        click.echo(json.dumps(rows, indent=1))
    else:
        click.echo("\n".join([machine_line(), "", *as_text([HEADINGS, *map(_cells, rows)], names=2)]))


def bot_rows(players: int, names: Sequence[str], seconds: float) -> list[Row]:
    """The figures of the bots that can play with this number of players."""
    rules = Rules(players=players)
    names = [name for name in names if BOTS[name].knows(rules)]
    compiled = measure({name: compiled_loop(rules, name) for name in names if BOTS[name].is_compiled}, seconds)
    rows = []
    for name in names:
        taken, fast = answer_times(rules, name, 4 * seconds), compiled.get(name)
        rows.append(
            {
                "players": players,
                "bot": name,
                "compiled_games_per_s": None if fast is None else round(fast),
                "table_games_per_s": round(taken.games_per_s, 1),
                "ratio": None if fast is None else round(fast / taken.games_per_s, 1),
                "p50_ms": percentile(taken.seated, 0.5),
                "p99_ms": percentile(taken.seated, 0.99),
                "longest_ms": percentile(taken.seated, 1),
                "newcomer_p99_ms": percentile(taken.newcomers, 0.99),
            }
        )
    return rows


def compiled_loop(rules: Rules, name: str) -> Loop:
    """A warm loop that plays batches of games of a policy with itself."""
    from tamaya.sim.team import team

    players, lineup, first = team(rules, (name,)), [name] * rules.players, count(0, BATCH_SIZE)
    players.play(lineup, 0, 0, 1)

    def some_games(_choice: random.Random) -> int:
        start = next(first)
        players.play(lineup, 0, start, start + BATCH_SIZE)
        return BATCH_SIZE

    return some_games


def answer_times(rules: Rules, name: str, seconds: float) -> Times:
    """Response times in games of a bot with itself, until `seconds` of thinking have passed."""
    taken = Times([], [], 0)
    while sum(taken.seated) + sum(taken.newcomers) <= seconds:
        game = Game(rules, seed=seed_of(0, taken.games))
        bots = [make_bot(name) for _ in range(rules.players)]
        while game.to_move is not None:
            bot, view = bots[game.to_move], game.view(game.to_move)
            start = time.perf_counter()
            action = bot.act(view)
            taken.seated.append(time.perf_counter() - start)
            if game.turn % NEWCOMER_EVERY == 0:
                newcomer, start = make_bot(name), time.perf_counter()
                newcomer.act(view)
                taken.newcomers.append(time.perf_counter() - start)
            game.act(action)
        taken = taken._replace(games=taken.games + 1)
    return taken


def percentile(seconds: Sequence[float], part: float) -> float:
    """The time, in milliseconds, that a share of the responses do not exceed."""
    ordered = sorted(seconds)
    return round(1000 * ordered[min(int(part * len(ordered)), len(ordered) - 1)], 3)


def _cells(row: Row) -> list[str]:
    names = [str(row["players"]), row["bot"]]
    speeds = [as_figure(row["compiled_games_per_s"]), as_figure(row["table_games_per_s"]), as_ratio(row["ratio"])]
    return [*names, *speeds, *(f"{row[key]:.2f}" for key in ("p50_ms", "p99_ms", "longest_ms", "newcomer_p99_ms"))]
