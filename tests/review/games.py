"""Games to look back at."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations

from tamaya import Card, Game, IllegalError, Rules
from tamaya.record import Record
from tamaya.rules import Action, Arrange, Multicolour
from tests.tables import careful_action, moves_of_a_game, patient_action, random_action

NAMES = ("Ann", "Bob", "Cid", "Dot", "Eli")
HABITS: tuple[Callable[[Game, random.Random], Action], ...] = (random_action, careful_action, patient_action)
SMALL = (
    Rules(players=2, colours=1, hand_size=2),
    Rules(players=2, colours=1, hand_size=3, clue_tokens=3),
    Rules(players=3, colours=1, hand_size=2, empty_clues=True),
    Rules(players=2, colours=2, hand_size=2, announced_plays=True, mistakes=5),
    Rules(players=2, colours=1, hand_size=2, multicolour=Multicolour.FIVE, multicolour_named=False, all_or_nothing=True),
)
"""Rules whose decks are small enough to try every order of the cards that somebody does not see."""


def record_of(game: Game) -> Record:
    """The record of a game, over or not, as if it had been brought from elsewhere."""
    return Record.of(game, NAMES[: game.rules.players])


def played_game(rules: Rules, seed: int) -> Game:
    """A game to its end, by players with one of several habits; some rearrange their hands."""
    choice = random.Random(seed)
    game = Game(rules, seed=seed)
    for _ in moves_of_a_game(game, choice, choice.choice(HABITS)):
        pass
    return game


def first_turns(record: Record, turns: int) -> Record:
    """The record of the same game until so many turns had been taken."""
    game = Game(record.rules, deck=record.deck)
    for move in record.moves:
        if game.turn == turns and not isinstance(move, Arrange):
            break
        game.move(move)
    return Record(record.rules, record.deck, record.names, record.bots, game.moves)


def with_another_end(record: Record, turns: int) -> Record:
    """A game that is the same for so many turns and then goes on in another way, with another deck below."""
    game = Game(record.rules, deck=record.deck)
    for move in first_turns(record, turns).moves:
        game.move(move)
    drawn = record.rules.deck_size - game.deck_count
    deck, choice = list(record.deck), random.Random(turns)
    rest = deck[drawn:]
    choice.shuffle(rest)
    other = Game(record.rules, deck=deck[:drawn] + rest)
    for move in game.moves:
        other.move(move)
    while other.outcome is None:
        other.act(random_action(other, choice))
    return replace(record, deck=other.reveal_deck(), moves=other.moves)


def deals_seen_alike(game: Game, seat: int) -> list[tuple[tuple[Card, ...], Game]]:
    """Every hand that a seat can hold by what it sees, with a game in which it does, once for each way in which cards can have
    come to it: tried out, deal by deal, by playing the same moves and comparing what the seat then sees."""
    deck, held = list(game.reveal_deck()), game.hand_numbers(seat)
    hidden = [*held, *range(game.rules.deck_size - game.deck_count, game.rules.deck_size)]
    wanted, twins = game.view(seat), dict[tuple[Card, ...], Game | None]()
    hands = []
    for places in permutations(hidden, len(held)):
        hand = tuple(deck[place] for place in places)
        if hand not in twins:
            rest = iter([deck[place] for place in hidden if place not in places])
            other = list(deck)
            for place, card in zip(held, hand, strict=True):
                other[place] = card
            for place in hidden[len(held) :]:
                other[place] = next(rest)
            twin = _played_with(game, other)
            twins[hand] = twin if twin and twin.view(seat) == wanted else None
        if found := twins[hand]:
            hands.append((hand, found))
    return hands


def _played_with(game: Game, deck: list[Card]) -> Game | None:
    """The same moves with another deck, where they can be made."""
    twin = Game(game.rules, deck=deck)
    try:
        for move in game.moves:
            twin.move(move)
    except IllegalError:
        return None
    return twin


def break_down(position: Game, budget: int) -> None:
    """What happens in a process that ends while it works."""
    os._exit(1)
