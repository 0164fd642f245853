"""Values of moves: expected scores over all worlds, the same at every speed. Refusals, and readiness."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import tamaya
from tamaya import Game, IllegalError, MalformedError, Rules, TamayaError, View, read_rules
from tamaya.rules import Action, Clue, Discard, Play
from tamaya.search import Budget, Values, beliefs, rollouts, search, values
from tests.programs import run_python
from tests.search.enumeration import Past
from tests.search.known_positions import FULL_DECKS, Position
from tests.search.support import game_at, limit_search

SMALL = [
    ("players=2 colours=1 hand_size=3", "simple", 5, 1, 0.0),
    ("players=2 colours=1 hand_size=3", "convention", 3, 0, 0.0),
    ("players=2 colours=1 hand_size=3", "convention", 4, 1, 0.2),
    ("players=2 colours=1 hand_size=3", "hat", 3, 3, 0.0),
    ("players=2 colours=2 hand_size=4 announced_plays=yes", "convention", 17, 0, 0.0),
    ("players=3 colours=2 hand_size=3", "hat", 15, 2, 0.0),
    ("players=4 colours=1 hand_size=2 multicolour=five multicolour_named=no", "simple", 12, 0, 0.0),
    ("players=5 colours=2 hand_size=3", "convention", 10, 2, 0.0),
]


@cache
def past_of(text: str, name: str, turn: int, seed: int, noise: float) -> tuple[Past, list[str]]:
    rules = read_rules(text)
    slipping = range(rules.players) if noise else ()
    lineup = [name] * rules.players
    return Past.of(game_at(turn, rules, lineup, seed, slips=0.3, slipping=slipping)), lineup


@cache
def expected_of(text: str, name: str, turn: int, seed: int, noise: float) -> dict[Action, tuple[float, float]]:
    past, lineup = past_of(text, name, turn, seed, noise)
    return past.expectations(lineup, [noise] * past.rules.players)


def is_near(found: Values, expected: dict[Action, tuple[float, float]], deviations: float) -> None:
    assert {move.action for move in found.moves} == set(expected)
    for move in found.moves:
        mean, perfect = expected[move.action]
        assert abs(move.value.mean - mean) <= deviations * move.value.error + 1e-9, move.action
        share = (max(perfect * (1 - perfect), 0.0) / move.worlds) ** 0.5
        assert abs(move.perfect - perfect) <= deviations * share + 1e-9, move.action
        gain = mean - expected[found.policy][0]
        assert abs(move.gain.mean - gain) <= deviations * move.gain.error + 1e-9, move.action


@pytest.mark.slow
@pytest.mark.parametrize(("text", "name", "turn", "seed", "noise"), SMALL)
def test_values_are_expected_scores_over_all_worlds_if_those_are_few(
    text: str, name: str, turn: int, seed: int, noise: float
) -> None:
    past, _ = past_of(text, name, turn, seed, noise)
    expected = expected_of(text, name, turn, seed, noise)
    found = values(past.view, name, noise=noise, budget=100, speed="interpreted")
    assert found.exact
    is_near(found, expected, deviations=0)
    assert expected[found.best.action][0] == pytest.approx(max(mean for mean, _ in expected.values()))


@pytest.mark.slow
@pytest.mark.parametrize(("text", "name", "turn", "seed", "noise"), SMALL[:2])
def test_values_are_near_expected_scores_if_worlds_are_drawn(
    text: str, name: str, turn: int, seed: int, noise: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    past, _ = past_of(text, name, turn, seed, noise)
    expected = expected_of(text, name, turn, seed, noise)
    monkeypatch.setattr(search, "MAX_ORDERS", 0)
    found = values(past.view, name, noise=noise, budget=400, speed="interpreted", seed=1)
    assert not found.exact
    is_near(found, expected, deviations=4)


@pytest.mark.slow
def test_worlds_tried_before_a_timeout_are_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that times out is not exact, and its values are near those over all worlds."""
    monkeypatch.setattr(rollouts, "BATCH", 12)
    past, _ = past_of(*SMALL[2])
    for seed in range(3):
        found = values(past.view, "convention", noise=0.2, budget=Budget(1000, seconds=0.0), speed="interpreted", seed=seed)
        assert not found.exact
        assert {move.worlds for move in found.moves} == {12}
        is_near(found, expected_of(*SMALL[2]), deviations=4)


def moment() -> View:
    """A position in which worlds are drawn."""
    return game_at(8, read_rules("players=2 colours=2 hand_size=3 announced_plays=yes"), ["simple"] * 2, 2).view(0)


def test_all_moves_are_tried_in_common_worlds_and_the_best_in_the_most(monkeypatch: pytest.MonkeyPatch) -> None:
    limit_search(monkeypatch)
    view = moment()
    found = values(view, "simple", budget=400, speed="interpreted")
    kept = values(view, "simple", budget=400, always_include=[found.moves[-1].action], speed="interpreted")
    assert {type(move.action) for move in found.moves} == {Play, Clue, Discard}
    assert {move.action for move in found.moves} == set(view.legal_actions)
    assert sum(move.worlds for move in found.moves) == found.rollouts <= 400 + 64
    assert found.best.worlds == max(move.worlds for move in found.moves) > found.moves[-1].worlds
    assert found.of(found.policy).worlds == found.best.worlds
    assert found.of(found.policy).gain.mean == 0
    assert kept.of(found.moves[-1].action).worlds == kept.best.worlds


def test_the_same_seed_and_rollouts_give_the_same_values(monkeypatch: pytest.MonkeyPatch) -> None:
    limit_search(monkeypatch)
    one, same, other = (values(moment(), "simple", budget=100, seed=seed, speed="interpreted") for seed in (1, 1, 2))
    assert one == same
    assert one != other


@pytest.mark.compiler
@pytest.mark.parametrize("position", FULL_DECKS[:2], ids=lambda position: position.idea)
def test_both_speeds_give_the_same_values(position: Position, monkeypatch: pytest.MonkeyPatch) -> None:
    limit_search(monkeypatch)
    game = position.game
    views = [game.view(game.to_move or 0), game.at(game.turn - 7).view((game.turn - 7) % 2)]
    for view in views:
        fast, slow = (values(view, budget=60, noise=0.2, speed=speed) for speed in ("compiled", "interpreted"))
        assert fast == slow


class FakeTime:
    """A clock that advances by a second on each call."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        self.now += 1
        return self.now


@pytest.mark.parametrize("seconds", [0.5, 4.0])
def test_a_search_ends_when_its_time_is_up(seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many rollouts are allowed; and every move has a value by then."""
    limit_search(monkeypatch)
    clock = FakeTime()
    monkeypatch.setattr(beliefs, "time", clock)
    monkeypatch.setattr(rollouts, "BATCH", 8)
    found = values(moment(), "simple", budget=Budget(10**6, seconds), speed="interpreted")
    assert {move.action for move in found.moves} == set(moment().legal_actions)
    assert clock.now < seconds + 12
    assert found.rollouts < (seconds + 12) * 8 * len(found.moves)


# Refusals.


RULES = Rules(players=3, colours=2, hand_size=2)


def view_of(seat: int) -> Any:
    return Game(RULES, seed=1).view(seat)


@pytest.mark.parametrize(
    ("settings", "code", "words"),
    [
        ({"policy": ["simple", "simple"]}, "bad_lineup", "Give one policy and one softness for all seats, or one for each"),
        ({"noise": [0.0] * 4}, "bad_lineup", "Give one policy and one softness for all seats, or one for each of the 3."),
        ({"noise": -0.1}, "bad_softness", "Softness is a number from 0 to 1."),
        ({"noise": [0, 0, 1.5]}, "bad_softness", "Softness is a number from 0 to 1."),
        ({"noise": float("nan")}, "bad_softness", "Softness is a number from 0 to 1."),
        ({"policy": "cheat"}, "policy_sees_too_much", "The policy “cheat” sees more than a player may"),
        ({"policy": ["simple", "random", "simple"]}, "policy_sees_too_much", "The policy “random” sees more"),
    ],
)
def test_invalid_arguments_are_refused(settings: dict[str, Any], code: str, words: str) -> None:
    with pytest.raises(MalformedError) as refused:
        values(view_of(0), **{"policy": "simple", "speed": "interpreted", **settings})
    assert refused.value.code == code
    assert str(refused.value).startswith(words)


@pytest.mark.parametrize("name", ["nobody", "search"])
def test_the_name_of_no_policy_is_refused(name: str) -> None:
    with pytest.raises(TamayaError, match=name):
        values(view_of(0), name, speed="interpreted")


def test_an_illegal_move_has_no_value() -> None:
    found = values(view_of(0), "simple", budget=20, speed="interpreted")
    with pytest.raises(IllegalError, match=r"play 9 is not legal here; legal are .*play 1"):
        found.of(Play(8))


def test_an_unknown_speed_is_refused() -> None:
    with pytest.raises(TamayaError, match="slow"):
        values(view_of(0), "simple", speed="slow")


def over() -> Game:
    game = Game(RULES, seed=1)
    while game.to_move is not None:
        game.act(Play(0))
    return game


@pytest.mark.parametrize(
    "view",
    [view_of(1), Game(RULES, seed=1).spectator_view(), over().view(0), over().table_view()],
    ids=["not to move", "beside the table", "over", "all open"],
)
def test_views_of_seats_not_to_move_are_refused(view: Any) -> None:
    with pytest.raises(MalformedError, match="Only the seat whose turn it is can weigh its moves"):
        values(view, "simple", speed="interpreted")


@pytest.mark.parametrize("budget", [0, -5, Budget(0), Budget(10, seconds=0.0), Budget(10, seconds=-1.0)], ids=str)
@pytest.mark.parametrize("turn", [0, 7])
def test_the_smallest_budget_still_gives_every_move_a_value(
    budget: Budget | int, turn: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit_search(monkeypatch)
    view = game_at(turn, RULES, ["simple"] * 3, 1, slips=0.3).view(turn % 3)
    found = values(view, "simple", budget=budget, speed="interpreted")
    assert {move.action for move in found.moves} == set(view.legal_actions)
    assert found.best.value.error > 0


@pytest.mark.parametrize(
    ("action", "why"), [(Play(5), "1 to 2"), (Discard(0), "nothing may be discarded"), (Clue(0, 1), "themselves")]
)
def test_illegal_moves_to_include_are_refused(action: Action, why: str) -> None:
    with pytest.raises(IllegalError, match=why):
        values(view_of(0), "simple", always_include=[action], speed="interpreted")


# Readiness.


ASK = """
import sys
from pathlib import Path
from tamaya import Rules
from tamaya.search.search import is_ready, prepare
from tamaya.sim.speeds import speed
from tamaya.sim.team import team
rules = Rules(players=2, colours=1, hand_size=2)
answers = [is_ready(rules, ["faultless"]), len(speed("compiled").records)]
for file in map(Path, sys.argv[2:]):
    file.unlink()
    team.cache_clear()
    answers.append(is_ready(rules, ["faultless"]))
if "prepare" in sys.argv:
    prepare(rules, ["faultless"])
    answers += [is_ready(rules, ["faultless"]), is_ready(Rules(players=3, colours=1, hand_size=2), ["faultless"])]
print(*answers)
"""


def ask(cache: Path, command: str, *files: Path, before: str) -> str:
    """The output of another process: whether the functions are ready at first, how many loops that compiled, and whether they
    are ready without each of some files. With the command ``prepare``, also whether they are ready after that, for these rules
    and for others. Python writes no bytecode: it would miss the second change of a file within a second."""
    variables = {"NUMBA_CACHE_DIR": str(cache), "PYTHONDONTWRITEBYTECODE": "1"}
    program = ("-W", "error", "-c", before + ASK, command, *map(str, files))
    return run_python(*program, check=True, variables=variables).stdout.strip()


@pytest.mark.compiler
@pytest.mark.slow
def test_prepared_functions_are_ready_in_the_next_process_until_they_change(tmp_path: Path) -> None:
    code, cache = tmp_path / "code", tmp_path / "cache"
    root = shutil.copytree(Path(tamaya.__file__).parent, code / "tamaya", ignore=shutil.ignore_patterns("__pycache__"))
    ours = f"import sys\nsys.path.insert(0, {str(code)!r})\n"
    assert ask(cache, "prepare", before=ours) == "False 0 True False"
    rule = root / "engine/kernel/turn.py"
    text = rule.read_text("utf-8")
    assert "state[CLUES] += 1" in text
    rule.write_text(text.replace("state[CLUES] += 1", "state[CLUES] += 2"), "utf-8")
    assert ask(cache, "", before=ours) == "False 0", "code cached for an older source does not count"
    rule.write_text(text, "utf-8")
    (data,) = cache.rglob("*.nbc")
    assert ask(cache, "", data, before=ours) == "True 0 False", "an index without its data does not count"
