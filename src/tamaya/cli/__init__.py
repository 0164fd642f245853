"""The command line: one file a command."""

import sys
from io import TextIOWrapper

import click

from tamaya.cli.bench import bench
from tamaya.cli.convert import convert
from tamaya.cli.editions import editions
from tamaya.cli.play import play
from tamaya.cli.rules import rules
from tamaya.cli.verify import verify


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(package_name="tamaya")
def main() -> None:
    """Hanabi by the rules of the edition you own, in your language."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without fireworks still gets the words


for _command in (play, rules, editions, verify, convert, bench):
    main.add_command(_command)
