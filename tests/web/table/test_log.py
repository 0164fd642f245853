"""Take-backs and private notes on the pages: what each viewer is shown."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from html import unescape
from itertools import product
from pathlib import Path

import msgspec
import pytest
from starlette.applications import Starlette

from tamaya import Card, Game, IllegalError, Rules, View
from tamaya.engine import Event
from tamaya.i18n import LANGUAGES, catalogue
from tamaya.rules import say
from tamaya.table import ClueMemory, Table, commands
from tamaya.table.events import Moved, Started, TakenBack
from tamaya.web.rendering.cache import RenderCache
from tamaya.web.table import log
from tamaya.web.table.board_cache import render_board, render_side
from tamaya.web.table.components import LogLine
from tamaya.web.table.snapshot import GameSnapshot, live_snapshot, table_info
from tests.support.client import Answer, Browser, end_game, member, start_game, the_table, with_app
from tests.support.fakes import ALLOWED, ANN, deal_of, decided, full_table, game_of, moves, started, takes_back
from tests.support.games import NONE_AWAY, PEOPLE, table_with, turns
from tests.support.harmful_text import CORPUS, shows

CLUE = {"move": "clue 2 1", "turn": 0}


async def evening(app: Starlette, **more: object) -> tuple[str, Browser, Browser, Browser]:
    """Ann and Bob at a table with take-backs, and Eve, who watches."""
    ann, bob, eve = member(app, "Ann"), member(app, "Bob"), member(app, "Eve")
    return await start_game(ann, bob, empty_clues="yes", **{"take_backs": "yes", **more}), ann, bob, eve


def words(answer: Answer) -> str:
    """The text of a page without its tags."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", answer.text)).split())


def without_sequence(page: str) -> str:
    return re.sub(r'data-sequence="\d+"', "", page)


def test_nothing_can_be_taken_back_unless_the_table_allows_it(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        code, ann, *_ = await evening(app, take_backs="no")
        page = await ann.act(code, "move", **CLUE)
        assert 'id="take-back"' not in page.text
        answer = await ann.act(code, "take-back", turn=1, line=0)
        assert (answer.status, answer.text) == (409, "At this table nothing is taken back.")

    with_app(tmp_path, steps)


def test_every_viewer_reads_a_take_back_request_and_those_asked_can_answer(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        code, ann, bob, eve = await evening(app)
        assert 'form="take-back"' not in (await ann.get(f"/t/{code}")).text, "there is nothing to take back yet"
        page = await ann.act(code, "move", **CLUE)
        assert '<input type="hidden" name="turn" value="1"><input type="hidden" name="line" value="0"></form>' in page.text
        assert 'form="take-back"' in page.text
        assert 'form="take-back"' not in (await bob.get(f"/t/{code}")).text
        asked = await ann.act(code, "take-back", turn=1, line=0)
        assert "You would like to take back: You tell Bob “1”" in words(asked)
        assert "Waiting for Bob Never mind" in words(asked)
        question = await bob.get(f"/t/{code}")
        assert "Ann would like to take back: Ann tells you “1”" in words(question)
        assert "Agree No" in words(question)
        watched = await eve.get(f"/t/{code}")
        assert "Waiting for Bob" in words(watched)
        assert f"/t/{code}/answer" not in watched.text
        agreed = await bob.act(code, "answer", question=1, agrees="yes")
        assert agreed.status == 200
        assert "Ann took back: Ann tells you “1”" in words(agreed)
        assert 'id="question"' not in agreed.text
        assert (await the_table(app, code)).turn == 0

    with_app(tmp_path, steps)


def test_a_page_that_shows_a_position_taken_back_cannot_move_on_it(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        code, ann, bob, _ = await evening(app)
        await ann.act(code, "move", **CLUE)
        await ann.act(code, "take-back", turn=1, line=0)
        await bob.act(code, "answer", question=1, agrees="yes")
        await ann.act(code, "move", move="clue 2 2", turn=0, line=1)
        hand = "5 6 7 8 9"
        stale = await bob.act(code, "move", move="play 1", turn=1, line=0, hand=hand)
        assert (stale.status, stale.text) == (409, "The table has moved on since; look again before you decide.")
        assert (await bob.act(code, "move", move="play 1", turn=1, line=1, hand=hand)).status == 200

    with_app(tmp_path, steps)


def rendered(moment: GameSnapshot) -> str:
    return render_board(moment, "en")


def taken_back(*texts: str) -> Table:
    """Ann with two bots, after she took these actions back."""
    return decided(started(ALLOWED, bots=(1, 2)), *moves(*texts), takes_back(ANN))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_log_says_what_was_taken_back_and_whether_a_card_was_seen(language: str) -> None:
    table, speak = taken_back("clue 2 1", "discard 1"), catalogue(language)
    page = unescape(render_side(live_snapshot(table, ANN, frozenset()), language))
    assert speak(say("A card had been seen.")) in page
    assert 'id="b1" class="back"' in page
    assert speak(say("A card had been seen.")) not in render_side(
        live_snapshot(taken_back("clue 2 1"), ANN, frozenset()), language
    )


def test_a_take_back_stands_between_the_turns_where_it_happened() -> None:
    table = decided(taken_back("clue 2 1", "clue 3 1", "clue 1 1", "clue 2 2"), *moves("clue 2 3", "clue 3 2"))
    assert re.findall(r'<li id="(\w+)"', render_side(live_snapshot(table, ANN, frozenset()), "en"))[:6] == [
        *("l5", "l4", "b1", "l3", "l2", "l1"),
    ]


def test_a_past_moment_does_not_tell_what_was_taken_back_there() -> None:
    table = decided(taken_back("play 1"), *moves("clue 2 3", "clue 3 2"))
    game = game_of(table)
    pages = [str(render_side(GameSnapshot(game.at(turn).view(1), table_info(table, ANN)), "en")) for turn in range(3)]
    assert ["took back" in page for page in pages] == [False, True, True]


@pytest.mark.parametrize("taken", [("play 1",), ("discard 1",)])
def test_a_take_back_reveals_nothing_about_the_next_card_of_the_deck(taken: tuple[str, ...]) -> None:
    """Whatever card comes next in the deck, every player is shown the same afterwards."""
    dealt = started(ALLOWED, bots=(1, 2))
    deck = list(game_of(dealt).reveal_deck())
    pages = set()
    for card in sorted(set(deck[15:])):
        place = deck.index(card, 15)
        cards = [*deck[:15], card, *deck[15:place], *deck[place + 1 :]]
        begun = full_table(ALLOWED, bots=(1, 2)).after([Started(" ".join(map(str, cards)), 0)])
        table = decided(begun, *moves("clue 2 1", "clue 3 1", "clue 1 1", *taken), takes_back(ANN))
        pages.add(rendered(live_snapshot(table, ANN, frozenset())))
    assert len(pages) == 1


Step = str | int
"""An action in words, or the turn to go back to."""


def steps_of(game: Game, choice: random.Random) -> list[Step]:
    """The steps of a game with many take-backs."""
    steps: list[Step] = []
    for _ in range(30):
        last = {event.seat: event.turn for event in game.log}
        if last and choice.random() < 0.3:
            steps.append(choice.choice(sorted(last.values())) - 1)
        else:
            steps.append(str(choice.choice(game.legal_actions())))
        take(game, steps[-1])
        if game.outcome is not None:
            game.undo()
            steps.pop()
    return steps


def take(game: Game, step: Step) -> None:
    if isinstance(step, str):
        game.act(step)
    while isinstance(step, int) and game.turn > step:
        game.undo()


def seen(rules: Rules, deck: list[Card], steps: list[Step]) -> list[View] | None:
    """Every view of the first player in such a game; empty if the deck does not allow it."""
    game, views = Game(rules, deck=deck), []
    try:
        for step in steps:
            take(game, step)
            views.append(game.view(0))
    except IllegalError:
        return None
    return views


def page_of(deck: list[Card], steps: list[Step]) -> str:
    """The first player's page after these steps."""
    table = full_table(ALLOWED).after([Started(" ".join(map(str, deck)), 0)])
    for step in steps:
        events = [Moved(table.to_move or 0, step)] if isinstance(step, str) else [TakenBack(0, step)]
        table = table.after(events)
    return rendered(live_snapshot(table, ANN, frozenset()))


@pytest.mark.parametrize("seed", range(5))
def test_a_page_shows_only_what_its_reader_saw_before_the_take_back(seed: int) -> None:
    """Decks that the reader could never tell apart, on branches taken back either, make the same page."""
    choice, rules = random.Random(seed), ALLOWED.rules
    deck = list(deal_of(seed, rules))
    steps = steps_of(Game(rules, deck=deck), choice)
    assert any(isinstance(step, int) for step in steps)
    views, twin = seen(rules, deck, steps), list(deck)
    for _ in range(60):
        one, other = choice.randrange(len(deck)), choice.randrange(len(deck))
        changed = list(twin)
        changed[one], changed[other] = twin[other], twin[one]
        if seen(rules, changed, steps) == views:
            twin = changed
    assert twin != deck
    assert page_of(twin, steps) == page_of(deck, steps)


def test_the_result_says_that_something_was_taken_back(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        code, ann, bob, _ = await evening(app)
        for number, text in enumerate(("clue 2 1", "play 1"), 1):
            await ann.act(code, "move", move=text, turn=0, line=number - 1)
            await ann.act(code, "take-back", turn=1, line=number - 1)
            await bob.act(code, "answer", question=number, agrees="yes")
        await end_game(app, code, ann, bob)
        page = words(await ann.get(f"/t/{code}"))
        assert "Something was taken back 2 times. Once a card had been seen." in page
        record = await ann.get(f"/t/{code}/record/tamaya")
        assert '"taken_back": [{"after": 0, "moves": ["clue 2 1"], "seen": false}' in record.text

    with_app(tmp_path, steps)


def test_a_note_is_on_its_writers_page_only(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        code, ann, bob, eve = await evening(app)
        before = [(await who.get(f"/t/{code}", hx_request="true")).text for who in (bob, eve)]
        noted = await ann.act(code, "note", card=7, text="save this one")
        assert noted.status == 200
        assert noted.text.count("note-mark") == 1
        assert 'data-note="save this one"' in noted.text
        assert 'value="why not?"' in (await ann.act(code, "note", turn=0, text="why not?")).text
        dialog = await ann.get(f"/t/{code}/possibilities?seat=1", hx_request="true")
        assert re.search(r'id="note-7"[^>]*value="save this one"', dialog.text)
        after = [(await who.get(f"/t/{code}", hx_request="true")).text for who in (bob, eve)]
        assert list(map(without_sequence, after)) == list(map(without_sequence, before))
        for who in (bob, eve):
            pages = [f"/t/{code}", f"/t/{code}/possibilities?seat=1", f"/t/{code}/replay?turn=0"]
            assert not any("save this" in page.text for page in [await who.get(path) for path in pages])

    with_app(tmp_path, steps)


def test_after_the_game_a_writer_can_show_their_notes_and_hide_them_again(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        code, ann, bob, eve = await evening(app)
        await ann.act(code, "note", card=4, text="my secret five")
        await end_game(app, code, ann, bob)
        replay = f"/t/{code}/replay?turn=0&eyes=table"
        assert "my secret five" in (await ann.get(replay)).text, "the writer's own replay has it"
        assert "my secret five" not in (await eve.get(replay)).text
        assert "Show my notes to the others" in words(await ann.get(f"/t/{code}"))
        assert "my notes" not in words(await bob.get(f"/t/{code}"))
        assert "Hide my notes" in words(await ann.act(code, "show-notes", shown="yes"))
        assert "Ann: my secret five" in words(await eve.get(replay))
        assert "Ann: my secret five" in words(await bob.get(f"/t/{code}/replay/possibilities?turn=0&seat=0"))
        await ann.act(code, "show-notes", shown="no")
        assert "my secret five" not in (await eve.get(replay)).text

    with_app(tmp_path, steps)


def test_a_table_that_remembers_nothing_has_no_notes(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        code, ann, *_ = await evening(app, memory=ClueMemory.NOTHING)
        page, dialog = await ann.get(f"/t/{code}"), await ann.get(f"/t/{code}/possibilities?seat=0")
        assert not re.search(r"data-write-note|data-about-note", page.text + dialog.text)
        assert (await ann.act(code, "note", card=0, text="x")).status == 409

    with_app(tmp_path, steps)


def test_a_note_is_shown_as_it_was_written(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        code, ann, *_ = await evening(app)
        for text in CORPUS:
            answer = await ann.act(code, "note", card=0, text=text)
            assert (answer.status == 200) is text.isprintable()
            if answer.status == 200:
                assert shows(answer.text, text)
                assert shows((await ann.get(f"/t/{code}/possibilities?seat=0")).text, text)

    with_app(tmp_path, steps)


@pytest.fixture(autouse=True)
def shelf(monkeypatch: pytest.MonkeyPatch) -> None:
    """Empty the cache."""
    monkeypatch.setattr(log, "RENDER_CACHE", RenderCache())


def assert_grown(table: Table, person: str, monkeypatch: pytest.MonkeyPatch, language: str = "en") -> str:
    """Check that a person's log equals one rendered with an empty cache."""
    moment = live_snapshot(table, person, NONE_AWAY)
    grown = log.render_log(moment, language)
    with monkeypatch.context() as patch:
        patch.setattr(log, "RENDER_CACHE", RenderCache())
        assert grown == log.render_log(moment, language)
    return grown


def test_the_log_grows_with_each_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    for table in turns(table_with(), 10):
        for person, language in product((*PEOPLE, "p-watcher"), ("en", "fr", "zh_TW")):
            lines = assert_grown(table, person, monkeypatch, language)
            assert re.findall(r'<li id="l(\d+)"', lines) == [str(turn) for turn in range(table.turn, 0, -1)]


def test_only_new_lines_are_rendered(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, third = turns(table_with(), 3)
    log.render_log(live_snapshot(second, PEOPLE[0], NONE_AWAY), "en")
    rendered_turns = list[list[int]]()

    def lines(events: Sequence[Event], *_: object) -> list[LogLine]:
        rendered_turns.append([event.turn for event in events])
        return []

    monkeypatch.setattr(log, "log_lines", lines)
    log.render_log(live_snapshot(third, PEOPLE[0], NONE_AWAY), "en")
    log.render_log(live_snapshot(first, PEOPLE[0], NONE_AWAY), "en")
    assert rendered_turns == [[3], [1]]


def test_a_changed_name_is_changed_in_every_line(monkeypatch: pytest.MonkeyPatch) -> None:
    for names in (PEOPLE, [*PEOPLE[:-1], "Zoe"]):
        *_, table = turns(table_with(names), 5)
        assert ("Zoe" in assert_grown(table, PEOPLE[0], monkeypatch)) == ("Zoe" in names)


def test_notes_and_take_backs_are_in_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    table = started(ALLOWED, bots=(1, 2))
    for decide in (*moves("clue 2 1", "clue 3 1", "clue 1 1", "clue 2 2"), takes_back(ANN), *moves("clue 3 2", "clue 1 2")):
        table = table.after(decide(table))
        assert_grown(table, ANN, monkeypatch)
    table = table.after(commands.note(table, ANN, "perhaps a two", turn=2))
    assert "perhaps a two" in assert_grown(table, ANN, monkeypatch)
    table = table.after(moves("clue 1 3")[0](table))
    assert "perhaps a two" in assert_grown(table, ANN, monkeypatch)


def test_the_log_forgets_where_the_table_does(monkeypatch: pytest.MonkeyPatch) -> None:
    table = started(msgspec.structs.replace(ALLOWED, memory=ClueMemory.NOTHING))
    for decide in moves("clue 2 1", "clue 3 1", "clue 1 1", "clue 2 2", "clue 3 2"):
        table = table.after(decide(table))
        assert assert_grown(table, ANN, monkeypatch).count("<li ") == min(table.turn, 3)


def test_the_log_says_in_which_turn_a_bot_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    table = started(ALLOWED, bots=(1, 2))
    for failed, decide in enumerate(moves("clue 2 1", "clue 3 1", "clue 1 1", "clue 2 2")):
        table = table.after(decide(table))
        table.failed_turns |= {2} if failed == 2 else set()
        assert ("The bot could not decide" in assert_grown(table, ANN, monkeypatch)) == (failed >= 2)
