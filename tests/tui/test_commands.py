"""Commands in every language, right and wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamaya import Arrange, Clue, Colour, Discard, Game, MalformedError, Play, read_rules
from tamaya.i18n import LANGUAGES, LETTERS, catalogue
from tamaya.tui.commands import WORDS, Command, CommandReader, Kind, help_lines

NAMES = ("Ana", "Kiku", "Kamuro")
GAME = Game(read_rules("players=3 multicolour-ten announced-plays"), seed=1)


def read(line: str, language: str = "en") -> Command:
    return CommandReader(0, NAMES, catalogue(language)).read(line, GAME.view(0))


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("clue 2 red", Clue(1, Colour.RED)),
        ("c 2 r", Clue(1, Colour.RED)),
        ("c kik 3", Clue(1, 3)),
        ("C KAMURO Yel", Clue(2, Colour.YELLOW)),
        ("play 1", Play(0)),
        ("p 3 as blue", Play(2, Colour.BLUE)),
        ("p 3 b", Play(2, Colour.BLUE)),
        ("d 5", Discard(4)),
        ("d5", Discard(4)),
        ("ｐ １", Play(0)),
        ("a 2 1- 3 4 5", Arrange(0, (1, 0, 2, 3, 4), (1,))),
    ],
)
def test_moves(line: str, move: object) -> None:
    assert read(line).move == move


def test_with_one_teammate_the_name_may_be_left_out() -> None:
    game = Game(read_rules("players=2"), seed=1)
    assert CommandReader(0, ("a", "b"), catalogue("en")).read("c red", game.view(0)).move == Clue(1, Colour.RED)
    assert CommandReader(1, ("a", "b"), catalogue("en")).read("c 1", game.view(1)).move == Clue(0, 1)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("u", Kind.UNDO),
        ("Undo", Kind.UNDO),
        ("?", Kind.HELP),
        ("", Kind.BOARD),
        ("q", Kind.QUIT),
        ("v", Kind.ADVICE),
        ("hint", Kind.ADVICE),
    ],
)
def test_commands_that_are_no_moves(line: str, kind: Kind) -> None:
    assert read(line).kind is kind


def test_save_takes_the_rest_of_the_line() -> None:
    for line in ("save my game.json", "save\tmy game.json", "s\u3000my game.json", "  save   my game.json "):
        assert read(line) == Command(Kind.SAVE, argument="my game.json")
    assert read("s2026.json").argument == "2026.json"
    assert read("save ①.json").argument == "①.json"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_command_and_colour_works_in_the_persons_language(language: str) -> None:
    speak = catalogue(language)
    for kind, word in WORDS.items():
        if kind not in (Kind.CLUE, Kind.PLAY, Kind.DISCARD, Kind.ARRANGE):
            assert read(speak(word), language).kind is read(kind.value, language).kind is kind
    for colour in GAME.rules.suits:
        for name in (speak(colour.word), speak(LETTERS[colour]), colour.value):
            assert read(f"{speak(WORDS[Kind.CLUE])} 2 {name}", language).move == Clue(1, colour)
            assert read(f"{speak(WORDS[Kind.PLAY])} 1 {name}", language).move == Play(0, colour)
    assert read(f"{speak(WORDS[Kind.DISCARD])} 1", language).move == Discard(0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_commands_share_a_word(language: str) -> None:
    words = [catalogue(language)(word) for word in WORDS.values()]
    assert len({*words, *(kind.value for kind in Kind)}) == 2 * len(Kind)
    assert not any(" " in word for word in words)


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_shows_every_command(language: str) -> None:
    speak = catalogue(language)
    typed = " ".join(line for line, _ in help_lines(speak, GAME.view(0)))
    assert all(speak(word) in typed for word in WORDS.values())


@pytest.mark.parametrize(
    "line", ["c", "c 2", "c 2 red 3", "c k 3", "c 2 purple", "p", "p one", "p 1 2 3", "d", "d 1 2", "a", "a x", "foo", "p -1"]
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_wrong_commands_are_refused_in_the_persons_language(line: str, language: str) -> None:
    with pytest.raises(MalformedError) as refusal:
        read(line, language)
    assert catalogue(language)(refusal.value.message)


@given(
    st.one_of(
        st.text(max_size=40),
        st.lists(
            st.sampled_from(["c", "p", "d", "a", "u", "s", "1", "2", "9", "99", "red", "r", "k", "-", "²", "①", "as"])
        ).map(" ".join),
    )
)
def test_any_line_is_a_command_or_a_clear_refusal(line: str) -> None:
    try:
        assert isinstance(read(line), Command)
    except MalformedError as refusal:
        assert str(refusal)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_examples_of_the_help_are_understood(language: str) -> None:
    for seat in range(3):
        reader = CommandReader(seat, NAMES, catalogue(language))
        for typed, _ in help_lines(catalogue(language), GAME.view(seat)):
            for line in typed.replace("⏎", "").split(" · "):
                command = reader.read(line, GAME.view(seat))
                assert not isinstance(command.move, Clue) or command.move.seat != seat


@pytest.mark.parametrize(("language", "line"), [("ro", "decartez 1"), ("fr", "defausser 1"), ("fr", "DÉFAUSSER 1")])
def test_accents_and_case_do_not_matter(language: str, line: str) -> None:
    assert read(line, language).move == Discard(0)
