"""Games, rules and players for tests."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator

from hypothesis import settings
from hypothesis import strategies as st

from tamaya import Card, Game, Rules, RulesError, read_card
from tamaya.rules import Arrange, Clue, Discard, LastMistake, Move, Multicolour, Play
from tamaya.rules.ruleset import ALLOWED

FULL = settings.get_current_profile_name() == "full"
"""Whether this is ``./dev test full``, which takes its time."""


def deck_beginning(rules: Rules, *cards: str) -> list[Card]:
    """A deck with these cards on top, written ``"R1 R2"``, and the others below in their usual order."""
    top = [read_card(word) for part in cards for word in part.split()]
    left = Counter({card: rules.copies(card) for card in rules.cards})
    left.subtract(top)
    assert min(left.values()) >= 0, "a card was asked for more often than the deck has it"
    return top + list(left.elements())


def game_with(rules: Rules, *hands: str) -> Game:
    """A game whose players hold these cards; further ones are on top of the deck."""
    return Game(rules, deck=deck_beginning(rules, *hands))


def do(game: Game, *actions: str) -> Game:
    """Take these actions in turn."""
    for action in actions:
        game.act(action)
    return game


def shown(game: Game, seat: int) -> list[str]:
    """The cards of a hand as a teammate sees them."""
    view = game.view((seat + 1) % game.rules.players)
    return [str(seen.card) for seen in view.hands[seat]]


def every_rules() -> Iterator[Rules]:
    """Every combination of the switches that variants set, for each number of players."""
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


def spread_rules() -> list[Rules]:
    """Every combination in a full run, else every third, in which any three switches still meet in every way."""
    return list(every_rules())[:: 1 if FULL else 3]


@st.composite
def rules(draw: st.DrawFn) -> Rules:
    """Any valid rules."""
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
    """A random legal action, each kind as likely as the others, so that games take every course."""
    actions = game.legal_actions()
    kind = choice.choice(sorted({type(action) for action in actions}, key=lambda kind: kind.__name__))
    return choice.choice([action for action in actions if isinstance(action, kind)])


def careful_action(game: Game, choice: random.Random) -> Clue | Play | Discard:
    """A legal action that is no mistake, if possible: such games are long and reach the deck's end."""
    plays, _, others = _sorted_out(game)
    return choice.choice(plays if plays and (not others or choice.random() < 0.7) else others or game.legal_actions())


def patient_action(game: Game, choice: random.Random) -> Clue | Play | Discard:
    """Play what fits, discard only useless cards, and clue while tokens last: all-or-nothing reaches its end."""
    plays, useless, others = _sorted_out(game)
    clues = [action for action in others if isinstance(action, Clue)]
    return choice.choice(plays or useless or clues or game.legal_actions())


Actions = list[Clue | Play | Discard]


def _sorted_out(game: Game) -> tuple[Actions, Actions, Actions]:
    """The plays that fit, the discards of useless cards, and everything but plays."""
    view = game.reveal_hands()
    assert view.to_move is not None
    hand = [seen.card for seen in view.hands[view.to_move]]
    plays: Actions = []
    useless: Actions = []
    others: Actions = []
    for action in game.legal_actions():
        card = None if isinstance(action, Clue) else hand[action.slot]
        if isinstance(action, Play):
            if card and view.is_playable(card) and action.announced in (None, card.colour):
                plays.append(action)
            continue
        others.append(action)
        if card and card.value <= view.fireworks[card.colour]:
            useless.append(action)
    return plays, useless, others


def random_arrangement(game: Game, choice: random.Random) -> Arrange:
    """A random seat rearranges its hand."""
    seat = choice.choice([seat for seat in range(game.rules.players) if game.hand_numbers(seat)])
    slots = list(range(len(game.hand_numbers(seat))))
    choice.shuffle(slots)
    return Arrange(seat, tuple(slots), tuple(sorted(choice.sample(slots, choice.randint(0, len(slots))))))


def moves_of_a_game(
    game: Game, choice: random.Random, act: Callable[[Game, random.Random], Clue | Play | Discard] = random_action
) -> Iterator[Move]:
    """Moves to the end of a game, some of them rearrangements; each is played before the next is chosen."""
    while game.outcome is None:
        move = random_arrangement(game, choice) if choice.random() < 0.1 else act(game, choice)
        game.move(move)
        yield move
