"""Section 3 of the rulebook: differences between editions."""

import pytest

from tamaya import EDITIONS, Game, IllegalError, Rules, find_edition
from tamaya.rules import LastMistake, find_variant
from tests.tables import do, game_with

HANDS = ("R2 R2 R3 R3 R4", "Y2 Y2 Y3 Y3 Y4")
BOOKLETS = ["spanish", "french", "chinese", "italian", "romanian"]


def test_there_is_a_preset_for_each_booklet_and_the_standard_game() -> None:
    assert list(EDITIONS) == ["standard", *BOOKLETS]


@pytest.mark.parametrize(
    ("edition", "allowed"),
    [("spanish", True), ("french", True), ("chinese", False), ("italian", False), ("romanian", False), ("standard", False)],
)
def test_clues_that_match_no_card(edition: str, allowed: bool) -> None:
    for clue in ("clue 2 blue", "clue 2 5"):
        game = game_with(find_edition(edition).rules(), *HANDS)
        if allowed:
            event = game.act(clue)
            assert event.slots == ()  # type: ignore[union-attr]
        else:
            with pytest.raises(IllegalError, match="No card of that hand matches"):
                game.act(clue)


def test_the_empty_clue_stays_a_switch_of_its_own() -> None:
    for edition in EDITIONS.values():
        assert edition.rules(empty_clues=True).empty_clues
        assert not edition.rules(empty_clues=False).empty_clues


def test_an_empty_clue_tells_what_a_hand_does_not_hold() -> None:
    game = do(game_with(find_edition("spanish").rules(), *HANDS), "clue 2 5")
    assert all(seen.values == (1, 2, 3, 4) and not seen.clued for seen in game.view(1).hand)


@pytest.mark.parametrize(
    ("edition", "score"),
    [("spanish", 0), ("french", None), ("chinese", None), ("italian", None), ("romanian", None), ("standard", 0)],
)
def test_after_the_last_mistake(edition: str, score: int | None) -> None:
    game = game_with(find_edition(edition).rules(), "R1 R2 R3 R3 R4", "Y2 Y2 Y3 Y3 Y4")
    do(game, "play 1", "play 1", "play 2", "play 1")
    assert game.outcome is not None
    assert (game.outcome.points, game.outcome.score, game.score) == (1, score, 0)
    assert (game.outcome.rating is None) == (score is None)


def test_points_can_be_kept_after_the_last_mistake() -> None:
    game = game_with(Rules(last_mistake=LastMistake.POINTS), "R1 R2 R3 R3 R4", "Y2 Y2 Y3 Y3 Y4")
    do(game, "play 1", "play 1", "play 2", "play 1")
    assert game.outcome is not None
    assert game.outcome.score == game.score == 1


@pytest.mark.parametrize("edition", BOOKLETS)
def test_the_third_mistake_ends_the_game_in_every_booklet(edition: str) -> None:
    assert find_edition(edition).rules().mistakes == 3


@pytest.mark.parametrize("edition", BOOKLETS)
def test_eight_clue_tokens_in_every_booklet(edition: str) -> None:
    assert find_edition(edition).rules().clue_tokens == 8


def test_the_spanish_box_has_a_spare_clue_token_and_coins_make_more() -> None:
    spanish = find_edition("spanish")
    assert spanish.rules(variants=["nine-clue-tokens"]).clue_tokens == 9
    assert spanish.rules(clue_tokens=12).clue_tokens == 12


@pytest.mark.parametrize(
    ("edition", "letters"),
    [("spanish", "ABCD"), ("french", "BEF"), ("chinese", "ABCE"), ("italian", "E"), ("romanian", "E"), ("standard", "ABCDEF")],
)
def test_the_variants_of_each_booklet(edition: str, letters: str) -> None:
    booklet = find_edition(edition).booklet
    assert "".join(sorted({find_variant(name).letter for name in booklet})) == letters


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_variant_of_a_booklet_is_reached_by_its_name_and_by_its_title(edition: str) -> None:
    found = find_edition(edition)
    for name, title in found.booklet.items():
        rules = found.rules(players=3, variants=[name])
        assert rules == found.rules(players=3, variants=[title.upper()])
        assert rules != found.rules(players=3)
        assert Game(rules, seed=1).legal_actions()


@pytest.mark.parametrize(
    ("edition", "cards"),
    [("spanish", {60, 55}), ("french", {55}), ("chinese", {60, 55}), ("italian", set()), ("romanian", set())],
)
def test_the_multicolour_cards_in_the_box(edition: str, cards: set[int]) -> None:
    found = find_edition(edition)
    sizes = {found.rules(variants=[name]).deck_size for name in found.booklet if name.startswith("multicolour")}
    assert sizes == cards
