"""What a seat can know of its game, by enumeration: every hand that it may hold, every order of the deck, and bots that play
from views in each world. It shares only the rules and the bots with the search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tamaya import Card, Game, Rules, View
from tamaya.bots import Bot, make_bot
from tamaya.engine import Discarded, Played
from tamaya.rules import Action, Arrange, Move

Cards = tuple[Card, ...]


@dataclass(frozen=True)
class Past:
    """Everything that a seat knows: what it sees, and the moves of all players."""

    view: View
    moves: tuple[Move, ...]

    @classmethod
    def of(cls, game: Game) -> Past:
        assert game.to_move is not None
        return cls(game.view(game.to_move), game.moves)

    @property
    def rules(self) -> Rules:
        return self.view.rules

    @property
    def known(self) -> dict[int, Card]:
        """The cards that the seat sees or has seen, by number."""
        cards = {seen.number: seen.card for hand in self.view.hands for seen in hand if seen.card}
        cards.update({event.number: event.card for event in self.view.log if isinstance(event, (Played, Discarded))})
        return cards

    @property
    def unseen(self) -> Counter[Card]:
        """The cards that the seat does not see."""
        left = Counter({card: self.rules.copies(card) for card in self.rules.cards})
        left.subtract(self.known.values())
        return +left

    def hands(self) -> dict[Cards, int]:
        """Every hand that agrees with the clues, and the number of ways to deal it with copies distinguished."""
        hands: dict[Cards, int] = {(): 1}
        for seen in self.view.hand:
            longer: dict[Cards, int] = {}
            for hand, ways in hands.items():
                for card, copies in (self.unseen - Counter(hand)).items():
                    if card.colour in seen.colours and card.value in seen.values:
                        longer[(*hand, card)] = ways * copies
            hands = longer
        return hands

    def orders(self, hand: Cards) -> Iterator[Cards]:
        """Every order of the deck that goes with a hand; all are equally likely."""
        return orders_of(self.unseen - Counter(hand))

    def world(self, hand: Cards, deck: Cards) -> Game:
        """The game with these cards in hand and in the deck, before its first move."""
        cards = self.known | {seen.number: card for seen, card in zip(self.view.hand, hand, strict=True)}
        first = self.rules.deck_size - self.view.deck_count
        cards |= {first + place: card for place, card in enumerate(deck)}
        return Game(self.rules, deck=[cards[number] for number in range(self.rules.deck_size)])

    def deviating_seats(self, hand: Cards, lineup: Sequence[str]) -> list[int]:
        """The seats of the partners whose bots would have acted differently with this hand, one for each such turn."""
        game = self.world(hand, next(self.orders(hand)))
        bots, found = make_bots(lineup), []
        for move in self.moves:
            seat = game.to_move
            assert seat is not None
            if not isinstance(move, Arrange) and seat != self.view.seat and bots[seat].act(game.view(seat)) != move:
                found.append(seat)
            game.move(move)
        assert game.view(self.view.seat or 0) == self.view, "the seat cannot tell this world from the real one"
        return found

    def believed(self, lineup: Sequence[str], noise: Sequence[float]) -> dict[Cards, float]:
        """The probability of each hand, given all the partners' actions."""
        weights = {}
        for hand, ways in self.hands().items():
            weights[hand] = float(ways)
            for seat in self.deviating_seats(hand, lineup):
                weights[hand] *= noise[seat]
        total = sum(weights.values())
        return {hand: weight / total for hand, weight in weights.items() if weight}

    def expectations(self, lineup: Sequence[str], noise: Sequence[float]) -> dict[Action, tuple[float, float]]:
        """The expected score and the probability of a perfect game after every legal move, over all worlds."""
        values = dict.fromkeys(self.view.legal_actions, (0.0, 0.0))
        for hand, share in self.believed(lineup, noise).items():
            orders = list(self.orders(hand))
            for deck in orders:
                game = replayed(self.world(hand, deck), self.moves)
                for action, (mean, perfect) in values.items():
                    score = final_score(game, action, lineup)
                    part = share / len(orders)
                    values[action] = (mean + part * score, perfect + part * (score == self.rules.maximum))
        return values


def make_bots(lineup: Sequence[str]) -> list[Bot]:
    return [make_bot(name) for name in lineup]


def replayed(game: Game, moves: Sequence[Move]) -> Game:
    for move in moves:
        game.move(move)
    return game


def final_score(game: Game, action: Action, lineup: Sequence[str]) -> int:
    """The final score if this action is taken next and all bots continue from views; the game itself is not changed."""
    game, bots = game.copy(), make_bots(lineup)
    game.act(action)
    while game.to_move is not None:
        game.act(bots[game.to_move].act(game.view(game.to_move)))
    return game.score


def orders_of(cards: Counter[Card]) -> Iterator[Cards]:
    """Every order of some cards; copies are not distinguished."""
    if not cards:
        yield ()
    for card in sorted(cards, key=str):
        for rest in orders_of(cards - Counter([card])):
            yield (card, *rest)
