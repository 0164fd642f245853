"""Small policies that compile quickly, for tests of the league."""

from __future__ import annotations

from tamaya.bots import BotEntry, Memory, Policy, Visibility
from tamaya.engine.instances import Options, Row
from tamaya.engine.kernel.ending import is_playable
from tamaya.engine.kernel.hands import card_at
from tamaya.engine.layout import CLUES, NO_CARD, SEAT, layout
from tamaya.rules import say

OPTIONS = Options()


class TurnMemory(Memory):
    """The number of turns that the policy has seen."""

    turns: int


def start(memory: TurnMemory, sight: Row) -> None:
    memory.turns = 0


def update(memory: TurnMemory, seat: int, before: Row, after: Row) -> None:
    memory.turns += 1


def play_or_discard(sight: Row, plays: bool) -> int:
    """The action of the oldest card."""
    return layout.play_action if plays or sight[CLUES] == layout.clue_tokens else layout.discard_action


def choose_oldest(memory: TurnMemory, sight: Row, mask: Row, random_bits: int) -> int:
    """Play the oldest card on every third turn seen, else discard it."""
    return play_or_discard(sight, memory.turns % 3 == 2)


def choose_peeking(memory: TurnMemory, sight: Row, mask: Row, random_bits: int) -> int:
    """Play the oldest card if it fits, which this policy can see."""
    card = card_at(sight, sight[SEAT] + 0, 0)
    return play_or_discard(sight, card != NO_CARD and is_playable(sight, card))


def choose_wrong(memory: TurnMemory, sight: Row, mask: Row, random_bits: int) -> int:
    """Discard at once, when all clue tokens are available."""
    return layout.discard_action


OLDEST = Policy(choose_oldest, start=start, update=update, memory=TurnMemory)
PEEKING = Policy(choose_peeking, start=start, update=update, memory=TurnMemory, visibility=Visibility.ALL_HANDS)
WRONG = Policy(choose_wrong, start=start, update=update, memory=TurnMemory)
ENTRIES = {
    name: BotEntry(say("Test."), policy=policy) for name, policy in (("oldest", OLDEST), ("peeking", PEEKING), ("wrong", WRONG))
}
