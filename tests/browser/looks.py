"""Checks of how a page looks: its sizes and themes, by axe, and with a ruler."""

from __future__ import annotations

from importlib.resources import files
from typing import Any, Literal

from playwright.sync_api import Page

from tests.browser.player import DESKTOP, PHONE

AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
THEMES: tuple[Literal["dark", "light"], ...] = ("dark", "light")
RUN_AXE = """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations.map(
  (found) => `${found.id}: ${found.nodes.map((node) => `${node.target} ${node.any[0]?.message ?? ""}`).join(" | ")}`
)"""


def barriers(page: Page, size: tuple[int, int]) -> list[str]:
    """What axe finds on the page, in dark and light, on a phone and on a desktop; restores `size`."""
    found = []
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    for width, height in (PHONE, DESKTOP):
        page.set_viewport_size({"width": width, "height": height})
        for theme in THEMES:
            page.emulate_media(color_scheme=theme, reduced_motion="reduce")
            found += [f"{theme} {width}: {line}" for line in page.evaluate(RUN_AXE)]
    page.set_viewport_size({"width": size[0], "height": size[1]})
    return found


MEASURE = """() => {
  const problems = [];
  const [width, height] = [innerWidth, innerHeight];
  for (const box of [document.scrollingElement, document.getElementById("live")]) {
    const [down, aside] = [box.scrollHeight - box.clientHeight, box.scrollWidth - box.clientWidth];
    if (down > 0 || aside > 0) problems.push(`${box.id || "page"} scrolls: ${down} px down, ${aside} px aside`);
  }
  const LEAST = [[".chip, .confirm", 44], [".card", 30], ["button:not(.pick), .hand", 24], ["*", 1]];
  const parts = ".hand, .card, .chip, button, .firework, .tokens, .last, .score, h2, a, summary";
  for (const node of document.querySelectorAll(`:is(#table, header) :is(${parts})`)) {
    const { left, top, right, bottom } = node.getBoundingClientRect();
    // These are scrolled, or share the room that there is.
    if (!node.checkVisibility() || node.closest(".hide, .skip, .log, .panel-game, .strip")) continue;
    const words = node.textContent.trim().replace(/\\s+/g, " ").slice(0, 30);
    const name = `${node.tagName.toLowerCase()}.${node.className} “${words}”`;
    if (left < -1 || top < -1 || right > width + 1 || bottom > height + 1) {
      problems.push(`${name} is off the screen: ${[left, top, right, bottom].map(Math.round)}`);
      continue;
    }
    for (const share of node.matches("a, button") ? [0.05, 0.5, 0.95] : [0.5]) {
      const over = document.elementFromPoint(left + share * (right - left), (top + bottom) / 2);
      if (over && !node.contains(over) && !over.contains(node)) {
        problems.push(`${name} is covered by ${over.tagName}.${over.className}`);
        break;
      }
    }
    const [, least] = LEAST.find(([selector]) => node.matches(selector));
    if (Math.min(right - left, bottom - top) < least - 0.1) {
      problems.push(`${name} is only ${Math.round(right - left)} × ${Math.round(bottom - top)} px`);
    }
  }
  return problems;
}"""


def misfits(page: Page) -> list[str]:
    """What does not fit the screen, is covered, or is too small for a finger."""
    found: Any = page.evaluate(MEASURE)
    return [str(line) for line in found]


PLACES = """() => [...document.querySelectorAll(".hand, .heavens")].map((hand) => {
  const { left, top, width, height } = hand.getBoundingClientRect();
  return [hand.id || hand.className, left, top, width, height].join(" ");
})"""


def places(page: Page) -> Any:
    """The position of the sky and of every hand, to the pixel."""
    return page.evaluate(PLACES)
