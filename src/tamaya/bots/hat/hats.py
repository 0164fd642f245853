"""Hats: what a player could be told about its hand, as one number that everybody else can see.

A hat is made of the answers to *questions* about a hand. All who see the hand know the answer; its owner learns it from the
sum of hats that a clue says, by subtracting the hats of the others. Then everybody knows what everybody was told.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tamaya.bots.cards import Cards
from tamaya.bots.hat.memory import HatMemory
from tamaya.bots.hat.picture import SURE, Foresight, HatPicture
from tamaya.engine.kernel import Jit, Kernel, Row

NO_SLOT = -1


class Question(NamedTuple):
    """One question about a hand: of some listed cards, which is the first yes; or of one card, which heap is it in."""

    answers: int
    """How many answers it has; 0 says that there is nothing left to ask."""
    slot: int
    """The one card that it asks about, or `NO_SLOT`: about those that are listed."""
    plays: int
    """How many of the listed cards it asks whether they can be played; of those behind them, whether they are dead."""
    asked: int
    """The single slots that were asked about so far, one bit each."""
    room: int
    """How many different numbers are left to answer it and those that follow."""
    playable: int
    dead: int


class Questions(NamedTuple):
    """What can be done with a question."""

    first: Callable[[Row, Row, int, int, int], Question]
    following: Callable[[Row, Row, int, Question], Question]
    answer_of: Callable[[Row, Row, int, Question], int]
    learn: Callable[[Row, int, Question, int], None]


def build_questions(
    kernel: Kernel, jit: Jit, notes: HatMemory, cards: Cards, picture: HatPicture, foresight: Foresight
) -> Questions:
    """What can be done with a question."""
    layout = kernel.layout

    @jit
    def first(memory: Row, sight: Row, seat: int, room: int, dead: int) -> Question:
        """The first question about a hand; a player who knows of nothing to play is asked for a card to play."""
        row, playable = notes.learnt + seat * layout.hand_size, memory[notes.playable_next + seat]
        held = kernel.hand_count(sight, seat)
        for slot in range(held):
            memory[row + slot] = picture.pictured(memory, sight, seat, slot)
        if room <= 1 or foresight.knows_play(memory, sight, seat):
            return following(memory, sight, seat, Question(1, NO_SLOT, 0, 0, room, playable, dead))
        plays = list_plays(memory, row, held, room - 1, playable, dead)
        listed = list_dead(memory, row, held, plays, room - 1, dead)
        return Question(listed + 1, NO_SLOT, plays, 0, room, playable, dead)

    @jit
    def following(memory: Row, sight: Row, seat: int, before: Question) -> Question:
        """The question after this one: in which heap is the card that is least likely dead?"""
        row, dead, asked = notes.learnt + seat * layout.hand_size, before.dead, before.asked
        room = before.room // before.answers
        slot = most_alive(memory, row, kernel.hand_count(sight, seat), dead, asked) if room > 1 else NO_SLOT
        if slot == NO_SLOT:
            return Question(0, NO_SLOT, 0, asked, room, before.playable, dead)
        options = memory[row + slot]
        heaps = cards.count_cards(options & ~dead) + (1 if options & dead else 0)
        return Question(min(room, heaps), slot, 0, asked | 1 << slot, room, before.playable, dead)

    @jit
    def list_plays(memory: Row, row: int, held: int, room: int, playable: int, dead: int) -> int:
        """List the slots that may be playable, the likeliest as far as there is room, in ascending order; returns how many."""
        count = 0
        for slot in range(held):
            options = memory[row + slot]
            if options & ~dead and picture.is_open(options) and options & playable:
                likely = picture.chance(memory, notes.loose, options, playable)
                memory[notes.chances + slot] = likely
                place = count
                while place > 0 and memory[notes.chances + memory[notes.listed + place - 1]] < likely:
                    memory[notes.listed + place] = memory[notes.listed + place - 1]
                    place -= 1
                memory[notes.listed + place] = slot
                count += 1
        count = min(count, room)
        for place in range(count // 2):
            other = memory[notes.listed + place]
            memory[notes.listed + place] = memory[notes.listed + count - 1 - place]
            memory[notes.listed + count - 1 - place] = other
        return count

    @jit
    def list_dead(memory: Row, row: int, held: int, count: int, room: int, dead: int) -> int:
        """Add the slots that may be dead, unless one is known to be; returns how many are listed then."""
        for slot in range(held):
            if memory[row + slot] & ~dead == 0:
                return count
        for slot in range(held):
            options = memory[row + slot]
            if count < room and options & dead and picture.is_open(options):
                memory[notes.listed + count] = slot
                count += 1
        return count

    @jit
    def most_alive(memory: Row, row: int, held: int, dead: int, asked: int) -> int:
        """The slot of an unknown card that is least likely dead and was not asked about, or `NO_SLOT`."""
        best, least = NO_SLOT, SURE
        for slot in range(held):
            options = memory[row + slot]
            if options & ~dead and picture.is_open(options) and not (asked >> slot) & 1:
                likely = picture.chance(memory, notes.loose, options, dead)
                if likely < least:
                    best, least = slot, likely
        return best

    @jit
    def heap_of(question: Question, options: int, card: int) -> int:
        """The heap that a card is in: the live options are dealt out in turn, all dead ones lie in the first heap."""
        if (question.dead >> card) & 1:
            return 0
        lower = cards.count_cards(options & ~question.dead & ((1 << card) - 1))
        return (lower + (1 if options & question.dead else 0)) % question.answers

    @jit
    def answer_of(memory: Row, sight: Row, seat: int, question: Question) -> int:
        """The answer that a hand gives which is seen."""
        if question.slot != NO_SLOT:
            options = memory[notes.learnt + seat * layout.hand_size + question.slot]
            return heap_of(question, options, cards.face_at(sight, seat, question.slot))
        for place in range(question.answers - 1):
            wanted = question.playable if place < question.plays else question.dead
            if (wanted >> cards.face_at(sight, seat, memory[notes.listed + place])) & 1:
                return place
        return question.answers - 1

    @jit
    def learn(memory: Row, seat: int, question: Question, answer: int) -> None:
        """Narrow what the cards can be by an answer."""
        row = notes.learnt + seat * layout.hand_size
        if question.slot != NO_SLOT:
            options, kept = memory[row + question.slot], 0
            for card in range(layout.cards):
                if (options >> card) & 1 and heap_of(question, options, card) == answer:
                    kept |= 1 << card
            memory[row + question.slot] = kept
            return
        for place in range(min(answer + 1, question.answers - 1)):
            wanted = question.playable if place < question.plays else question.dead
            memory[row + memory[notes.listed + place]] &= wanted if place == answer else ~wanted

    return Questions(first, following, answer_of, learn)


class Hats(NamedTuple):
    """The functions that say a sum of hats and take one in."""

    hat_sum: Callable[[Row, Row, int, int, int], int]
    hear: Callable[[Row, int, Row, int, int, int, int], None]


def build_hats(kernel: Kernel, jit: Jit, notes: HatMemory, cards: Cards, questions: Questions) -> Hats:
    """The functions that say a sum of hats and take one in."""
    layout = kernel.layout

    @jit
    def hat_of(memory: Row, sight: Row, seat: int, messages: int, dead: int) -> int:
        """The hat of a seat whose cards are seen; what its owner would learn from it is written down."""
        hat, factor, question = 0, 1, questions.first(memory, sight, seat, messages, dead)
        while question.answers > 0:
            answer = questions.answer_of(memory, sight, seat, question)
            questions.learn(memory, seat, question, answer)
            hat += answer * factor
            factor *= question.answers
            question = questions.following(memory, sight, seat, question)
        return hat

    @jit
    def put_on(memory: Row, sight: Row, seat: int, messages: int, hat: int, dead: int) -> None:
        """Write down what the owner of a hand learns from its hat."""
        question = questions.first(memory, sight, seat, messages, dead)
        while question.answers > 0:
            questions.learn(memory, seat, question, hat % question.answers)
            hat //= question.answers
            question = questions.following(memory, sight, seat, question)

    @jit
    def hat_sum(memory: Row, sight: Row, giver: int, messages: int, dead: int) -> int:
        """What the giver has to say: the sum of all other hats."""
        total = 0
        for distance in range(layout.players - 1):
            total += hat_of(memory, sight, (giver + 1 + distance) % layout.players, messages, dead)
        return total % messages

    @jit
    def hear(memory: Row, seat: int, sight: Row, giver: int, messages: int, number: int, dead: int) -> None:
        """Take in what a sum of hats told everybody. Whoever looks on sees all hats but its own."""
        others = 0
        for distance in range(layout.players - 1):
            other = (giver + 1 + distance) % layout.players
            if other != seat:
                others += hat_of(memory, sight, other, messages, dead)
        if seat != giver:
            put_on(memory, sight, seat, messages, (number - others) % messages, dead)
        for distance in range(layout.players - 1):
            other = (giver + 1 + distance) % layout.players
            for slot in range(kernel.hand_count(sight, other)):
                learnt = memory[notes.learnt + other * layout.hand_size + slot]
                memory[notes.picture + cards.number_at(sight, other, slot)] = learnt

    return Hats(hat_sum, hear)
