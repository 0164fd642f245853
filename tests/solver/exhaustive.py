"""A reference for the solver: every legal action tried by the rules, leaving out only what cannot matter."""

from __future__ import annotations

import random

from tamaya import Ending, Game, Rules, RulesError
from tamaya.engine.instances import Setting, instance_of
from tamaya.engine.kernel import ending, turn
from tamaya.engine.kernel.hands import hand_count
from tamaya.engine.layout import ENDED, NUMBER, RUNNING, SLOT, layout_of
from tamaya.rules import Multicolour


class TooManyError(Exception):
    """The position has too many successors for a test."""


class Judge:
    """Tries everything. Positions that differ only in the order of hands and in clue knowledge are equal, and so are all
    clues."""

    def __init__(self, rules: Rules, most: int) -> None:
        self.own, self.layout, self.left = instance_of(Setting(rules)), layout_of(rules), most
        self.lost: set[tuple[bytes, tuple[bytes, ...]]] = set()

    def can_win(self, state: bytearray) -> bool:
        layout = self.layout
        if state[ENDED] != RUNNING:
            return state[ENDED] == Ending.WON
        if self.own(ending.maximum)(state) < layout.maximum:
            return False
        key = (
            bytes(state[:ENDED]) + bytes(state[layout.fireworks : layout.deck]),
            tuple(map(self.hand, [state] * 9, range(layout.players))),
        )
        if key in self.lost:
            return False
        self.left -= 1
        if self.left < 0:
            raise TooManyError
        if any(self.can_win(self.after(state, number)) for number in self.numbers(state)):
            return True
        self.lost.add(key)
        return False

    def numbers(self, state: bytearray) -> list[int]:
        layout, mask = self.layout, bytearray(self.layout.actions)
        self.own(turn.legal)(state, mask)
        clues = [number for number in range(layout.colour_action, layout.announce_action) if mask[number]]
        return [number for number in range(layout.actions) if mask[number] and number not in clues[1:]]

    def after(self, state: bytearray, number: int) -> bytearray:
        then = bytearray(state)
        self.own(turn.apply)(then, number)
        return then

    def hand(self, state: bytearray, seat: int) -> bytes:
        layout = self.layout
        first = layout.hands + seat * layout.hand_bytes
        slots = range(self.own(hand_count)(state, seat))
        return bytes(sorted(state[layout.deck + state[first + slot * SLOT + NUMBER]] for slot in slots))


def can_win(game: Game, most: int = 20_000) -> bool:
    """Whether a game can be won from its present position."""
    return Judge(game.rules, most).can_win(bytearray(game.state))


def small_rules(choice: random.Random) -> Rules:
    """Random rules with a deck so small that everything can be tried."""
    multicolour = choice.choice([Multicolour.NONE, Multicolour.NONE, Multicolour.FIVE])
    try:
        return Rules(
            players=choice.choice([2, 2, 3, 4, 5]),
            hand_size=choice.choice([1, 2, 3]),
            colours=1,
            multicolour=multicolour,
            multicolour_named=multicolour is Multicolour.NONE or choice.random() < 0.5,
            clue_tokens=choice.choice([1, 1, 2, 3, 8]),
            mistakes=choice.choice([1, 2, 3]),
            empty_clues=choice.random() < 0.3,
            all_or_nothing=choice.random() < 0.4,
            announced_plays=choice.random() < 0.3,
        )
    except RulesError:
        return small_rules(choice)
