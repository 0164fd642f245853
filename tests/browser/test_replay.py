"""Looking back in a browser: by keys, by touch, and during the game; nothing later is sent."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.looks import barriers, misfits
from tests.browser.player import DESKTOP, LIVE, PHONE, People, Player, two_at_a_table
from tests.browser.strategy import reckless


def finished(player: Player, players: int = 2) -> str:
    """The path of a finished game."""
    path = player.play_now(players)
    player.hurry(path, reckless, until=lambda board: False)
    return path


def expect_at(page: Page, turn: int | str, **more: str) -> None:
    """Wait until page and address are at a turn of a replay."""
    expect(page.locator("#controls")).to_have_attribute("data-turn", str(turn), timeout=LIVE)
    query = "&".join(f"{name}={value}" for name, value in {"turn": turn, **more}.items())
    expect(page).to_have_url(re.compile(re.escape(query)), timeout=LIVE)


def swipe(page: Page, way: int) -> None:
    """Swipe across the sky."""
    page.evaluate(
        """(way) => {
          const sky = document.querySelector(".heavens");
          const send = (kind, x) => sky.dispatchEvent(new PointerEvent(kind, { bubbles: true, clientX: x, clientY: 80 }));
          send("pointerdown", 200);
          send("pointerup", 200 + way);
        }""",
        way,
    )


def test_a_replay_can_be_stepped_through_by_keys_alone(desktop: Player) -> None:
    path = finished(desktop)
    desktop.page.locator(".result a", has_text="Look back").focus()
    desktop.page.keyboard.press("Enter")
    desktop.page.wait_for_url(f"**{path}/replay*")
    page, keys = desktop.page, desktop.page.keyboard
    last = int(page.locator("#controls").get_attribute("data-turn") or 0)
    expect_at(page, last, eyes="1")
    keys.press("Home")
    expect_at(page, 0)
    keys.press("ArrowRight")
    keys.press("ArrowRight")
    expect_at(page, 2)
    keys.press("ArrowLeft")
    expect_at(page, 1)
    faces = page.locator(".hand .card.face:not(.known)")
    expect(faces).to_have_count(5)
    keys.press("e")
    expect_at(page, 1, eyes="2")
    keys.press("e")
    expect_at(page, 1, eyes="table")
    expect(faces).to_have_count(0)
    keys.press("e")
    expect_at(page, 1, eyes="hands")
    expect(faces).to_have_count(10)
    keys.press("v")
    expect_at(page, 1, eyes="hands", **{"try": "yes"})
    keys.press("1")
    keys.press("p")
    keys.press("Enter")
    expect(page.locator("#table")).to_have_attribute("data-turn", "2", timeout=LIVE)
    expect(page).to_have_url(re.compile("then=play"))
    assert barriers(page, DESKTOP) == []
    keys.press("z")
    expect(page.locator("#table")).to_have_attribute("data-turn", "1", timeout=LIVE)
    keys.press("Escape")
    expect(page.locator("#sheet")).to_have_count(0)
    keys.press("End")
    expect_at(page, last, eyes="hands")
    assert barriers(page, DESKTOP) == []


def test_a_replay_can_be_stepped_through_by_touch_alone(phone: Player) -> None:
    path = finished(phone)
    phone.visit(f"{path}/replay?turn=1")
    page = phone.page
    swipe(page, -120)
    expect_at(page, 2)
    swipe(page, 120)
    expect_at(page, 1)
    phone.press("[data-step=next]")
    expect_at(page, 2)
    phone.press(".tabs [data-panel=log]")
    phone.press(page.locator(".log a.turn").last)
    expect_at(page, 1)
    page.locator("#eyes").select_option("hands")
    expect_at(page, 1, eyes="hands")
    page.locator("#turn").fill("3")
    expect_at(page, 3, eyes="hands")
    phone.press("[data-play]")
    last = page.locator("#controls[data-last=yes]")
    expect(last).to_have_count(1, timeout=2 * LIVE)
    phone.press(".tabs [data-panel=game]")
    phone.press(page.get_by_role("button", name="Play this deal again"))
    phone.arrive()
    phone.see(".board")


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
@pytest.mark.parametrize("players", [2, 5])
def test_a_replay_fits_the_screen(people: People, players: int, size: tuple[int, int]) -> None:
    player = people(size)
    path = finished(player, players)
    for query in ("turn=4", "turn=end&eyes=hands", "turn=3&try=yes"):
        player.visit(f"{path}/replay?{query}")
        player.see("#controls")
        assert misfits(player.page) == [], query


def test_players_look_back_without_leaving_the_table_and_return_to_now(people: People) -> None:
    host, guest, path = two_at_a_table(people)
    host.act("clue 2 1" if "clue 2 1" in [choice.move for choice in host.board.legal] else host.board.legal[0].move)
    guest.wait_for_turn()
    host.page.keyboard.press("ArrowLeft")
    controls = host.page.locator("#controls")
    expect(controls).to_have_attribute("data-turn", "0", timeout=LIVE)
    assert barriers(host.page, DESKTOP) == []
    guest.act(next(choice.move for choice in guest.board.legal if choice.move.startswith(("discard", "play"))))
    news = host.page.locator("[data-step=now].news")
    expect(news).to_be_visible(timeout=LIVE)
    expect(host.page.locator("#table")).to_have_attribute("data-turn", "0")
    host.page.keyboard.press("Escape")
    expect(host.page.locator("#table.my-turn")).to_have_attribute("data-turn", "2", timeout=LIVE)
    guest.press("a.look-back")
    expect(guest.page.locator("#controls")).to_have_attribute("data-turn", "1", timeout=LIVE)
    guest.press("[data-step=now]")
    expect(guest.page.locator("#table")).to_have_attribute("data-turn", "2", timeout=LIVE)
    expect(guest.page.locator("#controls")).to_have_count(0)
    assert host.page.url.endswith(path)


def test_turns_already_seen_are_prefetched_and_later_ones_are_not(people: People) -> None:
    player, stranger = people(), people()
    path = finished(player)
    asked: list[int] = []
    for who in (player, stranger):
        who.context.on("request", lambda request: asked.extend(map(int, re.findall(r"/replay\?turn=(\d+)", request.url))))
    stranger.visit(f"{path}/replay?turn=2")
    stranger.page.keyboard.press("ArrowLeft")
    expect_at(stranger.page, 1)
    stranger.page.keyboard.press("ArrowLeft")
    expect_at(stranger.page, 0)
    stranger.page.wait_for_load_state("networkidle")
    assert max(asked) == 2, "turn 3 was not requested"
    asked.clear()
    player.visit(f"{path}/replay?turn=2")
    with player.page.expect_response(re.compile(r"turn=3")):
        player.page.wait_for_load_state("networkidle")
