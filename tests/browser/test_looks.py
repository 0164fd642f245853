"""How the table looks: its typeface, its cards by night and by day, and what is drawn of what one knows."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.player import Player

LETTERS = "ABCXYZabcxyz0123456789 ș ț ă â î é ñ ¿ ì à ò ù È ç œ Ș Ț"


def faces_of(page: Page, selector: str) -> set[str]:
    """The typefaces in which the browser draws the text of a node."""
    page.evaluate("document.fonts.ready")
    tools = page.context.new_cdp_session(page)
    tools.send("DOM.enable")
    tools.send("CSS.enable")
    root = tools.send("DOM.getDocument")["root"]["nodeId"]
    node = tools.send("DOM.querySelector", {"nodeId": root, "selector": selector})["nodeId"]
    return {font["familyName"] for font in tools.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]}


def test_headings_have_a_typeface_of_their_own_with_every_letter_that_six_languages_need(desktop: Player) -> None:
    desktop.visit()
    desktop.page.locator("h1").evaluate("(heading, letters) => (heading.textContent = letters)", LETTERS)
    desktop.page.evaluate("() => document.fonts.load('700 20px Fraunces', 'aș')")
    assert all("Fraunces" in face for face in faces_of(desktop.page, "h1"))
    desktop.page.locator("h1").evaluate("heading => (heading.textContent = '花火')")
    assert not any("Fraunces" in face for face in faces_of(desktop.page, "h1")), "Chinese is the system's"
