"""What the hat bot does on its turn, and what all conclude from what somebody did on theirs: the two ends of its code."""

from __future__ import annotations

from collections.abc import Callable

from tamaya.bots.cards import Cards
from tamaya.bots.hat.clues import HatClues
from tamaya.bots.hat.endgame import CLUE, DISCARD
from tamaya.bots.hat.explaining import HatReason
from tamaya.bots.hat.habits import Habits
from tamaya.bots.hat.hats import Hats
from tamaya.bots.hat.memory import HatMemory
from tamaya.bots.hat.own_hand import OwnHand
from tamaya.bots.hat.picture import SURE, Foresight, HatPicture
from tamaya.engine.kernel import Jit, Kernel, Row
from tamaya.engine.layout import (
    CLUES,
    DRAWN,
    LAST_ACTION,
    LAST_CARD,
    LAST_NUMBER,
    LAST_TOUCHED,
    LAST_TURNS,
    MISTAKES,
    SEAT,
)

SURE_PLAY, CODE, CODE_DISCARD, USELESS = map(
    int, (HatReason.SURE_PLAY, HatReason.CODE, HatReason.CODE_DISCARD, HatReason.USELESS)
)
HARMLESS, CHEAPEST, TRY, WORDS = map(int, (HatReason.HARMLESS, HatReason.CHEAPEST, HatReason.TRY, HatReason.WORDS))


def build_decide(
    kernel: Kernel, jit: Jit, notes: HatMemory, cards: Cards, foresight: Foresight, own_hand: OwnHand,
    look_for_end: Callable[[Row, Row, int, int, int], int], habits: Habits,
) -> Callable[[Row, Row, int, int, int], int]:  # fmt: skip
    """The function that decides whether to play, to give a clue or to discard."""
    layout = kernel.layout
    a_round_left = layout.deck_size - layout.maximum - layout.players * layout.hand_size
    last_cards = -1 if layout.all_or_nothing else habits.last_cards

    @jit
    def has_time(sight: Row) -> bool:
        """Whether discarding leaves turns enough for what is still to be played."""
        if layout.all_or_nothing:
            return True
        thrown = 0
        for card in range(layout.cards):
            thrown += sight[layout.discards + card]
        tokens = sight[CLUES]
        return thrown <= a_round_left + (habits.spent if tokens < 2 else habits.short if tokens < 4 else habits.plenty)

    @jit
    def holds(sight: Row, seat: int, some: int) -> bool:
        """Whether a seat has one of these cards."""
        for slot in range(kernel.hand_count(sight, seat)):
            if (some >> cards.face_at(sight, seat, slot)) & 1:
                return True
        return False

    @jit
    def somebody_waits(memory: Row, sight: Row, me: int) -> bool:
        """Whether somebody has a card to play and knows of none."""
        for distance in range(layout.players - 1):
            seat = (me + 1 + distance) % layout.players
            if holds(sight, seat, memory[notes.playable_next + seat]) and not foresight.knows_play(memory, sight, seat):
                return True
        return False

    @jit
    def somebody_plays(sight: Row, me: int, playable: int) -> bool:
        """Whether somebody else has a card to play."""
        for distance in range(layout.players - 1):
            if holds(sight, (me + 1 + distance) % layout.players, playable):
                return True
        return False

    @jit
    def has_nothing_to_lose(memory: Row, sight: Row, me: int) -> bool:
        """Whether it is late, a mistake ends nothing, and nobody who has a turn left would need a clue or a token."""
        if sight[LAST_TURNS] == 0 or sight[MISTAKES] + 1 >= layout.mistakes:
            return False
        for distance in range(sight[LAST_TURNS] - 1):
            seat = (me + 1 + distance) % layout.players
            if holds(sight, seat, memory[notes.playable_next + seat]):
                return False
        return True

    @jit
    def first_idea(memory: Row, sight: Row, me: int, playable: int, dead: int) -> int:
        """The slot of a card to play, or `CLUE`, or `DISCARD`, without looking ahead."""
        slot = own_hand.sure_play(memory, sight, me, playable)
        if slot < 0 and sight[MISTAKES] + 1 < layout.mistakes and has_time(sight):
            slot = own_hand.harmless_play(memory, sight, me, playable, dead)
        if slot >= 0:
            return slot
        tokens = sight[CLUES] + 0
        if tokens == layout.clue_tokens or kernel.hand_count(sight, me) == 0:
            return CLUE
        if tokens == 0:
            return DISCARD
        if somebody_waits(memory, sight, me):
            return CLUE
        if has_time(sight) and own_hand.useless(memory, sight, me, dead) >= 0:
            return DISCARD
        if tokens > habits.kept_tokens or somebody_plays(sight, me, playable):
            return CLUE
        return DISCARD

    @jit
    def decide(memory: Row, sight: Row, me: int, playable: int, dead: int) -> int:
        """The slot of a card to play, or `CLUE`, or `DISCARD`: the first idea, unless looking ahead finds a better one."""
        first = decision = first_idea(memory, sight, me, playable, dead)
        if layout.deck_size - sight[DRAWN] <= last_cards:
            decision = look_for_end(memory, sight, me, first, playable)
        memory[notes.looked_ahead] = 0 if decision == first else 1
        if decision < 0 and has_nothing_to_lose(memory, sight, me):
            slot = own_hand.likeliest_play(memory, sight, me, playable)
            decision = slot if slot >= 0 else decision
        return decision

    return decide


def build_choose(
    kernel: Kernel, jit: Jit, notes: HatMemory, cards: Cards, foresight: Foresight, own_hand: OwnHand, hats: Hats,
    clues: HatClues, decide: Callable[[Row, Row, int, int, int], int],
) -> Callable[[Row, Row, Row, int], int]:  # fmt: skip
    """The function that chooses an action, and says why."""
    layout = kernel.layout

    @jit
    def because(memory: Row, reason: int, subject: int, amount: int) -> None:
        """Leave word of the reason."""
        memory[notes.reason] = reason
        memory[notes.subject] = subject
        memory[notes.amount] = amount

    @jit
    def choose_clue(memory: Row, sight: Row, me: int, dead: int) -> int:
        """The clue that says the sum of all hats; if that cannot be said, or is not understood, the most telling one by its
        words; -1 if there is none."""
        messages, action = clues.all_messages(memory, sight, me, dead), -1
        if messages > 0 and not memory[notes.broken]:
            number = hats.hat_sum(memory, sight, me, messages, dead)
            because(memory, CODE, number, messages)
            action = clues.best_clue(memory, sight, me, number, dead)
        if action < 0:
            because(memory, WORDS, 0, 0)
            action = clues.plain_clue(memory, sight, me)
        return action

    @jit
    def choose_discard(memory: Row, sight: Row, me: int, dead: int) -> int:
        """A useless card; among several that all know of, the one that says the sum of all hats. Else what is missed least."""
        count = foresight.count_useless(memory, sight, me, kernel.hand_count(sight, me), dead)
        slot = own_hand.useless(memory, sight, me, dead)
        if count > 1:
            slot = foresight.nth_useless(memory, sight, me, hats.hat_sum(memory, sight, me, count, dead), dead)
            because(memory, CODE_DISCARD, slot, count)
        elif slot >= 0:
            because(memory, USELESS, slot, 0)
        else:
            slot = own_hand.cheapest(memory, sight, me, dead)
            because(memory, CHEAPEST, slot, 0)
        return layout.discard_action + slot

    @jit
    def choose_play(memory: Row, slot: int, playable: int, dead: int) -> int:
        """The action of playing a card."""
        options = memory[notes.own_hand + slot]
        if options & ~playable == 0:
            because(memory, SURE_PLAY, slot, options)
        elif options & ~(playable | dead) == 0:
            because(memory, HARMLESS, slot, 0)
        else:
            because(memory, TRY, slot, own_hand.chance(memory, slot, playable) * 100 // SURE)
        return cards.play(slot, options & playable)

    @jit
    def choose(memory: Row, sight: Row, mask: Row, luck: int) -> int:
        """The action to take."""
        me, playable, dead = sight[SEAT] + 0, cards.playable_cards(sight), cards.dead_cards(sight)
        own_hand.look(memory, sight, me)
        foresight.look_ahead(memory, sight, me)
        decision = decide(memory, sight, me, playable, dead)
        if decision == CLUE and sight[CLUES] > 0:
            action = choose_clue(memory, sight, me, dead)
            if action >= 0:
                return action
        if decision < 0 and sight[CLUES] == layout.clue_tokens:
            decision = max(own_hand.likeliest_play(memory, sight, me, playable), 0)
        if decision >= 0:
            return choose_play(memory, decision, playable, dead)
        return choose_discard(memory, sight, me, dead)

    return choose


def build_notice(
    kernel: Kernel, jit: Jit, notes: HatMemory, cards: Cards, picture: HatPicture, foresight: Foresight, hats: Hats,
    clues: HatClues, habits: Habits,
) -> Callable[[Row, int, Row, Row], None]:  # fmt: skip
    """The function that takes notes of what somebody did."""
    layout = kernel.layout

    @jit
    def notice_clue(memory: Row, seat: int, before: Row, after: Row, actor: int, dead: int) -> None:
        """A clue tells the sum of hats to all, and its target what it names."""
        action = after[LAST_ACTION] + 0
        messages = clues.all_messages(memory, before, actor, dead)
        if messages > 0:
            number = clues.number_of(memory, before, actor, action, after[LAST_TOUCHED] + 0, dead)
            hats.hear(memory, seat, before, actor, messages, number, dead)
        target = cards.target_of(actor, action)
        for slot in range(kernel.hand_count(after, target)):
            memory[notes.picture + cards.number_at(after, target, slot)] &= cards.told_cards(after, target, slot)

    @jit
    def notice_discard(memory: Row, seat: int, before: Row, actor: int, slot: int, dead: int) -> None:
        """A discard of one of several useless cards tells the sum of hats; any other, that nobody waits for a clue."""
        count = foresight.count_useless(memory, before, actor, kernel.hand_count(before, actor), dead)
        if count > 1 and foresight.is_useless(memory, before, actor, slot, dead):
            number = foresight.count_useless(memory, before, actor, slot, dead)
            hats.hear(memory, seat, before, actor, count, number, dead)
        elif before[CLUES] > 0 and layout.deck_size - before[DRAWN] > habits.last_cards:
            for distance in range(layout.players - 1):
                other = (actor + 1 + distance) % layout.players
                if not foresight.knows_play(memory, before, other):
                    for place in range(kernel.hand_count(before, other)):
                        memory[notes.picture + cards.number_at(before, other, place)] &= ~memory[notes.playable_next + other]

    @jit
    def notice(memory: Row, seat: int, before: Row, after: Row) -> None:
        """Bring the public picture up to date. Once a card was not what all took it for, somebody does not keep to the code."""
        actor, action, dead = before[SEAT] + 0, after[LAST_ACTION] + 0, cards.dead_cards(before)
        is_clue = layout.colour_action <= action < layout.announce_action
        if not is_clue and not (memory[notes.picture + after[LAST_NUMBER]] >> after[LAST_CARD]) & 1:
            memory[notes.broken] = 1
        foresight.look_ahead(memory, before, actor)
        if memory[notes.broken]:
            picture.doubt(memory, after)
        elif action < layout.play_action:
            notice_discard(memory, seat, before, actor, action - layout.discard_action, dead)
        elif is_clue:
            notice_clue(memory, seat, before, after, actor, dead)
        picture.settle(memory, after)

    return notice
