"""The table as text, drawn from a `View` alone but for the discard pile, which lies open anyway."""

from __future__ import annotations

from collections.abc import Sequence

from tamaya.engine import SeenCard, View
from tamaya.rules import Card


def draw(view: View, discards: Sequence[Card], names: Sequence[str]) -> str:
    """How the table looks to one player: the middle, then every hand from the next player on, the viewer's own last.

    Under each card is what the clues leave possible for it.
    """
    first = view.seat or 0
    seats = [(first + distance) % view.rules.players for distance in range(1, view.rules.players + 1)]
    width = max(map(len, (*names, "fireworks"))) + 2
    rows = [
        ("fireworks", [f"{colour.letter}{height}" for colour, height in view.fireworks.items()]),
        ("discards", [str(card) for card in discards] or ["-"]),
    ]
    lines = [_heading(view, names), *(f"{name:{width}}{' '.join(words)}" for name, words in rows)]
    for seat in seats:
        lines += _hand(view.hands[seat], names[seat], width)
    return "\n".join(lines)


def _heading(view: View, names: Sequence[str]) -> str:
    now = "over" if view.to_move is None else f"{names[view.to_move]} to move"
    rules = view.rules
    return (
        f"{now}; clue tokens {view.clue_tokens}/{rules.clue_tokens}, mistakes {view.mistakes}/{rules.mistakes}, "
        f"deck {view.deck_count}, points {view.points}"
    )


def _hand(hand: Sequence[SeenCard], name: str, width: int) -> list[str]:
    """Two lines: the cards, and below each what its owner was told of it."""
    faces = [str(seen.card) if seen.card else "??" for seen in hand]
    told = ["".join(colour.letter for colour in seen.colours) + "".join(map(str, seen.values)) for seen in hand]
    cells = [max(map(len, pair)) + 2 for pair in zip(faces, told, strict=True)]
    return [
        (f"{title:{width}}" + "".join(f"{word:{cell}}" for word, cell in zip(words, cells, strict=True))).rstrip()
        for title, words in ((name, faces), ("", told))
    ]
