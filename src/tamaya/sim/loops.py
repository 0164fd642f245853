"""The loops that play games: whole games, games continued from any position, and batches, with or without a learner.

They are called from Python with named tuples of arrays (`tamaya.sim.team`, `tamaya.sim.batch`).
"""

from __future__ import annotations

from typing import NamedTuple

from tamaya.bots.encoding import observe
from tamaya.bots.encoding.cells import Cells
from tamaya.engine.instances import Options, Row, Rows, Stack, inline, paste
from tamaya.engine.kernel.deal import begin, deal
from tamaya.engine.kernel.ending import LOST, score
from tamaya.engine.kernel.turn import legal
from tamaya.engine.layout import ENDED, LAST_ACTION, RUNNING, SEAT, TURN, layout
from tamaya.sim.deals import observer_of
from tamaya.sim.games import CHOOSE, GameArrays, Turn, ask, copy_saved, deal_next, start, take_turn

OPTIONS = Options("loop")
MAX_TURNS = 256
"""More turns than any game has: turns are counted in a byte."""
START, ASK = 0, -1
"""Instead of a number of turns: prepare for the game, or return the policy's choice."""


# The games of a team.


class Workspace(NamedTuple):
    """The scratch arrays of a thread."""

    state: Row
    mask: Row
    seats: Row
    memories: Rows
    sights: Rows
    after: Row


class ResultRows(NamedTuple):
    """For each game: its score, ending, turns, number of illegal choices, and, if recorded, a row of action numbers."""

    scores: Row
    endings: Row
    turns: Row
    illegal: Row
    actions: Rows


@paste
def play_on(game: GameArrays, action: int, turns: int, results: ResultRows, number: int) -> None:
    """Take an action, or the policy's own for `CHOOSE`; then play the rest of `turns`."""
    state = game.state
    recorded = len(results.actions[number]) > 0
    while state[ENDED] == RUNNING and turns > 0:
        legal(state, game.mask)
        turn = take_turn(game, action, True)
        results.illegal[number] += turn.illegal
        if recorded:
            results.actions[number][state[TURN] - 1] = state[LAST_ACTION]
        action = CHOOSE
        turns -= 1
    results.scores[number] = score(state)
    results.endings[number] = state[ENDED]
    results.turns[number] = state[TURN]


def play_team(seeds: Rows, lineup: Row, room: Workspace, results: ResultRows, shift: int) -> None:
    """Play the games of these seeds, the line-up shifted by `shift` seats in the first and by one more in each that follows."""
    for number in range(len(seeds)):
        game = GameArrays(room.state, seeds[number], room.mask, room.seats, room.memories, room.sights, room.after)
        for seat in range(layout.players):
            room.seats[seat] = lineup[(seat + shift + number) % layout.players]
        deal(game.state, game.seed[0], game.seed[1])
        start(game)
        play_on(game, CHOOSE, MAX_TURNS, results, number)


class Positions(NamedTuple):
    """Positions from which games continue."""

    states: Rows
    seeds: Rows
    saved_memories: Stack[Rows]
    memory_index: Row
    """Which of the memories belongs to each position."""
    actions: Row


def continue_games(positions: Positions, room: Workspace, results: ResultRows, turns: int) -> None:
    """Take the given actions, then play the rest of `turns`; or `START`; or `ASK`, which writes the choices into `actions`."""
    for number in range(len(positions.states)):
        saved = positions.saved_memories[positions.memory_index[number]]
        game = GameArrays(
            positions.states[number], positions.seeds[number], room.mask, room.seats, room.memories, room.sights, room.after
        )
        copy_saved(saved, game.memories)
        if turns == START:
            start(game)
        if turns == ASK:
            legal(game.state, game.mask)
            positions.actions[number] = ask(game)
        play_on(game, positions.actions[number] + 0, turns, results, number)
        if turns == START or turns == 1:
            copy_saved(game.memories, saved)


# Batches: games in rows. Loops handle those from `first` to before `last`, so that threads can share a batch.


class GameRows(NamedTuple):
    """The games of a batch, one per row."""

    states: Rows
    seeds: Rows
    masks: Rows
    saved_memories: Stack[Rows]


@inline
def game_of(games: GameRows, number: int, room: Workspace) -> GameArrays:
    """One game of a batch."""
    return GameArrays(
        games.states[number], games.seeds[number], games.masks[number], room.seats, room.memories, room.sights, room.after
    )


class ObservationRows(NamedTuple):
    """Where the observations of a batch are written: scratch words and counts, and the output rows."""

    words: Row
    counts: Row
    out: Stack[Cells]


def observe_games(states: Rows, looks: ObservationRows, seat: int, first: int, last: int) -> None:
    """Write what a seat sees in every game, the one to move if the seat is negative."""
    for number in range(first, last):
        state = states[number]
        observe(state, observer_of(state, seat), looks.words, looks.counts, looks.out[number])


class Steps(NamedTuple):
    """The results of a step in each game; the actions are first those given, then those taken."""

    actions: Row
    rewards: Cells
    endings: Row
    scores: Row
    illegal: Row


class StepOptions(NamedTuple):
    """How a batch handles a step."""

    acts: bool
    """Whether the given actions are taken; if not, only the policies move."""
    auto_reset: bool
    replace_illegal: bool
    final_reward: bool
    penalty: float


@inline
def reward_of(turn: Turn, options: StepOptions) -> float:
    """The reward of a turn: its points, or the score when the game ends; and the penalty for an illegal action."""
    paid = turn.reward
    if options.final_reward:
        paid = turn.score if turn.ended != RUNNING else 0
    return paid + (options.penalty if turn.illegal else 0.0)


def deal_games(games: GameRows, first: int, last: int) -> None:
    """Deal every game by its seed."""
    for number in range(first, last):
        deal(games.states[number], games.seeds[number][0], games.seeds[number][1])
        legal(games.states[number], games.masks[number])


def begin_games(games: GameRows, first: int, last: int) -> None:
    """Start every game with the deck in its state."""
    for number in range(first, last):
        begin(games.states[number])
        legal(games.states[number], games.masks[number])


def mark_legal(games: GameRows, first: int, last: int) -> None:
    """Write the legal actions of every game, for states that came from elsewhere."""
    for number in range(first, last):
        legal(games.states[number], games.masks[number])


def find_illegal(games: GameRows, actions: Row, first: int, last: int) -> int:
    """The first game whose action is illegal, or `last` if there is none; in finished games any action is allowed."""
    for number in range(first, last):
        action = actions[number]
        outside = action < 0 or action >= layout.actions
        if games.states[number][ENDED] == RUNNING and (outside or not games.masks[number][action]):
            return number
    return last


def start_games(games: GameRows, room: Workspace, first: int, last: int) -> None:
    """Prepare every policy for every game in its present position."""
    for number in range(first, last):
        game = game_of(games, number, room)
        start(game)
        copy_saved(game.memories, games.saved_memories[number])


def play_games(games: GameRows, room: Workspace, counts: Row, first: int, last: int, batch: int, turns: int) -> int:
    """Play `turns` turns of every game and count the ended ones by score, lost ones last; return the illegal choices."""
    faults = 0
    for number in range(first, last):
        game = game_of(games, number, room)
        copy_saved(games.saved_memories[number], game.memories)
        for _ in range(turns):
            turn = take_turn(game, CHOOSE, True)
            faults += turn.illegal
            if turn.ended != RUNNING:
                counts[turn.score] += 1
                if turn.ended >= LOST:
                    counts[layout.maximum + 1] += 1
            if game.state[ENDED] != RUNNING:
                deal_next(game.state, game.seed, batch)
                start(game)
            legal(game.state, game.mask)
        copy_saved(game.memories, games.saved_memories[number])
    return faults


def step_games(games: GameRows, steps: Steps, room: Workspace, options: StepOptions, first: int, last: int, batch: int) -> int:
    """Take the given actions, then play until it is the caller's turn; return the number of the policies' illegal choices."""
    faults = 0
    for number in range(first, last):
        game = game_of(games, number, room)
        copy_saved(games.saved_memories[number], game.memories)
        total = Turn(0, 0, 0, 0)
        if options.acts:
            given = steps.actions[number] + 0
            total = take_turn(game, given if given != CHOOSE else layout.actions, options.replace_illegal)  # both are illegal
            steps.actions[number] = game.state[LAST_ACTION]
        while True:
            while game.state[ENDED] == RUNNING and game.seats[game.state[SEAT]] >= 0:
                legal(game.state, game.mask)
                turn = take_turn(game, CHOOSE, True)
                faults += turn.illegal
                if options.acts and total.ended == RUNNING:
                    total = Turn(turn.ended, turn.score, total.reward + turn.reward, total.illegal)
            if game.state[ENDED] == RUNNING or not options.auto_reset:
                break
            deal_next(game.state, game.seed, batch)
            start(game)
        legal(game.state, game.mask)
        copy_saved(game.memories, games.saved_memories[number])
        if options.acts:
            steps.endings[number] = total.ended
            steps.illegal[number] = total.illegal
            if total.ended != RUNNING:
                steps.scores[number] = total.score
            steps.rewards[number] = reward_of(total, options)
    return faults
