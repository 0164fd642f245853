"""A reference implementation: games kept in lists and sets, with suits of any order and copies, to compare with the kernel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from tamaya.engine.layout import HEAD, SLOT, Layout, layout_of
from tamaya.rules import Ending, LastMistake, Rules

# Suits, and the layout of a game with them.


class Suit(NamedTuple):
    """The values of a suit in the order in which they are placed, and the number of copies of each."""

    order: tuple[int, ...]
    copies: tuple[int, ...]


class Box(NamedTuple):
    """The suits of a game. If `unnamed`, no clue names the last suit's colour and every colour clue touches it."""

    suits: tuple[Suit, ...]
    unnamed: bool = False


def layout_with(box: Box, rules: Rules) -> Layout:
    """The layout of a game by these rules, but with these suits."""
    usual, suits, colours = layout_of(rules), box.suits, len(box.suits)
    values, named = len(suits[0].order), colours - box.unnamed
    cards, deck_size = colours * values, sum(sum(suit.copies) for suit in suits)
    colour_action = usual.colour_action
    value_action = colour_action + (rules.players - 1) * named
    announce_action = value_action + (rules.players - 1) * values
    deck = HEAD + colours + cards
    return usual._replace(
        colours=colours,
        named_colours=named,
        multicolour=colours - 1 if box.unnamed else -1,
        values=values,
        cards=cards,
        every_colour=2**colours - 1,
        every_named_colour=2**named - 1,
        every_value=2**values - 1,
        every_card=2**cards - 1,
        copies=tuple(count for suit in suits for count in suit.copies),
        order=tuple(colour * values + value for colour, suit in enumerate(suits) for value in suit.order),
        deck_size=deck_size,
        maximum=cards,
        value_action=value_action,
        announce_action=announce_action,
        actions=announce_action + (rules.hand_size * colours if rules.announced_plays else 0),
        discards=HEAD + colours,
        deck=deck,
        hands=deck + deck_size,
        size=deck + deck_size + rules.players * rules.hand_size * SLOT,
    )


# The reference implementation.


class Card(NamedTuple):
    """A card's face."""

    colour: int
    value: int


class Act(NamedTuple):
    """An action: of a slot, perhaps with a colour announced, or a clue for the player at a distance."""

    kind: str
    slot: int = 0
    colour: int | None = None
    distance: int = 0
    value: int | None = None


@dataclass(eq=False)
class Held:
    """A card in a hand, and what clues have told of it."""

    number: int
    card: Card
    colours: set[int]
    values: set[int]
    named: set[int] = field(default_factory=set)
    named_values: set[int] = field(default_factory=set)


class Last(NamedTuple):
    """What the last action did."""

    action: int = 0
    card: Card | None = None
    number: int = 0
    touched: tuple[int, ...] = ()
    placed: bool = False
    gained: int = 0


class Referee:
    """Keeps a game in lists and sets, and derives every answer from them."""

    def __init__(self, box: Box, rules: Rules, deck: Sequence[Card]) -> None:
        self.box, self.rules = box, rules
        self.deck = list(enumerate(deck))
        self.fireworks: list[list[Card]] = [[] for _ in box.suits]
        self.discards: list[Card] = []
        self.hands: list[list[Held]] = [[] for _ in range(rules.players)]
        self.tokens, self.mistakes, self.turn, self.seat = rules.clue_tokens, 0, 0, 0
        self.turns_left: int | None = None
        self.ending: Ending | None = None
        self.last = Last()
        for hand in self.hands:
            for _ in range(rules.hand_size):
                self._draw(hand)

    @cached_property
    def values(self) -> range:
        return range(len(self.box.suits[0].order))

    @cached_property
    def colours(self) -> range:
        return range(len(self.box.suits))

    @cached_property
    def cards(self) -> list[Card]:
        return [Card(colour, value) for colour in self.colours for value in self.values]

    @cached_property
    def actions(self) -> list[Act]:
        """All actions, in the order of their numbers."""
        slots, others = range(self.rules.hand_size), range(1, self.rules.players)
        named = self.colours[: len(self.colours) - self.box.unnamed]
        return [
            *(Act("discard", slot) for slot in slots),
            *(Act("play", slot) for slot in slots),
            *(Act("clue", distance=distance, colour=colour) for distance in others for colour in named),
            *(Act("clue", distance=distance, value=value) for distance in others for value in self.values),
            *(Act("play", slot, colour) for slot in slots for colour in self.colours if self.rules.announced_plays),
        ]

    # Queries.

    def left(self, card: Card) -> int:
        """The number of copies in hands and in the deck."""
        return sum(held.card == card for hand in self.hands for held in hand) + sum(face == card for _, face in self.deck)

    def needed(self, colour: int) -> list[Card]:
        """The cards that a firework still needs, in order."""
        return [Card(colour, value) for value in self.box.suits[colour].order][len(self.fireworks[colour]) :]

    def next_card(self, colour: int) -> Card | None:
        return next(iter(self.needed(colour)), None)

    def still_placed(self, colour: int) -> list[Card]:
        """The cards that can still be placed: those needed, up to the first that is gone."""
        found: list[Card] = []
        for card in self.needed(colour):
            if not self.left(card):
                break
            found.append(card)
        return found

    def points(self) -> int:
        return sum(map(len, self.fireworks))

    def maximum(self) -> int:
        most = sum(len(self.still_placed(colour)) for colour in self.colours)
        if self.ending is not None:
            most = 0
        elif self.turns_left is not None:
            most = min(most, self.turns_left)
        return self.points() + most

    def score(self) -> int:
        if self.rules.all_or_nothing:
            return self.points() if self.ending in (None, Ending.WON) else 0
        return 0 if self.ending is Ending.MISTAKES and self.rules.last_mistake is LastMistake.ZERO else self.points()

    def touches(self, act: Act, card: Card) -> bool:
        if act.value is not None:
            return card.value == act.value
        return card.colour == act.colour or (self.box.unnamed and card.colour == self.colours[-1])

    def is_legal(self, act: Act) -> bool:
        if self.ending is not None:
            return False
        if act.kind == "clue":
            hand = self.hands[(self.seat + act.distance) % self.rules.players]
            return self.tokens > 0 and (self.rules.empty_clues or any(self.touches(act, held.card) for held in hand))
        return act.slot < len(self.hands[self.seat]) and (act.kind == "play" or self.tokens < self.rules.clue_tokens)

    def fits(self, act: Act) -> bool:
        card = self.hands[self.seat][act.slot].card
        return self.next_card(card.colour) == card and act.colour in (None, card.colour)

    # Actions.

    def take(self, act: Act) -> None:
        self.turn += 1
        self.last = Last(self.actions.index(act))
        last_turns = self.turns_left is not None
        if act.kind == "clue":
            self._clue(act)
        else:
            self._lose_card(act)
            if self.ending is None:
                self._draw(self.hands[self.seat])
        self.seat = (self.seat + 1) % self.rules.players
        if self.ending is not None:
            return
        if last_turns and self.turns_left is not None:
            self.turns_left -= 1
            if not self.turns_left:
                self.ending = Ending.POINTS
        elif self.rules.all_or_nothing and not any(map(self.is_legal, self.actions)):
            self.ending = Ending.DEADLOCK

    def _clue(self, act: Act) -> None:
        self.tokens -= 1
        hand, touched = self.hands[(self.seat + act.distance) % self.rules.players], []
        for slot, held in enumerate(hand):
            is_touched = self.touches(act, held.card)
            if is_touched:
                touched.append(slot)
            if act.colour is not None:
                held.named |= {act.colour} if is_touched else set()
                held.colours = {colour for colour in held.colours if self.touches(act, Card(colour, 0)) == is_touched}
            if act.value is not None:
                held.named_values |= {act.value} if is_touched else set()
                held.values = {value for value in held.values if (value == act.value) == is_touched}
        self.last = self.last._replace(touched=tuple(touched))

    def _lose_card(self, act: Act) -> None:
        placed, announced = act.kind == "play" and self.fits(act), act.colour is not None
        held = self.hands[self.seat].pop(act.slot)
        card, before = held.card, self.tokens
        if placed:
            self.fireworks[card.colour].append(card)
            self.tokens += announced + (not self.needed(card.colour))
        else:
            self.discards.append(card)
            self.mistakes += act.kind == "play"
            self.tokens += act.kind == "discard"
        self.tokens = min(self.tokens, self.rules.clue_tokens)
        self.last = self.last._replace(card=card, number=held.number, placed=placed, gained=self.tokens - before)
        if self.mistakes == self.rules.mistakes:
            self.ending = Ending.MISTAKES
        elif not any(map(self.needed, self.colours)):
            self.ending = Ending.WON
        elif self.rules.all_or_nothing and self.still_placed(card.colour) != self.needed(card.colour):
            self.ending = Ending.MISSING_CARD

    def _draw(self, hand: list[Held]) -> None:
        if self.deck:
            hand.append(Held(*self.deck.pop(0), colours=set(self.colours), values=set(self.values)))
            if not self.deck and not self.rules.all_or_nothing:
                self.turns_left = self.rules.players
