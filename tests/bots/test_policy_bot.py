"""A policy at a table: remembering between turns changes nothing, it follows whatever happens at the table, and the sights
retraced from a view are what the kernel showed the seat at the time."""

from __future__ import annotations

import itertools
import random
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamaya import Ending, Game, IllegalError, Rules
from tamaya.bots import BOTS, Memory, Policy, PolicyBot, Scratch, find_policy
from tamaya.bots.policy import PER_SEAT, PerSetting
from tamaya.bots.policy_bot import SeenTurn, SightTracker, retrace
from tamaya.engine import View
from tamaya.engine.instances import Fields, Row, Setting, call, instance_of, per_setting
from tamaya.engine.kernel.hands import see
from tamaya.engine.layout import layout_of
from tamaya.rules import Arrange, Message, say
from tests.tables import (
    FULL,
    careful_action,
    every_rules,
    moves_of_a_game,
    patient_action,
    random_action,
    random_arrangement,
    rules,
)
from tests.twins import twin_of

HONEST = [name for name, entry in BOTS.items() if entry.plays_fair and entry.is_compiled]
STYLES: tuple[Callable[..., object], ...] = (random_action, careful_action, patient_action)


def seated(name: str) -> PolicyBot:
    return PolicyBot(find_policy(name))


def hat() -> PolicyBot:
    return seated("hat")


@pytest.mark.slow
@pytest.mark.parametrize("name", HONEST)
@settings(max_examples=30 if FULL else 15)
@given(rules(), st.integers(0, 2**64 - 1))
def test_a_bot_present_from_the_start_acts_like_one_that_just_joined(name: str, table: Rules, seed: int) -> None:
    if not BOTS[name].knows(table):
        table = Rules(players=2)
    game = Game(table, seed=seed)
    bots = [seated(name) for _ in range(table.players)]
    while game.to_move is not None:
        view = game.view(game.to_move)
        action = bots[game.to_move].act(view)
        assert action in view.legal_actions
        assert seated(name).act(view) == action
        assert bots[game.to_move].act(view) == action, "asked again"
        game.act(action)


@pytest.mark.slow
def test_one_bot_can_play_several_games_and_follow_moves_taken_back() -> None:
    bot, choice = hat(), random.Random(1)
    games = [Game(Rules(players=players), seed=seed) for players in (2, 3) for seed in (1, 2)]
    for _ in range(200):
        game = choice.choice(games)
        if choice.random() < 0.3 and game.turn:
            game.undo()
        if game.to_move is not None:
            view = game.view(game.to_move)
            assert bot.act(view) == hat().act(view)
            game.act(bot.act(view))


def memories_of(game: Game) -> list[list[int]]:
    """The part of each seat's memory that is kept by now."""
    policy, rules = find_policy("hat"), game.rules
    own, memories = instance_of(policy.setting(rules)), []
    for seat in range(rules.players):
        row = array("q", bytes(8 * policy.size(rules)))
        memory = policy.named(rules, memoryview(row))
        own(policy.start)(memory, SightTracker(game.view(seat)).now)
        for before, after in retrace(game.view(seat)):
            own(policy.update)(memory, seat, before, after)
        memories.append(row.tolist()[: policy.saved_size(rules)])
    return memories


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_rearranged_hands_neither_split_a_team_nor_harm_it(players: int) -> None:
    scores, choice = [], random.Random(players)
    for seed in range(10):
        game = Game(Rules(players=players), seed=seed)
        bots = [hat() for _ in range(players)]
        while game.to_move is not None:
            for _ in range(choice.choice((0, 0, 1, 2))):
                game.arrange(random_arrangement(game, choice))
            game.act(bots[game.to_move].act(game.view(game.to_move)))
            if choice.random() < 0.2:
                first, *others = memories_of(game)
                assert all(other == first for other in others)
        assert game.outcome
        assert game.outcome.ending in (Ending.WON, Ending.POINTS)
        scores.append(game.score)
    assert sum(scores) / len(scores) > (21 if players == 2 else 24)


@dataclass(frozen=True)
class Stubborn(Setting):
    """The setting of a policy that always takes the same action."""

    action: int


class Heard(Memory):
    """7 at the start, and one more for each turn."""

    count: int


def action_of(setting: Stubborn) -> int:
    return setting.action


action: int = per_setting(action_of)


@call
def choose(memory: Heard, sight: Row, mask: Row, random_bits: int) -> int:
    """The same action, legal or not; a negative one fails."""
    return action if action >= 0 else 1 // 0


@call
def start(memory: Heard, sight: Row) -> None:
    memory.count = 7


@call
def update(memory: Heard, seat: int, before: Row, after: Row) -> None:
    memory.count += 1


def always(number: int, explain: Callable[[Rules, Heard], Message | None] | None = None) -> PolicyBot:
    return PolicyBot(
        Policy(choose, start=start, update=update, memory=Heard, explain=explain, setting=lambda rules: Stubborn(rules, number))
    )


def test_an_illegal_choice_is_raised() -> None:
    with pytest.raises(IllegalError, match="discard 1"):
        always(0).act(Game(Rules()).view(0))


def test_after_a_failure_it_starts_afresh() -> None:
    bot = always(-1, lambda rules, memory: say("Never said."))
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            bot.act(Game(Rules()).view(0))
        assert bot.explain() is None


def test_it_gives_the_explanation_of_its_policy() -> None:
    game, asked = Game(Rules(players=2), seed=1), []

    def explain(rules: Rules, memory: Heard) -> Message:
        asked.append((rules, memory.count))
        return say("So it is.")

    bot = always(5, explain)
    assert bot.explain() is None, "it has not acted yet"
    for turns in (0, 2):
        game.act(bot.act(game.view(0)))
        assert str(bot.explain()) == "So it is."
        assert asked[-1] == (game.rules, 7 + turns)
        game.act("clue 1 1" if "clue 1 1" in map(str, game.legal_actions()) else game.legal_actions()[0])
    assert hat().explain() is None


class Notes(Memory):
    """Numbers around rows, and scratch."""

    first: int
    seats: Annotated[Row, PER_SEAT]
    row: int
    scratch: Scratch
    tries: Annotated[Row, PerSetting(action_of)]


@call
def note(memory: Notes, sight: Row, mask: Row, random_bits: int) -> int:
    memory.seats[1] = random_bits
    memory.tries[2] = memory.row
    memory.first += 1
    return action


def test_a_memory_has_its_fields_in_order_sized_for_its_setting() -> None:
    rules = Rules(players=5)
    policy = Policy(note, memory=Notes, setting=lambda rules: Stubborn(rules, 3))
    assert policy.fields(rules) == Fields((("first", 0), ("seats", 5), ("row", 0), ("tries", 3)))
    assert (policy.size(rules), policy.saved_size(rules)) == (10, 7)
    row = array("q", [0, 0, 0, 0, 0, 0, 8, 0, 0, 0])
    own = instance_of(policy.setting(rules))
    assert own(policy.choose)(policy.named(rules, memoryview(row)), row, row, 6) == 3
    assert row.tolist() == [1, 0, 6, 0, 0, 0, 8, 0, 0, 8]


# Sights.


def sight_of(game: Game, seat: int) -> bytearray:
    sight = bytearray(layout_of(game.rules).size)
    instance_of(Setting(game.rules))(see)(bytearray(game.state), seat, sight)
    return sight


def follow_a_game(table: Rules, seed: int, style: object = random_action, looks: float = 0.3) -> None:
    """Play a game and compare each seat's retraced sights with what it saw on every turn; some seats look often and some
    seldom."""
    game, choice = Game(table, seed=seed), random.Random(seed)
    seats = range(table.players)
    seen: list[list[SeenTurn]] = [[] for _ in seats]
    sights, followed = [SightTracker(game.view(seat)) for seat in seats], [list[SeenTurn]() for _ in seats]
    before = [sight_of(game, seat) for seat in seats]
    assert before == [sight.now for sight in sights]
    for move in moves_of_a_game(game, choice, style):  # type: ignore[arg-type]
        after = [sight_of(game, seat) for seat in seats]
        for seat in seats:
            view = game.view(seat)
            if not isinstance(move, Arrange):
                seen[seat].append((before[seat], after[seat]))
            if choice.random() < looks or view.outcome:
                assert sights[seat].lead_to(view)
                followed[seat] += sights[seat].follow(view)
                assert followed[seat] == seen[seat]
                assert sights[seat].now == after[seat]
            if choice.random() < 0.1 or view.outcome:
                assert retrace(view) == seen[seat]
        before = after


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_sights_are_what_was_seen_under_all_rules(players: int) -> None:
    styles = itertools.cycle(STYLES)
    for number, table in enumerate(every_rules()):
        if table.players == players:
            follow_a_game(table, number, next(styles))


@given(rules(), st.integers(0, 2**64 - 1), st.sampled_from(STYLES))
def test_sights_are_what_was_seen(table: Rules, seed: int, style: object) -> None:
    follow_a_game(table, seed, style, looks=0.05)


def some_game(table: Rules, seed: int, moves: int) -> Game:
    game = Game(table, seed=seed)
    for _ in itertools.islice(moves_of_a_game(game, random.Random(seed), careful_action), moves):
        pass
    return game


@given(rules(), st.integers(0, 2**64 - 1), st.integers(0, 60))
def test_sights_reveal_nothing_that_the_seat_did_not_see(table: Rules, seed: int, moves: int) -> None:
    game = some_game(table, seed, moves)
    for seat in range(table.players):
        twin = twin_of(game, seat, random.Random(seed))
        assert retrace(game.view(seat)) == retrace(twin.view(seat))


def test_sights_continue_only_to_later_views_of_their_seat_and_game() -> None:
    game = some_game(Rules(players=3), 1, 10)
    view, sights = game.view(0), SightTracker(game.view(0))
    sights.follow(view)
    later = game.copy()
    later.act(later.legal_actions()[0])
    assert sights.lead_to(view)
    assert sights.lead_to(later.view(0))
    earlier = game.copy()
    earlier.undo()
    another = some_game(Rules(players=3), 2, 10)
    others: list[View] = [game.view(1), earlier.view(0), another.view(0), some_game(Rules(players=4), 1, 10).view(0)]
    assert not any(map(sights.lead_to, others))


def test_games_with_equal_logs_are_distinguished_by_what_the_seat_sees() -> None:
    games = [Game(Rules(players=3), seed=seed) for seed in (1, 2)]
    sights = SightTracker(games[0].view(1))
    assert sights.lead_to(games[0].view(1))
    assert not sights.lead_to(games[1].view(1))
    twin = twin_of(games[0], 1, random.Random(1))
    assert sights.lead_to(twin.view(1)), "nor can anything else tell these apart"
