"""The convention bot's reasons are true: always about the table, and about its own hand where it says that it is sure."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from tamaya import Card, Rules
from tamaya.bots.cards import is_clued
from tamaya.bots.convention.reasons import ConventionReason, Facts, explain_convention, facts_of
from tamaya.engine.instances import Setting, instance_of
from tamaya.engine.kernel.ending import is_playable, is_useless
from tamaya.engine.kernel.hands import card_at, hand_count
from tamaya.engine.layout import SEAT, layout_of
from tamaya.i18n import LANGUAGES, catalogue
from tamaya.rules import Multicolour
from tests.bots.convention.support import turns


class Position:
    """A state with all cards face up."""

    def __init__(self, rules: Rules, state: bytearray) -> None:
        self.rules, self.state, self.layout = rules, state, layout_of(rules)
        self.own = instance_of(Setting(rules))
        self.me = state[SEAT]

    def card(self, seat: int, slot: int) -> Card:
        return self.rules.cards[self.own(card_at)(self.state, seat, slot)]

    def hand(self, seat: int) -> list[Card]:
        return [self.card(seat, slot) for slot in range(self.own(hand_count)(self.state, seat))]

    def clued(self, seat: int, slot: int) -> bool:
        return self.own(is_clued)(self.state, seat, slot)

    def chop(self, seat: int) -> int:
        """The oldest unclued card: hands are not rearranged here."""
        return next(slot for slot in range(len(self.hand(seat))) if not self.clued(seat, slot))

    def fits(self, card: Card) -> bool:
        return self.own(is_playable)(self.state, self.rules.cards.index(card))

    def needed(self, card: Card) -> bool:
        return not self.own(is_useless)(self.state, self.rules.cards.index(card))

    def copies_left(self, card: Card) -> int:
        return self.rules.copies(card) - self.state[self.layout.discards + self.rules.cards.index(card)]


def _own(position: Position, facts: Facts) -> Card:
    return position.card(position.me, facts.slot)


def _missing(position: Position, facts: Facts) -> bool:
    """Whether another player's card cannot be played yet, and one before it can."""
    focus, wanted = facts.other_card, facts.card
    assert focus
    assert wanted
    held = focus in position.hand(facts.seat) and facts.seat != position.me
    return held and not position.fits(focus) and position.fits(wanted) and wanted.colour == focus.colour


def _pointed(position: Position, facts: Facts) -> Card:
    assert facts.card
    assert facts.seat != position.me
    assert facts.card in position.hand(facts.seat)
    return facts.card


def _on_chop(position: Position, facts: Facts) -> bool:
    return position.card(facts.seat, position.chop(facts.seat)) == facts.card


def _connects(position: Position, facts: Facts) -> bool:
    assert facts.other_card
    held = facts.other_card in position.hand(facts.other_seat) and facts.other_seat != position.me
    return held and position.fits(facts.other_card) and not position.fits(_pointed(position, facts))


TRUE: Mapping[ConventionReason, Callable[[Position, Facts], bool]] = {
    ConventionReason.SURE_CARD: lambda position, facts: (
        _own(position, facts) == facts.card and position.fits(_own(position, facts))
    ),
    ConventionReason.SURE_PLAY: lambda position, facts: position.fits(_own(position, facts)),
    ConventionReason.READ_CARD: lambda position, facts: facts.card is not None and position.fits(facts.card),
    ConventionReason.READ_PLAY: lambda position, facts: True,
    ConventionReason.PROMPT: lambda position, facts: _missing(position, facts) and position.clued(position.me, facts.slot),
    ConventionReason.FINESSE: lambda position, facts: _missing(position, facts) and not position.clued(position.me, facts.slot),
    ConventionReason.OWN_PROMPT: lambda position, facts: position.clued(position.me, facts.slot),
    ConventionReason.OWN_FINESSE: lambda position, facts: not position.clued(position.me, facts.slot),
    ConventionReason.GAMBLE: lambda position, facts: 0 <= facts.percent <= 100,
    ConventionReason.SURE_TRASH: lambda position, facts: not position.needed(_own(position, facts)),
    ConventionReason.READ_TRASH: lambda position, facts: True,
    ConventionReason.CHOP: lambda position, facts: position.chop(position.me) == facts.slot,
    ConventionReason.LEAST: lambda position, facts: all(
        position.clued(position.me, slot) for slot in range(len(position.hand(position.me)))
    ),
    ConventionReason.SAVE_LAST: lambda position, facts: (
        _on_chop(position, facts) and position.copies_left(_pointed(position, facts)) == 1
    ),
    ConventionReason.SAVE: lambda position, facts: _on_chop(position, facts) and position.needed(_pointed(position, facts)),
    ConventionReason.CLUE_PLAY: lambda position, facts: position.fits(_pointed(position, facts)),
    ConventionReason.CLUE_LATER: lambda position, facts: (
        position.needed(_pointed(position, facts)) and not position.fits(_pointed(position, facts))
    ),
    ConventionReason.CLUE_BLIND: lambda position, facts: _connects(position, facts),
    ConventionReason.CLUE_FACTS: lambda position, facts: facts.seat != position.me,
    ConventionReason.CLUE_STALL: lambda position, facts: True,
    ConventionReason.ANY: lambda position, facts: True,
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "rules",
    [
        Rules(players=2),
        Rules(players=3, multicolour=Multicolour.TEN, multicolour_named=False),
        Rules(players=4, all_or_nothing=True, multicolour=Multicolour.FIVE),
        Rules(players=5, empty_clues=True, announced_plays=True),
    ],
    ids=str,
)
def test_reasons_are_true(rules: Rules) -> None:
    assert set(TRUE) == set(ConventionReason), "every reason is checked"
    for seed in range(12):
        for turn in turns(rules, seed):
            position = Position(rules, turn.state)
            facts = facts_of(rules, turn.players[position.me].memory) if turn.action >= 0 else None
            if facts:
                assert TRUE[facts.reason](position, facts), facts


def test_reasons_exist_in_every_language() -> None:
    rules = Rules(players=3)
    for turn in turns(rules, 0):
        words = explain_convention(rules, turn.players[turn.state[SEAT]].memory)
        if turn.action >= 0:
            assert words
            assert len({catalogue(language)(words) for language in LANGUAGES}) == len(LANGUAGES), words


def test_there_is_no_reason_before_the_first_choice() -> None:
    rules = Rules(players=3)
    first = next(turns(rules, 0))
    assert explain_convention(rules, first.players[first.state[SEAT]].memory)
    assert explain_convention(rules, first.players[(first.state[SEAT] + 1) % rules.players].memory) is None
