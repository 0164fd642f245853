"""Sentences for events and rules, in every language."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamaya import EDITIONS, Ending, Game, Rules, read_rules
from tamaya.i18n import LANGUAGES, catalogue, concerns, explain, tell
from tamaya.rules import Arrange, Colour, Edition, say
from tests.tables import careful_action, do, game_with, moves_of_a_game, random_action, rules

NAMES = ("Ana", "Bo", "Chi", "Dor", "Eva")


def last_words(game: Game, reader: int | None = None) -> str:
    return " ".join(map(str, tell(game.log[-1], NAMES, game.rules, reader)))


@pytest.mark.parametrize(
    ("actions", "words"),
    [
        (["clue 2 yellow"], "Ana tells Bo “yellow”: cards 1, 3."),
        (["clue 2 3"], "Ana tells Bo “3”: card 4."),
        (["clue 2 green"], "Ana tells Bo “green”: no card."),
        (["play 1"], "Ana plays red 1 (card 1)."),
        (
            ["clue 2 3", "play 1", "play 1 as red"],
            "Ana announces the colour and plays red 1 (card 1). 1 clue token comes back.",
        ),
        (["play 5"], "Ana plays red 3 (card 5): mistake 1 of 3."),
        (["play 1 as blue"], "Ana announces blue and plays red 1 (card 1): mistake 1 of 3."),
        (["clue 2 3", "discard 2"], "Bo discards blue 2 (card 2)."),
    ],
)
def test_events_are_told_in_sentences(actions: list[str], words: str) -> None:
    game = game_with(read_rules("players=2 announced-plays empty_clues=yes"), "R1 R1 R1 R2 R3", "Y1 B2 Y2 B3 W4")
    assert last_words(do(game, *actions)) == words


@pytest.mark.parametrize(
    ("actions", "reader", "words"),
    [
        (["clue 2 yellow"], 0, "You tell Bo “yellow”: cards 1, 3."),
        (["clue 2 yellow"], 1, "Ana tells you “yellow”: your cards 1, 3."),
        (["clue 2 yellow"], None, "Ana tells Bo “yellow”: cards 1, 3."),
        (["clue 2 3"], 0, "You tell Bo “3”: card 4."),
        (["clue 2 3"], 1, "Ana tells you “3”: your card 4."),
        (["clue 2 green"], 0, "You tell Bo “green”: no card."),
        (["clue 2 green"], 1, "Ana tells you “green”: no card."),
        (["play 1"], 0, "You play red 1 (card 1)."),
        (["play 1"], 1, "Ana plays red 1 (card 1)."),
        (["play 5"], 0, "You play red 3 (card 5): mistake 1 of 3."),
        (["play 1 as blue"], 0, "You announce blue and play red 1 (card 1): mistake 1 of 3."),
        (["play 1 as red"], 0, "You announce the colour and play red 1 (card 1)."),
        (["clue 2 3", "discard 2"], 1, "You discard blue 2 (card 2)."),
        (["clue 2 3", "discard 2"], 0, "Bo discards blue 2 (card 2)."),
    ],
)
def test_the_reader_is_addressed_as_you(actions: list[str], reader: int | None, words: str) -> None:
    game = game_with(read_rules("players=2 announced-plays empty_clues=yes"), "R1 R1 R1 R2 R3", "Y1 B2 Y2 B3 W4")
    assert last_words(do(game, *actions), reader) == words


def test_the_player_who_rearranges_a_hand_is_addressed_as_you() -> None:
    game = game_with(Rules(), "R1 R1 R1 R2 R3", "Y1 B2 Y2 B3 W4")
    game.move(Arrange(0, (1, 0, 2, 3, 4)))
    assert [last_words(game, reader) for reader in (0, 1)] == ["You rearrange your hand.", "Ana rearranges the hand."]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_language_uses_the_readers_name(language: str) -> None:
    """In each language the acting player reads another sentence, without a name where it says “you”."""
    speak = catalogue(language)
    game = Game(read_rules("players=3 announced-plays"), seed=2)
    for _ in moves_of_a_game(game, random.Random(2), random_action):
        event = game.log[-1]
        told = {reader: speak.text(tell(event, NAMES, game.rules, reader)) for reader in (None, 0, 1, 2)}
        for reader in (0, 1, 2):
            assert concerns(event, reader) == (told[reader] != told[None])
            assert NAMES[reader] not in told[reader]


def test_a_completed_firework_and_the_end_of_the_deck_are_told() -> None:
    game = game_with(Rules(players=2, colours=1, hand_size=3), "R1 R3 R5", "R2 R4 R1")
    do(game, "play 1", "play 1", "play 1", "play 1")
    assert last_words(game) == "Bo plays red 4 (card 1). The deck is empty: everyone has one more turn."
    assert last_words(do(game, "play 1")) == "Ana plays red 5 (card 1) and completes the firework!"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("style", [random_action, careful_action])
def test_every_event_can_be_told_in_every_language(language: str, style: object) -> None:
    speak = catalogue(language)
    for seed, text in enumerate(
        ("players=3", "players=2 announced-plays multicolour-unnamed empty_clues=yes", "players=4 all-or-nothing")
    ):
        game = Game(read_rules(text), seed=seed)
        for _ in moves_of_a_game(game, random.Random(seed), style):  # type: ignore[arg-type]
            sentences = [speak(message) for message in tell(game.log[-1], NAMES, game.rules)]
            assert all(sentences)
            assert "{" not in "".join(sentences)
        assert game.outcome
        assert speak(game.outcome.ending.word)


@given(rules(), st.sampled_from(sorted(LANGUAGES)))
def test_any_rules_are_explained_in_any_language(table: Rules, language: str) -> None:
    speak = catalogue(language)
    for section in explain(table):
        assert speak(section.title)
        assert section.sentences
        for sentence in section.sentences:
            assert "{" not in speak(sentence)


def explained(text: str) -> str:
    return " ".join(sentences(text))


STANDARD = [
    "Together you build 5 fireworks, one for each colour (red, yellow, green, white, blue): each is a run 1, 2, 3, 4, 5.",
    "Nobody sees their own cards; everybody sees everybody else's.",
    "The deck has 50 cards: of each colour three 1s, two 2s, two 3s, two 4s and one 5.",
    "Each of the 3 players holds 5 cards.",
    "Play goes clockwise. A turn is exactly one of three actions; nobody can pass.",
    "Name one colour or one value to one teammate and point at all cards of that hand that match.",
    "It costs a clue token. There are 8, all available at the start; with none left no clue can be given.",
    "A clue must match at least one card.",
    "Put one of your cards face up on the discard pile, take a clue token back and draw a card unseen.",
    "This is not possible while all clue tokens are available.",
    "Discarding a card that you know nothing about is a risk, but at times you have to take it.",
    "Every card but the 5s has copies: losing one need not cost a firework.",
    "A card that starts or continues its colour's firework stays there; any other is discarded and is a mistake.",
    "Each mistake is marked with a mistake token.",
    "Whether right or wrong, draw a card unseen.",
    "Placing a 5 gives a clue token back, unless all are available.",
    "Mistake number 3 ends the game at once.",
    "The team then has 0 points.",
    "When all fireworks are complete, the game is won at once.",
    "When the last card of the deck is drawn, everyone, the player who drew it included, has one more turn.",
    "There is nothing left to draw in these turns.",
    "The score is the sum of the highest card of each firework, 25 at most.",
    "0-5 — Horrible: the powder was damp",
    "6-10 — Poor: more smoke than light",
    "11-15 — Honourable: the neighbours nod",
    "16-20 — Excellent: the whole street cheers",
    "21-24 — Extraordinary: the whole city is at the windows",
    "25 — Legendary: songs will be sung of it",
    "You may rearrange and turn your own cards at any time; that is no action and costs no turn.",
    "The discard pile may be looked through at any time.",
    "Mark a firework that can no longer be completed; its cards can still be discarded for clue tokens.",
    "During a player's turn nobody comments on it or influences it.",
    "Agree on the talk allowed otherwise: strict (clues only), harmless remarks, or free.",
]
ANNOUNCED = [
    "You may announce the colour of the firework that the card continues.",
    "Right: one clue token more comes back, unless all are available.",
    "Wrong, because the card does not fit or has another colour: the card is discarded and is a mistake.",
]
ALL_OR_NOTHING = [
    "The game is then lost, without a score.",
    "An empty deck does not end the game: play goes on with ever fewer cards in hand.",
    "A player without cards can still give clues.",
    "The game is lost as soon as a card is discarded without which a firework cannot be completed.",
    "It is also lost when a player's turn comes who has neither a card nor a clue token to spend.",
    "There are no points: the fireworks are perfect, or the game is lost.",
]


def sentences(text: str) -> list[str]:
    return [str(sentence) for section in explain(read_rules(text)) for sentence in section.sentences]


def test_the_standard_game_is_explained_in_these_sentences() -> None:
    assert sentences("players=3") == STANDARD


@pytest.mark.parametrize(("variant", "added"), [("announced-plays", ANNOUNCED), ("all-or-nothing", ALL_OR_NOTHING)])
def test_a_variant_adds_these_sentences(variant: str, added: list[str]) -> None:
    assert [sentence for sentence in sentences(f"players=3 {variant}") if sentence not in STANDARD] == added


def test_every_ending_has_its_own_words() -> None:
    words = {ending: str(ending.word) for ending in Ending}
    assert "complete" in words[Ending.WON]
    assert "last turn" in words[Ending.POINTS]
    assert "one mistake too many" in words[Ending.MISTAKES]
    assert "without which a firework cannot be completed" in words[Ending.MISSING_CARD]
    assert "neither a card nor a clue token" in words[Ending.DEADLOCK]


@pytest.mark.parametrize(
    ("rules", "said", "unsaid"),
    [
        ("players=3", "A clue must match at least one card.", "matches no card is allowed"),
        ("spanish", "A clue that matches no card is allowed.", "must match"),
        ("spanish", "The team then has 0 points.", "lost"),
        ("french", "The game is then lost, without a score.", "0 points"),
        ("last_mistake=points", "keeps the points", "0 points"),
        ("multicolour-ten", "The deck has 60 cards", "single card"),
        ("multicolour-five", "Only the multicolour has a single card of each value.", "cannot be named"),
        ("multicolour-unnamed", "match every colour that is named", "like any other colour"),
        ("one-mistake", "The first mistake ends the game at once.", "Mistake number"),
        ("two-mistakes", "Mistake number 2 ends", "Mistake number 3"),
        ("nine-clue-tokens", "There are 9,", "There are 8"),
        ("all-or-nothing", "There are no points", "The score is the sum"),
        ("all-or-nothing", "An empty deck does not end the game", "has one more turn"),
        ("players=3", "has one more turn", "An empty deck does not end the game"),
        ("announced-plays", "You may announce the colour", "nothing else"),
        ("players=4", "Each of the 4 players holds 4 cards.", "announce"),
        ("colours=1 hand_size=3", "1 firework", "fireworks, one for each"),
        ("multicolour-ten", "30 — Divine", "25 — Legendary"),
        ("players=2", "25 — Legendary", "Divine"),
    ],
)
def test_the_explanation_says_exactly_what_is_played(rules: str, said: str, unsaid: str) -> None:
    assert said in explained(rules)
    assert unsaid not in explained(rules)


def test_different_rules_are_explained_differently() -> None:
    tables = {
        edition.rules(players=players, variants=[name] if name else [])
        for edition in EDITIONS.values()
        for name in (None, *edition.booklet)
        for players in (2, 3, 4, 5)
    }
    assert len({explained(str(table)) for table in tables}) == len(tables)


def test_nested_messages_are_in_the_same_language() -> None:
    game = do(game_with(Rules(), "R1 R1 R1 R2 R2", "Y1 B2 G3 Y4 Y5"), "clue 2 yellow", "play 1")
    words = [catalogue("es")(message) for event in game.log for message in tell(event, NAMES, game.rules)]
    assert words == [
        "Ana le da a Bo la pista «amarillo»: cartas 1, 4, 5.",
        "Bo juega el 1 amarillo (carta 1).",
    ]


def test_a_right_to_left_name_stays_together_in_a_sentence() -> None:
    told = catalogue("en")(say("{player} rearranges the hand.", player="مريم 123"))
    assert told == "\u2068مريم 123\u2069 rearranges the hand."
    assert catalogue("en")(say("{player} rearranges the hand.", player="Ștefan 王")) == "Ștefan 王 rearranges the hand."


@pytest.mark.parametrize(
    ("player", "sentence"),
    [("小明", "輪到小明。"), ("Kiku", "輪到 Kiku。"), ("Kiku 王", "輪到 Kiku 王。"), ("王 小明", "輪到王 小明。")],
)
def test_chinese_names_stand_without_spaces_and_others_with_them(player: str, sentence: str) -> None:
    assert catalogue("zh_TW")(say("It is {player}'s turn.", player=player)) == sentence


def test_chinese_sentences_follow_each_other_without_a_space() -> None:
    game = game_with(Rules(players=2, colours=1, hand_size=3), "R1 R3 R5", "R2 R4 R1")
    do(game, "play 1", "play 1", "play 1", "play 1")
    told = tell(game.log[-1], ("小明", "小華"), game.rules)
    assert catalogue("zh_TW").text(told) == "小華出牌：紅色 4（手牌第 1 張）。牌庫空了：每個人還有一個回合。"


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "red, yellow or blue"),
        ("es", "rojo, amarillo o azul"),
        ("fr", "rouge, jaune ou bleu"),
        ("it", "rosso, giallo o blu"),
        ("ro", "roșu, galben sau albastru"),
        ("zh_TW", "紅色、黃色或藍色"),
    ],
)
def test_choices_are_joined_as_in_each_language(language: str, words: str) -> None:
    speak = catalogue(language)
    assert speak.either(speak(colour.word) for colour in (Colour.RED, Colour.YELLOW, Colour.BLUE)) == words


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=lambda edition: edition.name)
def test_the_rules_use_the_editions_words_about_mistakes(edition: Edition) -> None:
    sentences = [sentence for section in explain(edition.rules(3), edition) for sentence in section.sentences]
    mistakes = [sentence for sentence in sentences if str(sentence).startswith("Each mistake")]
    assert mistakes == [edition.mistake]
    fate = {"es": "voltea", "fr": "ajouté", "it": "aggiunge", "ro": "scoate", "zh_TW": "移除"}.get(edition.language, "mark")
    assert fate in catalogue(edition.language)(edition.mistake)
