"""Whole games through the page, from the form to the result."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from playwright.sync_api import expect

from tamaya.i18n import LANGUAGES, catalogue
from tamaya.rules import EDITIONS, VARIANTS, Message, say
from tests.browser.player import DESKTOP, LIVE, PHONE, People, Player
from tests.browser.strategy import Board, careful, reckless


@dataclass(frozen=True)
class Evening:
    """A table of an edition in its language, with some of the variants; `opening` is the person's first action."""

    language: str
    edition: str
    players: int
    variants: tuple[str, ...]
    opening: tuple[str, ...] = ()
    size: tuple[int, int] = DESKTOP


EVENINGS = (
    Evening("en", "standard", 5, ("nine-clue-tokens",), size=PHONE),
    Evening("es", "spanish", 5, ("multicolour-ten", "two-mistakes")),
    Evening("fr", "french", 3, ("multicolour-five", "announced-plays"), ("empty clue", "announcement"), PHONE),
    Evening("zh_TW", "chinese", 5, ("multicolour-unnamed", "all-or-nothing")),
    Evening("it", "italian", 4, ("all-or-nothing", "announced-plays"), ("announcement",), PHONE),
    Evening("ro", "romanian", 4, ("one-mistake",)),
)


def test_the_games_cover_every_language_edition_variant_and_number_of_players() -> None:
    """Two players are for the two people below."""
    assert {evening.language for evening in EVENINGS} == set(LANGUAGES)
    assert {evening.edition for evening in EVENINGS} == set(EDITIONS)
    assert {variant for evening in EVENINGS for variant in evening.variants} == set(VARIANTS)
    assert {evening.players for evening in EVENINGS} == {3, 4, 5}


@pytest.mark.parametrize("evening", EVENINGS, ids=lambda evening: evening.language)
def test_one_person_and_bots_play_a_whole_game_of_every_edition_in_its_language(people: People, evening: Evening) -> None:
    player = people(evening.size, evening.language)
    player.answer_questions(
        edition=evening.edition, variants=evening.variants, players=evening.players, starter="1", memory="deduction"
    )
    player.start()
    speak = catalogue(evening.language)
    assert player.page.evaluate("document.documentElement.lang") == evening.language.replace("_", "-")
    expect(player.page.locator(".last .whose")).to_have_text(speak(say("Your turn")))
    rules = EDITIONS[evening.edition].rules(evening.players, evening.variants)
    offered = {choice.move.split()[2] for choice in player.board.choices if choice.move.startswith("clue")}
    assert offered == {*rules.named_colours, *"12345"}
    assert set(player.board.heights) == set(rules.suits)
    for wish in evening.opening:
        player.wait_for_turn()
        OPENINGS[wish](player)
    player.play_to_the_end()
    expect(player.page.locator(".result .confirm")).to_have_text(speak(say("Rematch")))
    title = player.page.locator("#result-title").inner_text()
    if rules.all_or_nothing:
        assert title in (speak(say("Lost")), speak(say("Perfect")))
    else:
        assert title in _possible_titles(rules.maximum, evening.language)


def _possible_titles(maximum: int, language: str) -> set[str]:
    def words(message: Message) -> str:
        return catalogue(language)(message)

    points = {words(say("{score} of {maximum} points", score=n, maximum=maximum)) for n in range(maximum + 1)}
    return points | {words(say("Lost"))}


def empty_clue(player: Player) -> None:
    """Clue a value or colour that none of a teammate's cards has."""
    board = player.board
    player.act(next(choice.move for choice in board.legal if choice.move.startswith("clue") and not choice.touches))
    expect(player.page.locator(f"#l{board.turn + 1}")).to_be_attached()


def announcement(player: Player) -> None:
    """Announce a colour for the first card, as a guess."""
    board = player.board
    player.act("play 1 as red")
    expect(player.page.locator(f"#l{board.turn + 1}")).to_be_attached()


OPENINGS = {"empty clue": empty_clue, "announcement": announcement}


def test_two_people_by_link_play_a_whole_game_see_the_same_end_and_start_again(people: People) -> None:
    host, guest = people(DESKTOP, still=False), people(PHONE, "fr")
    host.call_oneself("Ana")
    path = host.open_table(players=2, bots=0, memory="deduction")
    link = host.page.locator("#invitation").input_value()
    assert link == f"{host.address}{path}"
    guest.sit_down(link, "Béa")
    expect(host.page.locator("#seat-1")).to_contain_text("Béa", timeout=LIVE)
    host.start()
    guest.see(".board")
    players = (host, guest)
    while not any(player.board.ended for player in players):
        for player in players:
            if (board := player.wait_for_turn()).mine:
                player.act(careful(board) if board.turn < 20 else reckless(board))
    for player in players:
        player.see(".result")
    host_title, guest_title = (player.page.locator("#result-title").inner_text() for player in players)
    assert re.findall(r"\d+", host_title) == re.findall(r"\d+", guest_title)
    assert host.board.heights == guest.board.heights
    assert all(player.page.locator(".card.back").count() == 0 for player in players)
    host.press(".result button.confirm")
    host.page.wait_for_url(lambda url: url != link)
    guest.see(".result a.confirm")
    guest.press(".result a.confirm")
    guest.see(".board.my-turn")
    host.see(".board:not(.ended)")
    assert guest.page.url == host.page.url


def test_the_record_can_be_saved_after_the_game_and_not_before(desktop: Player) -> None:
    path = desktop.play_now()
    assert desktop.context.request.get(f"{desktop.address}{path}/record/tamaya").status == 409
    desktop.hurry(path, reckless, until=lambda board: False)
    desktop.see(".result")
    with desktop.page.expect_download() as download:
        desktop.page.locator(".downloads a").first.click()
    assert download.value.suggested_filename.startswith("hanabi-")
    assert desktop.context.request.get(f"{desktop.address}{path}/record/link").text().startswith("https://hanab.live/")


def test_play_now_is_one_click_away_from_a_game(phone: Player) -> None:
    phone.visit()
    phone.press(".play-now .confirm")
    phone.arrive()
    board = phone.wait_for_turn()
    assert board.mine
    assert len(board.others) == 2


def test_a_clue_that_touches_no_card_is_refused_with_the_reason(phone: Player) -> None:
    phone.play_now(2)
    board: Board = phone.wait_for_turn()
    empty = next(choice.move for choice in board.choices if choice.move.startswith("clue") and not choice.touches)
    phone.choose(empty)
    expect(phone.page.locator("#sentence")).to_have_class(re.compile("refusal"))
    expect(phone.page.locator("#sheet .confirm")).to_be_disabled()
