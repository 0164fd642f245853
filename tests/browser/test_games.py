"""My games in a browser: accessible, and usable without a mouse or scripts."""

from __future__ import annotations

from playwright.sync_api import expect

from tamaya.i18n import LANGUAGES
from tests.browser.looks import barriers
from tests.browser.player import DESKTOP, PHONE, People, Player, tab_to
from tests.browser.strategy import reckless

NARROWEST = (320, 640)


def play_some(player: Player) -> None:
    """Two finished games with bots, and one that goes on."""
    for players in (2, 3):
        player.hurry(player.play_now(players), reckless, until=lambda board: False)
    player.play_now(2)


def go_by_keys(player: Player, selector: str) -> None:
    """Press Tab until the focus is there, then Enter."""
    tab_to(player, selector)
    player.page.keyboard.press("Enter")


def test_my_games_have_no_barriers_fit_every_width_and_every_language(people: People) -> None:
    player = people(PHONE)
    play_some(player)
    player.visit("/games")
    expect(player.page.locator(".games > li")).to_have_count(3)
    expect(player.page.locator(".score-plot")).to_be_visible()
    player.press(".more > summary")
    assert barriers(player.page, PHONE) == []
    small = player.page.evaluate(
        "[...document.querySelectorAll('main :is(a, button, select, input, summary)')].filter(node => node.checkVisibility()"
        " && node.getBoundingClientRect().height < 44).map(node => node.outerHTML)"
    )
    assert small == []
    wide = []
    for language in LANGUAGES:
        assert player.post("/preferences", language=language) == 200
        for path in ("/games", "/games?players=2&bot=convention&from=2026-01-01&state=over", "/games/delete"):
            player.visit(path)
            for width, height in (NARROWEST, PHONE, (DESKTOP[0] // 2, DESKTOP[1] // 2)):
                player.page.set_viewport_size({"width": width, "height": height})
                if player.page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                    wide.append(f"{path} in {language} at {width}")
    assert wide == []
    assert barriers(player.page, PHONE) == []


def test_games_are_chosen_and_deleted_by_keys_alone(desktop: Player) -> None:
    play_some(desktop)
    desktop.visit("/games")
    page, listed = desktop.page, desktop.page.locator(".games > li")
    go_by_keys(desktop, ".chips a[href='/games?state=going']")
    expect(listed).to_have_count(1)
    go_by_keys(desktop, ".chips a[href='/games']")
    expect(listed).to_have_count(3)
    go_by_keys(desktop, ".more > summary")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("3")
    go_by_keys(desktop, ".filters button")
    expect(listed).to_have_count(1)
    assert page.url.endswith("players=3&partner=&bot=&from=&to=")
    go_by_keys(desktop, ".games .drop")
    go_by_keys(desktop, "button.delete")
    page.wait_for_url("**/games")
    expect(listed).to_have_count(2)
    go_by_keys(desktop, ".games a[href$='/replay']")
    page.wait_for_url("**/replay*")


def test_my_games_work_without_scripts(people: People) -> None:
    player = people(DESKTOP)
    play_some(player)
    plain = people(DESKTOP, java_script_enabled=False)
    plain.context.add_cookies(player.context.cookies())  # type: ignore[arg-type]
    plain.visit("/games")
    page = plain.page
    page.locator(".more > summary").click()
    page.locator("select[name=players]").select_option("2")
    page.locator(".filters button").click()
    expect(page.locator(".games > li")).to_have_count(2)
    with page.expect_download() as saved:
        page.locator(".keep a[download]").click()
    assert saved.value.suggested_filename == "tamaya-games.jsonl"
    assert len(saved.value.path().read_text("utf-8").splitlines()) == 2
    page.locator(".keep a[href='/games/delete']").click()
    page.locator("button.delete").click()
    expect(page.locator(".games > li")).to_have_count(1)
