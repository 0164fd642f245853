"""A network that imitates the players of saved games."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path

import pytest
import torch

from tamaya import Clue, Game, Rules
from tamaya.bots import SimpleBot
from tamaya.bots.encoding.sections import canonical_sections
from tamaya.bots.learned import learned_from
from tamaya.bots.learned.weights import read_weights
from tamaya.bots.policy_bot import PolicyBot
from tamaya.engine.layout import layout_of
from tamaya.record import Record, hanab_live, native
from tamaya.rules import Arrange
from tamaya.rules.actions import all_actions
from tamaya.sim.colour_permutations import action_order, observation_order
from tamaya.training.checkpoints import CURVE_FILE
from tamaya.training.imitation import (
    Demonstrations,
    Imitator,
    PlayedGame,
    PlayedGames,
    demonstrations_of,
    permute_colours,
    split_by_deal,
)
from tamaya.training.model import Features, log_probabilities
from tests.bots.support import play_out
from tests.tables import random_arrangement
from tests.training.support import chosen, said, tiny

pytestmark = pytest.mark.slow
RULES = Rules(players=2)
SMALL = chosen(width=32, layers=1, past=2)
SHORT = ("--minutes", "0.01", "--deals", "8")
ALONE = ("--device", "cpu", "--updates", "1", "--deals", "8", *chosen(games=8, turns=4, minibatch=16))


@cache
def simple_game(seed: int, rules: Rules = RULES) -> Record:
    """A game of beginner bots."""
    game, bot = Game(rules, seed=seed), SimpleBot()
    while game.to_move is not None:
        game.act(bot.act(game.view(game.to_move)))
    return Record.of(game, [f"player {seat}" for seat in range(rules.players)])


def saved(file: Path, records: Iterable[Record]) -> Path:
    """A file of games."""
    file.write_text("".join(json.dumps(native.to_json(record)) + "\n" for record in records))
    return file


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A dozen games in a file."""
    return saved(tmp_path / "games.jsonl", map(simple_game, range(12)))


def turns(played: Iterable[PlayedGame], history: int = 2) -> Demonstrations:
    """The demonstrations of games."""
    return demonstrations_of([*played], RULES, Features(RULES, history, torch.device("cpu")))


def test_it_predicts_moves_of_games_not_trained_on(tmp_path: Path) -> None:
    played = PlayedGames.read([saved(tmp_path / "games.jsonl", map(simple_game, range(50)))], RULES)
    imitator = Imitator(tiny(width=128, layers=1, rate=4e-3), played)
    before = imitator.test_accuracy()
    lines = [*islice(imitator.learn(math.inf), 8)]
    after = imitator.test_accuracy()
    assert before["test_moves"] == after["test_moves"] > 200
    assert before["predicted"] < 0.2
    assert after["predicted"] > 0.4
    assert after["plays"] > 0.7
    assert lines[-1]["surprise"] < lines[0]["surprise"] - 0.5
    assert lines[-1]["moves"] == 8 * sum(len(game.actions) for game in split_by_deal(played, 1)[0])


def test_it_stops_without_improvement_and_keeps_the_best(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tamaya.training.imitation.MAX_EPOCHS_WITHOUT_IMPROVEMENT", 2)
    played = PlayedGames.read([saved(tmp_path / "games.jsonl", map(simple_game, range(10)))], RULES)
    imitator = Imitator(tiny(width=128, layers=1, rate=0.05), played)
    found = [line["surprise"] for line in islice(imitator.learn(math.inf), 200)]
    assert len(found) < 200
    assert min(found) == found[-3]
    log_probs = log_probabilities(imitator.actor.score_actions(imitator.held.rows), imitator.held.legal)
    assert -float(log_probs.gather(1, imitator.held.actions[:, None]).mean()) == pytest.approx(found[-3])


def test_every_move_is_legal_by_its_rows_features() -> None:
    games = [play_of(simple_game(seed)) for seed in range(3)]
    found = turns(games)
    assert len(found.rows) == sum(len(game.actions) for game in games)
    assert found.legal.gather(1, found.actions[:, None]).all()
    assert not found.legal.all(1).any()


def play_of(record: Record) -> PlayedGame:
    """A game without rearrangements as numbers."""
    numbers = [all_actions(record.rules, turn % 2).index(move) for turn, move in enumerate(record.moves)]
    return PlayedGame(tuple(map(record.rules.cards.index, record.deck)), tuple(numbers))


def test_permuted_colours_give_the_permuted_game() -> None:
    game, order = play_of(simple_game(3)), [3, 0, 4, 1, 2]
    back = [order.index(colour) for colour in range(5)]
    assert permute_colours(permute_colours(game, RULES, order), RULES, back) == game
    there, source = turns([permute_colours(game, RULES, order)], 1), turns([game], 1)
    sections = canonical_sections(layout_of(RULES))
    cells = observation_order(RULES, sections, order)
    assert torch.equal(there.rows[:, : sections.size], source.rows[:, : sections.size][:, cells.tolist()])
    assert torch.equal(there.actions, torch.from_numpy(action_order(RULES, order))[source.actions])


def test_a_game_is_the_same_in_any_format_and_with_rearranged_hands(tmp_path: Path) -> None:
    plain = simple_game(5)
    file = saved(tmp_path / "games.jsonl", [plain, rearranged(plain)])
    with file.open("a") as games:
        games.write(json.dumps(hanab_live.to_json(plain)) + "\n")
    assert PlayedGames.read([file], RULES).games == (play_of(plain),) * 3


def rearranged(record: Record) -> Record:
    """The same game by people who shuffle their hands before every move."""
    drawn, shown, dice = Game(RULES, deck=record.deck), Game(RULES, deck=record.deck), random.Random(5)
    for turn, move in enumerate(record.moves):
        assert not isinstance(move, Arrange)
        shown.move(random_arrangement(shown, dice))
        if isinstance(move, Clue):
            shown.move(move)
        else:
            card = drawn.hand_numbers(turn % 2)[move.slot]
            shown.move(replace(move, slot=shown.hand_numbers(turn % 2).index(card)))
        drawn.move(move)
    return Record.of(shown, record.names)


def test_all_games_of_a_deal_are_in_one_set(games: Path) -> None:
    played = PlayedGames.read([games, games], RULES)
    assert (len(played.games), len(played.deals)) == (24, 12)
    sides = [{game.deck for game in side} for side in split_by_deal(played, 1)]
    assert [len(side) for side in sides] == [10, 1, 1]
    assert len(set.union(*sides)) == 12


def test_games_under_other_rules_and_damaged_ones_are_left_out(games: Path, tmp_path: Path) -> None:
    others = saved(tmp_path / "others.jsonl", (simple_game(seed, Rules(players=3)) for seed in range(2)))
    damaged = tmp_path / "damaged.json"
    damaged.write_text(native.write(simple_game(50))[:-40])
    done = said("imitate", tmp_path / "people", games, others, damaged, *SMALL, *SHORT)
    assert done.exit_code == 0, done.output
    assert "12 games of 12 deals" in done.output
    assert "left out: 2 by other rules, 1 that cannot be replayed" in done.output


@pytest.mark.parametrize("rules", ["players=3", "players=9"])
def test_without_games_it_reports_so_and_writes_nothing(rules: str, games: Path, tmp_path: Path) -> None:
    done = said("imitate", tmp_path / "people", games, *SMALL, *SHORT, "--set", f"rules={rules}")
    assert done.exit_code == 1
    assert "players" in done.output
    assert ("takes games of 10 deals at least by players=3: 0 games" in done.output) == (rules == "players=3")
    assert not (tmp_path / "people").exists()


def test_the_trained_policy_plays_meets_others_and_is_plotted(games: Path, tmp_path: Path) -> None:
    done = said("imitate", tmp_path / "people", games, *SMALL, *SHORT)
    assert done.exit_code == 0, done.output
    [line] = map(json.loads, (tmp_path / "people" / CURVE_FILE).read_text().splitlines())
    assert line["games"] == 12
    assert 0 <= line["predicted"] <= 1
    assert done.output.splitlines()[-1].startswith(f"moves={line['moves']}")
    met = said("meet", tmp_path / "people", tmp_path / "people", "--deals", 4, "--device", "cpu")
    assert "| people |" in met.output
    assert "games=8" in said("measure", tmp_path / "people", "--device", "cpu", "--deals", 8).output
    assert said("plot", tmp_path / "people", tmp_path / "curve.png").exit_code == 0


def test_it_is_exported_and_plays_in_the_package(games: Path, tmp_path: Path) -> None:
    assert said("imitate", tmp_path / "people", games, *SHORT).exit_code == 0
    done = said("export", tmp_path / "people", tmp_path / "it.weights")
    assert done.exit_code == 0, done.output
    about = read_weights((tmp_path / "it.weights").read_bytes(), done.output.strip()).about
    assert about["command"] == "./dev train imitate RUN GAMES"
    play_out(Game(RULES, seed=5), [PolicyBot(learned_from(tmp_path / "it.weights")) for _ in range(2)])
    assert str(tmp_path) not in json.dumps(about)


def test_it_neither_replaces_a_run_nor_can_be_resumed(games: Path, tmp_path: Path) -> None:
    folder = tmp_path / "people"
    assert said("imitate", folder, games, *SMALL, *SHORT).exit_code == 0
    kept = {file: file.read_bytes() for file in folder.iterdir()}
    again = said("imitate", folder, games, *SMALL, *SHORT)
    alone = said("learn", folder, *ALONE)
    assert (again.exit_code, alone.exit_code) == (1, 1)
    assert "There is a training run in" in again.output
    assert "imitates others, and cannot go on by playing itself" in alone.output
    assert {file: file.read_bytes() for file in folder.iterdir()} == kept
