"""The table as it looks in a terminal, drawn from a `View` alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.box import ROUNDED
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
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


class Board:
    """Draws views for people of one language; `names` are the players' in the order of their seats."""

    def __init__(self, names: Sequence[str], catalogue: Catalogue) -> None:
        self._names, self._say = names, catalogue

    def draw(self, view: View) -> RenderableType:
        """Fireworks and tokens, every hand, the discard pile."""
        sky = Columns([self._fireworks(view), self._tokens(view)], padding=(0, 3))
        return Group(sky, self._hands(view), self._discards(view))

    def card(self, card: Card) -> Text:
        """A card's letter and value in its colour."""
        return Text(f"{self._letter(card.colour)}{card.value}", STYLES[card.colour])

    def _letter(self, colour: Colour) -> str:
        return self._say(LETTERS[colour])

    def _fireworks(self, view: View) -> RenderableType:
        """One line a firework: values placed, to come, and out of reach for good."""
        grid = Table.grid(padding=(0, 1))
        for colour, height in view.fireworks.items():
            row = [Text(self._letter(colour), STYLES[colour])]
            for value in VALUES:
                if value <= height:
                    row.append(Text(str(value), f"{STYLES[colour]} reverse"))
                else:
                    row.append(Text("·" if value <= view.reach[colour] else "×", "dim"))
            row.append(Text(self._say(colour.word), "dim"))
            grid.add_row(*row)
        return Panel(grid, title=self._say(say("Fireworks")), box=ROUNDED, expand=False)

    def _tokens(self, view: View) -> RenderableType:
        rules = view.rules
        grid = Table.grid(padding=(0, 2))
        clues = Text("●" * view.clue_tokens, "bright_blue") + Text("○" * (rules.clue_tokens - view.clue_tokens), "dim")
        mistakes = Text("✗" * view.mistakes, "bright_red") + Text("○" * (rules.mistakes - view.mistakes), "dim")
        grid.add_row(self._say(say("Clue tokens")), Text(f"{view.clue_tokens}/{rules.clue_tokens} ") + clues)
        grid.add_row(self._say(say("Mistakes")), Text(f"{view.mistakes}/{rules.mistakes} ") + mistakes)
        grid.add_row(self._say(say("Deck")), self._say(say_n("{n} card", "{n} cards", view.deck_count)))
        grid.add_row(self._say(say("Points")), self._say(say("{n} (at most {maximum})", n=view.points, maximum=view.maximum)))
        if view.last_turns:
            grid.add_row("", Text(self._say(say_n("{n} turn left", "{n} turns left", view.last_turns)), "bold"))
        return Panel(grid, box=ROUNDED, expand=False)

    def _hands(self, view: View) -> RenderableType:
        table = Table(box=ROUNDED, show_lines=True, padding=(0, 1))
        table.add_column(self._say(say("Player")))
        for slot in range(view.rules.hand_size):
            table.add_column(str(slot + 1), justify="center", min_width=5)
        first = view.seat or 0
        for seat in ((first + distance) % view.rules.players for distance in range(1, view.rules.players + 1)):
            name = Text(f"{'▶' if seat == view.to_move else ' '} {seat + 1} {self._names[seat]}")
            newest = max((seen.number for seen in view.hands[seat]), default=-1)
            table.add_row(name, *(self._seen(seen, view, seen.number == newest) for seen in view.hands[seat]))
        return table

    def _seen(self, seen: SeenCard, view: View, is_newest: bool) -> Text:
        """A card: its face or what is known of it, and what it can still be."""
        face = self.card(seen.card) if seen.card else self._known(seen)
        marks = ("⟂" if seen.turned else "") + ("+" if is_newest else "")
        lines = [face + Text(marks, "dim")]
        if seen.card is None:
            colours = "".join(self._letter(colour) if colour in seen.colours else "·" for colour in view.rules.suits)
            values = "".join(str(value) if value in seen.values else "·" for value in VALUES)
            lines += [Text(colours, "dim"), Text(values, "dim")]
        else:
            lines.append(Text(self._known(seen).plain if seen.clued else " ", "dim"))
        return Text("\n").join(lines)

    def _known(self, seen: SeenCard) -> Text:
        """What its owner knows of a card by clues: a colour, a value, both or nothing."""
        colour = seen.colours[0] if len(seen.colours) == 1 else None
        value = str(seen.values[0]) if len(seen.values) == 1 else "?"
        style = STYLES[colour] if colour else "bold" if seen.clued else ""
        return Text(f"{self._letter(colour) if colour else '?'}{value}", style)

    def _discards(self, view: View) -> RenderableType:
        line = Text(self._say(say("Discard pile")) + "  ", "dim")
        counts = Counter(view.discards)
        if not counts:
            line.append("–")
        for card in view.rules.cards:
            if counts[card]:
                line.append_text(self.card(card))
                line.append(f"×{counts[card]} " if counts[card] > 1 else " ")
        return line
