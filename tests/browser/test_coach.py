"""The coach in a browser: a dot leads to its moment, a slip is tried again, and everything fits."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tamaya import Rules
from tamaya.record import native
from tamaya.review.analysis import MoveGrade
from tests.browser.coached import coach
from tests.browser.looks import barriers, misfits
from tests.browser.player import DESKTOP, LIVE, PHONE, People, Player
from tests.browser.server import Server
from tests.browser.strategy import reckless
from tests.support.games import a_record

SIZES = (PHONE, (360, 640), (820, 1180), DESKTOP)


def arrived(player: Player, turn: int) -> None:
    """Wait until the board of a turn is there, and its page live."""
    expect(player.page.locator("#controls")).to_have_attribute("data-turn", str(turn), timeout=LIVE)
    player.page.wait_for_load_state()


@pytest.mark.parametrize("players", [2, 3, 5])
def test_the_coachs_verdict_fits_below_the_board(people: People, server: Server, players: int) -> None:
    player = people(DESKTOP)
    replay = player.bring(native.write(a_record(Rules(players=players))))
    coaching, found = coach(player, server, replay), list[str]()
    for verdict in (MoveGrade.GOOD, MoveGrade.BLUNDER):
        turn = next(one.turn for one in coaching.judgements if one.verdict is verdict)
        player.visit(f"{replay}?turn={turn}&seen=999")
        arrived(player, turn)
        for width, height in SIZES:
            player.page.set_viewport_size({"width": width, "height": height})
            found += [f"{verdict.value} {width}x{height}: {line}" for line in misfits(player.page)]
    assert found == []


def test_a_dot_leads_to_its_moment_with_the_better_move(people: People, server: Server) -> None:
    player = people(PHONE)
    replay = player.bring(native.write(a_record(Rules(players=2))))
    coaching = coach(player, server, replay)
    player.visit(f"{replay}?turn=end")
    slip = next(one for one in coaching.judgements if one.verdict.is_flag)
    page = player.page
    page.locator(f'.strip a[href*="turn={slip.turn}&"] .plot-slip').first.tap()
    arrived(player, slip.turn)
    said = page.locator(".controls .coach-move")
    expect(said).to_contain_text(f"the best found is worth {slip.best_value:.1f}", timeout=LIVE)
    player.press(said.get_by_text("Try it yourself"))
    expect(page.locator(".trying")).to_be_visible(timeout=LIVE)
    expect(page).to_have_url(re.compile("try=yourself"))
    assert page.locator(".coach-move, .facts-plot, .strip").count() == 0, "no spoilers"


def test_a_slip_of_the_players_own_is_tried_again_and_marked_as_solved(people: People, server: Server) -> None:
    player = people(DESKTOP)
    path = player.play_now(2)
    player.hurry(path, reckless, until=lambda board: False)
    coaching, page = coach(player, server, path), player.page
    slip = [one for one in coaching.of(0) if one.verdict.is_flag][-1]
    player.visit("/games/slips")
    assert page.locator(".solved:visible").count() == 0
    assert barriers(page, DESKTOP) == []
    page.locator(".slips a").first.press("Enter")
    arrived(player, slip.turn - 1)
    player.choose(slip.best)
    page.keyboard.press("Enter")
    expect(page.locator("#facts .coach-move")).to_contain_text("nothing better was found", timeout=LIVE)
    assert barriers(page, DESKTOP) == []
    player.visit("/games/slips")
    expect(page.locator(".solved:visible")).to_have_count(1)


def test_the_summary_is_accessible_and_its_line_can_be_stepped_through_by_keys(people: People, server: Server) -> None:
    player = people(DESKTOP)
    replay = player.bring(native.write(a_record(Rules(players=3))))
    coaching, page = coach(player, server, replay), player.page
    player.visit(f"{replay}?turn=end")
    player.press(".tabs [data-panel=game]")
    expect(page.locator(".coach-players")).to_be_visible(timeout=LIVE)
    assert barriers(page, DESKTOP) == []
    page.locator(".coach-moments summary").first.press("Enter")
    page.locator(".coach-moments details a").first.press("Enter")
    worst = coaching.costliest()[0]
    expect(page.locator(".trying")).to_contain_text("1 move tried", timeout=LIVE)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".trying")).to_contain_text("2 moves tried", timeout=LIVE)
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".trying")).to_contain_text("1 move tried", timeout=LIVE)
    expect(page).to_have_url(re.compile(rf"turn={worst.turn - 1}&"))
