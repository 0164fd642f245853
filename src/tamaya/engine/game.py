"""A game as an object: its legal actions, acting, views, undo, copies."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import compress
from operator import index
from typing import SupportsIndex

from tamaya.engine.events import Arranged, Clued, Discarded, Event, Played
from tamaya.engine.instances import Setting, instance_of
from tamaya.engine.kernel import deal, ending, turn
from tamaya.engine.kernel.hands import hand_count
from tamaya.engine.layout import (
    CLUES,
    DRAWN,
    ENDED,
    LAST_CARD,
    LAST_GAINED,
    LAST_NUMBER,
    LAST_PLACED,
    LAST_TOUCHED,
    MISTAKES,
    NUMBER,
    RUNNING,
    SEAT,
    SLOT,
    TURN,
    TURNED,
    Layout,
    layout_of,
)
from tamaya.engine.refusals import arrangement_error, game_over_error, illegal_action_error, unknown_player_error
from tamaya.engine.view import Eyes, View, make_view
from tamaya.rules import (
    Action,
    Arrange,
    Card,
    Clue,
    Colour,
    Discard,
    Ending,
    IllegalError,
    MalformedError,
    Move,
    Outcome,
    Play,
    Rules,
    action_of,
    is_scored,
    number_of,
    read_action,
    say,
)
from tamaya.rules.actions import all_actions

SEED_COUNT = 1 << 64


class Game:
    """One game by given `Rules`, dealt from a seed, from a given deck, or at random.

    Properties hold what all players can see. Hidden information leaves through views only: `view` for a seat,
    `spectator_view`, and `table_view` after the end. `legal_actions` are for the player to move; `reveal_hands` and
    `reveal_deck` are for records and for spectators whom a table trusts. The text form of a game is safe to log.
    """

    __slots__ = ("_functions", "_layout", "_log", "_past", "_state", "rules")

    def __init__(self, rules: Rules | None = None, *, seed: int | None = None, deck: Iterable[Card] | None = None) -> None:
        self.rules = rules or Rules()
        self._functions, self._layout = instance_of(Setting(self.rules)), layout_of(self.rules)
        self._state = bytearray(self._layout.size)
        self._past: list[tuple[Move, bytes]] = []
        self._log: list[Event] = []
        if deck is not None:
            self._load_deck(tuple(deck) if isinstance(deck, Iterable) else (deck,))
            self._functions(deal.begin)(self._state)
        else:
            high, low = divmod(checked_seed(seed), 1 << 32)
            self._functions(deal.deal)(self._state, high, low)

    def _load_deck(self, deck: tuple[Card, ...]) -> None:
        if not all(isinstance(card, Card) and isinstance(card.colour, Colour) for card in deck):
            raise MalformedError("bad_deck", say("A deck is made of cards such as {example}.", example="R1"))
        counts = Counter(deck)
        for card in (*self.rules.cards, *counts):
            expected = self.rules.copies(card) if card in self.rules.cards else 0
            if counts[card] != expected:
                raise MalformedError(
                    "bad_deck",
                    say("The deck holds {card} {found}×; these rules need it {expected}×.",
                        card=str(card)[:20], found=counts[card], expected=expected),
                )  # fmt: skip
        start = self._layout.deck
        for place, card in enumerate(deck):
            self._state[start + place] = self.rules.cards.index(card)

    # Public information.

    @property
    def turn(self) -> int:
        """The number of actions taken."""
        return self._state[TURN]

    @property
    def to_move(self) -> int | None:
        """The seat whose turn it is; None when the game is over."""
        return self._state[SEAT] if self._state[ENDED] == RUNNING else None

    @property
    def clue_tokens(self) -> int:
        """The clue tokens available."""
        return self._state[CLUES]

    @property
    def mistakes(self) -> int:
        """The mistakes made."""
        return self._state[MISTAKES]

    @property
    def deck_count(self) -> int:
        """The cards left to draw."""
        return self._layout.deck_size - self._state[DRAWN]

    def hand_numbers(self, seat: int) -> tuple[int, ...]:
        """The numbers under which the cards of a hand were dealt, from left to right."""
        seat = self._checked_seat(seat)
        start = self._layout.hands + seat * self._layout.hand_bytes
        slots = range(self._functions(hand_count)(self._state, seat))
        return tuple(self._state[start + slot * SLOT + NUMBER] for slot in slots)

    @property
    def points(self) -> int:
        """The sum of each firework's highest card."""
        return self._functions(ending.points)(self._state)

    @property
    def maximum(self) -> int:
        """The points still within reach, judging by the cards on the table."""
        return self._functions(ending.maximum)(self._state)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it is running."""
        ended = self._state[ENDED]
        if ended == RUNNING:
            return None
        ending = Ending(ended)
        return Outcome(ending, self.points, self.score if is_scored(self.rules, ending) else None)

    @property
    def score(self) -> int:
        """The points while the game is running, then the score.

        Where the rules give no score it is 0 for a lost game and the maximum for a perfect one.
        """
        return self._functions(ending.score)(self._state)

    @property
    def log(self) -> tuple[Event, ...]:
        """All events so far, as every player saw them."""
        return tuple(self._log)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The actions and rearrangements so far."""
        return tuple(move for move, _ in self._past)

    # Views.

    def view(self, seat: int) -> View:
        """What the player at a seat may know, during the game and after it."""
        seat = self._checked_seat(seat)
        return self._view_of(Eyes(seat, frozenset(range(self.rules.players)) - {seat}))

    def spectator_view(self) -> View:
        """What a spectator may know: no hand at all, because a spectator might talk."""
        return self._view_of(Eyes(None, frozenset()))

    def table_view(self) -> View:
        """All hands face up; allowed after the end only."""
        if self._state[ENDED] == RUNNING:
            raise IllegalError("game_not_over", say("Hands are shown when the game is over."))
        return self.reveal_hands()

    def reveal_hands(self, seat: int | None = None) -> View:
        """All hands face up at any time, seen by a spectator or from a seat.

        For judging a record, for trying moves in a game that is over, and for spectators whom a table trusts.
        """
        place = None if seat is None else self._checked_seat(seat)
        return self._view_of(Eyes(place, frozenset(range(self.rules.players))))

    def _checked_seat(self, seat: int) -> int:
        if type(seat) is not int and (isinstance(seat, bool) or not isinstance(seat, SupportsIndex)):
            last = self.rules.players - 1
            raise MalformedError("malformed_seat", say("A seat is a whole number from 0 to {last}.", last=last))
        if not 0 <= seat < self.rules.players:
            raise unknown_player_error(seat, self.rules.players)
        return int(seat)

    def _view_of(self, eyes: Eyes) -> View:
        actions = tuple(self.legal_actions()) if eyes.seat == self.to_move else ()
        return make_view(self._functions, self._state, eyes, self.log, actions, self.outcome)

    def reveal_deck(self) -> tuple[Card, ...]:
        """The whole deck as it was before the deal, for writing a record only."""
        layout = self._layout
        return tuple(self.rules.cards[card] for card in self._state[layout.deck : layout.hands])

    # Moves.

    def legal_numbers(self) -> list[int]:
        """The numbers of the legal actions, ascending."""
        return [number for number, allowed in enumerate(self._legal_mask()) if allowed]

    def _legal_mask(self) -> bytearray:
        mask = bytearray(self._layout.actions)
        self._functions(turn.legal)(self._state, mask)
        return mask

    def legal_actions(self) -> list[Action]:
        """The actions that the player to move may choose from.

        They reveal what teammates hold: show others a `View`, which has them for that player alone.
        """
        return list(compress(all_actions(self.rules, self._state[SEAT]), self._legal_mask()))

    def act(self, action: Action | str | int) -> Event:
        """Take the turn of the player to move with an action, its text or its number."""
        if self._state[ENDED] != RUNNING:
            raise game_over_error()
        seat = self._state[SEAT]
        wish = self._read(action, seat)
        number = number_of(wish, self.rules, seat)
        if number is None or not self._legal_mask()[number]:
            hand = self._functions(hand_count)(self._state, seat)
            raise illegal_action_error(wish, self.rules, seat, hand, self.clue_tokens)
        taken = all_actions(self.rules, seat)[number]  # a shared object, so that equal games are pickled alike
        told = self.hand_numbers(taken.seat) if isinstance(taken, Clue) else ()
        describe = partial(self._describe, taken, seat, self._state[DRAWN], told)
        self._past.append((taken, bytes(self._state)))
        self._functions(turn.apply)(self._state, number)
        self._log.append(describe())
        return self._log[-1]

    def arrange(self, arrangement: Arrange) -> Event:
        """Rearrange a hand, at any time before the end; takes no turn."""
        if self._state[ENDED] != RUNNING:
            raise game_over_error()
        hand = self._functions(hand_count)(self._state, arrangement.seat) if 0 <= arrangement.seat < self.rules.players else 0
        refusal = arrangement_error(arrangement, self.rules, hand)
        if refusal:
            raise refusal
        self._past.append((arrangement, bytes(self._state)))
        rearrange(self._layout, self._state, arrangement.seat, arrangement.order, arrangement.turned)
        self._log.append(Arranged(self.turn, arrangement.seat, arrangement.order, arrangement.turned))
        return self._log[-1]

    def move(self, move: Move) -> Event:
        """Apply an action or a rearrangement."""
        return self.arrange(move) if isinstance(move, Arrange) else self.act(move)

    def undo(self) -> Event:
        """Take back the last action or rearrangement and return its event."""
        if not self._past:
            raise IllegalError("nothing_to_undo", say("Nothing has happened yet that could be taken back."))
        _, before = self._past.pop()
        self._state[:] = before
        return self._log.pop()

    def at(self, turn: int) -> Game:
        """A copy of the game as it was after `turn` actions, just before the next one."""
        actions = [place for place, (move, _) in enumerate(self._past) if not isinstance(move, Arrange)]
        later = self.turn - turn
        if not 0 <= later <= len(actions):
            first = self.turn - len(actions)
            message = say("This game has turns from {first} to {last}.", first=first, last=self.turn)
            raise IllegalError("no_such_turn", message)
        if later == 0:
            return self.copy()
        place = actions[-later]
        return self._restored(self.rules, self._past[place][1], self._past[:place], self._log[:place])

    def _read(self, action: Action | str | int, seat: int) -> Action:
        if isinstance(action, str):
            return read_action(action)
        if isinstance(action, (Clue, Play, Discard)):
            return action
        return action_of(action, self.rules, seat)

    def _describe(self, action: Action, seat: int, drawn: int, numbers: tuple[int, ...]) -> Event:
        """The event of an action that has just been applied; `drawn` cards had left the deck before it."""
        state = self._state
        drew = drawn if state[DRAWN] > drawn else None
        match action:
            case Clue(target, hint):
                slots = tuple(slot for slot in range(len(numbers)) if state[LAST_TOUCHED] >> slot & 1)
                return Clued(state[TURN], seat, target, hint, slots, tuple(numbers[slot] for slot in slots))
            case Discard(slot):
                card = self.rules.cards[state[LAST_CARD]]
                return Discarded(state[TURN], seat, slot, state[LAST_NUMBER], card, state[LAST_GAINED], drew)
            case Play(slot, announced):
                card = self.rules.cards[state[LAST_CARD]]
                placed, gained, mistakes = bool(state[LAST_PLACED]), state[LAST_GAINED], state[MISTAKES]
                return Played(state[TURN], seat, slot, state[LAST_NUMBER], card, announced, placed, gained, mistakes, drew)

    # Positions and copies.

    @property
    def state(self) -> bytes:
        """The whole position as the kernel's row of bytes (see `tamaya.engine.layout`).

        It contains the deck and every hand: it is for simulators, search and storage, never for a player or a log.
        """
        return bytes(self._state)

    @classmethod
    def from_state(cls, rules: Rules, state: bytes) -> Game:
        """A game from a position of `state` or of a `tamaya.sim.Batch`; it has no history to undo."""
        layout = layout_of(rules)
        cards = Counter(state[layout.deck : layout.hands]) if len(state) == layout.size else Counter()
        if cards != Counter(dict(enumerate(layout.copies))) or state[SEAT] >= rules.players:
            raise MalformedError(
                "bad_state", say("These bytes are no position of a game by these rules: {rules}.", rules=str(rules))
            )
        return cls._restored(rules, state, [], [])

    @classmethod
    def _restored(cls, rules: Rules, state: bytes, past: list[tuple[Move, bytes]], log: list[Event]) -> Game:
        game = object.__new__(cls)
        game.__setstate__((rules, state, past, log))
        return game

    def copy(self) -> Game:
        """An independent game in the same position with the same history."""
        return self._restored(*self.__getstate__())

    def __getstate__(self) -> tuple[Rules, bytes, list[tuple[Move, bytes]], list[Event]]:
        return self.rules, self.state, list(self._past), list(self._log)

    def __setstate__(self, saved: tuple[Rules, bytes, list[tuple[Move, bytes]], list[Event]]) -> None:
        self.rules, state, self._past, self._log = saved
        self._functions, self._layout = instance_of(Setting(self.rules)), layout_of(self.rules)
        self._state = bytearray(state)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.__getstate__() == other.__getstate__()

    def __repr__(self) -> str:
        return f"<Game {self.rules}, turn {self.turn}, {self.points} points>"


def checked_seed(seed: SupportsIndex | None) -> int:
    """Return a valid seed; a random one for None."""
    if seed is None:
        return secrets.randbelow(SEED_COUNT)
    is_whole = isinstance(seed, SupportsIndex) and not isinstance(seed, bool)
    if not is_whole or not 0 <= index(seed) < SEED_COUNT:
        raise MalformedError("bad_seed", say("A seed is a whole number from 0 to {last}.", last=SEED_COUNT - 1))
    return index(seed)


def rearrange(layout: Layout, state: bytearray, seat: int, order: Sequence[int], turned: Sequence[int]) -> None:
    """Put the card of slot ``order[n]`` into slot ``n`` of a hand, and turn the cards of the new slots `turned` sideways."""
    start = layout.hands + seat * layout.hand_bytes
    before = bytes(state[start : start + layout.hand_bytes])
    for new, old in enumerate(order):
        at = start + new * SLOT
        state[at : at + SLOT] = before[old * SLOT : (old + 1) * SLOT]
        state[at + TURNED] = new in turned
