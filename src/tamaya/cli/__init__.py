"""The command line: one module for each command, imported when that command is used."""

from __future__ import annotations

import sys
from importlib import import_module
from io import TextIOWrapper

import click

COMMANDS = {
    "serve": "Serve the web table.",
    "backup": "Back up everything that a server keeps, while it runs.",
    "restore": "Restore everything that a server keeps from a backup.",
    "migrate": "Move a server's tables from SQLite to PostgreSQL.",
    "play": "Play with bots, or go on with a saved game.",
    "rules": "Explain the exact rules of an edition with any variants.",
    "editions": "List the editions and their variants.",
    "replay": "Look at a saved game in a browser.",
    "verify": "Replay saved games and check what they come to.",
    "review": "Look back at saved games: what was lost, and who could have known.",
    "convert": "Write saved games in another format.",
    "solve": "Say whether a deal can be won at all.",
    "bots": "List the bots and how well they play.",
    "league": "Let bots play many games, and compare them.",
    "probe": "Watch what is done after a bot's clues.",
    "games": "Let bots play, and write their games to a file.",
}
"""The help of each command; its module has the same name unless `MODULES` has another."""
MODULES = {"backup": "database", "restore": "database", "migrate": "database", "editions": "rules"}


class LazyGroup(click.Group):
    """Imports each command on first use, so that a quick command does not wait for the imports of the others."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands, the most useful first."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command of that name; None for an unknown name."""
        if cmd_name not in COMMANDS:
            return None
        module = MODULES.get(cmd_name, cmd_name)
        command: click.Command = getattr(import_module(f"tamaya.cli.{module}"), cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(package_name="tamaya")
def tamaya() -> None:
    """Hanabi by the rules of the edition you own, in your language."""


def main() -> None:
    """Run the command line; streams accept any character, and file errors end it with a sentence."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        tamaya(prog_name="tamaya")
    except OSError as problem:
        sys.exit(f"tamaya: {problem.strerror or problem}")
