"""Fakes for tables without disk, processes or a clock, and games for them."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, TypeVar

import pytest

from tamaya import Card, Game, Rules, TamayaError
from tamaya.bots import DEFAULT_BOT, Advice, BotMove, BotRunner, make_bot, plain_advice
from tamaya.bus import LocalBus
from tamaya.engine import View
from tamaya.record import Record
from tamaya.rules import read_action
from tamaya.table import BotExecutor, Decision, Phase, Runtime, Settings, Store, Table, TableService, commands
from tamaya.table.events import AnyEvent
from tests.limits import WAIT

ANN, BOB, CID, EVE = "p-ann", "p-bob", "p-cid", "p-eve"
PEOPLE = (ANN, BOB, CID, EVE)
Result = TypeVar("Result")


def run(steps: Awaitable[Result]) -> Result:
    """Run steps with a time limit."""
    return asyncio.run(bounded(steps))


async def bounded(steps: Awaitable[Result]) -> Result:
    """Await steps with a time limit; the trace of a timeout shows where they waited."""
    async with asyncio.timeout(WAIT):
        return await steps


def deal_of(seed: int, rules: Rules) -> Sequence[Card]:
    """The deck of a seed."""
    return Record.of(Game(rules, seed=seed), [""] * rules.players).deck


def steady_chance(seed: int = 0, clock: Callable[[], float] = lambda: 1000.0) -> Runtime:
    """A runtime with seeded chance."""
    dice = random.Random(seed)
    letters = "abcdefghjkmnpqrstuvwxyz23456789"
    return Runtime(
        deal=lambda rules: deal_of(dice.getrandbits(60), rules),
        code=lambda: "".join(dice.choice(letters) for _ in range(10)),
        seat=dice.randrange,
        now=clock,
    )


class InlineExecutor:
    """An executor that runs bots in this process."""

    def __init__(self) -> None:
        self._company = BotRunner(make_bot)

    async def choose_move(self, bot: str, view: View, table: str = "", lineup: Sequence[str] = ()) -> BotMove:
        await asyncio.sleep(0)
        return self._company.think(bot, view, table, lineup)

    def prewarm(self, bot: str, rules: Rules) -> None:
        pass

    async def close(self) -> None:
        pass


class InlineAdviser:
    """Gives advice by the agreements, in this process."""

    async def advise(self, view: View, seats: Sequence[str]) -> Advice:
        await asyncio.sleep(0)
        return plain_advice(view)


class HeldExecutor(InlineExecutor):
    """An executor that waits for `answer` and records the views it was shown."""

    def __init__(self) -> None:
        super().__init__()
        self.answer = asyncio.Event()
        self.shown: list[View] = []

    async def choose_move(self, bot: str, view: View, table: str = "", lineup: Sequence[str] = ()) -> BotMove:
        self.shown.append(view)
        await self.answer.wait()
        return await super().choose_move(bot, view, table, lineup)


def game_of(table: Table) -> Game:
    """A copy of the game at a table, including hidden cards."""
    return table._running.copy()


def bot_moves(table: Table, text: str, turn: int, hand: tuple[int, ...] | None = None, line: int = 0) -> list[AnyEvent]:
    """The events of a move that a bot chose."""
    return commands.bot_move(table, BotMove(read_action(text)), turn, hand, line)


def tables_over(store: Store, seed: int = 0, executor: BotExecutor | None = None, **more: Any) -> TableService:
    """A service over a store."""
    runtime = more.pop("runtime", steady_chance(seed))
    return TableService(store, LocalBus(), executor or InlineExecutor(), runtime=runtime, **more)


def plain_settings(players: int = 3, **more: Any) -> Settings:
    """Settings with the standard rules."""
    return Settings(str(Rules(players=players)), **more)


def a_table(*events: AnyEvent, settings: Settings | None = None) -> Table:
    """A table opened by Ann, after further events."""
    return Table("abcdefghjk", [*commands.open_table(settings or plain_settings(), ANN, "Ann"), *events])


def decided(table: Table, *decisions: Decision) -> Table:
    """The table after these decisions, one after the other."""
    for decide in decisions:
        table = table.after(decide(table))
    return table


def full_table(settings: Settings | None = None, bots: Sequence[int] = ()) -> Table:
    """A table with Ann, Bob, Cid and possibly bots, before the deal."""
    table = a_table(settings=settings)
    people = {1: (BOB, "Bob"), 2: (CID, "Cid")}
    for seat in range(1, len(table.seats)):
        if seat in bots or seat not in people:
            table = decided(table, partial(commands.seat_bot, person=ANN, seat=seat, bot="simple"))
        else:
            table = decided(table, partial(commands.sit, person=people[seat][0], name=people[seat][1], seat=seat))
    return table


def started(settings: Settings | None = None, bots: Sequence[int] = (), first: int = 0, seed: int = 7) -> Table:
    """A game that has just been dealt."""
    table = full_table(settings, bots)
    return decided(table, lambda now: commands.start(now, ANN, first, partial(deal_of, seed)))


def ended(settings: Settings | None = None, bots: Sequence[int] = ()) -> Table:
    """A game played to its end."""
    table = started(settings, bots)
    while table.phase is Phase.PLAYING:
        assert table.to_move is not None
        player, text = table.seats[table.to_move], str(game_of(table).legal_actions()[0])
        if player.bot:
            table = table.after(bot_moves(table, text, table.turn))
        else:
            table = table.after(commands.move(table, player.person, text, table.turn))
    return table


def standing(table: Table) -> tuple[object, ...]:
    """The complete state of a table, for comparisons."""
    game = None if table.phase is Phase.OPEN else game_of(table)
    facts = table.code, table.host, table.settings, table.sequence, tuple(table.seats), tuple(table.said), table.rematch, game
    taken_back = table.undone, table.question, table.questions, table.refused_turns, table.removals
    return *facts, *taken_back, table._notes, table.shown_notes, table.failed_turns, dict(table._reasons)


NAMES = ("Ann", "Bob", "bob", "李", "", "x" * 50, "Kiku", "<b>")
TEXTS = ("play 1", "discard 2", "clue 1 red", "clue 2 3", "clue 9 9", "play 7", "play 1 as red", "dance", "")


def advancing_decision(table: Table, choice: random.Random) -> Decision | None:
    """A decision that advances a table, if there is one."""
    if table.phase is Phase.OPEN:
        free = [place for place, seat in enumerate(table.seats) if seat.free]
        if not free:
            return lambda now: commands.start(now, table.host, choice.randrange(len(now.seats)), partial(deal_of, 1))
        person, name = choice.choice(((BOB, "Bob"), (CID, "Cid"), (EVE, "Eve")))
        if choice.random() < 0.5:
            return lambda now: commands.sit(now, person, name, choice.choice((None, *free)))
        return lambda now: commands.seat_bot(now, table.host, free[0], "simple")
    if table.to_move is None:
        return None
    player, actions = table.seats[table.to_move], game_of(table).legal_actions()
    text = str(choice.choice(actions))
    if table.question and choice.random() < 0.7:
        person, number = table.seats[choice.choice(table.human_seats)].person, table.questions
        return lambda now: commands.answer(now, person, choice.random() < 0.8, number)
    if player.bot:
        return lambda now: bot_moves(now, text, table.turn, line=table.branch)
    return lambda now: commands.move(now, player.person, text, table.turn, line=table.branch)


def any_decision(table: Table, choice: random.Random, people: Sequence[str] = PEOPLE) -> Decision:
    """A random decision, valid or not."""
    person, seat, text = choice.choice(people), choice.randrange(-1, 6), choice.choice(TEXTS)
    turn, bot = table.turn + choice.choice((0, 0, 0, 1, -1)), choice.choice(("simple", "simple", DEFAULT_BOT, "deep", ""))
    name = choice.choice(NAMES)
    own = table.seat_of(person)
    numbers = [] if own is None or table.phase is Phase.OPEN else [str(number) for number in table.hand_numbers(own)]
    choice.shuffle(numbers)
    hand = " ".join(number + choice.choice(("", "-")) for number in numbers) + choice.choice(("", "", " 99"))
    remark, words = choice.choice((("thanks", ""), ("", "hello\n there"), ("rude", ""), ("", "x" * 300), ("oops", "both")))
    away = choice.random() < 0.5
    last = None if own is None or table.phase is Phase.OPEN else table.last_turn_of(own)
    back, line, number = (
        (last or 1) + choice.choice((0, 0, 0, 1)),
        table.branch - choice.choice((0, 0, 0, 1)),
        choice.randrange(60),
    )
    decisions: tuple[Decision, ...] = (
        lambda now: commands.sit(now, person, name, choice.choice((None, seat))),
        lambda now: commands.rename(now, person, name),
        lambda now: commands.leave_seat(now, person, seat),
        lambda now: commands.readmit(now, person, seat),
        lambda now: commands.seat_bot(now, person, seat, bot),
        lambda now: commands.start(now, person, seat, partial(deal_of, 1)),
        lambda now: commands.move(now, person, text, turn, line=line),
        lambda now: commands.take_back(now, person, back, line),
        lambda now: commands.take_back(now, person, back, line),
        lambda now: commands.answer(now, person, away, table.questions),
        lambda now: commands.take_advice(now, person, turn, line),
        lambda now: commands.note(now, person, words, *choice.choice(((number, None), (None, turn), (None, None)))),
        lambda now: commands.show_notes(now, person, away),
        lambda now: commands.arrange(now, person, hand),
        lambda now: bot_moves(now, text, turn, line=line),
        lambda now: commands.send_message(now, person, remark, words),
        lambda now: commands.take_over(now, person, seat, bot, away),
        lambda now: commands.give_back(now, person),
        lambda now: commands.rematch(now, person, "zzzzzzzzzz")[0],
    )
    return choice.choice(decisions)


def random_decision(table: Table, choice: random.Random) -> Decision:
    """A random decision, mostly one that advances the game."""
    sensible = advancing_decision(table, choice) if choice.random() < 0.7 else None
    return sensible or any_decision(table, choice)


async def until_people_move(tables: TableService, table: Table) -> Table:
    """The table once the bots have taken their turns."""
    with tables.bus.subscribe(table.code) as subscription:
        table = await tables.get(table.code)
        while table.bot_to_move:
            table = await tables.refresh(table.code, await subscription.news())
    return table


async def play_to_the_end(tables: TableService, table: Table) -> Table:
    """Play a game in which Ann plays what the simple bot would."""
    thinker = InlineExecutor()
    while (table := await until_people_move(tables, table)).phase is Phase.PLAYING:
        thought = await thinker.choose_move("simple", table.view_for(ANN))
        await tables.update(table.code, partial(commands.move, person=ANN, text=str(thought.action), turn=table.turn))
    return table


def sits(person: str, name: str) -> Decision:
    return lambda now: commands.sit(now, person, name)


def starts(first: int = 0) -> Decision:
    return lambda now: commands.start(now, ANN, first, partial(deal_of, 5))


async def two_people(tables: TableService, **more: object) -> Table:
    """Ann and Bob, dealt; Ann begins."""
    return await tables.create(plain_settings(2, **more), ANN, "Ann", sits(BOB, "Bob"), starts())


async def to_the_end(tables: TableService, table: Table) -> Table:
    """Play the first legal action until the game is over."""
    while table.to_move is not None:
        person, text = table.seats[table.to_move].person, str(game_of(table).legal_actions()[0])
        table = await tables.update(table.code, partial(commands.move, person=person, text=text, turn=table.turn))
    return table


ALLOWED = Settings(str(Rules(players=3, empty_clues=True)), take_backs=True)


def moves(*texts: str) -> list[Decision]:
    """Decisions for these actions, each by the player to move."""
    return [partial(_move, text=text) for text in texts]


def _move(table: Table, text: str) -> list[AnyEvent]:
    assert table.to_move is not None
    seat = table.seats[table.to_move]
    if seat.bot:
        return bot_moves(table, text, table.turn, line=table.branch)
    return commands.move(table, seat.person, text, table.turn, line=table.branch)


def takes_back(person: str) -> Decision:
    """A decision to take back a person's last action."""

    def decide(table: Table) -> list[AnyEvent]:
        turn = table.last_turn_of(table.seat_of(person) or 0)
        return commands.take_back(table, person, turn or 0, table.branch)

    return decide


def answers(person: str, agrees: bool) -> Decision:
    return lambda now: commands.answer(now, person, agrees, now.questions)


def refusal(table: Table, decide: Decision) -> str:
    """The code of a refusal that leaves the table as it was."""
    before = standing(table)
    with pytest.raises(TamayaError) as problem:
        table.after(decide(table))
    assert standing(table) == before
    return problem.value.code


def random_take_back_or_note(table: Table, choice: random.Random) -> Decision:
    """A random take-back or note."""
    person, text = choice.choice((ANN, BOB, CID)), choice.choice(("a one?", "later", ""))
    about = choice.choice(({"card": choice.randrange(20)}, {"turn": table.turn}))
    return choice.choice((takes_back(person), lambda now: commands.note(now, person, text, **about)))


def evening(seed: int, decisions: int = 120) -> tuple[Table, list[AnyEvent]]:
    """A random game of three people, or two and a bot, with many take-backs and notes; and its events."""
    choice = random.Random(seed)
    table = started(ALLOWED, bots=(1,) if seed % 2 else (), seed=seed)
    happened: list[AnyEvent] = []
    for _ in range(decisions):
        pick = choice.choice((*(random_take_back_or_note,) * 2, *(random_decision,) * 3))
        try:
            events = pick(table, choice)(table)
            table = table.after(events)
        except TamayaError:
            continue
        happened += events
    return table, happened
