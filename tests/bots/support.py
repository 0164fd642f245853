"""Bots for tests: third-party packages, untrained networks, and games move by move."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from textwrap import dedent

import numpy as np
import pytest

from tamaya.bots import Bot, BotSeat, make_bot, packages
from tamaya.bots.learned.features import places_of
from tamaya.bots.learned.weights import LearnedLayer, LearnedWeights
from tamaya.engine import Event, Game
from tamaya.engine.layout import layout_of
from tamaya.rules import Rules, read_rules
from tamaya.sim.deals import seed_of

# Third-party packages, as pip would install them.

GOOD = '''"""Bots of another author."""

from tamaya.bots import SimpleBot


class GoodBot(SimpleBot):
    """Plays like a beginner.

    And says no more than its first line.
    """

    def explain(self):
        return "As I was taught."
'''

MARKING = "import pathlib\nwith pathlib.Path(__file__ + '.mark').open('a') as file:\n    file.write('x')\n"
"""Source that leaves a mark each time it is imported."""


def install(folder: Path, name: str, source: str, bots: Mapping[str, str] | None = None) -> None:
    """Put a module into a folder and register the given bots as its entry points."""
    (folder / f"{name}.py").write_text(dedent(source), "utf-8")
    if bots is not None:
        about = folder / f"{name}-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", "utf-8")
        lines = [f"{bot} = {place}" for bot, place in bots.items()]
        (about / "entry_points.txt").write_text("\n".join([f"[{packages.GROUP}]", *lines, ""]), "utf-8")


@contextmanager
def site(folder: Path) -> Iterator[Path]:
    """A folder whose packages can be imported within the context, also by processes started in it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        packages.installed.cache_clear()
        try:
            yield folder
        finally:
            packages.installed.cache_clear()
            for name, module in list(sys.modules.items()):
                if str(getattr(module, "__file__", None) or "").startswith(str(folder)):
                    del sys.modules[name]


# Untrained networks.

BITS, LARGEST = 12, 600
CAREFUL = 1 << 27
"""How much more than plays other actions are worth, so that games last longer."""


def unlearned(rules: str, width: int = 24, layers: int = 2, past: int = 3, seed: int = 1) -> LearnedWeights:
    """A network of random weights for some rules, with hidden layers of this width."""
    dice, layout = np.random.default_rng(seed), layout_of(read_rules(rules))
    shapes = pairwise([places_of(layout, past).size, *[width] * layers, layout.actions])
    weights = [dice.integers(-LARGEST, LARGEST, shape, np.int16, endpoint=True) for shape in shapes]
    made = [LearnedLayer(each, np.zeros(each.shape[1], np.int64), BITS) for each in weights]
    made[-1].added[:] = CAREFUL
    made[-1].added[layout.play_action : layout.play_action + layout.hand_size] = 0
    return LearnedWeights({"rules": rules}, tuple(made))


# Games of bots, move by move.


def play_with(bot: str, rules: Rules, seed: int, number: int) -> Sequence[Event]:
    """All events of a game, played by one bot at all seats from views."""
    game = Game(rules, seed=seed_of(seed, number))
    play_out(game, [BotSeat(make_bot(bot)) for _ in range(rules.players)])
    return game.log


def play_out(game: Game, seated: Sequence[Bot | BotSeat]) -> None:
    """Play a game to its end with one bot per seat, from views."""
    while game.to_move is not None:
        game.act(seated[game.to_move].act(game.view(game.to_move)))
