"""The bench of the web table, small: that it counts right, not how fast this machine is."""

import json
import re

import pytest
from click.testing import CliRunner

from benchmarks.web import web
from benchmarks.web.wire import Answer, Page

pytestmark = pytest.mark.slow


@pytest.mark.slow
def test_a_small_crowd_loses_nothing_and_doubles_nothing() -> None:
    arguments = ("--tables", "3", "--players", "2", "--seconds", "2", "--every", "0.1", "--json")
    report = json.loads(CliRunner().invoke(web, arguments).output)
    assert set(report["machine"]) == {"cores", "cpu", "python"}
    assert (report["load"]["tables"], report["load"]["streams"]) == (3, 6)
    assert report["moves"] > 10
    assert report["posted_twice"] == report["moves"] // 10
    assert (report["lost"], report["doubled"], report["failed"]) == (0, 0, 0)
    assert report["screens"] == 2 * report["moves"]
    assert report["records"] == {"tables": 3, "moves": report["moves"], "wrong": 0}
    assert list(report["act_to_screen_ms"]) == ["p50", "p95", "p99", "max"]
    assert sorted(report["act_to_screen_ms"].values()) == list(report["act_to_screen_ms"].values())
    assert report["bytes_per_drawing"] > 1000
    assert set(report["server"]) == {"cpu_percent", "peak_memory_mib", "complaints"}
    assert report["server"]["complaints"] == []
    assert report["bar"]["p95_ms"] == 150


@pytest.mark.slow
def test_people_go_on_with_a_rematch_and_the_report_says_so_in_words() -> None:
    arguments = ("--tables", "1", "--players", "5", "--seconds", "8", "--every", "0.02")
    output = CliRunner().invoke(web, arguments).output
    assert "1 tables, 5 streams" in output
    assert "lost 0, doubled 0, failed 0" in output
    assert re.search(r"on disk: \d+ moves at ([2-9]|\d\d+) tables, 0 tables wrong", output)
    assert "p95 <= 150 ms" in output


def board(turn: int, active: bool = False, inside: str = "") -> bytes:
    text = f'data: <div data-turn="{turn}" data-active="{"yes" if active else "no"}">{inside}</div>\n\n'.encode()
    return b"%x\r\n%b\r\n" % (len(text), text)


@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_a_page_reads_its_stream_however_it_is_cut(size: int) -> None:
    turns: list[int] = []
    page = Page(b"", lambda page: turns.append(page.turn))
    chips = '<input name="move" value="play 1" data-say="x"><input name="move" value="discard 1" data-refusal="no">'
    stream = (
        b"HTTP/1.1 200 OK\r\nx: y\r\n\r\n"
        + board(0)
        + b"e\r\n: still here\n\n\r\n"
        + board(1)
        + board(1)
        + board(2, True, chips)
    )
    for start in range(0, len(stream), size):
        page.data_received(stream[start : start + size])
    assert turns == [0, 1, 1, 2]
    assert page.moves() == ["play 1"]
    assert (page.active, page.skipped, page.drawings) == (True, 0, 4)


def test_a_page_notices_a_turn_that_it_never_showed_and_one_that_came_back() -> None:
    page = Page(b"", lambda _: None)
    page.data_received(b"HTTP/1.1 200 OK\r\n\r\n" + board(3) + board(5) + board(4))
    assert page.skipped == 2


def test_a_page_that_is_refused_is_closed() -> None:
    page = Page(b"", lambda _: None)
    page.data_received(b"HTTP/1.1 429 Too Many Requests\r\n\r\nwait")
    assert page.closed


def test_an_answer_knows_its_headers() -> None:
    answer = Answer(200, b"HTTP/1.1 200 OK\r\nHX-Redirect: /t/abc\r\nx: y")
    assert (answer.header("hx-redirect"), answer.header("x"), answer.header("z")) == ("/t/abc", "y", "")
