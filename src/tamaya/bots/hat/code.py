"""The code: every hand gives its player a *hat*, a number, and a clue stands for the sum of the hats.

A hat is made of the answers to *questions* about a hand. All players who see the hand know the answers; its owner learns them
from the sum of hats that a clue gives, by subtracting the hats of the others. Then all players know what each has learned.

A clue can give up to four *messages* to each seat, by whether it names a colour or a value and whether it touches the *index
slot*, the one whose card is least known. Only messages that can be given whatever the hand holds count. The numbers that clues
stand for run from the messages to the giver's left neighbour to those to the right neighbour.
"""

from __future__ import annotations

from typing import NamedTuple

from tamaya.bots import cards
from tamaya.bots.hat.inference import SURE, chance_of, is_open, knows_play, public_options
from tamaya.bots.hat.memory import HatMemory
from tamaya.bots.hat.own_hand import NO_SLOT
from tamaya.engine.instances import Options, Row
from tamaya.engine.kernel.clues import MULTICOLOUR_CARDS, ONE_VALUE, matching, names_colour, target_of
from tamaya.engine.kernel.hands import card_at, hand_count, number_at
from tamaya.engine.layout import layout

OPTIONS = Options()
NO_CLUE = -1
VALUE, COLOUR, VALUE_MISSES, COLOUR_MISSES = range(4)
"""The messages: a clue names a value or a colour, and touches the index slot or misses it. With three messages a miss does not
distinguish value and colour; with two a clue means the same whether it touches or misses."""


class Question(NamedTuple):
    """A question about a hand: which of the listed cards is the first yes; or, about one card, which group it is in."""

    answers: int
    """The number of its answers; 0 if there is nothing left to ask."""
    slot: int
    """The one card that it asks about, or `NO_SLOT` for those in `memory.listed`."""
    plays: int
    """It asks whether this many of the listed cards, from the first, are playable, and whether the others are useless."""
    asked: int
    """The single slots asked about so far, one bit each."""
    room: int
    """The count of numbers left for its answer and those of the questions that follow."""
    playable: int
    useless: int


def first_question(memory: HatMemory, sight: Row, seat: int, room: int, useless: int) -> Question:
    """The first question about a hand: for a player who knows no card to play, which card is playable."""
    playable, held = memory.playable_next[seat], hand_count(sight, seat)
    for slot in range(held):
        memory.learned[seat * layout.hand_size + slot] = public_options(memory, sight, seat, slot)
    if room <= 1 or knows_play(memory, sight, seat):
        return next_question(memory, sight, seat, Question(1, NO_SLOT, 0, 0, room, playable, useless))
    plays = list_plays(memory, seat, held, room - 1, playable, useless)
    listed = list_useless(memory, seat, held, plays, room - 1, useless)
    return Question(listed + 1, NO_SLOT, plays, 0, room, playable, useless)


def next_question(memory: HatMemory, sight: Row, seat: int, before: Question) -> Question:
    """The question after this one: in which group is the card that is least likely useless."""
    useless, asked = before.useless, before.asked
    room = before.room // before.answers
    slot = least_useless_slot(memory, seat, hand_count(sight, seat), useless, asked) if room > 1 else NO_SLOT
    if slot == NO_SLOT:
        return Question(0, NO_SLOT, 0, asked, room, before.playable, useless)
    options = learned_options(memory, seat, slot)
    groups = cards.count_cards(options & ~useless) + (1 if options & useless else 0)
    return Question(min(room, groups), slot, 0, asked | 1 << slot, room, before.playable, useless)


def learned_options(memory: HatMemory, seat: int, slot: int) -> int:
    """The options of a card once the questions so far are answered."""
    return memory.learned[seat * layout.hand_size + slot]


def list_plays(memory: HatMemory, seat: int, held: int, room: int, playable: int, useless: int) -> int:
    """List the slots that may be playable, the likeliest that there is room for, in ascending order; return how many."""
    listed, count = memory.listed, 0
    for slot in range(held):
        options = learned_options(memory, seat, slot)
        if options & ~useless and is_open(options) and options & playable:
            likely = chance_of(playable, options, memory.unlocated)
            memory.chances[slot] = likely
            place = count
            while place > 0 and memory.chances[listed[place - 1]] < likely:
                listed[place] = listed[place - 1]
                place -= 1
            listed[place] = slot
            count += 1
    count = min(count, room)
    for place in range(count // 2):
        other = listed[place]
        listed[place] = listed[count - 1 - place]
        listed[count - 1 - place] = other
    return count


def list_useless(memory: HatMemory, seat: int, held: int, count: int, room: int, useless: int) -> int:
    """Add the slots that may be useless, unless one is known to be; return how many are listed then."""
    for slot in range(held):
        if learned_options(memory, seat, slot) & ~useless == 0:
            return count
    for slot in range(held):
        options = learned_options(memory, seat, slot)
        if count < room and options & useless and is_open(options):
            memory.listed[count] = slot
            count += 1
    return count


def least_useless_slot(memory: HatMemory, seat: int, held: int, useless: int, asked: int) -> int:
    """The slot of an unknown card, not asked about yet, that is least likely useless; or `NO_SLOT`."""
    best, least = NO_SLOT, SURE
    for slot in range(held):
        options = learned_options(memory, seat, slot)
        if options & ~useless and is_open(options) and not (asked >> slot) & 1:
            likely = chance_of(useless, options, memory.unlocated)
            if likely < least:
                best, least = slot, likely
    return best


def group_of(question: Question, options: int, card: int) -> int:
    """The group of a card: needed options are dealt to the groups in turn, useless ones are all in the first."""
    if (question.useless >> card) & 1:
        return 0
    lower = cards.count_cards(options & ~question.useless & ((1 << card) - 1))
    return (lower + (1 if options & question.useless else 0)) % question.answers


def answer_of(memory: HatMemory, sight: Row, seat: int, question: Question) -> int:
    """The true answer, for a player who sees the hand."""
    if question.slot != NO_SLOT:
        return group_of(question, learned_options(memory, seat, question.slot), card_at(sight, seat, question.slot))
    for place in range(question.answers - 1):
        wanted = question.playable if place < question.plays else question.useless
        if (wanted >> card_at(sight, seat, memory.listed[place])) & 1:
            return place
    return question.answers - 1


def learn_answer(memory: HatMemory, seat: int, question: Question, answer: int) -> None:
    """Narrow the options of the cards by an answer."""
    first = seat * layout.hand_size
    if question.slot != NO_SLOT:
        options, kept = learned_options(memory, seat, question.slot), 0
        for card in range(layout.cards):
            if (options >> card) & 1 and group_of(question, options, card) == answer:
                kept |= 1 << card
        memory.learned[first + question.slot] = kept
        return
    for place in range(min(answer + 1, question.answers - 1)):
        wanted = question.playable if place < question.plays else question.useless
        memory.learned[first + memory.listed[place]] &= wanted if place == answer else ~wanted


def hat_of(memory: HatMemory, sight: Row, seat: int, numbers: int, useless: int) -> int:
    """The hat of a seat whose cards are seen; writes down what its player would learn from it."""
    hat, factor, question = 0, 1, first_question(memory, sight, seat, numbers, useless)
    while question.answers > 0:
        answer = answer_of(memory, sight, seat, question)
        learn_answer(memory, seat, question, answer)
        hat += answer * factor
        factor *= question.answers
        question = next_question(memory, sight, seat, question)
    return hat


def read_hat(memory: HatMemory, sight: Row, seat: int, numbers: int, hat: int, useless: int) -> None:
    """Write down what a player learns from its own hat."""
    question = first_question(memory, sight, seat, numbers, useless)
    while question.answers > 0:
        learn_answer(memory, seat, question, hat % question.answers)
        hat //= question.answers
        question = next_question(memory, sight, seat, question)


def hat_sum(memory: HatMemory, sight: Row, giver: int, numbers: int, useless: int) -> int:
    """What the giver has to tell: the sum of all other hats, modulo the count of numbers that can be given."""
    total = 0
    for distance in range(layout.players - 1):
        total += hat_of(memory, sight, (giver + 1 + distance) % layout.players, numbers, useless)
    return total % numbers


def decode_sum(memory: HatMemory, seat: int, sight: Row, giver: int, numbers: int, said: int, useless: int) -> None:
    """Apply what a sum of hats told all players. The observing seat sees all hats except its own, which it works out."""
    others = 0
    for distance in range(layout.players - 1):
        other = (giver + 1 + distance) % layout.players
        if other != seat:
            others += hat_of(memory, sight, other, numbers, useless)
    if seat != giver:
        read_hat(memory, sight, seat, numbers, (said - others) % numbers, useless)
    for distance in range(layout.players - 1):
        other = (giver + 1 + distance) % layout.players
        for slot in range(hand_count(sight, other)):
            memory.possible[number_at(sight, other, slot)] = learned_options(memory, other, slot)


def index_slot(memory: HatMemory, sight: Row, seat: int, useless: int) -> int:
    """The slot whose touching counts: the leftmost of those about whose cards least is known."""
    best, most = 0, -1
    for slot in range(hand_count(sight, seat)):
        options, unknown = public_options(memory, sight, seat, slot), 0
        if is_open(options) and options & ~useless:
            unknown = 3
            for colour in range(layout.colours):
                unknown -= options & ~(layout.every_value << (colour * layout.values)) == 0
            for value in range(layout.values):
                unknown -= options & ~(ONE_VALUE << value) == 0
        if unknown > most:
            best, most = slot, unknown
    return best


def could_all_be(memory: HatMemory, sight: Row, seat: int, some: int) -> bool:
    """Whether every card of a hand can be one of these."""
    for slot in range(hand_count(sight, seat)):
        if public_options(memory, sight, seat, slot) & some == 0:
            return False
    return True


def messages_to(memory: HatMemory, sight: Row, seat: int, index: int) -> int:  # noqa: C901
    """The number of messages that a clue to a seat can surely give: fewer than 4 if some hands rule one out."""
    held = hand_count(sight, seat)
    if held == 0:
        return 0
    multicolour = public_options(memory, sight, seat, index) & MULTICOLOUR_CARDS
    value_misses, colour_misses, any_misses = True, multicolour == 0, True
    if layout.empty_clues:
        return 4 if colour_misses else 3
    for value in range(layout.values):
        if could_all_be(memory, sight, seat, ONE_VALUE << value):
            value_misses = False
            if multicolour & (ONE_VALUE << value):
                any_misses = False
    for colour in range(layout.named_colours):
        if could_all_be(memory, sight, seat, layout.every_value << (colour * layout.values)):
            colour_misses = False
    for card in range(layout.cards):
        if memory.left[card] >= held and could_all_be(memory, sight, seat, 1 << card):
            any_misses = False
    if not any_misses:
        return 2
    return 4 if value_misses and colour_misses else 3


def message_of(clue: int, touches: bool, messages: int) -> int:
    """The message of a clue that touches or misses the index slot, to a seat that can be given this many messages."""
    if touches or messages == 2:
        return COLOUR if names_colour(clue) else VALUE
    return COLOUR_MISSES if names_colour(clue) and messages == 4 else VALUE_MISSES


def number_count(memory: HatMemory, sight: Row, giver: int, useless: int) -> int:
    """The count of numbers that a clue of this giver can stand for."""
    total = 0
    for distance in range(layout.players - 1):
        seat = (giver + 1 + distance) % layout.players
        total += messages_to(memory, sight, seat, index_slot(memory, sight, seat, useless))
    return total


def number_of(memory: HatMemory, sight: Row, giver: int, clue: int, touched: int, useless: int) -> int:
    """The number that a clue stands for, given the slots that it touched."""
    target, total, seat = target_of(giver, clue), 0, (giver + 1) % layout.players
    while seat != target:
        total += messages_to(memory, sight, seat, index_slot(memory, sight, seat, useless))
        seat = (seat + 1) % layout.players
    index = index_slot(memory, sight, seat, useless)
    touches = (touched >> index) & 1 == 1
    return total + message_of(clue, touches, messages_to(memory, sight, seat, index))


def options_after(memory: HatMemory, sight: Row, seat: int, clue: int) -> int:
    """The total of options of a hand's cards once its questions are answered and a clue is given."""
    count, match = 0, matching(clue)
    for slot in range(hand_count(sight, seat)):
        touched = (match >> card_at(sight, seat, slot)) & 1
        count += cards.count_cards(learned_options(memory, seat, slot) & (match if touched else ~match))
    return count


def clue_for(memory: HatMemory, sight: Row, mask: Row, giver: int, number: int, useless: int) -> int:
    """The legal clue that stands for a number and leaves its target the fewest options with the hat read; or `NO_CLUE`."""
    for distance in range(layout.players - 1):
        seat = (giver + 1 + distance) % layout.players
        index = index_slot(memory, sight, seat, useless)
        messages = messages_to(memory, sight, seat, index)
        if number < messages:
            best, fewest = NO_CLUE, 1 << 30
            for clue in range(layout.colour_action, layout.announce_action):
                if mask[clue] and target_of(giver, clue) == seat:
                    touches = (matching(clue) >> card_at(sight, seat, index)) & 1 == 1
                    if message_of(clue, touches, messages) == number:
                        count = options_after(memory, sight, seat, clue)
                        if count < fewest:
                            best, fewest = clue, count
            return best
        number -= messages
    return NO_CLUE


def literal_clue(memory: HatMemory, sight: Row, mask: Row, giver: int) -> int:
    """The legal clue that rules out the most options by its literal meaning; or `NO_CLUE`."""
    best, most = NO_CLUE, -1
    for clue in range(layout.colour_action, layout.announce_action):
        if mask[clue]:
            seat, excluded = target_of(giver, clue), 0
            for slot in range(hand_count(sight, seat)):
                options = public_options(memory, sight, seat, slot)
                memory.learned[seat * layout.hand_size + slot] = options
                excluded += cards.count_cards(options)
            excluded -= options_after(memory, sight, seat, clue)
            if excluded > most:
                best, most = clue, excluded
    return best
