"""Analyses made up from games, and a search pool that evaluates nothing."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from starlette.applications import Starlette

from tamaya import Rules
from tamaya.bots import Advice
from tamaya.engine import Game, View
from tamaya.record import Record, play_again
from tamaya.review.analysis import GameAnalysis, MoveAnalysis, MoveGrade, empty_analysis, points
from tamaya.review.evaluation import EvaluationBudget, grade_of
from tamaya.rules import Arrange, Discard, read_action, say
from tamaya.table import Table, import_game
from tamaya.web.services import services_of
from tamaya.workers.search_pool import CompileState, SearchPool
from tests.support.client import Answer, Browser, brought, member
from tests.support.fakes import tables_over
from tests.support.games import played_game, record_of
from tests.support.memory_store import MemoryStore
from tests.tables import careful_action

LOSSES = {MoveGrade.BEST: 0.0, MoveGrade.GOOD: 0.125, MoveGrade.SLIP: 0.5, MoveGrade.BLUNDER: 1.25}
LINE = 4


def made_up_analysis(record: Record, turns: int | None = None) -> GameAnalysis:
    """An analysis of a game or of its first turns. Only the lines of better moves depend on cards drawn later."""
    game = play_again(record).game
    moves = [str(move) for move in record.moves if not isinstance(move, Arrange)]
    told = moves if turns is None else moves[:turns]
    return empty_analysis(record).extended(_judgement(game, turn, move) for turn, move in enumerate(told, 1))


def _judgement(game: Game, turn: int, played: str) -> MoveAnalysis:
    before = game.at(turn - 1)
    seat = before.to_move
    assert seat is not None
    choice = random.Random(f"{turn} {played} {before.view(seat).hands}")
    others = [str(action) for action in before.legal_actions() if str(action) != played]
    verdict = choice.choice(list(MoveGrade)) if others else MoveGrade.BEST
    best = played if verdict is MoveGrade.BEST else choice.choice(others)
    loss, expected = LOSSES[verdict], points(choice.uniform(15, 23))
    return MoveAnalysis(
        turn=turn,
        seat=seat,
        played=played,
        best=best,
        agreed=best,
        value=points(expected - loss),
        error=0.05,
        best_value=expected,
        loss=loss,
        loss_error=0.05,
        perfect=0.125,
        best_perfect=0.375 if verdict is MoveGrade.BLUNDER else 0.125,
        verdict=verdict,
        line=_line(before, best) if verdict.is_flag else (),
    )


def _line(game: Game, best: str) -> tuple[str, ...]:
    """A better move and a continuation with the actual cards."""
    line, choice = [best], random.Random(str(game.reveal_deck()))
    game.act(read_action(best))
    while game.outcome is None and len(line) < LINE:
        line.append(str(choice.choice(game.legal_actions())))
        game.act(read_action(line[-1]))
    return tuple(line)


TINY = EvaluationBudget(race=20, hands=6.0, error=2.0, worlds=8, check=4, recheck=6, more_hands=8.0)


def short_game(seed: int = 0, turns: int | None = None) -> Game:
    """A game with ten cards, over or not."""
    game, choice = Game(Rules(players=2, colours=1, hand_size=2), seed=seed), random.Random(seed)
    while game.to_move is not None and (turns is None or game.turn < turns):
        game.act(careful_action(game, choice))
    return game


def random_analysis(record: Record, turn: int, choice: random.Random) -> MoveAnalysis:
    """A plausible analysis of a move."""
    before = play_again(record).game.at(turn - 1)
    assert before.to_move is not None
    moves = [move for move in record.moves if not isinstance(move, Arrange)]
    played, legal = str(moves[turn - 1]), [str(action) for action in before.legal_actions()]
    loss, error = points(choice.choice((0.0, 0.2, 0.5, 2.0))), points(choice.uniform(0, 0.3))
    value, best = points(choice.uniform(0, 20)), choice.choice(legal) if loss else played
    verdict = grade_of(loss, error)
    return MoveAnalysis(
        turn=turn,
        seat=before.to_move,
        played=played,
        best=best,
        agreed=choice.choice((played, best, choice.choice(legal))),
        value=value,
        error=0.05,
        best_value=points(value + loss),
        loss=loss,
        loss_error=error,
        perfect=0.1,
        best_perfect=0.2,
        verdict=verdict,
        line=(best, "play 1", "discard 1") if verdict.is_flag else (),
    )


def imagined(record: Record, **how: Any) -> Iterator[MoveAnalysis]:
    """A substitute for `analyse_moves`: a plausible analysis of every move, the same each time."""
    choice = random.Random(5)
    for turn in range(1, play_again(record).game.turn + 1):
        yield random_analysis(record, turn, choice)


RECORD = record_of(played_game(Rules(players=2), 12))
COACHING = made_up_analysis(RECORD)
RECORDS = [record_of(played_game(Rules(players=2), seed)) for seed in range(2)]


class FakeSearchPool(SearchPool):
    """A pool that makes up analyses of at most `most` turns; its process may have `ended` once. `given` lists the games and
    turns it analysed."""

    def __init__(self, warmth: CompileState = CompileState.READY, most: int = 10**6, ended: bool = False) -> None:
        super().__init__()
        self.now, self.left, self.wanted, self.choice = warmth, most, 0, random.Random(5)
        self.ended, self.given = ended, list[tuple[Record, int]]()

    def state(self, rules: Rules, policies: Iterable[str]) -> CompileState:
        return self.now

    def prewarm(self, rules: Rules, policies: Iterable[str]) -> None:
        self.wanted += 1

    async def run(self, function: Callable[..., Any], *arguments: object, **how: Any) -> Any:
        await asyncio.sleep(0)
        if not self.left or self.ended:
            self.ended = False
            return None
        self.left -= 1
        record, turn, *_ = arguments
        assert isinstance(record, Record)
        assert isinstance(turn, int)
        self.given.append((record, turn))
        return random_analysis(record, turn, self.choice)


async def ended(store: MemoryStore, *records: Record) -> list[Table]:
    """Tables with finished games."""
    tables = tables_over(store)
    return [await tables.begin(import_game(record, "p-ann")) for record in records]


def of_kind(verdict: MoveGrade, coaching: GameAnalysis = COACHING) -> MoveAnalysis:
    """The first move with this grade."""
    return next(one for one in coaching.judgements if one.verdict is verdict)


async def coached(app: Starlette, record: Record = RECORD) -> str:
    """The code of a table with this game and its analysis."""
    code = await brought(app, record)
    await services_of(app).tables.store.save_analysis(code, made_up_analysis(record).to_text())
    return code


async def at(who: Browser, code: str, query: str) -> str:
    """The words of a page at a location of a replay."""
    answer = await who.get(f"/t/{code}/replay?{query}")
    assert answer.status == 200, answer.text
    return answer.words


IDEA, REASON = say("This is a moment to discard."), say("There is no better choice.")


class FixedAdviser:
    """Always gives the same advice and records the requests; a test can make it wait."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, ...]] = []
        self.answer = asyncio.Event()
        self.answer.set()

    async def advise(self, view: View, seats: Sequence[str]) -> Advice:
        self.asked.append(tuple(seats))
        await self.answer.wait()
        return Advice(IDEA, Discard(1), (REASON,))


async def asks(who: Browser, code: str, step: int, turn: int = 0, line: int = 0) -> Answer:
    return await who.act(code, "advice", turn=turn, line=line, step=step)


async def alone(app: Starlette, **fields: object) -> tuple[str, Browser]:
    """Ann at a table with bots, to move."""
    ann = member(app, "Ann")
    answer = await ann.post("/new", {"edition": "standard", "players": 3, "who": "bots", "starter": "1", **fields})
    assert answer.status == 303, answer.text
    return answer.headers["location"].rpartition("/")[2], ann
