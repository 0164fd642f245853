"""A report of a league to keep or to pass on: what was played, how, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version

from tamaya.cli.bench_sim.machine import machine
from tamaya.cli.league.histogram import histogram_lines
from tamaya.cli.league.tables import as_markdown, differences_table, standings_table
from tamaya.i18n import Catalogue
from tamaya.rules import say
from tamaya.sim.league import Difference, Standing
from tamaya.sim.sources import sources

WIDTH = 80


def report(standings: Sequence[Standing], found: Sequence[Difference], command: str, speak: Catalogue) -> str:
    """The report as Markdown."""
    seeds = ", ".join(dict.fromkeys(str(standing.run.seed) for standing in standings))
    parts = [
        "# " + speak(say("A league of Hanabi bots")),
        f"```sh\n{command}\n```",
        speak(say("Every team played the same deals, those of seed {seed}. The mean score stands with its standard error; "
                  "“perfect” and “lost” are shares of the games; games in a second are those of one core, without compiling.",
                  seed=seeds)),
        as_markdown(standings_table(standings, speak)),
    ]  # fmt: skip
    if found:
        parts += [
            "## " + speak(say("Differences")),
            speak(say("What a team scored more than the other in the same games. The interval holds the true difference with a "
                      "confidence of 95 %, if the mean is normally distributed, as it nearly is after some hundred games.")),
            as_markdown(differences_table(found, speak)),
        ]  # fmt: skip
    bars = "\n".join(histogram_lines(standings, WIDTH)).strip("\n")
    parts += ["## " + speak(say("Scores")), f"```text\n{bars}\n```"]
    parts.append(speak(say("Tamaya {version}, source {fingerprint}; {machine}.",
                           version=version("tamaya"), fingerprint=sources()[:8], machine=machine())))  # fmt: skip
    return "\n\n".join(parts) + "\n"
