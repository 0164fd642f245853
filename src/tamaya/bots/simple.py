"""The beginner's rules: play what is known to fit, clue what can be played, discard the oldest card nobody spoke of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, NamedTuple

from tamaya.bots.cards import Cards, build_cards
from tamaya.bots.memory import NOTHING, ONE, PER_CARD, plan
from tamaya.bots.policy import Blueprint, PolicyFunctions
from tamaya.bots.policy_bot import PolicyBot
from tamaya.engine.kernel import Constants, Jit, Kernel, Row
from tamaya.engine.layout import CLUES, HEIGHT, LAST_TURNS, MISTAKES, SEAT, layout_of
from tamaya.rules import Message, Rules, say

CLEAR, VAGUE = 10, 3  # what a clue is worth that makes a card surely playable, or only speaks of a playable one
RESERVE = 2  # clue tokens below this are kept for clear clues and for saving cards
NONE = -1


class SimpleMemory(NamedTuple):
    """What is worked out on a turn; nothing is kept."""

    scratch: Annotated[int, NOTHING]
    unseen: Annotated[int, PER_CARD]  # copies that the player does not see
    idea: Annotated[int, ONE]  # which idea applied
    words: Annotated[int, NOTHING]


class SimpleBoard(NamedTuple):
    """What lies open: sets of cards."""

    playable: int
    dead: int
    last_copies: int


class SimpleSurvey(NamedTuple):
    """The functions that look at the table."""

    survey: Callable[[Row, Row], SimpleBoard]
    possible: Callable[[Row, Row, int], int]
    teammates: Callable[[Row], int]
    oldest: Callable[[Row, int], int]
    touched: Callable[[Row, int], int]


def build_looking(kernel: Kernel, jit: Jit, constants: Constants, notes: SimpleMemory, cards: Cards) -> SimpleSurvey:
    """The functions that look at the table."""
    layout, copies = kernel.layout, constants(kernel.layout.copies)

    @jit
    def survey(memory: Row, sight: Row) -> SimpleBoard:
        """Count what the player does not see, and say which cards fit, which are dead and which are the last of their kind."""
        cards.count_out(memory, sight, notes.unseen)
        me = sight[SEAT] + 0
        for seat in range(layout.players):
            if seat != me:
                for slot in range(kernel.hand_count(sight, seat)):
                    memory[notes.unseen + cards.face_at(sight, seat, slot)] -= 1
        playable, last_copies, dead = 0, 0, cards.dead_cards(sight)
        for colour in range(layout.colours):
            height = sight[layout.fireworks + colour] + 0
            if height < HEIGHT:
                playable |= 1 << (colour * HEIGHT + height)
        for card in range(layout.cards):
            if sight[layout.discards + card] == copies[card] - 1:
                last_copies |= 1 << card
        return SimpleBoard(playable, dead, last_copies & ~dead)

    @jit
    def possible(memory: Row, sight: Row, slot: int) -> int:
        """What one of the player's own cards can be: left open by the clues, and not all seen elsewhere."""
        options = cards.told_cards(sight, sight[SEAT] + 0, slot)
        for card in range(layout.cards):
            if memory[notes.unseen + card] <= 0:
                options &= ~(1 << card)
        return options

    @jit
    def teammates(sight: Row) -> int:
        """How many of those who come next still have a turn."""
        return min(sight[LAST_TURNS] - 1 if sight[LAST_TURNS] > 0 else layout.players, layout.players - 1)

    @jit
    def oldest(sight: Row, seat: int) -> int:
        """The slot of the oldest card of a hand that no clue has touched."""
        best = NONE
        for slot in range(kernel.hand_count(sight, seat)):
            older = best == NONE or cards.number_at(sight, seat, slot) < cards.number_at(sight, seat, best)
            if older and not cards.is_clued(sight, seat, slot):
                best = slot
        return best

    @jit
    def touched(sight: Row, action: int) -> int:
        """How many cards a clue touches."""
        count, seat = 0, cards.target_of(sight[SEAT] + 0, action)
        for slot in range(kernel.hand_count(sight, seat)):
            count += (cards.matching(action) >> cards.face_at(sight, seat, slot)) & 1
        return count

    return SimpleSurvey(survey, possible, teammates, oldest, touched)


class SimpleClues(NamedTuple):
    """The functions that find a clue, or `NONE`."""

    saving: Callable[[Row, Row, SimpleBoard], int]
    best: Callable[[Row, Row, SimpleBoard, int], int]
    widest: Callable[[Row, Row], int]


def build_clues(kernel: Kernel, jit: Jit, cards: Cards, looking: SimpleSurvey) -> SimpleClues:
    """The functions that find a clue, or `NONE`."""
    layout = kernel.layout

    @jit
    def is_sure(options: int, wanted: int) -> bool:
        """Whether a card that is one of these is a wanted one, whichever it is."""
        return options != 0 and options & ~wanted == 0

    @jit
    def is_useful(sight: Row, mask: Row, action: int) -> bool:
        """Whether a clue is legal and its receiver can still make use of it; where nobody can, whether it is legal."""
        distance = (cards.target_of(sight[SEAT] + 0, action) - sight[SEAT] - 1) % layout.players
        return mask[action] == 1 and (distance < looking.teammates(sight) or looking.teammates(sight) == 0)

    @jit
    def known_plays(sight: Row, board: SimpleBoard) -> int:
        """Cards that some other hand holds and whose owner already knows them to be playable."""
        found = 0
        for seat in range(layout.players):
            if seat != sight[SEAT]:
                for slot in range(kernel.hand_count(sight, seat)):
                    if is_sure(cards.told_cards(sight, seat, slot), board.playable):
                        found |= 1 << cards.face_at(sight, seat, slot)
        return found

    @jit
    def worth(sight: Row, board: SimpleBoard, action: int) -> int:
        """What a clue is worth: for each card it speaks of that can be played, less those it brings into play for nothing."""
        seat, match, told, total = (
            cards.target_of(sight[SEAT] + 0, action),
            cards.matching(action),
            known_plays(sight, board),
            0,
        )
        for slot in range(kernel.hand_count(sight, seat)):
            face = 1 << cards.face_at(sight, seat, slot)
            before = cards.told_cards(sight, seat, slot)
            if face & match and face & board.playable and not face & told:
                told |= face
                if is_sure(before & match, board.playable) and not is_sure(before, board.playable):
                    total += CLEAR
                elif before & match != before:
                    total += VAGUE
            elif face & match and not cards.is_clued(sight, seat, slot):
                total -= 1
        return total

    @jit
    def has_something_to_do(sight: Row, board: SimpleBoard, seat: int) -> bool:
        """Whether a teammate knows a card to play, or one that is useless."""
        for slot in range(kernel.hand_count(sight, seat)):
            options = cards.told_cards(sight, seat, slot)
            if is_sure(options, board.playable) or is_sure(options, board.dead):
                return True
        return False

    @jit
    def saving(sight: Row, mask: Row, board: SimpleBoard) -> int:
        """A clue that keeps a teammate, the next one first, from discarding the last copy of a card."""
        if sight[LAST_TURNS] > 0:
            return NONE
        for distance in range(looking.teammates(sight)):
            seat = (sight[SEAT] + 1 + distance) % layout.players
            slot = looking.oldest(sight, seat)
            face = cards.face_at(sight, seat, slot) if slot >= 0 else 0
            if slot >= 0 and (board.last_copies >> face) & 1 and not has_something_to_do(sight, board, seat):
                best, most, fewest = NONE, 0, 0
                for action in range(layout.colour_action, layout.announce_action):
                    if (
                        mask[action]
                        and cards.target_of(sight[SEAT] + 0, action) == seat
                        and (cards.matching(action) >> face) & 1
                    ):
                        value, width = worth(sight, board, action), looking.touched(sight, action)
                        if best == NONE or value > most or (value == most and width < fewest):
                            best, most, fewest = action, value, width
                return best
            if sight[CLUES] < RESERVE:
                return NONE  # the tokens must do for the next player
        return NONE

    @jit
    def best(sight: Row, mask: Row, board: SimpleBoard, least: int) -> int:
        """The clue that helps most, if it is worth that much."""
        chosen, most = NONE, least - 1
        for action in range(layout.colour_action, layout.announce_action):
            if is_useful(sight, mask, action):
                value = worth(sight, board, action)
                if value > most:
                    chosen, most = action, value
        return chosen

    @jit
    def widest(sight: Row, mask: Row) -> int:
        """With nothing better to do, the clue that touches most and so costs least."""
        chosen, most = NONE, -1
        for action in range(layout.colour_action, layout.announce_action):
            if is_useful(sight, mask, action) and looking.touched(sight, action) > most:
                chosen, most = action, looking.touched(sight, action)
        return chosen

    return SimpleClues(saving, best, widest)


def build_simple(kernel: Kernel, jit: Jit, constants: Constants) -> PolicyFunctions:
    """The policy: the first idea that applies and is legal; when none is, whatever risks least."""
    layout, notes, cards = kernel.layout, plan(SimpleMemory, kernel.layout), build_cards(kernel, jit, constants)
    looking = build_looking(kernel, jit, constants, notes, cards)
    clues = build_clues(kernel, jit, cards, looking)

    @jit
    def begin(memory: Row, sight: Row) -> None:
        """There is nothing to prepare."""

    @jit
    def notice(memory: Row, seat: int, before: Row, after: Row) -> None:
        """There is nothing to remember."""

    @jit
    def safe_play(memory: Row, sight: Row, board: SimpleBoard) -> int:
        """A card that surely fits, low ones first; its colour is announced where it is known and that earns something."""
        best, lowest, options = NONE, HEIGHT, 0
        for slot in range(kernel.hand_count(sight, sight[SEAT])):
            possible = looking.possible(memory, sight, slot)
            if possible and possible & ~board.playable == 0:
                value = 0
                while not possible & (cards.one_value << value):
                    value += 1
                if value < lowest:
                    best, lowest, options = slot, value, possible
        return cards.play(best, options) if best >= 0 else NONE

    @jit
    def likeliest(memory: Row, sight: Row, wanted: int) -> int:
        """The slot with the largest share of wanted cards among those it can be; `NONE` where no slot can be one."""
        best, most, out_of = NONE, 0, 1
        for slot in range(kernel.hand_count(sight, sight[SEAT])):
            possible = looking.possible(memory, sight, slot)
            some, all_of_them = cards.count_cards(possible & wanted), cards.count_cards(possible)
            if some * out_of > most * all_of_them:
                best, most, out_of = slot, some, all_of_them
        return best

    @jit
    def last_chance(memory: Row, sight: Row, board: SimpleBoard) -> int:
        """In one's last turn a mistake that does not end the game costs nothing, so the likeliest card is tried."""
        if sight[LAST_TURNS] == 0 or sight[MISTAKES] + 1 >= layout.mistakes:
            return NONE
        slot = likeliest(memory, sight, board.playable)
        return layout.play_action + slot if slot >= 0 else NONE

    @jit
    def useless_discard(memory: Row, sight: Row, board: SimpleBoard) -> int:
        for slot in range(kernel.hand_count(sight, sight[SEAT])):
            possible = looking.possible(memory, sight, slot)
            if possible and possible & ~board.dead == 0:
                return layout.discard_action + slot
        return NONE

    @jit
    def oldest_discard(sight: Row) -> int:
        slot = looking.oldest(sight, sight[SEAT] + 0)
        return layout.discard_action + slot if slot >= 0 else NONE

    @jit
    def last_resort(memory: Row, sight: Row, mask: Row, board: SimpleBoard) -> int:
        """Discard the card least likely to be missed, or play the one most likely to fit."""
        if mask[layout.discard_action]:
            return layout.discard_action + max(likeliest(memory, sight, board.dead), 0)
        return layout.play_action + max(likeliest(memory, sight, board.playable), 0)

    @jit
    def idea_of(memory: Row, sight: Row, mask: Row, board: SimpleBoard, idea: int) -> int:
        """The action that an idea of `IDEAS` leads to, or `NONE`."""
        if idea == 0:
            return safe_play(memory, sight, board)
        if idea == 1:
            return clues.saving(sight, mask, board)
        if idea == 2:
            return clues.best(sight, mask, board, CLEAR)
        if idea == 3:
            return last_chance(memory, sight, board)
        if idea == 4:
            return useless_discard(memory, sight, board)
        if idea == 5:
            return clues.best(sight, mask, board, VAGUE) if sight[CLUES] >= RESERVE else NONE
        if idea == 6:
            return oldest_discard(sight)
        if idea == 7:
            return clues.widest(sight, mask)
        return last_resort(memory, sight, mask, board)

    @jit
    def choose(memory: Row, sight: Row, mask: Row, luck: int) -> int:
        """The first idea that applies and is legal."""
        board, idea = looking.survey(memory, sight), 0
        action = idea_of(memory, sight, mask, board, idea)
        while action < 0 or not mask[action]:
            idea += 1
            action = idea_of(memory, sight, mask, board, idea)
        memory[notes.idea] = idea + 1
        return action

    return PolicyFunctions(notes.scratch, notes.words, begin, choose, notice)


IDEAS: tuple[Message, ...] = (
    say("I knew that this card fits."),
    say("I wanted to keep a card from being discarded of which there is no other left."),
    say("I wanted a card to be played that can be."),
    say("It was my last turn, and a mistake cost nothing any more."),
    say("I knew that this card is of no use."),
    say("I wanted to say something about a card that can be played."),
    say("It was the oldest of my cards that nobody has spoken of."),
    say("I had nothing better to do than to give a clue."),
    say("I had no good action left and took the one least likely to harm."),
)
"""What it may do, best first, in the words that it has for it afterwards."""


def explain_simple(rules: Rules, memory: Sequence[int]) -> Message | None:
    """The idea that applied."""
    idea = memory[plan(SimpleMemory, layout_of(rules)).idea]
    return IDEAS[idea - 1] if idea else None


SIMPLE = Blueprint(build_simple, public=True, explain=explain_simple, on_gpu=True)


class SimpleBot(PolicyBot):
    """A cautious beginner. It plays what it knows to fit, tells others what they can play, and saves what must not go."""

    def __init__(self) -> None:
        super().__init__(SIMPLE)
