"""Games set up the way a test needs them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator

from hypothesis import strategies as st

from tamaya import Card, Game, Rules, RulesError, read_card
from tamaya.rules import Arrange, Clue, Discard, LastMistake, Move, Multicolour, Play
from tamaya.rules.ruleset import ALLOWED


def deck_beginning(rules: Rules, *cards: str) -> list[Card]:
    """A deck with these cards on top, written ``"R1 R2"``, and the others below in their usual order."""
    top = [read_card(word) for part in cards for word in part.split()]
    left = Counter({card: rules.copies(card) for card in rules.cards})
    left.subtract(top)
    assert min(left.values()) >= 0, "a card was asked for more often than the deck has it"
    return top + list(left.elements())


def game_with(rules: Rules, *hands: str) -> Game:
    """A game whose players hold these cards, and whose deck goes on with any further ones."""
    return Game(rules, deck=deck_beginning(rules, *hands))


def do(game: Game, *actions: str) -> Game:
    """Take these actions in turn."""
    for action in actions:
        game.act(action)
    return game


def shown(game: Game, seat: int) -> list[str]:
    """The faces of a hand as a teammate sees them."""
    view = game.view((seat + 1) % game.rules.players)
    return [str(seen.card) for seen in view.hands[seat]]


def every_rules() -> Iterator[Rules]:
    """Every edition's rules and every combination of the variants, for each number of players."""
    for players in (2, 3, 4, 5):
        for multicolour in Multicolour:
            for named in (True, False):
                for empty in (True, False):
                    for all_or_nothing in (True, False):
                        for announced in (True, False):
                            if named or multicolour is not Multicolour.NONE:
                                yield Rules(
                                    players=players,
                                    multicolour=multicolour,
                                    multicolour_named=named,
                                    empty_clues=empty,
                                    all_or_nothing=all_or_nothing,
                                    announced_plays=announced,
                                )


@st.composite
def rules(draw: st.DrawFn) -> Rules:
    """Any rules that do not contradict themselves."""
    settings = {name: draw(st.sampled_from(allowed)) for name, allowed in ALLOWED.items()}
    if settings["multicolour"] is Multicolour.NONE:
        settings["multicolour_named"] = True
    if settings["all_or_nothing"]:
        settings["last_mistake"] = LastMistake.LOST
    try:
        return Rules(**settings)
    except RulesError:
        settings["colours"] = 5
        return Rules(**settings)


def random_action(game: Game, choice: random.Random) -> Clue | Play | Discard:
    """Any legal action, each kind as likely as the others so that games take every road."""
    actions = game.legal_actions()
    kind = choice.choice(sorted({type(action) for action in actions}, key=lambda kind: kind.__name__))
    return choice.choice([action for action in actions if isinstance(action, kind)])


def careful_action(game: Game, choice: random.Random) -> Clue | Play | Discard:
    """A legal action that is no mistake, if there is one: such games are long and reach the deck's end."""
    actions = game.legal_actions()
    assert game.to_move is not None
    hand = shown(game, game.to_move)
    view = game.view(game.to_move)
    plays = [
        action
        for action in actions
        if isinstance(action, Play)
        and view.fireworks[read_card(hand[action.slot]).colour] == read_card(hand[action.slot]).value - 1
        and action.announced in (None, read_card(hand[action.slot]).colour)
    ]
    others = [action for action in actions if not isinstance(action, Play)]
    return choice.choice(plays if plays and (not others or choice.random() < 0.7) else others or actions)


def random_arrangement(game: Game, choice: random.Random) -> Arrange:
    """Some seat lays its hand out anew."""
    seat = choice.randrange(game.rules.players)
    slots = list(range(len(game.hand_numbers(seat))))
    choice.shuffle(slots)
    return Arrange(seat, tuple(slots), tuple(sorted(choice.sample(slots, choice.randint(0, len(slots))))))


def moves_of_a_game(
    game: Game, choice: random.Random, act: Callable[[Game, random.Random], Clue | Play | Discard] = random_action
) -> Iterator[Move]:
    """Moves to the end of a game, some rearrangements among them; each is played before the next is chosen."""
    while game.outcome is None:
        move = random_arrangement(game, choice) if choice.random() < 0.1 else act(game, choice)
        game.move(move)
        yield move
