"""What the hat bot does on its turn, what all players conclude from any action, and the reasons in words."""

from __future__ import annotations

from enum import IntEnum

from tamaya.bots import cards
from tamaya.bots.hat.code import NO_CLUE, clue_for, decode_sum, hat_sum, literal_clue, number_count, number_of
from tamaya.bots.hat.endgame import CLUE, DISCARD, solve_endgame
from tamaya.bots.hat.inference import (
    SURE,
    count_cards_out,
    expect_plays,
    forget_code,
    is_known_useless,
    known_useless_count,
    knows_play,
    nth_known_useless,
)
from tamaya.bots.hat.memory import HatMemory, weights
from tamaya.bots.hat.own_hand import (
    NO_SLOT,
    cheapest_discard,
    harmless_play,
    infer_own_hand,
    likeliest_play,
    own_chance,
    sure_play,
    useless_slot,
)
from tamaya.engine.instances import Options, Row
from tamaya.engine.kernel.clues import possible_cards, target_of
from tamaya.engine.kernel.ending import spare_turns
from tamaya.engine.kernel.hands import card_at, hand_count, number_at
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
    layout,
)
from tamaya.rules import Message, Rules, say

OPTIONS = Options()


class HatReason(IntEnum):
    """Why the bot chose an action; the first four follow from common knowledge, whatever the hidden cards are."""

    SURE_PLAY = 1
    CODE = 2  # a clue that gives the sum of all hats
    CODE_DISCARD = 3  # one of several useless cards, chosen to give the sum of all hats
    USELESS = 4
    HARMLESS = 5  # playable or else useless
    CHEAPEST = 6  # costs least to discard
    GAMBLE = 7  # nothing to lose
    LITERAL = 8  # a clue meant literally


SURE_PLAY, CODE, CODE_DISCARD, USELESS, HARMLESS, CHEAPEST, GAMBLE, LITERAL = map(int, HatReason)


def has_time(sight: Row) -> bool:
    """Whether the pace allows a discard: enough turns are left for the cards still to be played."""
    if layout.all_or_nothing:
        return True
    tokens = sight[CLUES]
    spent = weights.discards_few if tokens < 2 else weights.discards_some if tokens < 4 else weights.discards_many
    return spare_turns(sight, layout.maximum) - missing_cards(sight) >= layout.players - spent


def missing_cards(sight: Row) -> int:
    """The number of cards that hands lack, one for each turn since the deck is empty."""
    missing = layout.players * layout.hand_size
    for seat in range(layout.players):
        missing -= hand_count(sight, seat)
    return missing


def holds(sight: Row, seat: int, some: int) -> bool:
    """Whether a seat has one of these cards."""
    for slot in range(hand_count(sight, seat)):
        if (some >> card_at(sight, seat, slot)) & 1:
            return True
    return False


def some_player_waits(memory: HatMemory, sight: Row, me: int) -> bool:
    """Whether a teammate has a card to play but knows of none."""
    for distance in range(layout.players - 1):
        seat = (me + 1 + distance) % layout.players
        if holds(sight, seat, memory.playable_next[seat]) and not knows_play(memory, sight, seat):
            return True
    return False


def some_player_can_play(sight: Row, me: int, playable: int) -> bool:
    """Whether a teammate has a card to play."""
    for distance in range(layout.players - 1):
        if holds(sight, (me + 1 + distance) % layout.players, playable):
            return True
    return False


def has_nothing_to_lose(memory: HatMemory, sight: Row, me: int) -> bool:
    """Whether the last turns have begun, a mistake ends nothing, and no player with a turn left needs a clue or a token."""
    if sight[LAST_TURNS] == 0 or sight[MISTAKES] + 1 >= layout.mistakes:
        return False
    for distance in range(sight[LAST_TURNS] - 1):
        seat = (me + 1 + distance) % layout.players
        if holds(sight, seat, memory.playable_next[seat]):
            return False
    return True


def can_clue(mask: Row) -> bool:
    """Whether any clue is legal."""
    for clue in range(layout.colour_action, layout.announce_action):
        if mask[clue]:
            return True
    return False


def first_idea(memory: HatMemory, sight: Row, mask: Row, me: int, playable: int, useless: int) -> int:
    """The slot of a card to play, or `CLUE`, or `DISCARD`, without looking ahead."""
    slot = sure_play(memory, sight, me, playable)
    if slot == NO_SLOT and sight[MISTAKES] + 1 < layout.mistakes and has_time(sight):
        slot = harmless_play(memory, sight, me, playable, useless)
    if slot != NO_SLOT:
        return slot
    if not mask[layout.discard_action]:
        return CLUE
    if not can_clue(mask):
        return DISCARD
    if some_player_waits(memory, sight, me):
        return CLUE
    if has_time(sight) and useless_slot(memory, sight, me, useless) != NO_SLOT:
        return DISCARD
    if sight[CLUES] > weights.reserve or some_player_can_play(sight, me, playable):
        return CLUE
    return DISCARD


def decide(memory: HatMemory, sight: Row, mask: Row, me: int, playable: int, useless: int) -> int:
    """The first idea, or a better decision if looking ahead finds one."""
    first = decision = first_idea(memory, sight, mask, me, playable, useless)
    if not layout.all_or_nothing and layout.deck_size - sight[DRAWN] <= weights.last_cards:
        decision = solve_endgame(memory, sight, me, first, playable)
    memory.looked_ahead = 0 if decision == first else 1
    if decision < 0 and has_nothing_to_lose(memory, sight, me):
        slot = likeliest_play(memory, sight, me, playable)
        decision = slot if slot != NO_SLOT else decision
    return decision


def note_reason(memory: HatMemory, reason: int, subject: int, amount: int) -> None:
    """Write down the reason for a choice."""
    memory.reason = reason
    memory.subject = subject
    memory.amount = amount


def choose_clue(memory: HatMemory, sight: Row, mask: Row, me: int, useless: int) -> int:
    """The clue that gives the sum of all hats, else the most informative literal clue, or `NO_CLUE`."""
    numbers, clue = number_count(memory, sight, me, useless), NO_CLUE
    if numbers > 0 and not memory.code_broken:
        number = hat_sum(memory, sight, me, numbers, useless)
        note_reason(memory, CODE, number, numbers)
        clue = clue_for(memory, sight, mask, me, number, useless)
    if clue == NO_CLUE:
        note_reason(memory, LITERAL, 0, 0)
        clue = literal_clue(memory, sight, mask, me)
    return clue


def choose_discard(memory: HatMemory, sight: Row, me: int, useless: int) -> int:
    """Discard a useless card, of several known ones the one that gives the sum of all hats; else discard the cheapest."""
    count = known_useless_count(memory, sight, me, hand_count(sight, me), useless)
    slot = useless_slot(memory, sight, me, useless)
    if count > 1:
        slot = nth_known_useless(memory, sight, me, hat_sum(memory, sight, me, count, useless), useless)
        note_reason(memory, CODE_DISCARD, slot, count)
    elif slot != NO_SLOT:
        note_reason(memory, USELESS, slot, 0)
    else:
        slot = cheapest_discard(memory, sight, me, useless)
        note_reason(memory, CHEAPEST, slot, 0)
    return layout.discard_action + slot


def choose_play(memory: HatMemory, slot: int, playable: int, useless: int) -> int:
    """The action of playing a card."""
    options = memory.own_hand[slot]
    if options & ~playable == 0:
        note_reason(memory, SURE_PLAY, slot, options)
    elif options & ~(playable | useless) == 0:
        note_reason(memory, HARMLESS, slot, 0)
    else:
        note_reason(memory, GAMBLE, slot, own_chance(memory, slot, playable) * 100 // SURE)
    return cards.play(slot, options & playable)


def choose(memory: HatMemory, sight: Row, mask: Row, random_bits: int) -> int:
    """The action to take."""
    me, playable, useless = sight[SEAT] + 0, cards.playable_cards(sight), cards.useless_cards(sight)
    infer_own_hand(memory, sight, me)
    expect_plays(memory, sight, me)
    decision = decide(memory, sight, mask, me, playable, useless)
    if decision == CLUE and can_clue(mask):
        return choose_clue(memory, sight, mask, me, useless)
    if decision < 0 and not mask[layout.discard_action]:
        decision = max(likeliest_play(memory, sight, me, playable), 0)
    if decision >= 0:
        return choose_play(memory, decision, playable, useless)
    return choose_discard(memory, sight, me, useless)


def update_from_clue(memory: HatMemory, seat: int, before: Row, after: Row, useless: int) -> None:
    """Apply a clue: the sum of hats for all players, and its literal meaning for its target."""
    actor, clue = before[SEAT] + 0, after[LAST_ACTION] + 0
    numbers = number_count(memory, before, actor, useless)
    if numbers > 0:
        said = number_of(memory, before, actor, clue, after[LAST_TOUCHED] + 0, useless)
        decode_sum(memory, seat, before, actor, numbers, said, useless)
    target = target_of(actor, clue)
    for slot in range(hand_count(after, target)):
        memory.possible[number_at(after, target, slot)] &= possible_cards(after, target, slot)


def update_from_discard(memory: HatMemory, seat: int, before: Row, slot: int, useless: int) -> None:
    """Apply a discard: one of several useless cards gives the sum of hats; any other tells that no player waits for a clue."""
    actor = before[SEAT] + 0
    count = known_useless_count(memory, before, actor, hand_count(before, actor), useless)
    if count > 1 and is_known_useless(memory, before, actor, slot, useless):
        said = known_useless_count(memory, before, actor, slot, useless)
        decode_sum(memory, seat, before, actor, count, said, useless)
    elif before[CLUES] > 0 and layout.deck_size - before[DRAWN] > weights.last_cards:
        for distance in range(layout.players - 1):
            other = (actor + 1 + distance) % layout.players
            if not knows_play(memory, before, other):
                for place in range(hand_count(before, other)):
                    memory.possible[number_at(before, other, place)] &= ~memory.playable_next[other]


def update(memory: HatMemory, seat: int, before: Row, after: Row) -> None:
    """Update the public knowledge. Once a card was not among its options, the code is no longer trusted."""
    action, useless = after[LAST_ACTION] + 0, cards.useless_cards(before)
    is_clue = layout.colour_action <= action < layout.announce_action
    if not is_clue and not (memory.possible[after[LAST_NUMBER]] >> after[LAST_CARD]) & 1:
        memory.code_broken = 1
    expect_plays(memory, before, before[SEAT] + 0)
    if memory.code_broken:
        forget_code(memory, after)
    elif action < layout.play_action:
        update_from_discard(memory, seat, before, action - layout.discard_action, useless)
    elif is_clue:
        update_from_clue(memory, seat, before, after, useless)
    count_cards_out(memory, after)


def explain_hat(rules: Rules, memory: HatMemory) -> Message | None:
    """The reason for the last choice, in words."""
    if not memory.reason:
        return None
    sentence = _sentence(rules, HatReason(memory.reason), memory.subject, memory.amount)
    return say("I looked ahead to the end of the game. {reason}", reason=sentence) if memory.looked_ahead else sentence


def _sentence(rules: Rules, reason: HatReason, subject: int, amount: int) -> Message:
    slot = subject + 1
    match reason:
        case HatReason.SURE_PLAY if amount & (amount - 1) == 0:
            return say("I play card {slot}: it can only be {card}.", slot=slot, card=rules.cards[amount.bit_length() - 1].word)
        case HatReason.SURE_PLAY:
            return say("I play card {slot}: whatever it is, it fits.", slot=slot)
        case HatReason.CODE:
            return say("My clue says {number} in our code of {count} numbers: from that and the other hands each player learns "
                       "something about their own.", number=subject, count=amount)  # fmt: skip
        case HatReason.CODE_DISCARD:
            return say("I discard card {slot}, one of {count} cards that nobody needs: which one I chose says something in our "
                       "code.", slot=slot, count=amount)  # fmt: skip
        case HatReason.USELESS:
            return say("I discard card {slot}: whatever it is, nobody needs it.", slot=slot)
        case HatReason.HARMLESS:
            return say("I play card {slot}: it most likely fits, and nobody needs it otherwise.", slot=slot)
        case HatReason.CHEAPEST:
            return say("I discard card {slot}: of my cards it is the least likely to be missed.", slot=slot)
        case HatReason.GAMBLE:
            return say("I try card {slot}: there is little to lose, and I give it {percent} chances in 100 to fit.",
                       slot=slot, percent=amount)  # fmt: skip
        case HatReason.LITERAL:
            return say("My clue means what it says: our code cannot be used here.")
