"""The beginner: plays what is known to fit, clues what can be played, discards the oldest unclued card."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from tamaya.bots import cards
from tamaya.bots.policy import PER_CARD, Memory, Policy, Scratch
from tamaya.bots.policy_bot import PolicyBot
from tamaya.engine.instances import Options, Row
from tamaya.engine.kernel.clues import ONE_VALUE, matching, possible_cards, target_of
from tamaya.engine.kernel.ending import next_card
from tamaya.engine.kernel.hands import card_at, hand_count, number_at
from tamaya.engine.layout import CLUES, LAST_TURNS, MISTAKES, NO_CARD, SEAT, copies, layout
from tamaya.rules import Message, Rules, say

OPTIONS = Options()
CLEAR, VAGUE = 10, 3  # the worth of a clue that makes a card surely playable, or merely touches a playable one
RESERVE = 2  # fewer clue tokens are not spent on vague clues, nor to save cards beyond the next player's
NONE = -1


class SimpleMemory(Memory):
    """Only scratch: everything is worked out anew on each turn."""

    scratch: Scratch
    unseen: Annotated[Row, PER_CARD]  # copies that the player does not see
    idea: int  # the number of the idea that applied, from 1


class SimpleBoard(NamedTuple):
    """Sets of cards that follow from the open table."""

    playable: int
    useless: int
    last_copies: int


def survey(memory: SimpleMemory, sight: Row) -> SimpleBoard:
    """Count the cards that the player does not see; return which cards fit, which are useless and which are last copies."""
    cards.count_left(memory.unseen, sight)
    me = sight[SEAT] + 0
    for seat in range(layout.players):
        if seat != me:
            for slot in range(hand_count(sight, seat)):
                memory.unseen[card_at(sight, seat, slot)] -= 1
    playable, last_copies, useless = 0, 0, cards.useless_cards(sight)
    for colour in range(layout.colours):
        card = next_card(sight, colour)
        if card != NO_CARD:
            playable |= 1 << card
    for card in range(layout.cards):
        if sight[layout.discards + card] == copies[card] - 1:
            last_copies |= 1 << card
    return SimpleBoard(playable, useless, last_copies & ~useless)


def options_of(memory: SimpleMemory, sight: Row, slot: int) -> int:
    """What one of the player's own cards can be: left open by the clues, and not all seen elsewhere."""
    options = possible_cards(sight, sight[SEAT] + 0, slot)
    for card in range(layout.cards):
        if memory.unseen[card] <= 0:
            options &= ~(1 << card)
    return options


def active_teammates(sight: Row) -> int:
    """How many of the following players still have a turn."""
    return min(sight[LAST_TURNS] - 1 if sight[LAST_TURNS] > 0 else layout.players, layout.players - 1)


def oldest_unclued(sight: Row, seat: int) -> int:
    """The slot of the oldest card of a hand that no clue has touched."""
    best = NONE
    for slot in range(hand_count(sight, seat)):
        older = best == NONE or number_at(sight, seat, slot) < number_at(sight, seat, best)
        if older and not cards.is_clued(sight, seat, slot):
            best = slot
    return best


def touched_count(sight: Row, action: int) -> int:
    """How many cards a clue touches."""
    count, seat = 0, target_of(sight[SEAT] + 0, action)
    for slot in range(hand_count(sight, seat)):
        count += (matching(action) >> card_at(sight, seat, slot)) & 1
    return count


def is_sure(options: int, wanted: int) -> bool:
    """Whether a card with these options is surely a wanted one."""
    return options != 0 and options & ~wanted == 0


def is_useful(sight: Row, mask: Row, action: int) -> bool:
    """Whether a clue is legal and its receiver still has a turn, or no teammate has."""
    distance = (target_of(sight[SEAT] + 0, action) - sight[SEAT] - 1) % layout.players
    return mask[action] == 1 and (distance < active_teammates(sight) or active_teammates(sight) == 0)


def known_plays(sight: Row, board: SimpleBoard) -> int:
    """The cards in other hands whose owners already know them to be playable."""
    found = 0
    for seat in range(layout.players):
        if seat != sight[SEAT]:
            for slot in range(hand_count(sight, seat)):
                if is_sure(possible_cards(sight, seat, slot), board.playable):
                    found |= 1 << card_at(sight, seat, slot)
    return found


def clue_worth(sight: Row, board: SimpleBoard, action: int) -> int:
    """The worth of a clue: points for each playable card it touches, minus one for each other card that it newly touches."""
    seat, match, told, total = (
        target_of(sight[SEAT] + 0, action),
        matching(action),
        known_plays(sight, board),
        0,
    )
    for slot in range(hand_count(sight, seat)):
        face = 1 << card_at(sight, seat, slot)
        before = possible_cards(sight, seat, slot)
        if face & match and face & board.playable and not face & told:
            told |= face
            if is_sure(before & match, board.playable) and not is_sure(before, board.playable):
                total += CLEAR
            elif before & match != before:
                total += VAGUE
        elif face & match and not cards.is_clued(sight, seat, slot):
            total -= 1
    return total


def has_something_to_do(sight: Row, board: SimpleBoard, seat: int) -> bool:
    """Whether a teammate knows a card to play, or a useless one."""
    for slot in range(hand_count(sight, seat)):
        options = possible_cards(sight, seat, slot)
        if is_sure(options, board.playable) or is_sure(options, board.useless):
            return True
    return False


def saving_clue(sight: Row, mask: Row, board: SimpleBoard) -> int:
    """A clue that keeps a teammate, the next one first, from discarding the last copy of a card."""
    if sight[LAST_TURNS] > 0:
        return NONE
    for distance in range(active_teammates(sight)):
        seat = (sight[SEAT] + 1 + distance) % layout.players
        slot = oldest_unclued(sight, seat)
        face = card_at(sight, seat, slot) if slot >= 0 else 0
        if slot >= 0 and (board.last_copies >> face) & 1 and not has_something_to_do(sight, board, seat):
            best, most, fewest = NONE, 0, 0
            for action in range(layout.colour_action, layout.announce_action):
                if mask[action] and target_of(sight[SEAT] + 0, action) == seat and (matching(action) >> face) & 1:
                    value, width = clue_worth(sight, board, action), touched_count(sight, action)
                    if best == NONE or value > most or (value == most and width < fewest):
                        best, most, fewest = action, value, width
            return best
        if sight[CLUES] < RESERVE:
            return NONE  # the tokens must do for the next player
    return NONE


def best_clue(sight: Row, mask: Row, board: SimpleBoard, least: int) -> int:
    """The most helpful clue, if it is worth at least this much."""
    chosen, most = NONE, least - 1
    for action in range(layout.colour_action, layout.announce_action):
        if is_useful(sight, mask, action):
            value = clue_worth(sight, board, action)
            if value > most:
                chosen, most = action, value
    return chosen


def widest_clue(sight: Row, mask: Row) -> int:
    """The clue that touches most cards, and so costs least when there is nothing better to do."""
    chosen, most = NONE, -1
    for action in range(layout.colour_action, layout.announce_action):
        if is_useful(sight, mask, action) and touched_count(sight, action) > most:
            chosen, most = action, touched_count(sight, action)
    return chosen


def safe_play(memory: SimpleMemory, sight: Row, board: SimpleBoard) -> int:
    """Play a card that surely fits, low ones first; announce its colour where that is known and earns a token."""
    best, lowest, fitting = NONE, layout.values, 0
    for slot in range(hand_count(sight, sight[SEAT])):
        options = options_of(memory, sight, slot)
        if options and options & ~board.playable == 0:
            value = 0
            while not options & (ONE_VALUE << value):
                value += 1
            if value < lowest:
                best, lowest, fitting = slot, value, options
    return cards.play(best, fitting) if best >= 0 else NONE


def likeliest(memory: SimpleMemory, sight: Row, wanted: int) -> int:
    """The slot with the largest share of wanted cards among its options; `NONE` if no slot can be one."""
    best, most, out_of = NONE, 0, 1
    for slot in range(hand_count(sight, sight[SEAT])):
        options = options_of(memory, sight, slot)
        some, all_of_them = cards.count_cards(options & wanted), cards.count_cards(options)
        if some * out_of > most * all_of_them:
            best, most, out_of = slot, some, all_of_them
    return best


def last_chance(memory: SimpleMemory, sight: Row, board: SimpleBoard) -> int:
    """Try the likeliest card on the last turn if a mistake does not end the game, as it then costs nothing."""
    if sight[LAST_TURNS] == 0 or sight[MISTAKES] + 1 >= layout.mistakes:
        return NONE
    slot = likeliest(memory, sight, board.playable)
    return layout.play_action + slot if slot >= 0 else NONE


def useless_discard(memory: SimpleMemory, sight: Row, board: SimpleBoard) -> int:
    """Discard a card that is known to be useless."""
    for slot in range(hand_count(sight, sight[SEAT])):
        options = options_of(memory, sight, slot)
        if options and options & ~board.useless == 0:
            return layout.discard_action + slot
    return NONE


def oldest_discard(sight: Row) -> int:
    """Discard the oldest card that no clue has touched."""
    slot = oldest_unclued(sight, sight[SEAT] + 0)
    return layout.discard_action + slot if slot >= 0 else NONE


def last_resort(memory: SimpleMemory, sight: Row, mask: Row, board: SimpleBoard) -> int:
    """Discard the card least likely to be missed, or play the one most likely to fit."""
    if mask[layout.discard_action]:
        return layout.discard_action + max(likeliest(memory, sight, board.useless), 0)
    return layout.play_action + max(likeliest(memory, sight, board.playable), 0)


def idea_of(memory: SimpleMemory, sight: Row, mask: Row, board: SimpleBoard, idea: int) -> int:
    """The action that an idea of `IDEAS` leads to, or `NONE`."""
    if idea == 0:
        return safe_play(memory, sight, board)
    if idea == 1:
        return saving_clue(sight, mask, board)
    if idea == 2:
        return best_clue(sight, mask, board, CLEAR)
    if idea == 3:
        return last_chance(memory, sight, board)
    if idea == 4:
        return useless_discard(memory, sight, board)
    if idea == 5:
        return best_clue(sight, mask, board, VAGUE) if sight[CLUES] >= RESERVE else NONE
    if idea == 6:
        return oldest_discard(sight)
    if idea == 7:
        return widest_clue(sight, mask)
    return last_resort(memory, sight, mask, board)


def choose(memory: SimpleMemory, sight: Row, mask: Row, random_bits: int) -> int:
    """The first of `IDEAS` that applies and is legal."""
    board, idea = survey(memory, sight), 0
    action = idea_of(memory, sight, mask, board, idea)
    while action < 0 or not mask[action]:
        idea += 1
        action = idea_of(memory, sight, mask, board, idea)
    memory.idea = idea + 1
    return action


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
"""What it may do, best first, in its own words."""


def explain_simple(rules: Rules, memory: SimpleMemory) -> Message | None:
    """The idea that applied."""
    return IDEAS[memory.idea - 1] if memory.idea else None


SIMPLE = Policy(choose, memory=SimpleMemory, public_memory=True, explain=explain_simple, on_gpu=True)


class SimpleBot(PolicyBot):
    """A cautious beginner. It plays what it knows to fit, points out playable cards, and saves last copies."""

    def __init__(self) -> None:
        super().__init__(SIMPLE)
