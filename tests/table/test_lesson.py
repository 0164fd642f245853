"""The guided first deal: its sentences are true, its actions work, others are refused kindly, and it ends as an ordinary
game."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product

import pytest

from tamaya import Card, Game, IllegalError, read_card
from tamaya.bots import DEFAULT_BOT, BotMove, Knowledge
from tamaya.engine import Played, View
from tamaya.i18n import LANGUAGES, catalogue
from tamaya.rules import EDITIONS, Clue, Discard, Play
from tamaya.table import ClueMemory, Guidance, Phase, Settings, Table, TableService, commands, guidance, known_cards
from tamaya.table.bot_turns import FIRST_GAMES_SLOWDOWN
from tamaya.table.events import AnyEvent, Moved, Opened, Started, decode
from tamaya.table.lesson import HELPER, LEARNER, PLAYERS, RIGHT_BY_TURN, STEPS, TEACHER, prepared_deck, right_actions
from tests.support.fakes import ANN, InlineExecutor, deal_of, run, tables_over, until_people_move
from tests.support.memory_store import MemoryStore
from tests.twins import twin_of

RULES = EDITIONS["standard"].rules(PLAYERS)
NAMES = ("Kiku", "Botan", "Ann")
ASKED = [step for step in STEPS if step.answer]


def dealt(seed: int = 1) -> Game:
    """The first deal before its first turn."""
    return Game(RULES, deck=prepared_deck(deal_of(seed, RULES)))


ROADS = tuple(product(range(2), (0,), (0,), range(3), (0,)))
"""All choices among several right cards, by turn."""


def told(view: View, names: tuple[str, ...] = NAMES) -> Guidance:
    """The guidance of the learner."""
    found = guidance(view, names)
    assert found is not None
    return found


def play_the_steps(game: Game, road: tuple[int, ...]) -> Iterator[View]:
    """Play all prepared turns; yields the learner's view before each."""
    choices = iter(road)
    while game.turn < len(RIGHT_BY_TURN):
        yield game.view(LEARNER)
        assert game.to_move is not None
        right = right_actions(game.view(game.to_move))
        game.act(right[next(choices)] if game.to_move == LEARNER else right[0])


def before_step(number: int) -> Game:
    """The game when the learner is asked for an action for the N-th time."""
    game = dealt()
    for _ in play_the_steps(game, ROADS[0]):
        if game.turn == ASKED[number].begins:
            return game
    raise AssertionError


@pytest.mark.parametrize("road", ROADS)
def test_every_right_action_is_legal_and_leads_to_the_next_step(road: tuple[int, ...]) -> None:
    game = dealt()
    for view in play_the_steps(game, road):
        assert game.to_move is not None
        right = right_actions(game.view(game.to_move))
        assert right
        assert set(right) <= set(game.legal_actions())
        assert told(view).right == (right if game.to_move == LEARNER else ())
    view = game.view(LEARNER)
    assert (view.points, view.mistakes, view.maximum) == (4, 1, 25), "only one mistake is lost"
    assert right_actions(game.view(game.to_move or 0)) == ()


def test_there_are_seven_steps_and_each_asks_for_one_kind_of_move() -> None:
    assert len(STEPS) == 7
    guides = [told(view) for view in play_the_steps(dealt(), ROADS[0])]
    asked = [(type(guide.right[0]), len(guide.cards), guide.teammate) for guide in guides if guide.right]
    assert asked == [(Play, 2, None), (Clue, 0, HELPER), (Clue, 0, TEACHER), (Discard, 3, None), (Play, 1, None)]


def test_the_deck_has_the_prepared_cards_on_top_and_the_others_shuffled() -> None:
    one, other = prepared_deck(deal_of(1, RULES)), prepared_deck(deal_of(2, RULES))
    assert one[:20] == other[:20]
    assert one[20:] != other[20:]
    assert sorted(one) == sorted(other) == sorted(deal_of(1, RULES))


# Sentences.


def test_every_1_fits_when_the_first_is_asked_for() -> None:
    view = before_step(0).view(LEARNER)
    assert set(view.fireworks.values()) == {0}
    ones = [seen for seen in view.hand if seen.named_values == (1,)]
    assert tuple(seen.number for seen in ones) == told(view).cards
    assert all(Knowledge(view).surely_playable(Knowledge(view).possible(seen)) for seen in ones)
    others = [known for known in known_cards(view, ClueMemory.RULED_OUT)[LEARNER] if not known.clued]
    assert all(1 not in known.values for known in others), "“that card is no 1”"


def playable(view: View, seat: int) -> list[Card]:
    """The cards of a teammate that fit now."""
    return [seen.card for seen in view.hands[seat] if seen.card and view.is_playable(seen.card)]


def touched(view: View, clue: Clue) -> list[Card]:
    """The cards that a clue would touch."""
    return [seen.card for seen in view.hands[clue.seat] if seen.card and view.rules.matches(clue.hint, seen.card)]


def test_the_red_two_fits_and_red_marks_it_alone() -> None:
    view = before_step(1).view(LEARNER)
    assert [str(card) for card in touched(view, Clue(HELPER, read_card("R1").colour))] == ["R2"]
    assert [str(card) for card in playable(view, HELPER)] == ["R2"]
    assert playable(view, TEACHER) == [], "“holds no card that fits right now”"
    assert [str(card) for card in touched(view, Clue(HELPER, 2))] == ["R2", "W2"]
    assert not any(map(Knowledge(view).surely_playable, map(Knowledge(view).possible, view.hand)))


def test_the_green_five_is_the_oldest_unclued_card_and_five_marks_it_alone() -> None:
    view = before_step(2).view(LEARNER)
    first = next(seen for seen in view.hands[TEACHER] if not seen.clued)
    assert str(first.card) == "G5"
    assert [str(card) for card in touched(view, Clue(TEACHER, 5))] == ["G5"]
    assert [str(card) for card in touched(view, Clue(TEACHER, read_card("G1").colour))] == ["G5", "G2"]
    assert Knowledge(view).is_last_copy(read_card("G5"))


def test_four_tokens_are_left_and_the_spare_cards_are_those_without_a_clue() -> None:
    view = before_step(3).view(LEARNER)
    assert (view.clue_tokens, view.rules.clue_tokens) == (4, 8)
    assert {seen.number for seen in view.hand if not seen.clued} == set(told(view).cards)
    assert sorted(seen.named_values for seen in view.hand if seen.clued) == [(1,), (5,)]


def test_no_discard_of_the_lesson_is_the_last_of_its_kind() -> None:
    game = before_step(3)
    know = Knowledge(game.view(TEACHER))
    for slot, seen in enumerate(game.view(TEACHER).hands[LEARNER]):
        if not seen.clued:
            assert seen.card
            assert not know.is_last_copy(seen.card), slot


def test_the_other_one_is_no_longer_sure_and_playing_it_is_a_mistake() -> None:
    game = before_step(4)
    view = game.view(LEARNER)
    assert {colour.value for colour, height in view.fireworks.items() if height} == {"red", "yellow"}
    one = next(seen for seen in view.hand if seen.named_values == (1,))
    options = Knowledge(view).possible(one)
    assert {view.is_playable(card) for card in options} == {True, False}
    game.act(right_actions(view)[0])
    last = game.view(LEARNER).log[-1]
    assert isinstance(last, Played)
    assert (last.placed, last.mistakes) == (False, 1)


# Refusals.


@pytest.mark.parametrize("number", range(len(ASKED)))
def test_a_wrong_move_is_answered_in_every_language_and_changes_nothing(number: int) -> None:
    table = lesson_table()
    while table.turn < ASKED[number].begins:
        table = table.after(scripted(table))
    view = table.view_for(ANN)
    right = right_actions(view)
    wrong = [action for action in view.legal_actions if action not in right]
    assert len(wrong) > 10
    answers = set()
    for action in wrong:
        with pytest.raises(IllegalError) as refusal:
            commands.move(table, ANN, str(action), table.turn)
        assert refusal.value.code == "wrong_step"
        assert refusal.value.message == told(view, table.names).objection(action)
        answers.add(refusal.value.message)
    for language in LANGUAGES:
        assert all("{" not in catalogue(language)(message) for message in answers)
    for action in right:
        assert commands.move(table, ANN, str(action), table.turn)


def test_an_illegal_move_is_refused_in_the_words_of_the_rules() -> None:
    table = lesson_table()
    while table.turn < ASKED[1].begins:
        table = table.after(scripted(table))
    with pytest.raises(IllegalError) as refusal:
        table.after(commands.move(table, ANN, "clue 2 1", table.turn))
    assert refusal.value.code == "empty_clue"


def test_after_a_rearrangement_the_same_cards_are_asked_for() -> None:
    table = lesson_table()
    while table.turn < ASKED[0].begins:
        table = table.after(scripted(table))
    numbers = table.hand_numbers(LEARNER)
    turned = table.after(commands.arrange(table, ANN, " ".join(map(str, reversed(numbers)))))
    assert set(told(table.view_for(ANN)).cards) == set(told(turned.view_for(ANN)).cards)
    with pytest.raises(IllegalError):
        commands.move(turned, ANN, "play 1", turned.turn)


def lesson_table() -> Table:
    """Ann's first deal before its first turn."""
    settings = Settings(str(RULES), lesson=True, slow_games=3)
    table = Table("abcdefghjk", commands.open_table(settings, ANN, "Ann"))
    for seat in range(1, PLAYERS):
        table = table.after(commands.seat_bot(table, ANN, seat, DEFAULT_BOT))
    return table.after(commands.start_lesson(table, ANN, partial(deal_of, 4)))


def scripted(table: Table) -> list[AnyEvent]:
    """The prepared move of the player to move."""
    assert table.to_move is not None
    right = right_actions(table.view_of_seat(table.to_move))[0]
    if table.bot_to_move:
        return commands.bot_move(table, BotMove(right), table.turn)
    return commands.move(table, ANN, str(right), table.turn)


# At a table.


async def opened(tables: TableService) -> Table:
    bots = [partial(commands.seat_bot, person=ANN, seat=seat, bot=DEFAULT_BOT) for seat in range(1, PLAYERS)]
    deal = partial(commands.start_lesson, person=ANN, deal=partial(deal_of, 4))
    return await tables.create(Settings(str(RULES), lesson=True), ANN, "Ann", *bots, deal)


async def through_the_steps(tables: TableService, table: Table) -> Table:
    """Ann takes the right action."""
    while (table := await until_people_move(tables, table)).turn < len(RIGHT_BY_TURN):
        right = right_actions(table.view_for(ANN))[0]
        await tables.update(table.code, partial(commands.move, person=ANN, text=str(right), turn=table.turn))
    return table


class Counting(InlineExecutor):
    """Counts the moves asked of bots."""

    asked = 0

    async def choose_move(self, bot: str, view: View, table: str = "", lineup: Sequence[str] = ()) -> BotMove:
        self.asked += 1
        return await super().choose_move(bot, view, table)


def test_bots_play_the_prepared_moves_and_then_their_own() -> None:
    async def steps() -> None:
        store, thinker = MemoryStore(), Counting()
        tables = tables_over(store, executor=thinker)
        table = await opened(tables)
        assert table.seat_of(ANN) == LEARNER
        asked_in_the_steps = []
        for _ in ASKED:
            table = await until_people_move(tables, table)
            asked_in_the_steps.append(thinker.asked)
            right = right_actions(table.view_for(ANN))[0]
            await tables.update(table.code, partial(commands.move, person=ANN, text=str(right), turn=table.turn))
        assert set(asked_in_the_steps) == {0}
        table = await until_people_move(tables, table)
        assert (table.turn, thinker.asked) == (len(RIGHT_BY_TURN) + 2, 2)
        again = await tables_over(store).get(table.code)
        assert again.settings.lesson, "another process, or the same after a restart, continues it"
        await tables.close()

    run(steps())


def test_the_game_goes_on_after_the_steps_and_a_rematch_is_ordinary() -> None:
    async def steps() -> None:
        tables = tables_over(MemoryStore())
        table = await through_the_steps(tables, await opened(tables))
        assert told(table.view_for(ANN)).right == (), "the learner is told that they are free, and is"
        thinker = InlineExecutor()
        while (table := await until_people_move(tables, table)).phase is Phase.PLAYING:
            thought = await thinker.choose_move("simple", table.view_for(ANN))
            table = await tables.update(
                table.code, partial(commands.move, person=ANN, text=str(thought.action), turn=table.turn)
            )
            if table.phase is Phase.PLAYING:
                assert guidance(table.view_for(ANN), table.names) is None
        assert table.turn > 30
        following = await tables.rematch(table.code, ANN)
        assert not following.settings.lesson
        await tables.close()

    run(steps())


def test_a_bot_that_stands_in_makes_the_right_move() -> None:
    async def steps() -> None:
        store = MemoryStore()
        tables = tables_over(store)
        table = await opened(tables)
        await tables.update(table.code, partial(commands.take_over, person=ANN, seat=LEARNER, bot="simple", away=False))
        while table.turn <= len(RIGHT_BY_TURN):
            table = await tables.refresh(table.code, table.sequence + 1)
        moves = [event.parsed for event in map(decode, store.kept[table.code]) if isinstance(event, Moved)]
        game = Game(RULES, deck=[read_card(word) for word in deck_of(store, table.code)])
        for _ in play_the_steps(game, ROADS[0]):
            pass
        assert tuple(moves[: len(RIGHT_BY_TURN)]) == game.moves
        await tables.close()

    run(steps())


def deck_of(store: MemoryStore, code: str) -> list[str]:
    return next(event.deck.split() for event in map(decode, store.kept[code]) if isinstance(event, Started))


def everything_told(view: View) -> tuple[object, ...]:
    """All that a page shows of the guidance."""
    guide = told(view)
    answers = [guide.objection(action) for action in view.legal_actions]
    return guide.number, guide.sentence, guide.why, guide.reminder, guide.right, guide.cards, guide.teammate, answers


def test_guidance_does_not_depend_on_hidden_cards() -> None:
    game, choice = dealt(), random.Random(5)
    for view in play_the_steps(game, (1, 0, 0, 2, 0)):
        twin = twin_of(game, LEARNER, choice).view(LEARNER)
        assert everything_told(view) == everything_told(twin)


def test_only_the_learner_is_guided() -> None:
    game = dealt()
    assert guidance(game.view(TEACHER), NAMES) is None
    assert guidance(game.spectator_view(), NAMES) is None


def test_old_events_are_read_as_no_lesson() -> None:
    line = '{"event":"opened","host":"p","settings":{"rules_text":"players=3","edition_name":"standard"}}'
    event = decode(line)
    assert isinstance(event, Opened)
    settings = event.settings
    assert (settings.lesson, settings.slow_games) == (False, 0)


@pytest.mark.parametrize(("slow_games", "pause"), [(0, 1.2), (1, 1.2 * FIRST_GAMES_SLOWDOWN)])
def test_bots_are_slower_in_first_games(monkeypatch: pytest.MonkeyPatch, slow_games: int, pause: float) -> None:
    waited = []

    async def wait(seconds: float) -> None:
        waited.append(seconds)

    async def steps() -> None:
        tables = tables_over(MemoryStore(at_once=True), bot_delay=1.2)
        bots = [partial(commands.seat_bot, person=ANN, seat=seat, bot="simple") for seat in range(1, PLAYERS)]
        deal = partial(commands.start, person=ANN, first=1, deal=partial(deal_of, 4))
        monkeypatch.setattr("tamaya.table.bot_turns.asyncio.sleep", wait)
        table = await tables.create(Settings(str(RULES), slow_games=slow_games), ANN, "Ann", *bots, deal)
        await until_people_move(tables, table)
        monkeypatch.undo()
        await tables.close()

    run(steps())
    assert [seconds for seconds in waited if seconds] == [pause, pause]


def test_bots_play_at_normal_speed_after_the_first_games() -> None:
    agreed = [Settings(str(RULES), lesson=True, slow_games=2)]
    while len(agreed) < 4:
        agreed.append(agreed[-1].next_game)
    assert [one.slow_games for one in agreed] == [2, 1, 0, 0]
    assert [one.lesson for one in agreed] == [True, False, False, False]
