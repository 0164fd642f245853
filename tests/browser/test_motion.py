"""Motion shows what happens, for those who like it; afterwards the page is as if nothing had moved."""

from __future__ import annotations

from io import BytesIO

from PIL import Image, ImageChops
from playwright.sync_api import Page

from tests.browser.player import LIVE, PHONE, People, Player
from tests.browser.strategy import Board, careful

WATCH = """
const animate = Element.prototype.animate;
window.moved = [];
Element.prototype.animate = function (...how) {
  window.moved.push(this.getAttribute("class"));
  return animate.apply(this, how);
};
"""
OVER = "document.getAnimations().length === 0 && document.getElementById('motion').childElementCount === 0"
DRAWN = "document.getElementById('live').innerHTML"


def two_tabs(people: People) -> tuple[Player, Page, Page]:
    """A person with two tabs at one table and what moves in either; the second has reduced motion."""
    player = people(PHONE, still=False)
    player.context.add_init_script(WATCH)
    path = player.play_now(2)
    twin = player.another_tab()
    twin.page.emulate_media(reduced_motion="reduce")
    twin.visit(path)
    return player, player.page, twin.page


def come_to_rest(page: Page) -> None:
    """Wait until nothing moves any more."""
    for _ in range(LIVE // 50):
        if page.evaluate(OVER):
            return
        page.wait_for_timeout(50)
    raise AssertionError("it still moves")


def unlike(one: Page, other: Page) -> float:
    """The share of the screen that differs; browsers render the edge of what has moved a shade lighter or darker."""
    pictures = [Image.open(BytesIO(page.screenshot())).convert("L") for page in (one, other)]
    shades = ImageChops.difference(*pictures).histogram()
    return sum(shades[8:]) / sum(shades)


def all_kinds(board: Board) -> str:
    """Every kind of action in turn: a clue, a discard, a play that may be a mistake."""
    wished = ("clue", "discard", "play")[board.turn // 2 % 3]
    return next((choice.move for choice in board.legal if choice.move.startswith(wished)), careful(board))


def test_after_every_animation_the_page_is_as_without_it(people: People) -> None:
    player, moving, still = two_tabs(people)
    path = moving.url.removeprefix(player.address)
    while (board := player.wait_for_turn()).turn < 12 and not board.ended:
        assert player.post(f"{path}/move", move=all_kinds(board), turn=str(board.turn)) == 200
        player.wait_after(board.turn)
        player.wait_for_turn()
        still.wait_for_selector(f".board[data-turn='{player.board.turn}']", timeout=LIVE)
        come_to_rest(moving)
        assert moving.evaluate(DRAWN) == still.evaluate(DRAWN)
    assert unlike(moving, still) < 0.001
    kinds = " ".join(moving.evaluate("window.moved"))
    for kind in ("travels token", "face", "back", "travels lost", "score"):
        assert kind in kinds, f"{kind} has moved"
    assert still.evaluate("window.moved") == []


def test_animations_take_no_taps_and_reveal_no_own_card_before_it_is_played(people: People) -> None:
    player, moving, _ = two_tabs(people)
    player.wait_for_turn()
    player.act("play 1")
    own = [look for look in moving.evaluate("window.moved") if look and "back" in look]
    assert own, "the new card arrived face down"
    assert moving.locator(".hand.own .card.face").count() == 0
    assert moving.locator("#motion").evaluate("layer => getComputedStyle(layer).pointerEvents") == "none"
