"""``./dev bench same``: whether the bots still play the same games, deal by deal, as `same_games.json` has them.

Each row is a bot and rules, with a digest of the first 5, 40 and 2,000 deals: scores, endings, turns and all actions. The
rows were made by commit 2a80e24. A change that alters a bot on purpose writes its rows anew (``--write``) and is recorded in
docs/decisions.md.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import click

from tamaya.engine import Game
from tamaya.rules import EDITIONS, VARIANTS, Rules
from tamaya.rules import number_of as number_of_action
from tamaya.sim import seed_of

FILE = Path(__file__).with_suffix(".json")
SEED = 27
DEALS = (5, 40, 2000)
"""The numbers of deals after which a digest is taken."""
POLICIES = ("random", "simple", "cheat", "convention", "hat")
SEARCHED = 5
ROLLOUTS = 200
SEARCHES = (("convention", 2), ("convention", 3), ("convention", 5), ("hat", 3), ("hat", 4), ("learned", 2))


class RecordedRow(NamedTuple):
    """A bot and the rules it plays by."""

    bot: str
    rules: Rules

    @property
    def key(self) -> str:
        """The name of the row in the file."""
        return f"{self.bot}: {self.rules}"


def rule_sets() -> list[Rules]:
    """Every edition, and every variant of the standard rules, for two to five players."""
    standard, players = EDITIONS["standard"], (2, 3, 4, 5)
    editions = [edition.rules(players=number) for edition in EDITIONS.values() for number in players]
    return list(dict.fromkeys([*editions, *(standard.rules(variants=[name], players=n) for name in VARIANTS for n in players)]))


def rows() -> list[RecordedRow]:
    """The rows that compiled loops play."""
    return [*(RecordedRow(bot, rules) for rules in rule_sets() for bot in POLICIES), RecordedRow("learned", Rules(players=2))]


def search_rows() -> list[RecordedRow]:
    """The rows of searching bots."""
    return [RecordedRow(f"search over {policy}", Rules(players=players)) for policy, players in SEARCHES]


def digests(games: Iterator[bytes], deals: Sequence[int]) -> list[str]:
    """The digests after each of these numbers of deals."""
    found, digest, played = [], hashlib.sha256(), 0
    for number in deals:
        for _ in range(number - played):
            digest.update(next(games))
        found.append(digest.hexdigest()[:16])
        played = number
    return found


def team_games(row: RecordedRow, deals: int, speed: str = "compiled") -> Iterator[bytes]:
    """The games of a policy with itself: score, ending, number of turns and actions of each."""
    from tamaya.sim.team import team

    played = team(row.rules, (row.bot,), speed).play([row.bot] * row.rules.players, SEED, 0, deals, recorded=True)
    for score, ending, turns, actions in zip(*played[:3], played.actions, strict=True):
        yield bytes([score, ending, turns]) + actions[:turns].tobytes()


def search_games(row: RecordedRow, deals: int, speed: str = "compiled") -> Iterator[bytes]:
    """The games of a searching bot with itself."""
    from tamaya.search.bot import SearchBot

    policy = row.bot.rpartition(" ")[2]
    for number in range(deals):
        game, actions = Game(row.rules, seed=seed_of(SEED, number)), bytearray()
        bots = [SearchBot(policy, rollouts=ROLLOUTS, speed=speed) for _ in range(row.rules.players)]
        for bot in bots:
            bot.meet(["search"] * row.rules.players)
        while (seat := game.to_move) is not None:
            action = bots[seat].act(game.view(seat))
            actions.append(number_of_action(action, row.rules, seat) or 0)
            game.act(action)
        yield bytes([game.score, game.turn]) + actions


def all_digests() -> Iterator[tuple[RecordedRow, Callable[[], list[str]]]]:
    """Each row with the function that plays it."""
    for row in rows():
        yield row, partial(_team_digests, row)
    for row in search_rows():
        yield row, partial(_search_digests, row)


def _team_digests(row: RecordedRow) -> list[str]:
    return digests(team_games(row, DEALS[-1]), DEALS)


def interpreted_digests(row: RecordedRow, places: int) -> list[str]:
    """The first digests of a row, played without a compiler."""
    return digests(team_games(row, DEALS[places - 1], "interpreted"), DEALS[:places])


def _search_digests(row: RecordedRow) -> list[str]:
    return digests(search_games(row, SEARCHED), (SEARCHED,))


def recorded() -> dict[str, list[str]]:
    """The digests in the file, by the names of their rows."""
    kept: dict[str, list[str]] = json.loads(FILE.read_text())
    return kept


@click.command()
@click.option("--write", is_flag=True, help="Write the digests anew where they differ, instead of comparing.")
@click.option("--bot", "only", multiple=True, help="Only the rows of this bot; repeatable.")
@click.option(
    "--interpreted", "places", type=click.IntRange(1, 2), help="Interpreted: 1 plays 5 deals of each row, 2 plays 40."
)
def same(write: bool, only: tuple[str, ...], places: int | None) -> None:
    """Play every recorded game again, compiled, and compare."""
    known = recorded() if FILE.exists() else {}
    if places:
        chosen = [row for row in rows() if (not only or row.bot in only) and row.key in known]
        wrong = [row.key for row in chosen if interpreted_digests(row, places) != known[row.key][:places]]
        if wrong:
            raise click.ClickException("These differ: " + "; ".join(wrong))
        click.echo(f"All the same games in {len(chosen)} rows.")
        return
    different = 0
    for row, play in all_digests():
        if only and row.bot not in only:
            continue
        found = play()
        if found == known.get(row.key):
            continue
        different += 1
        click.echo(f"{row.key}: {found} instead of {known.get(row.key)}")
        if write:
            known[row.key] = found
            FILE.write_text(json.dumps(known, indent=0) + "\n")
    if different and not write:
        raise click.ClickException(f"{different} rows differ.")
    click.echo("All the same games." if not different else f"{different} rows written.")


if __name__ == "__main__":
    same()
