"""The command line of the benchmarks, which ``./dev bench`` runs."""

import click

from benchmarks.bots import bots
from benchmarks.coach import coach
from benchmarks.engine import engine
from benchmarks.games import games
from benchmarks.replay import replay
from benchmarks.same_games import same
from benchmarks.search import search
from benchmarks.sim import sim
from benchmarks.training import training
from benchmarks.web import web
from benchmarks.web.capacity import capacity


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
def bench() -> None:
    """Measure, side by side in one run."""


for command in (engine, web, capacity, replay, games, same, sim, bots, search, coach, training):
    bench.add_command(command)

if __name__ == "__main__":
    bench(prog_name="./dev bench")
