"""Looking back: every moment of a game at its own address, through any eyes, and nothing later."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
from starlette.applications import Starlette

from tamaya import EDITIONS, Card, Game, Rules
from tamaya.record import from_text
from tamaya.rules import Action
from tamaya.table import ClueMemory, SpectatorMode, Viewpoint, import_game
from tamaya.web.services import services_of
from tests.support.analyses import at
from tests.support.client import Answer, Browser, brought, end_game, member, open_table, start_game, the_table, with_app
from tests.support.fakes import deal_of, game_of, steady_chance
from tests.support.games import record_of
from tests.tables import careful_action, do, game_with, random_action

SHARED = 9
RULES = EDITIONS["standard"].rules(3)


def faces(page: str) -> int:
    """The number of cards rendered with their face."""
    return page.count('class="card face')


async def play(app: Starlette, code: str, players: Sequence[Browser], actions: Sequence[Action]) -> None:
    """Play these actions, each by the player whose turn it is."""
    for action in actions:
        table = await the_table(app, code)
        assert table.to_move is not None
        answer = await players[table.to_move].act(code, "move", move=str(action), turn=table.turn)
        assert answer.status == 200, answer.text


async def finished_game(app: Starlette, *names: str, **fields: object) -> tuple[str, list[Browser]]:
    """The code and the players of a finished game."""
    players = [member(app, name) for name in names]
    code = await start_game(players[0], *players[1:], **fields)
    choice = random.Random(4)
    while (table := await the_table(app, code)).to_move is not None:
        await play(app, code, players, [careful_action(game_of(table), choice)])
    return code, players


@pytest.mark.slow
def test_every_moment_is_shown_through_every_pair_of_eyes(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        code, (ann, *_) = await finished_game(app, "Ann", "Bob", "Cid")
        table = await the_table(app, code)
        past = table.past()
        everybody: dict[str, Viewpoint] = {"1": 0, "2": 1, "3": 2, "table": SpectatorMode.TABLE, "hands": SpectatorMode.HANDS}
        for turn in range(past.turns + 1):
            for word, eyes in everybody.items():
                page = await ann.get(f"/t/{code}/replay?turn={turn}&eyes={word}", hx_request="true")
                view = past.view(turn, eyes)
                assert page.status == 200
                assert faces(page.text) == sum(seen.card is not None for hand in view.hands for seen in hand)
                assert f'data-turn="{turn}"' in page.text
                assert f'data-address="/t/{code}/replay?turn={turn}&amp;eyes={word}"' in page.text

    with_app(tmp_path, steps)


def test_players_start_at_the_end_with_their_own_eyes_and_strangers_at_the_beginning_with_open_hands(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        code, (ann, bob, _) = await finished_game(app, "Ann", "Bob", "Cid", watching="nobody")
        last = (await the_table(app, code)).turn
        for who, address in (
            (ann, f"turn={last}&amp;eyes=1"),
            (bob, f"turn={last}&amp;eyes=2"),
            (member(app, "Eve"), "turn=0&amp;eyes=hands"),
        ):
            assert f'data-address="/t/{code}/replay?{address}"' in (await who.get(f"/t/{code}/replay")).text
        assert (await member(app, "Eve").get(f"/t/{code}")).status == 403, "the table itself stays closed"

    with_app(tmp_path, steps)


def test_strangers_do_not_read_the_chat_of_a_table_without_spectators(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        for watching, heard in (("nobody", False), ("table", True)):
            code, (ann, _) = await finished_game(app, "Ann", "Bob", watching=watching)
            await ann.act(code, "say", text="between us")
            assert ("between us" in (await member(app, "Eve").get(f"/t/{code}/replay?turn=end")).text) is heard
            assert "between us" in (await ann.get(f"/t/{code}/replay?turn=end")).text

    with_app(tmp_path, steps)


def a_game(deck: Sequence[Card], first: Sequence[Action], seed: int) -> list[Action]:
    """All actions of a game that begins with these and goes on at random."""
    game, choice = Game(RULES, deck=deck), random.Random(seed)
    actions = list(first)
    for action in actions:
        game.act(action)
    while game.outcome is None:
        actions.append(random_action(game, choice) if len(actions) > len(first) + seed else careful_action(game, choice))
        game.act(actions[-1])
    return actions


def two_games() -> list[tuple[list[Card], list[Action]]]:
    """Two games that are the same for some turns: in every card dealt and drawn, and in every action."""
    deck = list(deal_of(11, RULES))
    first = a_game(deck, (), 30)[:SHARED]
    game = Game(RULES, deck=deck)
    for action in first:
        game.act(action)
    drawn = len(deck) - game.deck_count
    other = [*deck[:drawn], *reversed(deck[drawn:])]
    return [(deck, a_game(deck, first, 3)), (other, a_game(other, first, 9))]


def cards_of(deck: list[Card], _: object) -> list[Card]:
    """The cards as they are to be dealt."""
    return deck


async def everything_up_to(browser: Browser, code: str, turns: int) -> list[Answer]:
    """Everything a visitor is sent who steps through a replay up to this turn."""
    answers = []
    for turn in range(turns + 1):
        for eyes in ("", "&eyes=1", "&eyes=3", "&eyes=table", "&eyes=hands"):
            answers.append(await browser.get(f"/t/{code}/replay?turn={turn}{eyes}"))
            answers.append(await browser.get(f"/t/{code}/replay?turn={turn}{eyes}&seen={turns}", hx_request="true"))
        answers.append(await browser.get(f"/t/{code}/replay/possibilities?turn={turn}&seat=1"))
    return answers


def test_a_replay_sends_nothing_of_later_turns(tmp_path: Path) -> None:
    sent: list[list[Answer]] = []

    for place, (deck, actions) in enumerate(two_games()):
        chance = replace(steady_chance(), deal=partial(cards_of, deck))

        async def steps(app: Starlette, actions: list[Action] = actions) -> None:
            players = [member(app, name) for name in ("Ann", "Bob", "Cid")]
            code = await start_game(*players)
            await play(app, code, players, actions)
            eve = member(app, "Eve")
            sent.append(await everything_up_to(eve, code, SHARED))
            sent.append([await eve.get(f"/t/{code}/replay?turn={SHARED + 1}"), await eve.get(f"/t/{code}/replay?turn=end")])

        with_app(tmp_path / str(place), steps, chance=chance)
    assert all(answer.status == 200 for answers in sent for answer in answers)
    assert sent[0] == sent[2]
    assert all(one != other for one, other in zip(sent[1], sent[3], strict=True)), "the differences would show"


def test_marks_and_slider_reach_only_as_far_as_the_reader_has_been(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        code, (ann, _) = await finished_game(app, "Ann", "Bob")
        last, eve = (await the_table(app, code)).turn, member(app, "Eve")
        assert f'max="{last}" value="3"' in (await ann.get(f"/t/{code}/replay?turn=3")).text, "players have seen it all"
        assert 'max="3" value="3"' in (await eve.get(f"/t/{code}/replay?turn=3")).text
        assert 'max="7" value="3"' in (await eve.get(f"/t/{code}/replay?turn=3&seen=7")).text
        pages = [(await eve.get(f"/t/{code}/replay?turn={turn}")).text for turn in range(last + 1)]
        marks = [page.count('<circle class="') for page in pages]
        assert all(one <= other for one, other in pairwise(marks))
        assert marks[-1] > marks[0] == 0

    with_app(tmp_path, steps)


def test_log_lines_and_cards_link_to_their_moment(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        code, (ann, _) = await finished_game(app, "Ann", "Bob")
        page = (await ann.get(f"/t/{code}/replay?turn=end")).text
        last = (await the_table(app, code)).turn
        assert re.findall(rf'<a class="turn" href="/t/{code}/replay\?turn=(\d+)">\1</a>', page) == list(
            map(str, range(last, 0, -1))
        )
        gone = [event for event in game_of(await the_table(app, code)).log if hasattr(event, "card")]
        linked = re.findall(rf'<a class="mini (\w+)" href="/t/{code}/replay\?turn=(\d+)"[^>]*>(\d)</a>', page)
        assert sorted(linked) == sorted((event.card.colour.value, str(event.turn), str(event.card.value)) for event in gone)

    with_app(tmp_path, steps)


def test_other_moves_can_be_tried_and_undone(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        code, (ann, *_) = await finished_game(app, "Ann", "Bob", "Cid")
        past = (await the_table(app, code)).past()
        at = f"/t/{code}/replay?turn=4&eyes=1&try=yes"
        page = (await ann.get(at)).text
        view = past.what_if(4, ())
        assert 'id="sheet"' in page
        assert faces(page) == 15, "every hand is open"
        assert {str(action) for action in view.legal_actions} <= set(re.findall(r'name="move" value="([^"]+)"', page))
        first = str(view.legal_actions[0])
        second = str(past.what_if(4, view.legal_actions[:1]).legal_actions[-1])
        tried = (await ann.get(f"{at}&then={first}&move={second}".replace(" ", "+"))).words
        assert 'data-turn="6"' in tried
        assert "2 moves tried after turn 4" in tried
        assert f'data-step="undo" href="/t/{code}/replay?turn=4&eyes=1&try=yes&then={first.replace(" ", "+")}"' in tried
        assert f'data-step="back" href="/t/{code}/replay?turn=4&eyes=1"' in tried
        refused = await ann.get(f"{at}&then=play+9")
        assert (refused.status, "card" in refused.words) == (409, True)
        assert (await the_table(app, code)).past().turns == past.turns

    with_app(tmp_path, steps)


@pytest.mark.parametrize("command", [{"turn": 6}, {"turn": 0}, {"turn": 6, "then": True}])
def test_a_game_can_be_played_on_from_any_moment(tmp_path: Path, command: dict[str, object]) -> None:
    async def steps(app: Starlette) -> None:
        code, (_, bob, _) = await finished_game(app, "Ann", "Bob", "Cid")
        past, turn = (await the_table(app, code)).past(), int(str(command["turn"]))
        then = past.what_if(turn, ()).legal_actions[:1] if "then" in command else ()
        answer = await bob.post(f"/t/{code}/play-on", {"turn": turn, "then": "|".join(map(str, then))})
        new = answer.headers["location"].rpartition("/")[2]
        table = await the_table(app, new)
        assert answer.status == 303
        assert [seat.name for seat in table.seats] == ["", "Bob", ""], "their own seat; the others are free"
        assert (table.settings.origin and (table.settings.origin.game, table.settings.origin.turn)) == (code, turn)
        assert code not in (await bob.get(f"/t/{new}")).text, "while the game goes on, no link opens every hand"
        for seat in (0, 2):
            await bob.act(new, "bot", seat=seat)
        await bob.act(new, "start", first=1)
        begun = game_of(await the_table(app, new)).at(turn + len(then))
        assert [str(move) for move in begun.moves] == list(past.moves(turn, then))
        assert begun.reveal_deck() == (await the_table(app, code)).record().deck

    with_app(tmp_path, steps)


def test_with_bots_alone_the_game_goes_on_at_once_and_its_record_names_its_origin(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        code = await open_table(ann, players=3, who="bots")
        await end_game(app, code, ann)
        answer = await ann.post(f"/t/{code}/play-on", {"turn": 0})
        new = answer.headers["location"].rpartition("/")[2]
        assert (await the_table(app, new)).record is not None
        await end_game(app, new, ann)
        assert f'href="/t/{code}/replay?turn=0"' in (await ann.get(f"/t/{new}")).text
        record = (await ann.get(f"/t/{new}/record/tamaya")).text
        assert f'"origin": {{"game": "{code}", "turn": 0}}' in record
        assert from_text(record).record.deck == (await the_table(app, code)).record().deck

    with_app(tmp_path, steps)


def test_a_finished_game_cannot_be_played_on_from_its_end(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        code, (ann, _) = await finished_game(app, "Ann", "Bob")
        refused = await ann.post(f"/t/{code}/play-on", {"turn": 9999})
        assert (refused.status, "go back to an earlier turn" in refused.words) == (409, True)

    with_app(tmp_path, steps)


def test_while_the_game_goes_on_players_look_back_with_their_own_eyes_only(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob, eve = member(app, "Ann"), member(app, "Bob"), member(app, "Eve")
        code = await start_game(ann, bob, watching="table")
        game = game_of(await the_table(app, code))
        await play(app, code, [ann, bob], a_game_of_clues(game, 4))
        for who, shown in ((ann, 5), (bob, 5), (eve, 0)):
            page = await who.get(f"/t/{code}/replay?turn=2")
            assert (page.status, faces(page.text)) == (200, shown)
            assert "Back to now" in page.words
            assert 'max="4" value="2"' in page.text
        for query in ("turn=2&eyes=2", "turn=2&eyes=hands", "turn=2&eyes=table", "turn=2&try=yes", "turn=2&then=play+1"):
            assert (await ann.get(f"/t/{code}/replay?{query}")).status == 409
        assert (await ann.post(f"/t/{code}/play-on", {"turn": 0})).status == 409

    with_app(tmp_path, steps)


def a_game_of_clues(game: Game, turns: int) -> list[Action]:
    """The first clues that the rules allow."""
    game, actions = game.copy(), list[Action]()
    for _ in range(turns):
        actions.append(next(action for action in game.legal_actions() if str(action).startswith("clue")))
        game.act(actions[-1])
    return actions


def test_a_table_that_remembers_nothing_has_no_look_back_before_the_end(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        code = await start_game(ann, bob, memory=ClueMemory.NOTHING)
        refused = await ann.get(f"/t/{code}/replay?turn=0")
        assert (refused.status, "remembers every clue themselves" in refused.words) == (409, True)
        assert "/replay" not in (await ann.get(f"/t/{code}")).text.split("<script")[0].split("<main")[1]
        await end_game(app, code, ann, bob)
        assert (await ann.get(f"/t/{code}/replay?turn=0")).status == 200

    with_app(tmp_path, steps)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("turn=x", "A turn is a whole number or “end”, not “x”."),
        ("turn=-1", "A turn is a whole number or “end”, not “-1”."),
        ("eyes=4", "Nobody has these eyes; choose one of 1, 2, table, hands."),
        ("then=fly", "fly"),
        ("&".join(["then=play+1"] * 101), "At most 100 moves can be tried."),
    ],
)
def test_an_invalid_address_says_why(tmp_path: Path, query: str, words: str) -> None:
    async def steps(app: Starlette) -> None:
        code, (ann, _) = await finished_game(app, "Ann", "Bob")
        answer = await ann.get(f"/t/{code}/replay?{query}")
        assert (answer.status, words in answer.words) == (400, True), answer.words

    with_app(tmp_path, steps)


def test_an_imported_game_is_a_replay_like_any_other(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        code, (ann, _) = await finished_game(app, "Ann", "Bob")
        record = (await the_table(app, code)).record()
        unfinished = replace(record, moves=record.moves[:5])
        brought = await services_of(app).tables.begin(import_game(unfinished, ann.person))
        at, eve = f"/t/{brought.code}", member(app, "Eve")
        assert (await eve.get(at)).headers["location"] == f"{at}/replay"
        assert faces((await eve.get(f"{at}/replay?turn=5&eyes=hands")).text) == 10
        assert (await eve.get(f"{at}/record/tamaya")).status == 200
        assert (await the_table(app, brought.code)).record() == unfinished
        for command, fields in (("move", {"move": "play 1", "turn": 5}), ("sit", {}), ("start", {}), ("rematch", {})):
            assert (await eve.act(brought.code, command, **fields)).status == 409
        went_on = await eve.post(f"{at}/play-on", {"turn": 5})
        assert went_on.status == 303, "even where it was broken off"
        new = await the_table(app, went_on.headers["location"].rpartition("/")[2])
        assert new.settings.watching is SpectatorMode.TABLE, "every hand stays hidden while the game goes on"

    with_app(tmp_path, steps)


def test_a_game_won_in_its_last_round_has_no_turns_left(tmp_path: Path) -> None:
    game = game_with(Rules(players=2, colours=1, hand_size=3), "R1 R3 R5", "R2 R4 R1", "R1 R2 R3 R4")
    do(game, "play 1", "play 1", "play 1", "play 1", "play 1")

    async def steps(app: Starlette) -> None:
        code = await brought(app, record_of(game))
        assert "2 turns left" in await at(Browser(app), code, "turn=4")
        assert not re.search("turns? left", await at(Browser(app), code, "turn=end"))

    with_app(tmp_path, steps)
