"""Two games that differ only in what a seat cannot see."""

from __future__ import annotations

import random

from tamaya import Card, Game


def hidden_from(game: Game, seat: int) -> list[int]:
    """The deck indexes of all cards that a seat has never seen: its own hand and the undrawn cards."""
    return [*game.hand_numbers(seat), *range(game.rules.deck_size - game.deck_count, game.rules.deck_size)]


def twin_deck(game: Game, seat: int, choice: random.Random) -> list[Card]:
    """The deck with hidden cards exchanged wherever the clues to the seat allow it."""
    deck, told = list(game.reveal_deck()), {seen.number: seen for seen in game.view(seat).hand}

    def fits(place: int, card: Card) -> bool:
        return place not in told or (card.colour in told[place].colours and card.value in told[place].values)

    hidden = hidden_from(game, seat)
    for _ in range(40 if hidden else 0):
        one, other = choice.choice(hidden), choice.choice(hidden)
        if fits(one, deck[other]) and fits(other, deck[one]):
            deck[one], deck[other] = deck[other], deck[one]
    return deck


def twin_of(game: Game, seat: int, choice: random.Random) -> Game:
    """The same public history with other hidden cards."""
    twin = Game(game.rules, deck=twin_deck(game, seat, choice))
    for move in game.moves:
        twin.move(move)
    return twin
