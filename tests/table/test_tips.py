"""Tips before a move are true, use no more than the table shows, and nothing that the player does not see."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from tamaya import Card, Game, Rules
from tamaya.bots import Knowledge
from tamaya.engine import SeenCard, View
from tamaya.rules import VALUES, Action, Clue, Message, Multicolour, Play
from tamaya.table import ClueMemory, MoveTips
from tests.tables import careful_action, do, game_with, random_action
from tests.twins import twin_of

ALL_RULES = (
    Rules(players=3),
    Rules(players=2, empty_clues=True, multicolour=Multicolour.TEN, multicolour_named=False),
    Rules(players=4, multicolour=Multicolour.FIVE, announced_plays=True),
    Rules(players=5, mistakes=1),
)


def moments(seed: int) -> Iterator[tuple[Game, View]]:
    """Games by several rules, random or careful; before each turn, the game and the view of the player to move."""
    choice = random.Random(seed)
    for rules in ALL_RULES:
        for act in (random_action, careful_action):
            game = Game(rules, seed=choice.getrandbits(60))
            while game.to_move is not None:
                yield game, game.view(game.to_move)
                game.act(act(game, choice))


def face(game: Game, view: View, action: Action) -> Card:
    """The card that an action takes from the hand, which its owner does not see."""
    assert not isinstance(action, Clue)
    assert view.seat is not None
    card = game.reveal_hands().hands[view.seat][action.slot].card
    assert card is not None
    return card


def own(view: View, action: Action) -> SeenCard:
    """The card as its owner sees it."""
    assert not isinstance(action, Clue)
    return view.hand[action.slot]


def touched(view: View, action: Action) -> list[SeenCard]:
    """The cards that a clue would touch."""
    assert isinstance(action, Clue)
    return [seen for seen in view.hands[action.seat] if seen.card and view.rules.matches(action.hint, seen.card)]


def faces(view: View, action: Action) -> list[Card]:
    return [seen.card for seen in touched(view, action) if seen.card]


def named(view: View, action: Action, has: Callable[[Card], bool]) -> bool:
    """Whether a touched card satisfies a condition."""
    return any(map(has, faces(view, action)))


def untouched(view: View, action: Action) -> bool:
    return not own(view, action).clued


def all_open(view: View, action: Action) -> bool:
    seen = own(view, action)
    return (seen.colours, seen.values) == (view.rules.suits, VALUES) and not seen.clued


def told_before(view: View, action: Action) -> bool:
    assert isinstance(action, Clue)
    return all(action.hint in (*seen.named_colours, *seen.named_values) for seen in touched(view, action))


def sure_by_clues(view: View, action: Action) -> bool:
    """Whether the named colours and values make it certain that the card fits."""
    named = own(view, action)
    cards = [card for card in view.rules.cards if not named.named_values or card.value in named.named_values]
    return all(view.is_playable(card) for card in cards if all(view.rules.matches(hint, card) for hint in named.named_colours))


def oldest_untouched(view: View, action: Action) -> bool:
    return own(view, action).number == min(seen.number for seen in view.hand if not seen.clued)


TRUE: dict[str, Callable[[Game, View, Action], bool]] = {
    "This card is sure to fit.": lambda game, view, action: view.is_playable(face(game, view, action)),
    "This card is sure to fit: better play it.": lambda game, view, action: view.is_playable(face(game, view, action)),
    "This card cannot fit now: it would be a mistake.": lambda game, view, action: (
        not view.is_playable(face(game, view, action))
    ),
    "Nobody needs this card any more.": lambda game, view, action: Knowledge(view).is_useless(face(game, view, action)),
    "This card is the last of its kind.": lambda game, view, action: Knowledge(view).is_last_copy(face(game, view, action)),
    "This 5 is the last of its kind.": lambda game, view, action: (
        face(game, view, action).value == 5 and Knowledge(view).is_last_copy(face(game, view, action))
    ),
    "You know nothing about this card.": lambda game, view, action: all_open(view, action),
    "No clue has touched this card yet.": lambda game, view, action: untouched(view, action),
    "Somebody has told you about this card; perhaps it is worth keeping.": lambda game, view, action: own(view, action).clued,
    "Nobody has spoken of this card, and you have held it longest: the usual one to discard.": lambda game, view, action: (
        oldest_untouched(view, action)
    ),
    "The clues do not say that it is sure to fit, and one more mistake ends the game.": lambda game, view, action: (
        view.mistakes == view.rules.mistakes - 1 and not sure_by_clues(view, action)
    ),
    "The clues do not say that it is sure to fit.": lambda game, view, action: (
        own(view, action).clued and not sure_by_clues(view, action)
    ),
    "This clue touches no card: it only says what they are not.": lambda game, view, action: touched(view, action) == [],
    "This clue touches nothing new.": lambda game, view, action: told_before(view, action),
    "Nobody needs the cards it touches any more.": lambda game, view, action: all(
        map(Knowledge(view).is_useless, faces(view, action))
    ),
    "It touches a card that fits now: {card}.": lambda game, view, action: named(view, action, view.is_playable),
    "It touches a card that is the last of its kind: {card}.": lambda game, view, action: named(
        view, action, Knowledge(view).is_last_copy
    ),
    "None of the cards it touches fits yet.": lambda game, view, action: not named(view, action, view.is_playable),
}


@pytest.mark.parametrize("memory", [ClueMemory.SAID, ClueMemory.RULED_OUT])
def test_every_sentence_is_true_of_the_real_cards(memory: ClueMemory) -> None:
    said = set()
    for game, view in moments(1):
        coach = MoveTips(view, memory)
        for action in view.legal_actions:
            message = coach.advise(action)
            if message:
                said.add(message.text)
                assert TRUE[message.text](game, view, action), (str(message), str(action), view)
    assert len(said) >= len(TRUE) - 1, set(TRUE) - said


def test_tips_stay_true_with_full_deduction() -> None:
    for number, (game, view) in enumerate(moments(2)):
        if number % 8 == 0:
            coach = MoveTips(view, ClueMemory.DEDUCTION)
            for action in view.legal_actions:
                message = coach.advise(action)
                assert message is None or TRUE[message.text](game, view, action), str(message)


def all_words(seen: View, asked: View, memory: ClueMemory) -> list[Message | None]:
    """The tips of one view about every action that another allows."""
    coach = MoveTips(seen, memory)
    return [coach.advise(action) for action in asked.legal_actions]


@pytest.mark.parametrize("memory", ClueMemory)
def test_games_that_look_the_same_get_the_same_tips(memory: ClueMemory) -> None:
    choice, differing = random.Random(3), 0
    for number, (game, view) in enumerate(moments(3)):
        if number % 10 == 0:
            assert view.seat is not None
            twin = twin_of(game, view.seat, choice)
            differing += twin.reveal_deck() != game.reveal_deck()
            assert all_words(view, view, memory) == all_words(twin.view(view.seat), view, memory)
    assert differing > 20


def forgotten(view: View, *fields: str) -> View:
    """The view without these kinds of information."""
    blank: dict[str, Any] = {"colours": view.rules.suits, "values": VALUES, "named_colours": (), "named_values": ()}
    wiped = {field: blank[field] for field in fields}
    return replace(view, hands=tuple(tuple(replace(seen, **wiped) for seen in hand) for hand in view.hands))


@pytest.mark.parametrize(
    ("memory", "fields"),
    [(ClueMemory.SAID, ("colours", "values")), (ClueMemory.NOTHING, ("colours", "values", "named_colours", "named_values"))],
)
def test_tips_use_no_more_than_the_table_shows(memory: ClueMemory, fields: tuple[str, ...]) -> None:
    for number, (_, view) in enumerate(moments(4)):
        if number % 4 == 0:
            assert all_words(view, view, memory) == all_words(forgotten(view, *fields), view, memory)


def test_without_memory_there_are_no_tips_about_own_cards() -> None:
    for _, view in moments(5):
        coach = MoveTips(view, ClueMemory.NOTHING)
        assert not any(coach.advise(action) for action in view.legal_actions if not isinstance(action, Clue))


def advice(game: Game, action: str, memory: ClueMemory = ClueMemory.RULED_OUT) -> str:
    """The tip about an action of the player to move."""
    assert game.to_move is not None
    view = game.view(game.to_move)
    found = next(one for one in view.legal_actions if str(one) == action)
    return str(MoveTips(view, memory).advise(found))


def test_tips_in_a_first_game() -> None:
    game = game_with(Rules(players=2), "R1 R5 Y1 Y2 R1", "B1 B5 G3 G4 B1")
    assert advice(game, "play 1") == "You know nothing about this card."
    assert advice(game, "clue 2 1") == "It touches a card that fits now: blue 1."
    assert advice(game, "clue 2 5") == "It touches a card that is the last of its kind: blue 5."
    assert advice(game, "clue 2 green") == "None of the cards it touches fits yet."
    do(game, "clue 2 1", "clue 1 1")
    assert advice(game, "play 1") == "This card is sure to fit."
    assert advice(game, "discard 1") == "This card is sure to fit: better play it."
    assert advice(game, "play 2") == "This card cannot fit now: it would be a mistake."
    assert advice(game, "play 2", ClueMemory.SAID) == "No clue has touched this card yet."
    assert advice(game, "clue 2 1") == "This clue touches nothing new."
    assert advice(game, "discard 2").startswith("Nobody has spoken of this card, and you have held it longest")
    do(game, "play 1", "clue 1 5")
    assert advice(game, "discard 1") == "This 5 is the last of its kind."


def test_announced_plays_get_no_tip() -> None:
    game = Game(Rules(players=2, announced_plays=True), seed=1)
    view = game.view(0)
    assert {MoveTips(view, ClueMemory.RULED_OUT).advise(action) for action in view.legal_actions if announced(action)} == {None}


def announced(action: Action) -> bool:
    return isinstance(action, Play) and action.announced is not None
