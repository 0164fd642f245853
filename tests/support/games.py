"""Games to review, save, import and count."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import permutations

from tamaya import Card, Game, IllegalError, Rules
from tamaya.record import Record, native
from tamaya.rules import EDITIONS, Action, Arrange, Multicolour
from tamaya.table import (
    AdvicePolicy,
    GameFilter,
    GameKind,
    GameProgress,
    GameState,
    Phase,
    Settings,
    SpectatorMode,
    Table,
    TableSummary,
    commands,
)
from tests.support.client import Answer, Browser
from tests.support.fakes import deal_of, game_of
from tests.tables import careful_action, moves_of_a_game, patient_action, random_action


def a_record(rules: Rules | None = None, seed: int = 5, stop_at: int | None = None, names: tuple[str, ...] = ()) -> Record:
    """The record of a game without rearrangements, which other formats lack, to its end or stopped."""
    game = Game(rules or Rules(players=3), seed=seed)
    dice = random.Random(seed)
    while game.outcome is None and game.turn != stop_at:
        game.act(careful_action(game, dice))
    return Record.of(game, names or [f"player {seat}" for seat in range(game.rules.players)])


NAMES = ("Ann", "Bob", "Cid", "Dot", "Eli")
HABITS: tuple[Callable[[Game, random.Random], Action], ...] = (random_action, careful_action, patient_action)
SMALL = (
    Rules(players=2, colours=1, hand_size=2),
    Rules(players=2, colours=1, hand_size=3, clue_tokens=3),
    Rules(players=3, colours=1, hand_size=2, empty_clues=True),
    Rules(players=2, colours=2, hand_size=2, announced_plays=True, mistakes=5),
    Rules(players=2, colours=1, hand_size=2, multicolour=Multicolour.FIVE, multicolour_named=False, all_or_nothing=True),
)
"""Rules with decks small enough to try every order of the cards that a player does not see."""


def record_of(game: Game) -> Record:
    """The record of a game, finished or not, as if imported."""
    return Record.of(game, NAMES[: game.rules.players])


def played_game(rules: Rules, seed: int) -> Game:
    """A complete game by one of several strategies, some of which rearrange hands."""
    choice = random.Random(seed)
    game = Game(rules, seed=seed)
    for _ in moves_of_a_game(game, choice, choice.choice(HABITS)):
        pass
    return game


def first_turns(record: Record, turns: int) -> Record:
    """The record of the first turns of a game."""
    game = Game(record.rules, deck=record.deck)
    for move in record.moves:
        if game.turn == turns and not isinstance(move, Arrange):
            break
        game.move(move)
    return Record(record.rules, record.deck, record.names, record.bots, game.moves)


def with_another_end(record: Record, turns: int) -> Record:
    """A game with the same first turns, another deck below and another end."""
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
    """Every hand that a seat can hold by what it sees, with a game in which it does, once for each deal that leads to it: found
    by playing the same moves in every deal and comparing the views."""
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
    """The same moves with another deck, if they are legal there."""
    twin = Game(game.rules, deck=deck)
    try:
        for move in game.moves:
            twin.move(move)
    except IllegalError:
        return None
    return twin


def break_down(position: Game, budget: int) -> None:
    """End this process, as a crash would."""
    os._exit(1)


MAXIMUM = 25


def some_game(choice: random.Random, number: int) -> TableSummary:
    """A random summary of a game of Ann's."""
    players = choice.randrange(2, 6)
    bots = [choice.choice(("", "", "hat", "simple")) for _ in range(players)]
    names = [f"Bot{place}" if bot else f"P{place}{choice.randrange(2)}" for place, bot in enumerate(bots)]
    own = choice.randrange(players)
    bots[own], names[own] = "", choice.choice(("Ann", "Annie"))
    people = [(f"p-{name}", name) for name, bot in zip(names, bots, strict=True) if not bot and not name.startswith("Ann")]
    people.insert(choice.randrange(len(people) + 1), ("p-ann", names[own]))
    phase = choice.choice((Phase.OPEN, Phase.PLAYING, *[Phase.ENDED] * 6))
    kind = choice.choice((*[GameKind.PLAIN] * 6, *GameKind))
    if kind is GameKind.BROUGHT:
        phase, people = Phase.ENDED, [("p-ann", "")]
    lost, points, touched = choice.random() < 0.2, choice.choice((MAXIMUM, choice.randrange(26))), choice.uniform(0, 9e6)
    progress = GameProgress(points, lost, perfect=points == MAXIMUM and not lost) if choice.random() < 0.9 else None
    return TableSummary(
        code=f"table{number:04}",
        phase=phase,
        listed=False,
        edition=choice.choice(("french", "standard", "italian")),
        players=players,
        names=tuple(names),
        player_ids=tuple(person for person, _ in people),
        updated_at=touched,
        progress=None if phase is Phase.OPEN else progress,
        player_names=tuple(name for _, name in people),
        bots=tuple(bots),
        kind=kind,
        ended=touched if phase is Phase.ENDED else None,
    )


def some_filter(choice: random.Random) -> GameFilter:
    wishes: dict[str, object] = {
        "edition": choice.choice(("french", "standard", "spanish")),
        "players": choice.randrange(2, 6),
        "partner": choice.choice(("P00", "P11", "P30", "Ann", "nobody")),
        "bot": choice.choice(("hat", "simple", "deep")),
        "state": choice.choice((None, *GameState)),
        "since": choice.uniform(0, 9e6),
        "before": choice.uniform(0, 9e6),
    }
    kept = choice.sample(sorted(wishes), choice.choice((0, 1, 1, 2)))
    return GameFilter(**{name: wishes[name] for name in kept})  # type: ignore[arg-type]


RECORD = a_record()


async def a_replay(who: Browser) -> str:
    """The code of an imported game."""
    answer = await who.post("/bring", {"text": native.write(RECORD)})
    return answer.headers["location"].split("/")[2]


async def does(who: Browser, code: str, command: str, query: str = "", **fields: object) -> Answer:
    """Send the form of the page; the response is the new bar."""
    return await who.post(f"/t/{code}/replay/together/{command}?{query}", fields, hx_request="true")


def page_of(code: str) -> str:
    return f"/t/{code}/replay/together"


PEOPLE = ("p-ann", "p-bob", "p-cem", "p-dan", "p-eve")
NONE_AWAY = frozenset[str]()


def table_with(names: Iterable[str] = PEOPLE) -> Table:
    """Five people in a running game that others may watch."""
    host, *guests = zip(PEOPLE, names, strict=True)
    settings = Settings(
        str(EDITIONS["standard"].rules(len(PEOPLE))), watching=SpectatorMode.HANDS, advice=AdvicePolicy.EVERYBODY
    )
    table = Table("abcdefghjk", commands.open_table(settings, *host))
    for person, name in guests:
        table = table.after(commands.sit(table, person, name))
    return table.after(commands.start(table, host[0], 0, lambda rules: deal_of(1, rules)))


def turns(table: Table, count: int) -> Iterator[Table]:
    """The table after each of N moves."""
    for _ in range(count):
        assert table.to_move is not None
        move = str(game_of(table).legal_actions()[-1])
        table = table.after(commands.move(table, PEOPLE[table.to_move], move, table.turn))
        yield table
