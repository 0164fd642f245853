"""The named parts of an observation, and where they lie."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tamaya.engine.layout import Layout


class Sections(Mapping[str, slice]):
    """Slices by name, one behind the other."""

    def __init__(self, widths: Mapping[str, int]) -> None:
        self._slices: dict[str, slice] = {}
        self.size = 0
        for name, width in widths.items():
            self._slices[name] = slice(self.size, self.size + width)
            self.size += width

    def start(self, name: str) -> int:
        """The place of a section's first cell."""
        return int(self._slices[name].start)

    def __getitem__(self, name: str) -> slice:
        return self._slices[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._slices)

    def __len__(self) -> int:
        return len(self._slices)


def canonical_sections(rules: Layout) -> Sections:
    """The sections of the canonical observation by these rules."""
    cards = rules.players * rules.hand_size
    return Sections({**_widths(rules), "knowledge": cards * (5 * rules.colours + rules.colours + 5)})


def minimal_sections(rules: Layout) -> Sections:
    """The same for who keeps clues in mind without help."""
    return Sections(_widths(rules))


def _widths(rules: Layout) -> dict[str, int]:
    players, hand_size, colours, cards = rules.players, rules.hand_size, rules.colours, 5 * rules.colours
    return {
        "hands": (players - 1) * hand_size * cards + players,
        "board": rules.deck_size - players * hand_size + cards + rules.clue_tokens + rules.mistakes,
        "discards": rules.deck_size,
        "last_action": players + 4 + players + colours + 5 + hand_size + hand_size + cards + 2,
    }
