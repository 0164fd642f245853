"""``python -m tests.browser.serve``: the real server with the same deal every time, and without compiling, on whose progress
advice would depend."""

from __future__ import annotations

import importlib
import random
import sys
from collections.abc import Sequence
from functools import partial

from tamaya.cli import main
from tamaya.rules import Card, Rules
from tamaya.table import Runtime
from tamaya.web.app import create_app
from tamaya.workers import SearchPool


def same_deal(rules: Rules) -> Sequence[Card]:
    """The one deck for these rules."""
    deck = [card for card in rules.cards for _ in range(rules.copies(card))]
    random.Random(f"a deal for {rules}").shuffle(deck)
    return deck


if __name__ == "__main__":
    serving = importlib.import_module("tamaya.cli.serve")
    chance = Runtime(deal=same_deal, seat=lambda players: 0)
    serving.create_app = partial(create_app, runtime=chance)  # type: ignore[attr-defined]
    SearchPool.prewarm = lambda *_: None  # type: ignore[method-assign]
    sys.argv.insert(1, "serve")
    main()
