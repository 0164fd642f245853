"""What the convention bot gives as its reasons is true: of the table always, of its own hand where it says that it is sure."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from tamaya.bots.convention.explaining import Facts, facts_of

from tamaya import Card, Rules
from tamaya.bots.convention import explain_convention
from tamaya.bots.convention.reasons import Reason
from tamaya.engine.kernel import interpreted_kernel
from tamaya.engine.layout import NAMED_COLOURS, NAMED_VALUES, NUMBER, SEAT, SLOT, Layout, layout_of
from tamaya.i18n import LANGUAGES, catalogue
from tamaya.rules import Multicolour
from tests.bots.convention.turns import turns


class Table:
    """A state with everything face up."""

    def __init__(self, rules: Rules, state: bytes) -> None:
        self.rules, self.state, self.plan = rules, state, layout_of(rules)
        self.kernel = interpreted_kernel(rules)
        self.me = state[SEAT]

    def slot(self, seat: int, slot: int) -> int:
        plan: Layout = self.plan
        return plan.hands + (seat * plan.hand_size + slot) * SLOT

    def card(self, seat: int, slot: int) -> Card:
        return self.rules.cards[self.state[self.plan.deck + self.state[self.slot(seat, slot) + NUMBER]]]

    def hand(self, seat: int) -> list[Card]:
        return [self.card(seat, slot) for slot in range(self.kernel.hand_count(self.state, seat))]

    def clued(self, seat: int, slot: int) -> bool:
        at = self.slot(seat, slot)
        return bool(self.state[at + NAMED_COLOURS] or self.state[at + NAMED_VALUES])

    def chop(self, seat: int) -> int:
        """The oldest card that no clue touched: hands are not rearranged here."""
        return next(slot for slot in range(len(self.hand(seat))) if not self.clued(seat, slot))

    def fits(self, card: Card) -> bool:
        return self.state[self.plan.fireworks + self.rules.suits.index(card.colour)] == card.value - 1

    def needed(self, card: Card) -> bool:
        suit = self.rules.suits.index(card.colour)
        return self.state[self.plan.fireworks + suit] < card.value <= self.kernel.reach(self.state, suit)

    def copies_left(self, card: Card) -> int:
        return self.rules.copies(card) - self.state[self.plan.discards + self.rules.cards.index(card)]


def _own(table: Table, facts: Facts) -> Card:
    return table.card(table.me, facts.slot)


def _missing(table: Table, facts: Facts) -> bool:
    """Somebody else's card that cannot be played yet, and one before it that can."""
    focus, wanted = facts.other_card, facts.card
    assert focus
    assert wanted
    held = focus in table.hand(facts.seat) and facts.seat != table.me
    return held and not table.fits(focus) and table.fits(wanted) and wanted.colour == focus.colour


def _pointed(table: Table, facts: Facts) -> Card:
    assert facts.card
    assert facts.seat != table.me
    assert facts.card in table.hand(facts.seat)
    return facts.card


def _on_chop(table: Table, facts: Facts) -> bool:
    return table.card(facts.seat, table.chop(facts.seat)) == facts.card


def _connects(table: Table, facts: Facts) -> bool:
    assert facts.other_card
    held = facts.other_card in table.hand(facts.other_seat) and facts.other_seat != table.me
    return held and table.fits(facts.other_card) and not table.fits(_pointed(table, facts))


TRUE: Mapping[Reason, Callable[[Table, Facts], bool]] = {
    Reason.SURE_CARD: lambda table, facts: _own(table, facts) == facts.card and table.fits(_own(table, facts)),
    Reason.SURE_PLAY: lambda table, facts: table.fits(_own(table, facts)),
    Reason.READ_CARD: lambda table, facts: facts.card is not None and table.fits(facts.card),
    Reason.READ_PLAY: lambda table, facts: True,
    Reason.PROMPT: lambda table, facts: _missing(table, facts) and table.clued(table.me, facts.slot),
    Reason.FINESSE: lambda table, facts: _missing(table, facts) and not table.clued(table.me, facts.slot),
    Reason.OWN_PROMPT: lambda table, facts: table.clued(table.me, facts.slot),
    Reason.OWN_FINESSE: lambda table, facts: not table.clued(table.me, facts.slot),
    Reason.GAMBLE: lambda table, facts: 0 <= facts.percent <= 100,
    Reason.SURE_TRASH: lambda table, facts: not table.needed(_own(table, facts)),
    Reason.READ_TRASH: lambda table, facts: True,
    Reason.CHOP: lambda table, facts: table.chop(table.me) == facts.slot,
    Reason.LEAST: lambda table, facts: all(table.clued(table.me, slot) for slot in range(len(table.hand(table.me)))),
    Reason.SAVE_LAST: lambda table, facts: _on_chop(table, facts) and table.copies_left(_pointed(table, facts)) == 1,
    Reason.SAVE: lambda table, facts: _on_chop(table, facts) and table.needed(_pointed(table, facts)),
    Reason.CLUE_PLAY: lambda table, facts: table.fits(_pointed(table, facts)),
    Reason.CLUE_LATER: lambda table, facts: table.needed(_pointed(table, facts)) and not table.fits(_pointed(table, facts)),
    Reason.CLUE_BLIND: lambda table, facts: _connects(table, facts),
    Reason.CLUE_FACTS: lambda table, facts: facts.seat != table.me,
    Reason.CLUE_STALL: lambda table, facts: True,
    Reason.ANY: lambda table, facts: True,
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
    assert set(TRUE) == set(Reason), "every reason is checked"
    for seed in range(12):
        for turn in turns(rules, seed):
            table = Table(rules, turn.state)
            facts = facts_of(rules, turn.memories[table.me]) if turn.action >= 0 else None
            if facts:
                assert TRUE[facts.reason](table, facts), facts


def test_reasons_are_told_in_every_language() -> None:
    rules = Rules(players=3)
    for turn in turns(rules, 0):
        words = explain_convention(rules, turn.memories[turn.state[SEAT]])
        if turn.action >= 0:
            assert words
            assert len({catalogue(language)(words) for language in LANGUAGES}) == len(LANGUAGES), words
