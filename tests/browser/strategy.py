"""What a careful beginner does with what the page shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Choice:
    """One chip: its move, the slots it would touch, and whether it is refused."""

    move: str
    touches: tuple[int, ...]
    refused: bool


@dataclass(frozen=True)
class OwnCard:
    """What the page says about the player's own card."""

    slot: int
    colours: tuple[str, ...]
    values: tuple[int, ...]
    clued: bool


@dataclass(frozen=True)
class Board:
    """The table as read from the page."""

    turn: int
    mine: bool
    ended: bool
    heights: Mapping[str, int]
    choices: tuple[Choice, ...]
    own: tuple[OwnCard, ...]
    others: Mapping[int, Sequence[tuple[str, int]]]

    @classmethod
    def read(cls, found: Mapping[str, Any]) -> Board:
        """The table from the result of `READING`."""
        return cls(
            turn=found["turn"],
            mine=found["mine"],
            ended=found["ended"],
            heights=found["heights"],
            choices=tuple(Choice(move, tuple(touches), refused) for move, touches, refused in found["choices"]),
            own=tuple(OwnCard(slot, tuple(colours), tuple(values), clued) for slot, colours, values, clued in found["own"]),
            others={int(seat): [(colour, value) for colour, value in hand] for seat, hand in found["others"].items()},
        )

    def fits(self, colour: str, value: int) -> bool:
        """Whether a card can be played now."""
        return self.heights[colour] + 1 == value

    @property
    def legal(self) -> list[Choice]:
        """The chips that can be confirmed."""
        return [choice for choice in self.choices if not choice.refused]


READING = """() => {
  const table = document.getElementById("table");
  const all = (selector, root = table) => [...root.querySelectorAll(selector)];
  const colour = (use) => use.getAttribute("href").slice("#shape-".length);
  const number = (node) => Number(node.textContent);
  return {
    turn: Number(table.dataset.turn),
    mine: table.classList.contains("my-turn"),
    ended: table.classList.contains("ended"),
    heights: Object.fromEntries(all(".firework").map((one) => [one.id.slice("firework-".length), Number(one.dataset.height)])),
    choices: all("#sheet input[name=move]").map((input) => [
      input.value,
      (input.dataset.touches || "").split(" ").filter(Boolean).map(Number),
      "refusal" in input.dataset,
    ]),
    own: all(".hand.own .card[data-slot]").map((card) => [
      Number(card.dataset.slot),
      all(".pips.shapes .open use, .known-colour use, .emblem use", card).map(colour),
      all(".pips:not(.shapes) .open, .number", card).map(number),
      card.classList.contains("clued"),
    ]),
    others: Object.fromEntries(all(".hand.other").map((hand) => [
      hand.dataset.seat,
      all(".card.face", hand).map((card) => [
        colour(card.querySelector(".emblem use")),
        number(card.querySelector(".number")),
      ]),
    ])),
  };
}"""


def careful(board: Board) -> str:
    """Play what must fit, clue what fits, discard a card without a clue."""
    return _sure_play(board) or _useful_clue(board) or _discard(board) or board.legal[0].move


def reckless(board: Board) -> str:
    """Play the first card, whatever it is: the shortest way to an end."""
    return f"play {board.own[0].slot + 1}"


def _sure_play(board: Board) -> str:
    legal = {choice.move for choice in board.legal}
    for card in board.own:
        if all(board.fits(colour, value) for colour in card.colours for value in card.values):
            plain = f"play {card.slot + 1}"
            announced = f"{plain} as {card.colours[0]}"
            return announced if len(card.colours) == 1 and announced in legal else plain
    return ""


def _useful_clue(board: Board) -> str:
    best, worth = "", 0
    for choice in board.legal:
        if choice.move.startswith("clue"):
            hand = board.others[int(choice.move.split()[1]) - 1]
            score = sum(3 if board.fits(*hand[slot]) else -1 for slot in choice.touches)
            if score > worth:
                best, worth = choice.move, score
    return best


def _discard(board: Board) -> str:
    slots = [card.slot for card in board.own if not card.clued] or [card.slot for card in board.own]
    wishes = [f"discard {slot + 1}" for slot in slots]
    return next((choice.move for wish in wishes for choice in board.legal if choice.move == wish), "")
