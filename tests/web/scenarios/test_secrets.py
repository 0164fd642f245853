"""Hidden information never leaves the server: pairs of games that differ only in what one viewer cannot see get the same
requests, and must send that viewer the same bytes."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.responses import HTMLResponse

from tamaya import EDITIONS, Card, Game, IllegalError
from tamaya.bots import Advice
from tamaya.rules import Arrange, Move, say
from tamaya.table import ChatMessage, ClueMemory, Note, Phase, Table, commands
from tamaya.web.context import RequestContext
from tamaya.web.services import services_of
from tamaya.web.table import advice, board_cache, snapshot
from tamaya.web.table.snapshot import GameSnapshot
from tests.postgres import fresh_database
from tests.support.client import Answer, Browser, end_game, member, open_table, serving, the_table
from tests.support.fakes import deal_of, game_of, run, steady_chance
from tests.tables import careful_action, moves_of_a_game, random_action

pytestmark = pytest.mark.slow

NAMES = ("Ann", "Bob", "Cid", "Dot", "Eli")
SPECTATOR = -1
EVENINGS: Sequence[tuple[int, str, tuple[str, ...]]] = (
    (2, "standard", ()),
    (3, "french", ("multicolour-unnamed",)),
    (4, "spanish", ("announced-plays", "multicolour-five")),
    (2, "italian", ("all-or-nothing", "multicolour-ten", "announced-plays")),
    (5, "chinese", ("nine-clue-tokens",)),
)
OTHER_EYES = ("&eyes=1", "&eyes=2", "&eyes=hands", "&try=yes", "&then=play+1")
WILD = ("play 1", "play 9", "discard 1", "discard 3", "clue 1 red", "clue 2 1", "clue 2 blue", "clue 9 1", "play 1 as red", "x")


@dataclass(frozen=True)
class Evening:
    """A game and its course: the same for both of a pair, but for the deck."""

    players: int
    edition: str
    variants: tuple[str, ...]
    memory: ClueMemory
    watcher: int
    moves: tuple[Move, ...]
    deck: tuple[Card, ...]
    seed: int


def twin_deck(game: Game, blind_to: Sequence[int], choice: random.Random) -> tuple[Card, ...]:
    """The deck with cards exchanged that a viewer who cannot see these hands has never seen, as far as clues allow it."""
    deck, views = list(game.reveal_deck()), game.reveal_hands()
    told = {seen.number: seen for seat in blind_to for seen in views.hands[seat]}
    hidden = [*told, *range(game.rules.deck_size - game.deck_count, game.rules.deck_size)]

    def fits(place: int, card: Card) -> bool:
        return place not in told or (card.colour in told[place].colours and card.value in told[place].values)

    for _ in range(60 if hidden else 0):
        one, other = choice.choice(hidden), choice.choice(hidden)
        if fits(one, deck[other]) and fits(other, deck[one]):
            deck[one], deck[other] = deck[other], deck[one]
    return tuple(deck)


def pair(place: int, memory: ClueMemory, watcher: int, seed: int) -> tuple[Evening, Evening]:
    """Two games that the watched person cannot tell apart."""
    choice = random.Random(f"{place} {memory} {watcher} {seed}")
    players, edition, variants = EVENINGS[place]
    rules = EDITIONS[edition].rules(players, variants)
    game = Game(rules, deck=deal_of(choice.getrandbits(60), rules))
    moves: list[Move] = []
    length = choice.randrange(4, 26)
    for move in moves_of_a_game(game, choice, choice.choice((random_action, careful_action))):
        if game.outcome is not None or len(moves) == length:
            game.undo()
            break
        moves.append(move)
    blind_to = range(players) if watcher == SPECTATOR else (watcher,)
    one = Evening(players, edition, variants, memory, watcher, tuple(moves), game.reveal_deck(), seed)
    return one, replace(one, deck=twin_deck(game, blind_to, choice))


class Party:
    """The people at one table of one server, and everything that the watched person is sent."""

    def __init__(self, app: Starlette, evening: Evening) -> None:
        self.app, self.evening = app, evening
        self.players = [member(app, name) for name in NAMES[: evening.players]]
        self.watched = member(app, "Eve") if evening.watcher == SPECTATOR else self.players[evening.watcher]
        self.traffic: list[object] = []
        self.choice = random.Random(evening.seed)
        self.code = ""

    def note(self, browser: Browser, what: object, answer: Answer) -> None:
        if browser is self.watched:
            self.traffic.append((what, answer))

    async def sit_down(self) -> None:
        fields = {
            "edition": self.evening.edition,
            "variant": " ".join(self.evening.variants),
            "memory": self.evening.memory,
            "talk": "free",
            "watching": "table",
            "take_backs": "yes",
            "advice": "everybody",
        }
        await self.watched.post("/preferences", {"next_discard": "on"})
        self.code = await open_table(self.players[0], *self.players[1:], **fields)
        answer = await self.players[0].act(self.code, "start", first=0)
        self.note(self.players[0], "start", answer)
        assert answer.status == 200

    async def play(self) -> None:
        """Play the whole game, with the watched person's live page open all the time."""
        await self.sit_down()
        streams = [player.stream(f"/t/{self.code}/stream") for player in {*self.players, self.watched} - {self.watched}]
        own = self.watched.stream(f"/t/{self.code}/stream")
        for stream in (*streams, own):
            await stream.until(b"id: ")
        while services_of(self.app).presence._paused:  # changes announced by the timer would come at another moment each time
            await asyncio.sleep(0.01)
        places = range(len(self.evening.moves))
        second_thoughts = self.choice.sample(
            [place for place in places if not isinstance(self.evening.moves[place], Arrange)], 2
        )
        for place, move in enumerate(self.evening.moves):
            if self.choice.random() < 0.2:
                await self.look_around()
            if place % 4 < 2:
                await self.take_advice()
            await self.make(move)
            if place in second_thoughts:
                await self.whisper()
                await self.think_again(move)
            await own.until(b"id: %d\n" % (await the_table(self.app, self.code)).sequence)
            self.note(self.watched, "page", await self.watched.get(f"/t/{self.code}"))
        await self.look_around()
        await self.talk()
        for _ in range(20):
            await asyncio.sleep(0)
        self.note(self.watched, "stream", await own.close())
        self.traffic.append(tuple(own.wire.chunks))
        for stream in streams:
            await stream.close()

    async def make(self, move: Move) -> None:
        """One move by the player whose turn it is, from the live page or as a plain form."""
        table = await the_table(self.app, self.code)
        headers = {"hx_request": "true"} if self.choice.random() < 0.7 else {}
        if isinstance(move, Arrange):
            seat, command = move.seat, "arrange"
            numbers = table.hand_numbers(seat)
            words = [f"{numbers[old]}{'-' if new in move.turned else ''}" for new, old in enumerate(move.order)]
            fields: dict[str, object] = {"hand": " ".join(words)}
        else:
            assert table.to_move is not None
            seat, command = table.to_move, "move"
            fields = {"move": move, "turn": table.turn, "line": table.branch}
        answer = await self.players[seat].post(f"/t/{self.code}/{command}", fields, **headers)
        assert answer.status in (200, 303), answer.text
        self.note(self.players[seat], move, answer)

    async def take_advice(self) -> None:
        """The player to move asks for advice, step by step."""
        table = await the_table(self.app, self.code)
        assert table.to_move is not None
        for step in (1, 2, 3):
            fields = {"turn": table.turn, "line": table.branch, "step": step}
            answer = await self.players[table.to_move].act(self.code, "advice", **fields)
            assert answer.status == 200, answer.text
            self.note(self.players[table.to_move], ("advice", step), answer)

    async def whisper(self) -> None:
        """The others note down all that the watched person may not know."""
        for player in self.players:
            table = await the_table(self.app, self.code)
            if player is not self.watched and self.evening.memory.keeps_history:
                secret = own_cards(table, self.watched.person)
                for about in ({"card": table.hand_numbers(0)[0]}, {"turn": table.turn}):
                    answer = await player.act(self.code, "note", text=f"{secret} {table.sequence}", **about)
                    assert answer.status == 200, answer.text

    async def think_again(self, move: Move) -> None:
        """The last player takes the move back with everyone's consent, and makes it again."""
        table = await the_table(self.app, self.code)
        seat = (table.turn - 1) % self.evening.players
        asked = await self.players[seat].act(self.code, "take-back", turn=table.turn, line=table.branch)
        assert asked.status == 200, asked.text
        self.note(self.players[seat], "take-back", asked)
        number = (await the_table(self.app, self.code)).questions
        for other in (player for player in self.players if player is not self.players[seat]):
            self.note(self.watched, "question", await self.watched.get(f"/t/{self.code}"))
            answer = await other.act(self.code, "answer", question=number, agrees="yes")
            assert answer.status == 200, answer.text
            self.note(other, "answer", answer)
        assert (await the_table(self.app, self.code)).turn == table.turn - 1
        self.note(self.watched, "taken back", await self.watched.get(f"/t/{self.code}"))
        await self.make(move)

    async def talk(self) -> None:
        for player in self.players:
            self.note(player, "say", await player.act(self.code, "say", text=f"I think <{player.person}>"))

    async def look_around(self) -> None:
        """Everything the watched person can look at, and everything they can ask for in vain."""
        table = await the_table(self.app, self.code)
        at = f"/t/{self.code}"
        seats = [f"{at}/possibilities?seat={seat}" for seat in range(-1, self.evening.players + 2)]
        records = [f"{at}/record/{form}" for form in ("tamaya", "hanab-live", "link", "other")]
        records += [f"{at}/result.svg", f"{at}/result.svg?names=yes"]
        records += [f"{at}/replay?turn={turn}{more}" for turn in {0, table.turn // 2, table.turn} for more in ("", *OTHER_EYES)]
        records += [f"{at}/replay/possibilities?turn={table.turn // 2}&seat={seat}" for seat in range(self.evening.players)]
        records += [f"{at}/replay?turn={turn}&try=yourself{more}" for turn in (0, table.turn) for more in ("", "&then=play 1")]
        records += [f"{at}/replay/solver?turn=end", f"{at}/replay/solver?turn=1&seen=99&eyes=hands"]
        mine = ("/games", "/games/slips", "/games?state=going", "/games/export", f"/games/delete?code={self.code}")
        for address in (at, "/", *mine, "/new", "/me", f"{at}/rules", f"{at}/qr.svg", *seats, *records, f"{at}/nothing"):
            headers = self.choice.choice(({}, {"hx_request": "true"}, {"accept_language": "fr"}))
            self.note(self.watched, address, await self.watched.get(address, **headers))
        for command, fields in self.vain_wishes(table):
            headers = self.choice.choice(({}, {"hx_request": "true"}))
            answer = await self.watched.post(f"{at}/{command}", fields, **headers)
            assert answer.status >= 400, (command, fields, answer)
            self.note(self.watched, (command, fields), answer)
        assert (await the_table(self.app, self.code)).sequence == table.sequence

    def vain_wishes(self, table: Table) -> list[tuple[str, dict[str, object]]]:
        mine = table.seat_of(self.watched.person) == table.to_move
        legal = set(map(str, game_of(table).legal_actions())) if mine else set()
        moves = [("move", {"move": text, "turn": table.turn, "line": table.branch}) for text in WILD if text not in legal]
        late = [("move", {"move": text, "turn": turn}) for text in WILD for turn in (table.turn - 1, table.turn + 1, "x")]
        others: list[tuple[str, dict[str, object]]] = [
            ("arrange", {"hand": "0 1"}),
            ("arrange", {}),
            ("take-over", {"seat": 9}),
            ("take-over", {"seat": 0, "bot": "deep"}),
            ("give-back", {}),
            ("start", {"first": 0}),
            ("sit", {"seat": 1}),
            ("stand", {"seat": 0}),
            ("bot", {"seat": 0}),
            ("rematch", {}),
            ("play-on", {"turn": 0}),
            ("replay/coach?turn=0&seen=9", {}),
            ("say", {}),
            ("take-back", {"turn": 0, "line": table.branch}),
            ("take-back", {"turn": table.turn, "line": table.branch + 1}),
            ("answer", {"question": table.questions, "agrees": "yes"}),
            ("advice", {"turn": table.turn + 1, "line": table.branch, "step": 1}),
            ("advice", {"turn": table.turn, "line": table.branch, "step": 4}),
            ("note", {"text": "x", "card": 59}),
            ("note", {"text": "x" * 201, "turn": 0}),
            ("show-notes", {"shown": "yes"}),
        ]
        return [*moves, *self.choice.sample(late, 6), *others]  # type: ignore[list-item]


async def traffic_of(folder: Path, evening: Evening, database: str) -> list[object]:
    """Everything the watched person is sent."""
    chance = replace(steady_chance(), deal=lambda _: evening.deck)
    async with serving(folder, chance=chance, database=database) as app:
        party = Party(app, evening)
        await party.play()
        return party.traffic


def told_apart(folder: Path, evenings: tuple[Evening, Evening], database: Callable[[], str] = str) -> str:
    """The first difference by which the watched person can tell the two games apart, or ""."""
    one, other = (run(traffic_of(folder / name, evening, database())) for name, evening in zip("ab", evenings, strict=True))
    assert len(one) == len(other)
    assert len(one) > 20
    return next((str(left)[:3000] for left, right in zip(one, other, strict=True) if left != right), "")


@pytest.mark.parametrize("memory", ClueMemory)
@pytest.mark.parametrize("place", range(len(EVENINGS)))
def test_a_player_is_sent_the_same_bytes_whatever_they_hold(tmp_path: Path, place: int, memory: ClueMemory) -> None:
    watcher = (place + list(ClueMemory).index(memory)) % EVENINGS[place][0]
    evenings = pair(place, memory, watcher, seed=1)
    assert evenings[0].deck != evenings[1].deck
    assert told_apart(tmp_path, evenings) == ""


@pytest.mark.parametrize("place", range(len(EVENINGS)))
def test_a_spectator_is_sent_the_same_bytes_whatever_the_players_hold(tmp_path: Path, place: int) -> None:
    memory = list(ClueMemory)[place % 4]
    evenings = pair(place, memory, SPECTATOR, 5)
    assert evenings[0].deck != evenings[1].deck
    assert told_apart(tmp_path, evenings) == ""


def test_nothing_leaks_from_postgresql_either(tmp_path: Path) -> None:
    assert told_apart(tmp_path, pair(1, ClueMemory.SAID, 1, seed=1), fresh_database) == ""


def own_cards(table: Table, person: str) -> str:
    """The words that must not reach that person."""
    if table.phase is Phase.OPEN:
        return ""
    seat = table.seat_of(person) or 0
    return " ".join(str(seen.card) for seen in game_of(table).reveal_hands().hands[seat])


def leak_on_the_board(patch: pytest.MonkeyPatch) -> None:
    honest = snapshot.live_snapshot

    def leaking(table: Table, person: str, away: frozenset[str]) -> GameSnapshot:
        found = honest(table, person, away)
        return replace(found, table=replace(found.table, said=(ChatMessage(0, "Eve", own_cards(table, person)),)))

    patch.setattr(board_cache, "live_snapshot", leaking)


def leak_in_a_refusal(patch: pytest.MonkeyPatch) -> None:
    honest = commands.move

    def leaking(table: Table, person: str, text: str, turn: int, hand: str | None = None, line: int = 0) -> list[Any]:
        try:
            return list(honest(table, person, text, turn, hand, line))
        except IllegalError as problem:
            raise IllegalError(problem.code, say("{cards}", cards=own_cards(table, person))) from None

    patch.setattr(commands, "move", leaking)


def leak_in_a_note(patch: pytest.MonkeyPatch) -> None:
    def leaking(table: Table, person: str) -> tuple[Note, ...]:
        return tuple(replace(note, seat=table.seat_of(person) or 0) for note in table._notes)

    patch.setattr(Table, "notes_for", leaking)


def leak_in_advice(patch: pytest.MonkeyPatch) -> None:
    honest = advice.AdviceService.think

    async def leaking(desk: advice.AdviceService, table: Table, seat: int) -> Advice:
        cards = own_cards(table, table.seats[seat].person)
        return replace(await honest(desk, table, seat), idea=say("{cards}", cards=cards))

    patch.setattr(advice.AdviceService, "think", leaking)


def leak_in_a_header(patch: pytest.MonkeyPatch) -> None:
    def leaking(visit: RequestContext, table: Table) -> HTMLResponse:
        return HTMLResponse(visit.render_live(table), headers={"x-deck": own_cards(table, visit.profile.id)})

    patch.setattr(RequestContext, "live_response", leaking)


@pytest.mark.parametrize("leak", [leak_on_the_board, leak_in_a_refusal, leak_in_a_header, leak_in_a_note, leak_in_advice])
def test_a_leak_would_be_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, leak: Callable[[pytest.MonkeyPatch], None]
) -> None:
    leak(monkeypatch)
    assert told_apart(tmp_path, pair(0, ClueMemory.RULED_OUT, 0, 0)) != ""


def test_after_the_end_every_viewer_sees_every_hand(tmp_path: Path) -> None:
    async def steps() -> None:
        async with serving(tmp_path) as app:
            ann, bob, eve = member(app, "Ann"), member(app, "Bob"), member(app, "Eve")
            code = await open_table(ann, bob)
            await ann.act(code, "start", first=0)
            running = [(await who.get(f"/t/{code}")).text.count('class="card face') for who in (ann, bob, eve)]
            assert running == [5, 5, 0]
            await end_game(app, code, ann, bob)
            over = {(await who.get(f"/t/{code}")).text.count('class="card face') for who in (ann, bob, eve)}
            assert len(over) == 1
            assert min(over) >= 9

    run(steps())
