"""The conventions of the convention bot, one idea at a time, each with a position in which it shows.

Hands are written from the oldest card to the newest, seat by seat; the cards after them are drawn in that order.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache

from tamaya.bots import BOT_NAMES, DEFAULT_BOT, make_bot
from tamaya.bots.protocol import ExplainingBot
from tamaya.engine import Event, Game
from tamaya.rules import Action, Card, Clue, Discard, Message, Play, Rules, read_card, say

RULES = Rules(players=3)
THINKER, OTHER = BOT_NAMES[:2]
QUIET_HAND = "Y4 W4 B3 G4 Y3"
"""A hand without anything to clue at the beginning."""


@dataclass(frozen=True)
class Idea:
    """A convention, and a position in which the bot to move acts by it.

    `eyes` is the viewer's seat, `points` the seat and slot of the card in question, `answer` the bot's action.
    """

    title: Message
    words: Message
    cards: tuple[str, ...]
    actions: tuple[str, ...]
    eyes: int
    points: tuple[int, int]
    answer: Action

    @property
    def game(self) -> Game:
        """The position."""
        game = Game(RULES, deck=_deck(self.cards))
        for action in self.actions:
            game.act(action)
        return game

    def names(self, reader: str) -> tuple[str, ...]:
        """The names by seat; the viewer's seat has the name given."""
        moving = self.game.to_move
        return tuple(reader if seat == self.eyes else THINKER if seat == moving else OTHER for seat in range(RULES.players))


def _deck(cards: tuple[str, ...]) -> list[Card]:
    """A whole deck with these cards on top."""
    top = [read_card(word) for part in cards for word in part.split()]
    left = Counter({card: RULES.copies(card) for card in RULES.cards})
    left.subtract(top)
    return top + list(left.elements())


@cache
def bot_reason(idea: Idea) -> Message | None:
    """The bot's own reason for its answer."""
    game, bot = idea.game, make_bot(DEFAULT_BOT)
    assert game.to_move is not None
    bot.act(game.view(game.to_move))
    why = bot.explain() if isinstance(bot, ExplainingBot) else None
    return why if isinstance(why, Message) else None


def bot_event(idea: Idea) -> Event:
    """The event of the bot's answer."""
    return idea.game.act(idea.answer)


IDEAS: tuple[Idea, ...] = (
    Idea(
        say("The oldest card goes first"),
        say(
            "New cards come in on the right. Whoever knows nothing better discards the oldest card that no clue has touched: "
            "that is the one to watch in every hand."
        ),
        (QUIET_HAND, "G3 R4 B4 W3 Y3", "R3 W1 G4 B3 B4"),
        ("clue 3 1",),
        eyes=0,
        points=(1, 0),
        answer=Discard(0),
    ),
    Idea(
        say("A clue is about one card"),
        say(
            "It may touch several, but it means one: the newest of those that had no clue before. Play it. The others are told"
            " in passing: they are useful, later."
        ),
        (QUIET_HAND, "R3 G4 Y4 G1 B4", "R4 W3 Y2 B3 W4"),
        ("clue 2 green",),
        eyes=0,
        points=(1, 3),
        answer=Play(3),
    ),
    Idea(
        say("A 5 is saved in time"),
        say(
            "If a clue touches the card that would go next, it is about that one. A 5 there is told by its value before it is "
            "lost, and a 2 where it would be missed."
        ),
        (QUIET_HAND, "R5 Y3 G3 W3 B4", "B3 W4 G4 Y4 R3"),
        (),
        eyes=2,
        points=(1, 0),
        answer=Clue(1, 5),
    ),
    Idea(
        say("So is the last of its kind"),
        say(
            "One of the two is in the discard pile, the other would go next: it is told, by value or by colour, so that it "
            "stays."
        ),
        ("G4 Y3 W3 B3 R3", "G4 W4 R3 Y4 B4", "R5 Y3 G3 W3 B4"),
        ("clue 3 5", "discard 1"),
        eyes=1,
        points=(0, 0),
        answer=Clue(0, 4),
    ),
    Idea(
        say("What was saved is kept"),
        say(
            "Told “2” about the card that would have gone next, nobody plays it yet: it may be any 2. It stays, and the next "
            "oldest takes its place."
        ),
        (QUIET_HAND, "R2 Y3 G3 W3 B4", "B3 W4 G4 Y4 R3"),
        ("clue 2 2",),
        eyes=0,
        points=(1, 0),
        answer=Discard(1),
    ),
    Idea(
        say("Play it when its turn comes"),
        say(
            "A clue can be about a card that fits a little later, once cards that were told to others are there. Wait for "
            "them, then play."
        ),
        ("Y4 W4 B3 G4 R2", "Y3 W3 G3 B4 B3", "R4 R1 G4 W4 Y4"),
        ("clue 3 1", "clue 1 red", "play 2"),
        eyes=1,
        points=(0, 4),
        answer=Play(4),
    ),
    Idea(
        say("Somebody must have the missing card"),
        say(
            "A clue on a card that does not fit yet makes sense only if one player holds the card before it. If you see it "
            "nowhere, you have it: your newest card without a clue. Play it at once."
        ),
        (QUIET_HAND, "Y3 W3 G3 B3 R1", "R4 W4 R2 B4 Y4"),
        ("clue 3 2",),
        eyes=0,
        points=(1, 4),
        answer=Play(4),
    ),
    Idea(
        say("First look among the cards you were told about"),
        say("If one of them can be the missing card, it is that one, and not your newest."),
        ("Y4 W4 B3 G4 R1", "R2 Y3 W3 G3 B3", "Y1 W4 G1 R3 B4", "B2 B1 B4 Y2"),
        ("clue 2 2", "clue 1 red", "discard 1", "play 5", "discard 2", "clue 1 4", "clue 3 3"),
        eyes=0,
        points=(1, 0),
        answer=Play(0),
    ),
)
"""In teaching order."""

OTHER_AGREEMENTS: tuple[Message, ...] = (
    say("Whatever a clue touches is needed, and told to nobody else already."),
    say("A card that nobody needs any more is discarded before any other."),
    say("Wherever you put your cards, it goes by their age."),
    say("A discard says nothing, and there are no bluffs: it takes a clue for what it looks like."),
    say("With one mistake left it plays only what a clue was about, what others' clues call for, or what is certain."),
    say("If something does not add up, it goes by the words of the clues and by counting."),
)
"""Conventions that need no picture."""
