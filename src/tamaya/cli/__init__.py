"""The command line: one file a command."""

import sys
from io import TextIOWrapper

import click

from tamaya.cli.bench import bench
from tamaya.cli.bots import bots
from tamaya.cli.convert import convert
from tamaya.cli.editions import editions
from tamaya.cli.games import games
from tamaya.cli.league import league
from tamaya.cli.play import play
from tamaya.cli.rules import rules
from tamaya.cli.serve import serve
from tamaya.cli.solve import solve
from tamaya.cli.verify import verify


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(package_name="tamaya")
def tamaya() -> None:
    """Hanabi by the rules of the edition you own, in your language."""


for _command in (serve, play, rules, editions, verify, convert, solve, bots, league, games, bench):
    tamaya.add_command(_command)


def main() -> None:
    """Run the command line on streams that take any character, and end in words when one cannot be written."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        tamaya(prog_name="tamaya")
    except OSError as problem:
        sys.exit(f"tamaya: {problem.strerror or problem}")
