"""Draws the board in a terminal from a `View`. It fits 80 columns and, with the last moves, 24 lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tamaya.engine import SeenCard, View
from tamaya.i18n import LETTERS, Catalogue
from tamaya.rules import VALUES, Card, Colour, say, say_n

STYLES = {
    Colour.RED: "bold red",
    Colour.YELLOW: "bold yellow",
    Colour.GREEN: "bold green",
    Colour.WHITE: "bold white",
    Colour.BLUE: "bold bright_blue",
    Colour.MULTICOLOUR: "bold magenta",
}


class TerminalBoard:
    """Draws views in one language; `names` are the players' names by seat."""

    def __init__(self, names: Sequence[str], catalogue: Catalogue) -> None:
        self._names, self._say = names, catalogue

    def draw(self, view: View) -> RenderableType:
        """Fireworks, tokens and discard pile in a line each, then every hand, the viewer's own last."""
        grid = Table.grid(padding=(0, 2))
        grid.add_row(Text(self._say(say("Fireworks")), "dim"), self._fireworks(view))
        grid.add_row(Text(self._say(say("Clue tokens")), "dim"), self._tokens(view))
        grid.add_row(Text(self._say(say("Deck")), "dim"), self._deck(view))
        grid.add_row(Text(self._say(say("Discard pile")), "dim"), self._discards(view))
        return Group(grid, self._hands(view))

    def _letter(self, colour: Colour) -> str:
        return self._say(LETTERS[colour])

    def _card(self, card: Card) -> Text:
        return Text(f"{self._letter(card.colour)}{card.value}", STYLES[card.colour])

    def _fireworks(self, view: View) -> Text:
        """For each firework, the values placed, those to come, and those that can no longer be placed."""
        return Text("  ").join(self._firework(view, colour) for colour in view.rules.suits)

    def _firework(self, view: View, colour: Colour) -> Text:
        placed = "".join(str(value) for value in VALUES if value <= view.fireworks[colour])
        rest = "".join("·" if value <= view.reach[colour] else "×" for value in VALUES if value > view.fireworks[colour])
        letter = Text(f"{self._letter(colour)} ", STYLES[colour])
        return letter + Text(placed, f"{STYLES[colour]} reverse") + Text(rest, "dim")

    def _tokens(self, view: View) -> Text:
        rules = view.rules
        clues = Text("●" * view.clue_tokens, "bright_blue") + Text("○" * (rules.clue_tokens - view.clue_tokens), "dim")
        mistakes = Text("✗" * view.mistakes, "bright_red") + Text("○" * (rules.mistakes - view.mistakes), "dim")
        label = self._say(say("Mistakes"))
        line = Text(f"{view.clue_tokens}/{rules.clue_tokens} ") + clues
        return line + Text(f"   {label} ", "dim") + Text(f"{view.mistakes}/{rules.mistakes} ") + mistakes

    def _deck(self, view: View) -> Text:
        label = say("Points") if view.rules.counts_points else say("Cards placed")
        line = Text(self._say(say_n("{n} card", "{n} cards", view.deck_count)))
        line += Text(f"   {self._say(label)} ", "dim")
        line += Text(self._say(say("{n} (at most {maximum})", n=view.points, maximum=view.maximum)))
        if view.last_turns:
            line += Text("   " + self._say(say_n("{n} turn left", "{n} turns left", view.last_turns)), "bold")
        return line

    def _discards(self, view: View) -> Text:
        counts = Counter(view.discards)
        if not counts:
            return Text("–", "dim")
        piles = ([card for card in view.rules.cards if card.colour is colour] for colour in view.rules.suits)
        return Text("  ").join(self._pile(pile, counts) for pile in piles if any(counts[card] for card in pile))

    def _pile(self, pile: Sequence[Card], counts: Counter[Card]) -> Text:
        values = "".join(str(card.value) * counts[card] for card in pile)
        return Text(f"{self._letter(pile[0].colour)} {values}", STYLES[pile[0].colour])

    def _hands(self, view: View) -> RenderableType:
        table = Table(box=None, padding=(0, 1), pad_edge=False, show_header=True, header_style="dim")
        table.add_column("", max_width=14, no_wrap=True)
        for slot in range(view.rules.hand_size):
            table.add_column(str(slot + 1), justify="center", no_wrap=True)
        first = view.seat or 0
        for seat in ((first + distance) % view.rules.players for distance in range(1, view.rules.players + 1)):
            name = Text(f"{'▶' if seat == view.to_move else ' '}{seat + 1} {self._names[seat]}")
            table.add_row(name, *self._hand(view, seat))
        return table

    def _hand(self, view: View, seat: int) -> Iterator[Text]:
        newest = max((seen.number for seen in view.hands[seat]), default=-1)
        for seen in view.hands[seat]:
            face = self._card(seen.card) if seen.card else self._known(seen)
            marks = ("⟂" if seen.turned else "") + ("+" if seen.number == newest else "")
            below = self._options(seen, view) if seen.card is None else [self._known(seen) if seen.clued else Text()]
            yield Text("\n").join([face + Text(marks, "dim"), *below])

    def _known(self, seen: SeenCard) -> Text:
        """What a card's owner knows of it by clues: a colour, a value, both or nothing."""
        colour = seen.colours[0] if len(seen.colours) == 1 else None
        value = str(seen.values[0]) if len(seen.values) == 1 else "?"
        style = "dim" if seen.card else STYLES[colour] if colour else "bold" if seen.clued else ""
        return Text(f"{self._letter(colour) if colour else '?'}{value}", style)

    def _options(self, seen: SeenCard, view: View) -> list[Text]:
        colours = "".join(self._letter(colour) if colour in seen.colours else "·" for colour in view.rules.suits)
        values = "".join(str(value) if value in seen.values else "·" for value in VALUES)
        return [Text(colours, "dim"), Text(values, "dim")]
