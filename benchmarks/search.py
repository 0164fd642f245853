"""``./dev bench search``: the points that search gains and the time it takes, game by game beside the plain policy."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from os import cpu_count
from pathlib import Path
from statistics import mean, stdev

import click
import numpy as np

from tamaya.bots import find_policy
from tamaya.engine import Game
from tamaya.engine.layout import LAST_ACTION
from tamaya.rules import Ending, Rules, number_of
from tamaya.search import Budget
from tamaya.search.bot import NAME, ROLLOUTS, SearchBot
from tamaya.sim.deals import seed_of
from tamaya.sim.games import CHOOSE
from tamaya.sim.team import team
from tamaya.workers.processes import new_pool

MAX_MEAN_SECONDS, MAX_SECONDS = 0.5, 2.0
"""The limits in CPU seconds for a move, on average and at most."""
PLAIN_DEALS = 10_000
"""Deals played by the plain policy alone, to tell how easy the compared deals were."""


@dataclass(frozen=True)
class SearchDeal:
    """The results of one deal: scores and losses of the plain policy and with one searching seat, and the CPU seconds of each
    searched move."""

    number: int
    plain: int
    searched: int
    plain_lost: bool
    searched_lost: bool
    seconds: tuple[float, ...]


@dataclass(frozen=True)
class SearchMatch:
    """The policy, the rules, the search budget of the one seat, and the seed of the deals."""

    policy: str
    players: int
    rollouts: int
    seed: int
    plays_with: str = ""
    """A digest of the policy's data beside its source, so that stored deals of another network are not reused."""

    def play(self, number: int) -> SearchDeal:
        """Play one deal both ways; the searching seat moves on by one from deal to deal."""
        rules, lineup = Rules(players=self.players), (self.policy,) * self.players
        partners = team(rules, (self.policy,))
        plain = partners.play(lineup, self.seed, number, number + 1)
        game, searching, seconds = Game(rules, seed=seed_of(self.seed, number)), number % self.players, []
        thinker = SearchBot(self.policy, Budget(self.rollouts))
        thinker.meet([NAME if seat == searching else self.policy for seat in range(self.players)])
        states = np.frombuffer(game.state, np.uint8)[np.newaxis].copy()
        memories = partners.start(lineup, states)
        while (seat := game.to_move) is not None:
            action = np.array([CHOOSE])
            if seat == searching:
                start = time.process_time()
                chosen = number_of(thinker.act(game.view(seat)), rules, seat)
                seconds.append(time.process_time() - start)
                action[:] = chosen
            partners.advance(lineup, states, memories, action)
            game.act(int(states[0][LAST_ACTION]))
        lost = game.outcome is not None and game.outcome.ending is Ending.MISTAKES
        plain_lost = int(plain.endings[0]) == Ending.MISTAKES
        return SearchDeal(number, int(plain.scores[0]), game.score, plain_lost, lost, tuple(seconds))

    def play_plainly(self, deals: int) -> np.ndarray:
        """The scores of `deals` deals; the first of them are the compared ones."""
        return team(Rules(players=self.players), (self.policy,)).play((self.policy,) * self.players, self.seed, 0, deals).scores


@click.command()
@click.option("--policy", default="convention", show_default=True, help="The policy of every seat.")
@click.option("--players", type=click.IntRange(2, 5), default=2, show_default=True)
@click.option("--deals", type=click.IntRange(1), default=20, show_default=True, help="How many deals are played both ways.")
@click.option("--rollouts", type=click.IntRange(1), help="A move's budget; by default that of the bot.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option(
    "--plain",
    "plain_deals",
    type=click.IntRange(0),
    default=PLAIN_DEALS,
    show_default=True,
    help="Deals that are played plainly alone, to adjust for how easy the others were; 0 leaves that out.",
)
@click.option("--processes", type=click.IntRange(1), default=cpu_count() or 1, show_default=True)
@click.option(
    "--keep", type=click.Path(dir_okay=False, path_type=Path), help="Add deals to this file, and go on where it ends."
)
@click.option("--json", "as_json", is_flag=True, help="One object instead of lines.")
def search(
    policy: str,
    players: int,
    deals: int,
    rollouts: int | None,
    seed: int,
    plain_deals: int,
    processes: int,
    keep: Path | None,
    as_json: bool,
) -> None:
    """One searching seat beside the plain policy, on the same deals: points gained, and seconds per move."""
    match = SearchMatch(policy, players, rollouts or ROLLOUTS[players], seed, find_policy(policy).plays_with)
    played = _kept(keep, match)
    missing = [number for number in range(deals) if number not in played]
    for deal in _played(match, missing, processes):
        played[deal.number] = deal
        if keep:
            with keep.open("a") as file:
                file.write(json.dumps({**asdict(match), **asdict(deal)}) + "\n")
        click.echo(f"\r{len(played)} of {deals} deals", nl=False, err=True)
    click.echo("", err=True)
    both_ways = [played[number] for number in range(deals)]
    report = summary(match, both_ways)
    if plain_deals:
        report |= adjusted(both_ways, match.play_plainly(plain_deals))
    click.echo(json.dumps(report, indent=1) if as_json else "\n".join(f"{name}: {fact}" for name, fact in report.items()))


def _kept(keep: Path | None, match: SearchMatch) -> dict[int, SearchDeal]:
    lines = keep.read_text().splitlines() if keep and keep.exists() else []
    rows = [{"plays_with": "", **json.loads(line)} for line in lines]  # old lines lack it
    wanted = asdict(match)
    rows = [row for row in rows if wanted.items() <= row.items()]
    deals = (SearchDeal(**{name: row[name] for name in SearchDeal.__dataclass_fields__}) for row in rows)
    return {deal.number: deal for deal in deals}


def _played(match: SearchMatch, numbers: list[int], processes: int) -> Iterator[SearchDeal]:
    if not numbers:
        return
    team(Rules(players=match.players), (match.policy,)).prepare()  # compile once; the processes load it from disk
    with new_pool(processes) as pool:
        yield from pool.map(match.play, numbers)


def summary(match: SearchMatch, deals: list[SearchDeal]) -> dict[str, object]:
    """The results of a match."""
    gains = [deal.searched - deal.plain for deal in deals]
    top = Rules(players=match.players).maximum
    seconds = sorted(second for deal in deals for second in deal.seconds)
    error = stdev(gains) / len(gains) ** 0.5 if len(gains) > 1 else float(top)
    spread = stdev(deal.searched for deal in deals) / len(deals) ** 0.5 if len(deals) > 1 else float(top)
    return {
        **asdict(match),
        "deals": len(deals),
        "plain": round(mean(deal.plain for deal in deals), 3),
        "searched": round(mean(deal.searched for deal in deals), 3),
        "searched_error": round(spread, 3),
        "gain": round(mean(gains), 3),
        "gain_error": round(error, 3),
        "perfect_plain": round(mean(deal.plain == top for deal in deals), 3),
        "perfect_searched": round(mean(deal.searched == top for deal in deals), 3),
        "lost_plain": sum(deal.plain_lost for deal in deals),
        "lost_searched": sum(deal.searched_lost for deal in deals),
        "seconds_mean": round(mean(seconds), 3),
        "seconds_p99": round(seconds[(len(seconds) - 1) * 99 // 100], 3),
        "seconds_most": round(seconds[-1], 3),
        "bars": {"seconds_mean": MAX_MEAN_SECONDS, "seconds_most": MAX_SECONDS},
    }


def adjusted(deals: list[SearchDeal], usual: np.ndarray) -> dict[str, float]:
    """The gain of search on deals of average difficulty, with its error.

    Easy deals would flatter it, so the plain scores are a control variate, whose mean is known from many more deals.
    """
    plain, searched = (np.array([getattr(deal, way) for deal in deals], float) for way in ("plain", "searched"))
    if len(deals) <= 2 or not plain.std():
        return {}
    slope = float(np.cov(plain, searched)[0, 1] / plain.var(ddof=1))
    rest = searched - slope * (plain - usual.mean())
    error = (rest.var(ddof=2) / len(deals) + slope**2 * usual.var() / len(usual)) ** 0.5
    return {
        "plain_deals": len(usual),
        "plain_usual": round(float(usual.mean()), 3),
        "adjusted": round(float(rest.mean()), 3),
        "adjusted_error": round(float(error), 3),
    }
