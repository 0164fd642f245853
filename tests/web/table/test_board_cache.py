"""Drawings are kept within bounds, whoever comes and goes, and are the same as if each had been drawn anew."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, combinations

import pytest
from markupsafe import Markup

from tamaya.bots import plain_advice
from tamaya.i18n import LANGUAGES
from tamaya.rules import Message, say
from tamaya.table import Phase, Table, commands
from tamaya.web.context import Viewer
from tamaya.web.rendering.cache import ENTRY_OVERHEAD, PlaceholderHtml, RenderCache, placeholder
from tamaya.web.table import log
from tamaya.web.table.board_cache import BoardCache, render_board
from tamaya.web.table.snapshot import ShownAdvice, live_snapshot
from tests.support.games import NOBODY, PEOPLE, table_with, turns

AWAY = [frozenset(some) for some in chain.from_iterable(combinations(PEOPLE, size) for size in range(len(PEOPLE) + 1))]
COLD = (say("The {name} is still warming up; until it has, it plays as the {other} does.", name="One", other="Other"),)


def reader(person: str, language: str = "en", **more: bool | ShownAdvice) -> Viewer:
    return replace(Viewer(person, "Name", language, "https://hanabi.example"), **more)  # type: ignore[arg-type]


def anew(table: Table, who: Viewer, away: frozenset[str], cold: tuple[Message, ...] = ()) -> Markup:
    """The board as nobody has drawn it before."""
    moment = replace(
        live_snapshot(table, who.person, away), tips_enabled=who.tips_enabled, compile_notices=cold, advice=who.advice
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(log, "RENDER_CACHE", RenderCache())
        return render_board(moment, who.language)


def test_who_comes_and_goes_makes_nothing_more_to_keep() -> None:
    """The attack: four tables whose players left and came back filled a server with a board for each set of them."""
    kept, table = RenderCache(), table_with()
    drawings = BoardCache(kept)
    for person in (*PEOPLE, "p-watcher"):
        drawings.render(table, reader(person), NOBODY)
    before = kept.size
    for person in (*PEOPLE, "p-watcher"):
        for away in AWAY:
            drawings.render(table, reader(person), away)
        drawings.render(table, reader(person), NOBODY)
    assert kept.size == before


def test_all_that_can_be_looked_at_stays_within_its_room() -> None:
    kept = RenderCache(max_size=1_000_000)
    drawings, drawn = BoardCache(kept), 0
    for table in turns(table_with(), 3):
        for language in LANGUAGES:
            for person in (*PEOPLE, "p-watcher"):
                for wish in (True, False):
                    who = reader(person, language, tips_enabled=wish, next_discard=wish)
                    drawn += len(drawings.render(table, who, NOBODY).encode())
                    assert kept.size <= 1_000_000
    assert drawn > 2_000_000


def test_a_watcher_who_wants_a_coach_is_drawn_no_board_of_their_own() -> None:
    kept, table = RenderCache(), table_with()
    drawings = BoardCache(kept)
    drawings.render(table, reader("p-watcher"), NOBODY)
    before = kept.size
    drawings.render(table, reader("p-other", tips_enabled=True), NOBODY)
    assert kept.size == before


def test_the_next_drawing_takes_the_place_of_the_last() -> None:
    kept, table = RenderCache(), table_with()
    drawings, sizes = BoardCache(kept), list[int]()
    for now in turns(table, 12):
        sizes.append(kept.size + len(drawings.render(now, reader(PEOPLE[1]), NOBODY)))
    assert sizes[-1] < 3 * sizes[0]


@pytest.mark.parametrize("language", ["en", "zh_TW"])
@pytest.mark.parametrize("person", [PEOPLE[0], PEOPLE[1], "p-watcher"])
def test_a_kept_board_shows_who_is_away_as_a_new_one_does(person: str, language: str) -> None:
    drawings, who = BoardCache(RenderCache()), reader(person, language)
    for table in turns(table_with(), 2):
        table = table.after(commands.take_over(table, PEOPLE[2], 2, "simple", away=False))
        for away in (NOBODY, *AWAY[::5], NOBODY):
            for cold in ((), COLD):
                assert drawings.render(table, who, away, cold) == anew(table, who, away, cold)


def test_advice_is_shown_to_whoever_asked_and_as_long_as_it_holds() -> None:
    table, drawings = table_with(), BoardCache(RenderCache())
    advice = plain_advice(table.view_of_seat(0))
    plain = drawings.render(table, reader(PEOPLE[0]), NOBODY)
    others = [drawings.render(table, reader(person), NOBODY) for person in PEOPLE[1:]]
    seen = {plain}
    for steps in (1, 2, 3):
        asked = reader(PEOPLE[0], advice=ShownAdvice(advice, steps))
        seen.add(drawings.render(table, asked, NOBODY))
        assert drawings.render(table, asked, NOBODY) == anew(table, asked, NOBODY)
        assert [drawings.render(table, reader(person), NOBODY) for person in PEOPLE[1:]] == others
    assert drawings.render(table, reader(PEOPLE[0]), NOBODY) == plain
    assert len(seen) == 4


def test_nobody_can_be_called_like_a_gap() -> None:
    name = str(placeholder("beside-1"))
    table = table_with([name, *PEOPLE[1:]])
    table = table.after(commands.send_message(table, PEOPLE[0], remark="thanks"))
    page = BoardCache(RenderCache()).render(table, reader(PEOPLE[1]), frozenset(PEOPLE[2:]))
    assert Markup.escape(name) in page
    assert str(placeholder("")).split()[0] not in page


def test_gaps_are_filled_again_and_again() -> None:
    drawn = PlaceholderHtml.parse(Markup("a") + placeholder("x") + "b" + placeholder("y") + placeholder("x") + "c")
    for x, y in (("", ""), ("long", "longer"), ("s", ""), ("", "t")):
        drawn = drawn.fill({"x": Markup(x), "y": Markup(y), "z": Markup("nowhere")})
        assert drawn.text == f"a{x}b{y}{x}c"


def test_what_was_not_wanted_for_longest_goes_first() -> None:
    kept = RenderCache(max_size=8 * (ENTRY_OVERHEAD + 100))
    for key in "abcd":
        kept.put(key, key.upper(), 100)
    for key in "efghij":
        assert kept.get("a") == "A"
        kept.put(key, key.upper(), 100)
    assert [kept.get(key) for key in "abcj"] == ["A", None, None, "J"]
    assert kept.size <= 8 * (ENTRY_OVERHEAD + 100)


def test_what_is_larger_than_its_room_is_not_kept() -> None:
    kept = RenderCache(max_size=100 * ENTRY_OVERHEAD)
    kept.put("small", 1, 100)
    kept.put("large", 2, 100 * ENTRY_OVERHEAD)
    assert (kept.get("small"), kept.get("large"), kept.size) == (1, None, 100 + ENTRY_OVERHEAD)


def test_what_is_put_twice_is_counted_once() -> None:
    kept = RenderCache()
    for text in (100, 5000, 200):
        kept.put("same", text, text)
    assert (kept.get("same"), kept.size) == (200, 200 + ENTRY_OVERHEAD)


def test_what_holds_for_one_table_is_not_shown_of_another_with_its_code() -> None:
    kept, one, other = RenderCache(), table_with(), table_with()
    kept.put_for(one, "slot", "one", 3)
    assert (kept.get_for(one, "slot"), kept.get_for(other, "slot")) == ("one", None)


def test_when_the_game_is_over_nobody_is_to_be_replaced() -> None:
    table, who, drawings = table_with(), reader(PEOPLE[1]), BoardCache(RenderCache())
    assert "Let a bot play</button>" in drawings.render(table, who, frozenset(PEOPLE[2:]))
    while table.phase is not Phase.ENDED:
        (table,) = turns(table, 1)
    for away in AWAY[::7]:
        assert drawings.render(table, who, away) == anew(table, who, away)
        assert "Let a bot play</button>" not in drawings.render(table, who, away)


def test_boards_take_no_room_of_their_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts make the next drawing quick; boards, many times as large, are wanted for a moment."""
    parts, drawings, table = RenderCache(), BoardCache(), table_with()
    monkeypatch.setattr("tamaya.web.rendering.cache.RENDER_CACHE", parts)
    boards = [drawings.render(table, reader(person), NOBODY) for person in PEOPLE]
    assert not any(board in str(kept) for board in boards for kept, _ in parts._new.values())
    drawn, poor = parts.size, BoardCache(RenderCache(max_size=1000))
    assert [poor.render(table, reader(person), NOBODY) for person in PEOPLE] == boards
    assert parts.size == drawn, "where boards have no room, they are drawn anew from the same parts"
