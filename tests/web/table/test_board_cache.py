"""Cached boards stay within bounds, however visitors come and go, and equal freshly rendered ones."""

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
from tests.support.games import NONE_AWAY, PEOPLE, table_with, turns

AWAY = [frozenset(some) for some in chain.from_iterable(combinations(PEOPLE, size) for size in range(len(PEOPLE) + 1))]
COLD = (say("The {name} is still warming up; until it has, it plays as the {other} does.", name="One", other="Other"),)


def viewer(person: str, language: str = "en", **more: bool | ShownAdvice) -> Viewer:
    return replace(Viewer(person, "Name", language, "https://hanabi.example"), **more)  # type: ignore[arg-type]


def render_fresh(table: Table, who: Viewer, away: frozenset[str], notices: tuple[Message, ...] = ()) -> Markup:
    """The board rendered with empty caches."""
    moment = replace(
        live_snapshot(table, who.person, away), tips_enabled=who.tips_enabled, compile_notices=notices, advice=who.advice
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(log, "RENDER_CACHE", RenderCache())
        return render_board(moment, who.language)


def test_coming_and_going_adds_nothing_to_the_cache() -> None:
    """Four tables whose players left and came back once filled a server with a board for each combination."""
    kept, table = RenderCache(), table_with()
    boards = BoardCache(kept)
    for person in (*PEOPLE, "p-watcher"):
        boards.render(table, viewer(person), NONE_AWAY)
    before = kept.size
    for person in (*PEOPLE, "p-watcher"):
        for away in AWAY:
            boards.render(table, viewer(person), away)
        boards.render(table, viewer(person), NONE_AWAY)
    assert kept.size == before


def test_the_cache_stays_within_its_size_whatever_is_looked_at() -> None:
    kept = RenderCache(max_size=1_000_000)
    boards, rendered_bytes = BoardCache(kept), 0
    for table in turns(table_with(), 3):
        for language in LANGUAGES:
            for person in (*PEOPLE, "p-watcher"):
                for wish in (True, False):
                    who = viewer(person, language, tips_enabled=wish, next_discard=wish)
                    rendered_bytes += len(boards.render(table, who, NONE_AWAY).encode())
                    assert kept.size <= 1_000_000
    assert rendered_bytes > 2_000_000


def test_a_spectator_who_wants_tips_shares_the_other_spectators_board() -> None:
    kept, table = RenderCache(), table_with()
    boards = BoardCache(kept)
    boards.render(table, viewer("p-watcher"), NONE_AWAY)
    before = kept.size
    boards.render(table, viewer("p-other", tips_enabled=True), NONE_AWAY)
    assert kept.size == before


def test_a_new_board_replaces_the_old_one() -> None:
    kept, table = RenderCache(), table_with()
    boards, sizes = BoardCache(kept), list[int]()
    for now in turns(table, 12):
        sizes.append(kept.size + len(boards.render(now, viewer(PEOPLE[1]), NONE_AWAY)))
    assert sizes[-1] < 3 * sizes[0]


@pytest.mark.parametrize("language", ["en", "zh_TW"])
@pytest.mark.parametrize("person", [PEOPLE[0], PEOPLE[1], "p-watcher"])
def test_a_cached_board_shows_absent_players_like_a_new_one(person: str, language: str) -> None:
    boards, who = BoardCache(RenderCache()), viewer(person, language)
    for table in turns(table_with(), 2):
        table = table.after(commands.take_over(table, PEOPLE[2], 2, "simple", away=False))
        for away in (NONE_AWAY, *AWAY[::5], NONE_AWAY):
            for notices in ((), COLD):
                assert boards.render(table, who, away, notices) == render_fresh(table, who, away, notices)


def test_advice_is_shown_to_the_player_who_asked_while_it_applies() -> None:
    table, boards = table_with(), BoardCache(RenderCache())
    advice = plain_advice(table.view_of_seat(0))
    plain = boards.render(table, viewer(PEOPLE[0]), NONE_AWAY)
    others = [boards.render(table, viewer(person), NONE_AWAY) for person in PEOPLE[1:]]
    seen = {plain}
    for steps in (1, 2, 3):
        asked = viewer(PEOPLE[0], advice=ShownAdvice(advice, steps))
        seen.add(boards.render(table, asked, NONE_AWAY))
        assert boards.render(table, asked, NONE_AWAY) == render_fresh(table, asked, NONE_AWAY)
        assert [boards.render(table, viewer(person), NONE_AWAY) for person in PEOPLE[1:]] == others
    assert boards.render(table, viewer(PEOPLE[0]), NONE_AWAY) == plain
    assert len(seen) == 4


def test_a_name_that_looks_like_a_placeholder_stays_text() -> None:
    name = str(placeholder("beside-1"))
    table = table_with([name, *PEOPLE[1:]])
    table = table.after(commands.send_message(table, PEOPLE[0], remark="thanks"))
    page = BoardCache(RenderCache()).render(table, viewer(PEOPLE[1]), frozenset(PEOPLE[2:]))
    assert Markup.escape(name) in page
    assert str(placeholder("")).split()[0] not in page


def test_placeholders_can_be_filled_repeatedly() -> None:
    html = PlaceholderHtml.parse(Markup("a") + placeholder("x") + "b" + placeholder("y") + placeholder("x") + "c")
    for x, y in (("", ""), ("long", "longer"), ("s", ""), ("", "t")):
        html = html.fill({"x": Markup(x), "y": Markup(y), "z": Markup("nowhere")})
        assert html.text == f"a{x}b{y}{x}c"


def test_the_least_recently_used_entry_is_evicted_first() -> None:
    kept = RenderCache(max_size=8 * (ENTRY_OVERHEAD + 100))
    for key in "abcd":
        kept.put(key, key.upper(), 100)
    for key in "efghij":
        assert kept.get("a") == "A"
        kept.put(key, key.upper(), 100)
    assert [kept.get(key) for key in "abcj"] == ["A", None, None, "J"]
    assert kept.size <= 8 * (ENTRY_OVERHEAD + 100)


def test_an_entry_larger_than_the_cache_is_not_kept() -> None:
    kept = RenderCache(max_size=100 * ENTRY_OVERHEAD)
    kept.put("small", 1, 100)
    kept.put("large", 2, 100 * ENTRY_OVERHEAD)
    assert (kept.get("small"), kept.get("large"), kept.size) == (1, None, 100 + ENTRY_OVERHEAD)


def test_an_entry_put_twice_is_counted_once() -> None:
    kept = RenderCache()
    for text in (100, 5000, 200):
        kept.put("same", text, text)
    assert (kept.get("same"), kept.size) == (200, 200 + ENTRY_OVERHEAD)


def test_an_entry_of_one_table_is_not_shown_for_another_with_its_code() -> None:
    kept, one, other = RenderCache(), table_with(), table_with()
    kept.put_for(one, "slot", "one", 3)
    assert (kept.get_for(one, "slot"), kept.get_for(other, "slot")) == ("one", None)


def test_a_finished_game_offers_no_replacement_by_a_bot() -> None:
    table, who, boards = table_with(), viewer(PEOPLE[1]), BoardCache(RenderCache())
    assert "Let a bot play</button>" in boards.render(table, who, frozenset(PEOPLE[2:]))
    while table.phase is not Phase.ENDED:
        (table,) = turns(table, 1)
    for away in AWAY[::7]:
        assert boards.render(table, who, away) == render_fresh(table, who, away)
        assert "Let a bot play</button>" not in boards.render(table, who, away)


def test_boards_do_not_displace_their_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts speed up the next rendering; boards are many times as large and needed only for a moment."""
    parts, cache, table = RenderCache(), BoardCache(), table_with()
    monkeypatch.setattr("tamaya.web.rendering.cache.RENDER_CACHE", parts)
    boards = [cache.render(table, viewer(person), NONE_AWAY) for person in PEOPLE]
    assert not any(board in str(kept) for board in boards for kept, _ in parts._new.values())
    size, small_cache = parts.size, BoardCache(RenderCache(max_size=1000))
    assert [small_cache.render(table, viewer(person), NONE_AWAY) for person in PEOPLE] == boards
    assert parts.size == size, "without room for boards, they are rendered again from the same parts"
