"""Games and wishes of which anything may be true."""

from __future__ import annotations

import random

from tamaya.table import GameFilter, GameKind, GameState, Listing, Phase, Progress

MAXIMUM = 25


def some_game(choice: random.Random, number: int) -> Listing:
    """A game of Ann's, of which anything may be true."""
    players = choice.randrange(2, 6)
    bots = [choice.choice(("", "", "hat", "simple")) for _ in range(players)]
    names = [f"Bot{place}" if bot else f"P{place}{choice.randrange(2)}" for place, bot in enumerate(bots)]
    own = choice.randrange(players)
    bots[own], names[own] = "", choice.choice(("Ann", "Annie"))
    people = [(f"p-{name}", name) for name, bot in zip(names, bots, strict=True) if not bot and not name.startswith("Ann")]
    people.insert(choice.randrange(len(people) + 1), ("p-ann", names[own]))
    phase = choice.choice((Phase.OPEN, Phase.PLAYING, *[Phase.ENDED] * 6))
    kind = choice.choice((*[GameKind.PLAIN] * 6, *GameKind))
    if kind is GameKind.BROUGHT:
        phase, people = Phase.ENDED, [("p-ann", "")]
    lost, points, touched = choice.random() < 0.2, choice.choice((MAXIMUM, choice.randrange(26))), choice.uniform(0, 9e6)
    progress = Progress(points, lost, perfect=points == MAXIMUM and not lost) if choice.random() < 0.9 else None
    return Listing(
        code=f"table{number:04}",
        phase=phase,
        listed=False,
        edition=choice.choice(("french", "standard", "italian")),
        players=players,
        names=tuple(names),
        people=tuple(person for person, _ in people),
        touched=touched,
        progress=None if phase is Phase.OPEN else progress,
        called=tuple(name for _, name in people),
        bots=tuple(bots),
        kind=kind,
        ended=touched if phase is Phase.ENDED else None,
    )


def some_filter(choice: random.Random) -> GameFilter:
    wishes: dict[str, object] = {
        "edition": choice.choice(("french", "standard", "spanish")),
        "players": choice.randrange(2, 6),
        "partner": choice.choice(("P00", "P11", "P30", "Ann", "nobody")),
        "bot": choice.choice(("hat", "simple", "deep")),
        "state": choice.choice((None, *GameState)),
        "since": choice.uniform(0, 9e6),
        "before": choice.uniform(0, 9e6),
    }
    kept = choice.sample(sorted(wishes), choice.choice((0, 1, 1, 2)))
    return GameFilter(**{name: wishes[name] for name in kept})  # type: ignore[arg-type]
