"""A bot at its seat: it hears every event once, its legal answers are taken, and it is asked for reasons."""

from __future__ import annotations

from typing import Any

import pytest

from tamaya import Arrange, Clue, Colour, Game, IllegalError, Play, Rules
from tamaya.bots import BotMove, BotRunner, BotSeat, SimpleBot, fallback_action
from tamaya.bots.protocol import MAX_EXPLANATION_LENGTH, explanation
from tamaya.engine import Event, View
from tamaya.i18n import LANGUAGES, catalogue, player_at, reason_in_words
from tamaya.rules import Action, Message, say, say_n
from tests.tables import do


class Scribe:
    """A bot that records everything that happens to it."""

    def __init__(self) -> None:
        self.notes: list[object] = []

    def observe(self, event: Event) -> None:
        self.notes.append(event)

    def act(self, view: View) -> Action:
        self.notes.append("act")
        return SimpleBot().act(view)


def test_a_bot_hears_every_event_once_in_order_before_it_acts() -> None:
    game, scribes = Game(Rules(players=3), seed=4), [Scribe() for _ in range(3)]
    seated = [BotSeat(scribe) for scribe in scribes]
    while game.to_move is not None:
        if game.turn in (3, 4, 7) and len(game.moves) - game.turn < 3:
            game.move(Arrange(1, tuple(reversed(range(len(game.hand_numbers(1)))))))
        game.act(seated[game.to_move].act(game.view(game.to_move)))
    for seat, scribe in enumerate(scribes):
        heard = [note for note in scribe.notes if note != "act"]
        assert heard == list(game.log[: len(heard)])
        asked = [place for place, event in enumerate(game.log) if event.seat == seat and type(event).__name__ != "Arranged"]
        acts = [place for place, note in enumerate(scribe.notes) if note == "act"]
        assert [place - number for number, place in enumerate(acts)] == asked, "all before its turn, own actions included"


class Mute:
    """The least that a bot needs."""

    def act(self, view: View) -> Action:
        return view.legal_actions[0]


def test_a_bot_needs_only_act() -> None:
    view = Game(Rules(), seed=1).view(0)
    bot = BotSeat(Mute())
    assert bot.act(view) == view.legal_actions[0]
    assert bot.explain() is None


class Answering:
    """A bot with prepared answers."""

    def __init__(self, answer: Any, why: Any = None) -> None:
        self._answer, self._why = answer, why

    def act(self, view: View) -> Any:
        return self._answer

    def explain(self) -> Any:
        if isinstance(self._why, Exception):
            raise self._why
        return self._why


@pytest.mark.parametrize("answer", [Play(99), Clue(0, 1), Clue(1, 9), None, "play 1", 0, True, Play, object()])
def test_an_answer_that_is_no_legal_action_is_refused(answer: object) -> None:
    with pytest.raises(IllegalError, match="which is none of its legal actions"):
        BotSeat(Answering(answer)).act(Game(Rules(), seed=1).view(0))


@pytest.mark.parametrize(
    ("why", "told"),
    [
        (None, None),
        ("", None),
        ("  \n\t ", None),
        ("It is my turn.", "It is my turn."),
        ("two\nlines \x1b[31mred\x07", "two lines [31mred"),
        ("{0} {n} %s {x.__class__}", "{0} {n} %s {x.__class__}"),
        (say("It is {player}'s turn.", player="Ann"), "It is Ann's turn."),
        (Message("{x.__class__}", values={"x": "a"}), "<class 'str'>"),
    ],
)
def test_explanations_are_kept_but_without_control_characters(why: object, told: str | None) -> None:
    found = BotSeat(Answering(None, why)).explain()
    assert found is None if told is None else str(found) == told


def test_a_message_is_shown_in_the_readers_language() -> None:
    found = explanation(say("It is {player}'s turn.", player="Ann"))
    assert reason_in_words(catalogue("es"), found, []) == catalogue("es")(say("It is {player}'s turn.", player="Ann"))
    card = explanation(
        say("{player} plays {card} (card {slot}).", player="Ann", card=say("{colour} 1", colour=Colour.RED.word), slot=1)
    )
    assert "rojo" in reason_in_words(catalogue("es"), card, [])


def test_players_are_called_by_their_names_if_known() -> None:
    found = explanation(
        say("{inner}", inner=say("I tell {player} more about cards that were clued before.", player=player_at(1)))
    )
    assert reason_in_words(catalogue("en"), found, ["Ann", "{Bob}"]) == "I tell {Bob} more about cards that were clued before."
    assert reason_in_words(catalogue("fr"), found, ["Ann", "Bob"]) == "J'en dis plus à Bob sur des cartes déjà désignées."
    both = explanation(say("{players}", players=(player_at(0), player_at(1))))
    assert reason_in_words(catalogue("en"), both, ["Ann", ""]) == "Ann, player 2"
    assert reason_in_words(catalogue("fr"), found, []) == "J'en dis plus à Joueur 2 sur des cartes déjà désignées."


@pytest.mark.parametrize("length", [299, 300, 301, 10_000_000])
def test_explanations_have_a_limit(length: int) -> None:
    for why in ("x" * length, say("{word}", word="x" * length)):
        told = str(explanation(why))
        assert len(told) == min(length, MAX_EXPLANATION_LENGTH)


@pytest.mark.parametrize(
    "why",
    [
        RuntimeError("W1 is mine"),
        3,
        object(),
        Message("{missing}"),
        Message("{"),
        Message("{a[0]}", values={"a": 3}),
        say("{a}", a=object()),  # type: ignore[arg-type]
        Message("The first mistake ends the game at once.", "Mistake", 3),
        say_n("{n} card", "{n} cards", 3),
        Message("", values={}),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_any_explanation_can_be_shown_to_every_reader(why: object, language: str) -> None:
    found = BotSeat(Answering(None, why)).explain()
    assert "W1" not in reason_in_words(catalogue(language), found, []), "the words of a failure are not told"


def test_a_bot_that_fails_to_explain_has_still_acted() -> None:
    view = Game(Rules(), seed=1).view(0)
    thought = BotRunner(lambda name: Answering(view.legal_actions[1], KeyError("W1"))).think("any", view)
    assert (thought.action, thought.problem) == (view.legal_actions[1], "")
    assert str(thought.why).startswith("It failed to explain this: KeyError (test_runner.py:")


def make(made: list[Scribe]) -> BotRunner:
    def one(_: str) -> Scribe:
        made.append(Scribe())
        return made[-1]

    return BotRunner(one, max_bots=3)


def test_a_bot_is_kept_while_its_game_continues() -> None:
    made: list[Scribe] = []
    company, game = make(made), Game(Rules(players=2), seed=2)
    for _ in range(6):
        assert game.to_move is not None
        game.act(company.think("scribe", game.view(game.to_move)).action)
    assert len(made) == 2


def test_another_game_past_or_table_gets_a_fresh_bot() -> None:
    made: list[Scribe] = []
    company, game = make(made), Game(Rules(players=2), seed=2)
    company.think("scribe", game.view(0))
    company.think("scribe", Game(Rules(players=2), seed=3).view(0))
    assert len(made) == 2, "the same log, but it has acted since"
    do(game, str(game.legal_actions()[-1]), "discard 1")
    company.think("scribe", game.view(0))
    game.undo()
    game.undo()
    for place in (-2, -1, -1, -1):
        game.act(game.legal_actions()[place])
    before = len(made)
    company.think("scribe", game.view(0))
    assert len(made) == before + 1, "longer than what it has heard, but not its past"
    company.think("scribe", game.view(0), "elsewhere")
    company.think("clerk", game.view(0))
    assert len(made) == before + 3


def test_the_least_recently_used_bots_are_dropped() -> None:
    made: list[Scribe] = []
    company, game = make(made), Game(Rules(players=2), seed=2)
    for table in "abcd":
        company.think("scribe", game.view(0), table)
    for _ in range(2):
        game.act(game.legal_actions()[-1])
    for table in "dcb":
        company.think("scribe", game.view(0), table)
    assert len(made) == 4
    company.think("scribe", game.view(0), "a")
    assert len(made) == 5


class Nervous:
    """A bot that fails at first and then counts the events it heard."""

    made = 0

    def __init__(self) -> None:
        self._first = Nervous.made == 0
        Nervous.made += 1

    def act(self, view: View) -> Action:
        if self._first:
            raise RuntimeError("stage fright")
        return SimpleBot().act(view)


def test_a_failed_bot_is_replaced_for_its_turn_and_fresh_for_the_next() -> None:
    Nervous.made = 0
    game, company = Game(Rules(players=2), seed=2), BotRunner(lambda name: Nervous())
    first = company.think("nervous", game.view(0))
    assert first == BotMove(fallback_action(game.view(0)), None, first.problem)
    assert first.problem.startswith("RuntimeError (test_runner.py:")
    game.act(first.action)
    game.act(game.legal_actions()[0])
    assert company.think("nervous", game.view(0)) == BotMove(SimpleBot().act(game.view(0)))


class Interrupted:
    """A bot that is interrupted by Ctrl+C on its turn."""

    def act(self, view: View) -> Action:
        raise KeyboardInterrupt


def test_ctrl_c_during_a_bots_turn_is_raised() -> None:
    with pytest.raises(KeyboardInterrupt):
        BotRunner(lambda name: Interrupted()).think("any", Game(Rules(), seed=1).view(0))
