"""Parsing of pages: whose turn it is, the legal moves, and what is told about the player's own cards."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

_TURN = re.compile(r'data-turn="(\d+)" data-line="(\d*)"')
_MOVE = re.compile(r'name="move" value="([^"]+)"([^>]*)>')
_OWN = re.compile(r'<section id="hand-(\d+)" class="hand own.*?</section>', re.DOTALL)
_CARD = re.compile(r'<li id="card-(\d+)" class="card ([^"]*)".*?</li>', re.DOTALL)
_SHUT = re.compile(r'<i class="shut">.*?</i>', re.DOTALL)
_COLOUR = re.compile(r'class="shape ([a-z]+)')
_VALUE = re.compile(r'<(?:i class="open"|span class="number"[^>]*)>(\d)<')
_LOOK = re.compile(r"\b(?:face|back) ([a-z]+)")
_WORDS = re.compile(r'<span class="hide">([^<]*)</span>')
_LEFT = re.compile(r'data-movement="[^"]*"[^>]*data-number="(\d+)" data-colour=')
FLAGS = {"clued", "turned", "touched", "hinted", "pointed"}


class OwnCard(NamedTuple):
    """What a page tells about a hidden card: what it can be, and in which words."""

    number: int
    colours: frozenset[str]
    values: frozenset[int]
    words: str


class OwnHand(NamedTuple):
    """The player's own hand on a page, and the numbers of cards whose faces an animation shows."""

    seat: int
    cards: tuple[OwnCard, ...]
    left: frozenset[int]


@dataclass(frozen=True, slots=True)
class BoardPage:
    """A board as sent to a player."""

    turn: int
    active: bool
    ended: bool
    moves: tuple[str, ...]
    own: OwnHand | None


def read_board(text: str) -> BoardPage | None:
    """The board in a message or page, if any."""
    found = _TURN.search(text)
    if not found:
        return None
    active, ended = 'data-active="yes"' in text, 'data-ended="yes"' in text
    moves = tuple(move for move, more in _MOVE.findall(text) if "data-refusal" not in more) if active else ()
    return BoardPage(int(found[1]), active, ended, moves, None if ended else _own_hand(text))


def _own_hand(text: str) -> OwnHand | None:
    found = _OWN.search(text)
    if not found:
        return None
    cards = tuple(_own_card(card) for card in _CARD.finditer(found[0]))
    return OwnHand(int(found[1]), cards, frozenset(map(int, _LEFT.findall(text))))


def _own_card(found: re.Match[str]) -> OwnCard:
    open_parts = _SHUT.sub("", found[0])
    look = {word for word in _LOOK.findall(found[2]) if word not in FLAGS}
    colours, values = frozenset(_COLOUR.findall(open_parts)), frozenset(map(int, _VALUE.findall(open_parts)))
    # The colour of a card tells as much as its shapes: a colour that the shapes leave open would show the card.
    return OwnCard(int(found[1]), colours & look if look else colours, values, _WORDS.findall(found[0])[1])
