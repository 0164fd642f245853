"""What a move meant by the conventions: situations, and whole games without leaks of hidden cards or later moves.

Hands are written from the oldest card (slot 1) to the newest.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamaya import Game, Rules
from tamaya.bots import make_bot
from tamaya.bots.convention import meaning
from tamaya.bots.convention.meaning import meanings
from tamaya.bots.convention.player_models import PlayerModels
from tamaya.bots.protocol import ExplainingBot
from tamaya.engine.instances import Setting, instance_of
from tamaya.engine.kernel.hands import EVERYBODY
from tamaya.engine.view import Eyes
from tamaya.i18n import LANGUAGES, catalogue, reason_in_words
from tamaya.record import Record
from tamaya.rules import Arrange, Message
from tests.bots.convention.support import seen, turns
from tests.tables import careful_action, do, game_with, moves_of_a_game, random_action, rules
from tests.twins import twin_of

TWO, THREE = Rules(players=2), Rules(players=3)
QUIET = "Y4 W4 B3 G4 Y3"  # nothing to save on the chop yet, nothing to play
NAMES = ("Ana", "Bo", "Cy", "Dee", "Eve")
SPECTATOR = -1


def last_meaning(game: Game, eyes: int | None = None, reader: int | None = None, language: str = "en") -> str:
    """The meaning of the last action to a reader who sees every hand, to a seat, or to a spectator."""
    seats = frozenset(range(game.rules.players))
    who = Eyes(None, seats) if eyes is None else Eyes(None, frozenset()) if eyes == SPECTATOR else Eyes(eyes, seats - {eyes})
    found = meanings(Record.of(game, NAMES[: len(seats)]), who)
    assert set(found) == set(range(1, game.turn + 1)), "every action has its meaning"
    return reason_in_words(catalogue(language), found[game.turn], NAMES, reader)


def test_a_clue_calls_for_a_card() -> None:
    game = do(game_with(THREE, QUIET, "R3 G4 Y4 G1 B4", "R4 W3 Y2 B3 W4"), "clue 2 green")
    for eyes in (None, 0, 1, 2, SPECTATOR):
        assert last_meaning(game, eyes) == "It means: play card 4, green 1.", "its owner, too, takes it for that"
    assert last_meaning(do(game, "play 4")) == "The clue of turn 1 called for it."


def test_a_clue_may_call_for_several_cards() -> None:
    game = do(game_with(THREE, QUIET, "R3 R1 Y1 G4 B4", "Y3 W3 G3 B3 W4"), "clue 2 1")
    assert last_meaning(game) == last_meaning(game, 1) == "It means: play cards 2, 3."
    assert last_meaning(do(game, "play 3")) == "Whatever it was, it had to fit."


def test_a_misleading_clue_is_called_so_for_readers_who_see_it() -> None:
    game = do(game_with(THREE, QUIET, "R3 G4 Y4 G3 B4", "R4 W3 Y2 B3 W4"), "clue 2 green")
    for eyes in (None, 0, 2):
        assert last_meaning(game, eyes) == "It means: play card 4. But card 4 is green 3, which does not fit yet."
    for eyes in (1, SPECTATOR):
        assert last_meaning(game, eyes) == "It means: play card 4, green 1."


def test_a_clue_that_also_touches_a_useless_card_misleads() -> None:
    game = game_with(THREE, "Y4 W4 B3 G4 R1", "R3 G4 Y4 R1 Y1", "R4 W3 Y2 B3 W4")
    do(game, "play 5", "clue 1 4", "clue 1 4", "clue 2 1")
    assert last_meaning(game) == "It means: play cards 4, 5. But card 4 is red 1, which nobody needs."


def test_earlier_actions_are_not_part_of_a_clues_meaning() -> None:
    game = game_with(THREE, "R3 R3 B4 G4 G3", "B5 Y5 Y2 W1 W1", "R2 W5 Y1 Y4 B3", "Y1")
    do(game, "clue 2 1", "play 4", "clue 2 5")
    words = "It saves card 1, blue 5, which was next to be discarded."
    assert last_meaning(game) == words, "that Cy does not play blind tells Bo something, but not by the clue"


def test_a_clue_saves_the_card_on_the_chop() -> None:
    game = do(game_with(THREE, QUIET, "R2 Y3 G3 W3 B4", "B3 W4 G4 Y4 R3"), "clue 2 2")
    assert last_meaning(game) == "It saves card 1, red 2, which was next to be discarded."
    for eyes in (1, SPECTATOR):
        assert last_meaning(game, eyes) == "It saves card 1, which was next to be discarded."
    assert last_meaning(do(game, "play 1")) == "It was clear that it does not fit."


def test_a_5_clued_by_its_value_is_kept_in_any_slot() -> None:
    game = do(game_with(THREE, QUIET, "R3 Y3 G5 W3 B4", "B3 W4 G4 Y4 R3"), "clue 2 5")
    assert last_meaning(game) == "It means: keep card 3, green 5."
    assert last_meaning(game, 1) == "It means: keep card 3."


def test_a_saved_card_is_not_called_playable() -> None:
    game = do(game_with(THREE, "Y4 W4 B3 G4 R1", "R2 Y3 G3 W3 B4", QUIET), "play 5", "clue 1 4", "clue 1 4", "clue 2 2")
    assert last_meaning(game) == "It means: keep card 1. It does not say that red 2 already fits."
    assert last_meaning(do(game, "play 1")) == "By the agreements it was to be kept for now."


def test_a_clue_may_be_about_a_card_that_is_playable_later() -> None:
    game = do(game_with(THREE, "Y4 W4 B3 G4 R2", "Y3 W3 G3 B4 B3", "R4 R1 G4 W4 Y4"), "clue 3 1", "clue 1 red")
    assert last_meaning(game) == "It means: play card 5, red 2, as soon as it fits."
    assert last_meaning(game, 0) == "It means: play card 5, red 2, as soon as it fits.", "the red 1 is told to Cy"
    assert last_meaning(do(game, "play 2", "play 5")) == "The clue of turn 2 called for it."


def test_a_finesse_is_explained_to_all_but_its_receiver() -> None:
    game = do(game_with(THREE, QUIET, "Y3 W3 G3 B3 R1", "R4 W4 R2 B4 Y4"), "clue 3 2")
    for eyes in (None, 0):
        assert (
            last_meaning(game, eyes) == "It means: Bo first plays card 5, which must be red 1, so that red 2 fits (a finesse)."
        )
    for eyes in (None, 1):
        words = "It means: you first play your card 5, which must be red 1, so that red 2 fits (a finesse)."
        assert last_meaning(game, eyes, reader=1) == words
    assert last_meaning(game, 2) == "It means: play card 3, red 2, as soon as it fits.", "Cy sees the red 1"
    assert last_meaning(game, SPECTATOR) == "It means: play card 3 as soon as it fits."
    do(game, "play 5")
    assert last_meaning(game) == "The clue on red 2 of Cy made sense only if it was red 1 (a finesse)."
    assert last_meaning(game, reader=2) == "The clue on your red 2 made sense only if it was red 1 (a finesse)."
    assert last_meaning(game, 2, reader=2) == "A clue on a card of yours may have called for it."
    assert last_meaning(game, SPECTATOR) == "A clue on a card of Cy may have called for it."


def test_a_finesse_without_the_missing_card_misleads() -> None:
    game = do(game_with(THREE, QUIET, "Y3 W3 G3 B3 Y1", "G4 W4 R2 B4 Y4"), "clue 3 red")
    for eyes in (None, 0):
        words = "It means: play card 3. But card 3 is red 2, which does not fit yet."
        assert last_meaning(game, eyes) == words, "Cy takes it for a red 1"
    words = "It means: you first play your card 5, which must be red 1, so that red 2 fits (a finesse)."
    assert last_meaning(game, 1, 1) == words, "Bo cannot see that there is no red 1"


def test_a_player_who_may_hold_the_missing_card_does_not_call_a_clue_misleading() -> None:
    game = game_with(THREE, QUIET, "G3 W2 R4 B4 G4", "R4 W4 R3 W1 B4")
    do(game, "clue 3 1", "clue 1 4", "clue 1 3", "clue 2 white")
    for eyes in (None, 0, 2):
        assert last_meaning(game, eyes) == "It means: play card 2, white 2, as soon as it fits.", "Cy may hold the white 1"


def test_a_prompt_of_another_card_misleads() -> None:
    game = game_with(THREE, "Y4 W4 B3 G4 R1", "R4 Y3 W3 G3 B3", "Y1 W4 G1 R3 B4", "B2 B1 B4 Y2")
    do(game, "clue 2 red", "clue 1 red", "discard 1", "play 5", "discard 2", "clue 1 4", "clue 3 3")
    assert last_meaning(game) == "It means: Bo plays card 1, as if it were red 2. But it is red 4."
    assert last_meaning(game, reader=1) == "It means: you play your card 1, as if it were red 2. But it is red 4."


def test_with_two_players_a_clue_may_call_for_a_card_of_the_same_hand() -> None:
    game = do(game_with(TWO, QUIET, "Y3 W3 G3 R2 R1"), "clue 2 2")
    assert last_meaning(game) == last_meaning(game, 1) == "It means: play card 5 first, which must be red 1 (a finesse)."
    assert last_meaning(do(game, "play 5")) == "The last clue made sense only if it was red 1 (a finesse)."
    wrong = do(game_with(TWO, QUIET, "Y3 W3 G3 R2 W5"), "clue 2 2")
    assert last_meaning(wrong) == "It means: play card 5 first, as if it were red 1. But it is white 5."


def test_a_clue_may_tell_more_about_clued_cards() -> None:
    game = game_with(THREE, QUIET, "R1 Y3 W3 G3 R1", "R4 W4 G4 R2 B4", "B4")
    do(game, "clue 2 1", "play 5", "clue 1 4", "clue 2 red")
    assert last_meaning(game) == "It means: card 1 is useless."
    assert last_meaning(do(game, "discard 1")) == "It was known to be useless."


def test_a_repeated_clue_tells_nothing_new_or_passes_the_time() -> None:
    game = game_with(THREE, "Y4 B3 W4 G4 R1", "R2 Y3 W3 G3 B4", "B3 W4 G4 B2 Y4", "Y5 W5 B5")
    do(game, "clue 2 2", "clue 1 4", "clue 2 2")
    assert last_meaning(game) == "By the agreements it tells nothing new."
    do(game, "discard 2", "discard 2", "discard 1", "clue 2 2")
    assert last_meaning(game) == "It passes the time: with all clue tokens there, nothing can be discarded."


def test_an_empty_clue_has_a_meaning() -> None:
    game = do(game_with(Rules(players=3, empty_clues=True), QUIET, "R3 G4 Y4 G1 B4", "R4 W3 Y2 B3 W4"), "clue 2 white")
    assert last_meaning(game) == "It touches no card; the agreements make nothing of that."


def test_a_play_that_nothing_called_for_is_called_so() -> None:
    game = do(game_with(THREE, "R1 R4 W3 B4 G3", QUIET, "R4 W3 Y2 B3 W4"), "play 1")
    assert last_meaning(game) == last_meaning(game, 0) == "Nothing called for it."
    assert last_meaning(game, 1) == "Nothing in sight called for it.", "Ana may have had a reason in Bo's hand"


def test_discards_follow_the_custom_or_not() -> None:
    hands = (QUIET, "R3 G4 Y4 G1 B4", "R4 W3 Y2 B3 W4")
    game = do(game_with(THREE, *hands), "clue 2 red", "clue 1 4", "discard 1")
    assert last_meaning(game) == "It was the oldest card without a clue, as custom has it."
    assert last_meaning(do(game, "discard 5")) == "Custom would have discarded card 3, the oldest without a clue."
    game = do(game_with(THREE, *hands), "clue 2 4", "clue 1 4", "clue 1 3", "clue 2 3", "discard 1")
    assert last_meaning(game) == "Custom keeps clued cards and would have discarded card 4."


def test_a_discard_instead_of_a_called_play_is_called_so() -> None:
    hands = (QUIET, "R3 G4 Y4 G1 B4", "R4 W3 Y2 B3 W4")
    assert last_meaning(do(game_with(THREE, *hands), "clue 2 green", "discard 4")) == "By the agreements it was to be played."
    game = do(game_with(THREE, *hands), "clue 2 green", "discard 1")
    assert last_meaning(game) == "By the agreements card 4 was to be played."


def test_a_rearranged_hand_has_no_meaning() -> None:
    game = game_with(THREE, QUIET, "R3 G4 Y4 G1 B4", "R4 W3 Y2 B3 W4")
    game.arrange(Arrange(1, (3, 4, 0, 1, 2), ()))
    assert last_meaning(do(game, "clue 2 green")) == "It means: play card 1, green 1.", "it goes by age, and names the place"
    game.arrange(Arrange(1, (4, 3, 2, 1, 0), ()))
    assert last_meaning(do(game, "play 5")) == "The clue of turn 1 called for it."


@pytest.mark.parametrize("language", LANGUAGES)
def test_meanings_exist_in_every_language(language: str) -> None:
    game = do(game_with(THREE, QUIET, "Y3 W3 G3 B3 R1", "R4 W4 R2 B4 Y4"), "clue 3 2")
    words = {last_meaning(game, eyes, 1, language) for eyes in (0, 1, 2)}
    assert len(words) == 2
    assert language == "en" or not any(text.startswith("It means") for text in words)


def test_rules_with_too_many_cards_have_no_meanings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meaning, "SET_BITS", 24)
    game = do(game_with(THREE, QUIET, "R3 G4 Y4 G1 B4"), "clue 2 green")
    assert meanings(Record.of(game, NAMES), Eyes(None, frozenset())) == {}


def every_eyes(table: Rules) -> Iterator[Eyes]:
    """The eyes of each seat, of a spectator, and of a reader who sees every hand."""
    seats = frozenset(range(table.players))
    yield from (Eyes(seat, seats - {seat}) for seat in seats)
    yield Eyes(None, frozenset())
    yield Eyes(None, seats)


def a_game(table: Rules, seed: int, style: Callable[..., object]) -> Game:
    game, choice = Game(table, seed=seed), random.Random(seed)
    for _ in zip(range(seed % 70), moves_of_a_game(game, choice, style), strict=False):  # type: ignore[arg-type]
        pass
    return game


STYLES = st.sampled_from([random_action, careful_action])
SEEDS = st.integers(0, 2**64 - 1)


@pytest.mark.slow
@settings(max_examples=25)
@given(rules(), SEEDS, STYLES)
def test_a_turns_meaning_does_not_depend_on_later_moves(table: Rules, seed: int, style: Callable[..., object]) -> None:
    record = Record.of(a_game(table, seed, style), ())
    shorter = replace(record, moves=record.moves[: seed % (len(record.moves) + 1)])
    for eyes in every_eyes(table):
        early, late = meanings(shorter, eyes), meanings(record, eyes)
        assert early == {turn: late[turn] for turn in early}


@pytest.mark.slow
@settings(max_examples=25)
@given(rules(), SEEDS, STYLES)
def test_a_seat_reads_the_same_from_games_that_look_the_same(table: Rules, seed: int, style: Callable[..., object]) -> None:
    game, choice = a_game(table, seed, style), random.Random(seed)
    for eyes in every_eyes(table):
        if len(eyes.open_seats) < table.players:
            seat = choice.randrange(table.players) if eyes.seat is None else eyes.seat
            twin = twin_of(game, seat, choice)
            assert meanings(Record.of(game, ()), eyes) == meanings(Record.of(twin, ()), eyes)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_with_all_hands_open_players_believe_what_they_do_at_the_table(players: int) -> None:
    table = Rules(players=players)
    own = instance_of(Setting(table))
    for turn in turns(table, players):
        everything = seen(own, turn.state, EVERYBODY)
        for seat, player in enumerate(turn.players):
            from_seat = PlayerModels(table, player.numbers, seen(own, turn.state, seat))
            from_above = PlayerModels(table, player.numbers, everything)
            for slot in from_seat.slots(seat):
                assert from_seat.belief(seat, slot) == from_above.belief(seat, slot)
                assert from_seat.proven(seat, slot) == from_above.proven(seat, slot)


BY_CLUES = ("The clue of turn {turn} called for it.", "By the agreements it could only be a card that fits.")
AGREEING = {
    "it can only be": ("It could only be {card}.",),
    "whatever it is, it fits": ("Whatever it was, it had to fit.",),
    "as I read the clues, it": BY_CLUES,
    "(a prompt)": (
        "The clue on {focus} of {player} made sense only if it was {wanted} (a prompt).",
        "Whatever it was, it had to fit.",
        *BY_CLUES,
    ),
    "I hold": (
        "The clue on {focus} of {player} made sense only if it was {wanted} (a finesse).",
        "The last clue made sense only if it was {wanted} (a finesse).",
    ),
    "whatever it is, nobody needs it": ("It was known to be useless.",),
    "as I read the clues, nobody needs it": ("By the agreements it was useless.",),
    "my oldest card without a clue": ("It was the oldest card without a clue, as custom has it.",),
    "all my cards are clued": ("All cards had been clued.",),
}
"""Parts of the bot's reasons for a play or a discard, and the corresponding meanings."""


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_bots_actions_mean_what_it_says(players: int) -> None:
    spoken = Counter[str]()
    for seed in range(3):
        for why, meant in whys_and_meanings(Rules(players=players), seed):
            for part, agreeing in AGREEING.items():
                if part in why:
                    assert meant.text in agreeing, why
                    spoken[part] += 1
            assert "it can be played" not in why or "which does not fit yet" not in str(meant)
    assert sum(spoken.values()) > 60


def whys_and_meanings(table: Rules, seed: int) -> Iterator[tuple[str, Message]]:
    """The bot's reasons and the meanings to others, turn by turn."""
    game, whys = Game(table, seed=seed), list[str]()
    bots = [make_bot("convention") for _ in range(table.players)]
    while game.to_move is not None:
        bot = bots[game.to_move]
        action = bot.act(game.view(game.to_move))
        assert isinstance(bot, ExplainingBot)
        whys.append(str(bot.explain()))
        game.act(action)
    found = meanings(Record.of(game, ()), Eyes(None, frozenset(range(table.players))))
    yield from zip(whys, found.values(), strict=True)
