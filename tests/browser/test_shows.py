"""Fireworks over the whole sky, a picture to share, sounds, and remarks at the speaker's hand."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tamaya.i18n import catalogue
from tamaya.table import REMARKS
from tests.browser.player import DESKTOP, LIVE, PHONE, People, Player, two_at_a_table
from tests.browser.strategy import reckless

FIVE = """() => {
  const firework = document.querySelector(".firework");
  firework.dataset.complete = "";
  document.dispatchEvent(new CustomEvent("news", { detail: { grown: [{ firework, height: 5 }] } }));
}"""
"""What the page hears when a firework is completed."""
STILL = """(score) => {
  document.getElementById("table").dataset.score = score;
  dispatchEvent(new Event("resize"));
  return document.getElementById("afterglow").toDataURL();
}"""
"""The picture behind the result of a score."""
COUNT_SOUNDS = """() => {
  window.heard = [];
  const { start } = AudioScheduledSourceNode.prototype;
  AudioScheduledSourceNode.prototype.start = function (...when) {
    window.heard.push(this.constructor.name);
    return start.apply(this, when);
  };
}"""


def ended(people: People, **wishes: bool) -> Player:
    """A person whose game has just ended."""
    player = people(PHONE, **wishes)
    path = player.play_now(2)
    player.hurry(path, reckless, until=lambda board: False)
    player.see(".result")
    return player


def test_a_five_lights_up_the_whole_sky_without_holding_up_the_game(people: People) -> None:
    player = people(PHONE, still=False)
    player.play_now(2)
    player.wait_for_turn()
    player.page.evaluate(FIVE)
    show = player.page.locator("#show")
    expect(show).to_be_visible()
    box = show.bounding_box()
    assert box is not None
    assert (box["width"], box["height"]) == PHONE
    player.press(".hand.own .card >> nth=0")
    expect(player.page.locator(".hand.own .card").first).to_have_class(re.compile("chosen"))
    expect(show).to_be_hidden()


def test_the_show_at_the_end_fits_the_score_and_a_tap_or_escape_ends_it(people: People) -> None:
    player = ended(people, still=False)
    show, page, here = player.page.locator("#show"), player.page, player.page.url
    expect(show).to_be_visible()
    expect(show).to_have_attribute("data-bursts", "1")
    page.keyboard.press("Escape")
    expect(show).to_be_hidden()
    counts = []
    for score in (10, 20, 25):
        page.evaluate("score => { document.getElementById('table').dataset.score = score; }", score)
        player.press("[data-show]")
        expect(show).to_be_visible()
        counts.append(int(show.get_attribute("data-bursts") or ""))
        player.press(show)
        expect(show).to_be_hidden()
    assert 2 <= counts[0] < 10 < counts[1] < counts[2]
    assert page.url == here, "the tap that ended it pressed nothing below"
    expect(page.locator(".result .confirm")).to_be_visible()


def test_the_same_score_makes_the_same_show(people: People) -> None:
    player = ended(people, still=False)
    player.page.keyboard.press("Escape")
    first = player.page.evaluate(STILL, 20)
    player.page.reload()
    player.page.wait_for_function("() => document.getElementById('afterglow').width !== 300")  # the default size of a canvas
    assert player.page.evaluate(STILL, 20) == first
    assert player.page.evaluate(STILL, 21) != first
    expect(player.page.locator("#show")).to_be_hidden()


def test_with_reduced_motion_a_still_picture_stands_behind_the_result(people: People) -> None:
    player = ended(people)
    expect(player.page.locator("#show")).to_be_hidden()
    assert len(player.page.evaluate(STILL, 20)) > 5 * len(player.page.evaluate(STILL, 0)), "fireworks, and an empty sky"
    expect(player.page.locator("[data-show]")).to_be_hidden()
    player.page.evaluate(FIVE)
    expect(player.page.locator("#show")).to_be_hidden()


def test_the_result_can_be_saved_as_a_picture_by_keyboard_alone(people: People) -> None:
    player = people(DESKTOP)
    player.call_oneself("Ana")
    path = player.play_now(2)
    player.hurry(path, reckless, until=lambda board: False)
    player.see(".result")
    page = player.page
    page.locator("[data-picture-of]").focus()
    page.keyboard.press("Enter")
    picture = page.locator("#picture img")
    expect(picture).to_have_attribute("alt", re.compile(r"red \d.*points"))
    expect(page.locator("[data-picture=save]")).to_be_enabled()
    page.locator("#picture [name=names]").focus()
    page.keyboard.press("Space")
    expect(picture).to_have_attribute("src", re.compile("names=yes"))
    expect(page.locator("[data-picture=save]")).to_be_enabled()
    with page.expect_download() as download:
        page.locator("[data-picture=save]").press("Enter")
    assert re.fullmatch(r"hanabi-\w+\.png", download.value.suggested_filename)
    kept = download.value.path().read_bytes()
    assert kept[:8] == b"\x89PNG\r\n\x1a\n"
    assert (int.from_bytes(kept[16:20]), int.from_bytes(kept[20:24])) == (1080, 1080)
    assert len(kept) > 30_000, "there is something on it"


def test_the_picture_is_handed_to_the_devices_share_sheet(people: People) -> None:
    player = people(PHONE)
    player.page.add_init_script(
        "navigator.canShare = ({ files }) => files.length === 1;"
        "navigator.share = async ({ files }) => { window.shared = `${files[0].name} ${files[0].type}`; };"
    )
    path = player.play_now(2)
    player.hurry(path, reckless, until=lambda board: False)
    player.press("[data-picture-of]")
    player.press("[data-picture=share]")
    assert re.fullmatch(r"hanabi-\w+\.png image/png", player.page.evaluate("window.shared"))


def test_sounds_are_one_tap_away_remembered_and_silent_before(people: People) -> None:
    player = people(PHONE)
    player.page.add_init_script(f"({COUNT_SOUNDS})()")
    player.play_now(2)
    board = player.wait_for_turn()
    button, page = player.page.locator("#sound"), player.page
    player.act("play 1")
    player.wait_for_turn()
    assert page.evaluate("heard") == []
    expect(button).to_have_attribute("aria-pressed", "false")
    with page.expect_response("**/preferences"):
        player.press(button)
    expect(button).to_have_attribute("aria-pressed", "true")
    page.wait_for_function("() => heard.length > 0")
    page.reload()
    expect(button).to_have_attribute("aria-pressed", "true")
    assert player.wait_for_turn().turn > board.turn
    assert page.evaluate("heard") == [], "nothing before a gesture"
    player.act("play 1")
    page.wait_for_function("() => heard.length > 0")


def test_a_remark_takes_one_tap_and_stands_at_the_speakers_hand(people: People) -> None:
    host, guest, _ = two_at_a_table(people)
    words = catalogue("en")(REMARKS["well-done"])
    guest.press(".dock > .reactions button[value=well-done]")
    expect(host.page.locator(".hand.other .bubble")).to_have_text(words, timeout=LIVE)
    expect(host.page.locator(".hand.other .bubble")).to_be_visible()
    expect(guest.page.locator(".hand.own .bubble")).to_be_visible()
    expect(guest.page.locator("#heard")).to_have_text(f"Béa: {words}")
    expect(host.page.locator("#heard")).to_be_empty()
    expect(host.page.locator(".talk-list li")).to_contain_text(words)
    host.page.reload()
    expect(host.page.locator(".hand.other .bubble")).to_be_hidden()
    expect(host.page.locator(".hand.other .bubble")).to_have_count(1)


@pytest.mark.parametrize("talk", ["strict", "free"])
def test_remarks_are_offered_where_the_table_allows_them(desktop: Player, talk: str) -> None:
    desktop.open_table(players=2, talk=talk)
    desktop.start()
    expect(desktop.page.locator(".reactions")).to_have_count(0 if talk == "strict" else 2)
