"""``./dev bench engine``: the speed of single games, interpreted."""

from __future__ import annotations

import json
import random
from typing import Any

import click

from benchmarks.measuring import Loop, measure
from benchmarks.openspiel import openspiel_loop
from tamaya.engine import Game
from tamaya.engine.instances import Setting, instance_of
from tamaya.engine.kernel.deal import deal
from tamaya.engine.kernel.turn import apply, legal
from tamaya.engine.layout import ENDED, RUNNING, layout_of
from tamaya.rules import Rules


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Rows of figures instead of a table.")
@click.option("--seconds", default=0.5, show_default=True, help="How long each of the four rounds of a loop lasts.")
def engine(as_json: bool, seconds: float) -> None:
    """Interpreted moves per second with random play: kernel and Game beside OpenSpiel's Python loop."""
    rows = []
    for players in (2, 3, 4, 5):
        loops = {"kernel": _kernel_loop(players), "game": _game_loop(players), "openspiel": openspiel_loop(players)}
        speeds = measure({name: loop for name, loop in loops.items() if loop}, seconds)
        theirs = speeds.get("openspiel")
        row: dict[str, Any] = {"players": players} | {f"{name}_moves_per_s": round(speed) for name, speed in speeds.items()}
        row |= {f"{name}_ratio": round(speeds[name] / theirs, 3) for name in ("kernel", "game") if theirs}
        rows.append(row)
    if as_json:
        click.echo(json.dumps(rows, indent=1))
        return
    for row in rows:
        click.echo("  ".join(f"{name} {value}" for name, value in row.items()))
    if not theirs:
        click.echo("OpenSpiel is not installed here; ./dev bench engine measures beside it.")


def _kernel_loop(players: int) -> Loop:
    rules = Rules(players=players)
    layout, own = layout_of(rules), instance_of(Setting(rules))
    deal_into, mark_legal, take = own(deal), own(legal), own(apply)
    state, mask = bytearray(layout.size), bytearray(layout.actions)

    def play(choice: random.Random) -> int:
        deal_into(state, 0, choice.getrandbits(32))
        moves = 0
        while state[ENDED] == RUNNING:
            mark_legal(state, mask)
            take(state, choice.choice([number for number, legal in enumerate(mask) if legal]))
            moves += 1
        return moves

    return play


def _game_loop(players: int) -> Loop:
    rules = Rules(players=players)

    def play(choice: random.Random) -> int:
        game = Game(rules, seed=choice.getrandbits(64))
        while game.outcome is None:
            game.act(choice.choice(game.legal_numbers()))
        return game.turn

    return play
