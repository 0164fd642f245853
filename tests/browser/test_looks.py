"""How the table looks: its typeface, its cards in dark and light, and what is shown of known cards."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page

from tests.browser.player import DESKTOP, People, Player
from tests.browser.strategy import reckless

LETTERS = "ABCXYZabcxyz0123456789 ș ț ă â î é ñ ¿ ì à ò ù È ç œ Ș Ț"


def faces_of(page: Page, selector: str) -> set[str]:
    """The typefaces in which the browser renders the text of a node."""
    page.evaluate("document.fonts.ready")
    tools = page.context.new_cdp_session(page)
    tools.send("DOM.enable")
    tools.send("CSS.enable")
    root = tools.send("DOM.getDocument")["root"]["nodeId"]
    node = tools.send("DOM.querySelector", {"nodeId": root, "selector": selector})["nodeId"]
    return {font["familyName"] for font in tools.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]}


def test_headings_have_their_own_typeface_with_every_letter_of_six_languages(desktop: Player) -> None:
    desktop.visit()
    desktop.page.locator("h1").evaluate("(heading, letters) => (heading.textContent = letters)", LETTERS)
    desktop.page.evaluate("() => document.fonts.load('700 20px Fraunces', 'aș')")
    assert all("Fraunces" in face for face in faces_of(desktop.page, "h1"))
    desktop.page.locator("h1").evaluate("heading => (heading.textContent = '花火')")
    assert not any("Fraunces" in face for face in faces_of(desktop.page, "h1")), "Chinese is the system's"


def test_a_finished_board_has_the_same_sky_as_a_running_one(desktop: Player) -> None:
    path, board = desktop.play_now(2), desktop.page.locator("#table")
    ground = (
        """board => (({ backgroundColor, backgroundImage }) => [backgroundColor, backgroundImage])(getComputedStyle(board))"""
    )
    desktop.wait_for_turn()
    before = board.evaluate(ground)
    desktop.hurry(path, reckless, until=lambda board: False)
    desktop.see(".board.ended .result")
    assert board.evaluate(ground) == before


INKS = """() => [..."red yellow green blue white multicolour".split(" ")].map((colour) => {
  const card = document.createElement("div");
  card.className = `card face ${colour}`;
  document.body.append(card);
  const style = getComputedStyle(card);
  const stops = style.backgroundImage.match(/(rgb|color)\\([^)]*\\)/g);
  const light = (text) => {
    const whole = text.startsWith("rgb") ? 255 : 1;
    const parts = text.match(/[\\d.]+(?:e-?\\d+)?/g).slice(0, 3).map((part) => Number(part) / whole);
    const [r, g, b] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ink = light(style.color);
  card.remove();
  return [colour, Math.min(...stops.map((stop) => (light(stop) + 0.05) / (ink + 0.05)))];
})"""


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_the_text_of_a_card_is_legible_on_every_part_of_its_colour(people: People, theme: str) -> None:
    player = people(DESKTOP, color_scheme=theme)
    player.visit("/rules")
    contrasts = dict(player.page.evaluate(INKS))
    assert len(contrasts) == 6
    assert all(contrast >= 4.5 for contrast in contrasts.values()), contrasts


def test_in_light_mode_the_ground_is_light_and_the_sky_stays_dark(people: People) -> None:
    player = people(DESKTOP, color_scheme="light")
    player.play_now(2)
    text = player.page.locator(".firework b").first.evaluate("node => getComputedStyle(node).color")
    below = player.page.locator(".hand.own .who").evaluate("node => getComputedStyle(node).color")
    assert sum(shades(text)) > 600 > 200 > sum(shades(below))


def shades(colour: str) -> list[float]:
    """Red, green and blue of a colour as the browser writes it."""
    return [float(part) for part in re.findall(r"[\d.]+", colour)[:3]]


def test_a_clued_card_of_unknown_colour_does_not_look_like_a_white_one(people: People) -> None:
    player = people(DESKTOP, color_scheme="light")
    player.play_now(2)
    edge = """([look]) => {
      const card = document.querySelector(".hand.own .card");
      card.className = `card back ${look} clued`;
      return getComputedStyle(card).borderTopColor;
    }"""
    unknown, white = (shades(player.page.evaluate(edge, [look])) for look in ("", "white"))
    assert max(abs(one - other) for one, other in zip(unknown, white, strict=True)) > 80
