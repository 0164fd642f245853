"""Refusals in the reader's language, each with its status."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from starlette.applications import Starlette

from tamaya import TamayaError
from tamaya.engine.refusals import illegal_action_error
from tamaya.i18n import LANGUAGES, catalogue
from tamaya.record.validation import MAX_NAME_LENGTH
from tamaya.rules import Clue, Message, read_action, say
from tamaya.table import Table, commands
from tamaya.web.http.security import MAX_BODY_SIZE, ForeignOriginError, TooLargeError
from tests.support.client import Answer, Browser, end_game, kept_lines, member, open_table, start_game, the_table, with_app


class Evening:
    """An open table, a running and an ended game, and people: Ann hosts, Bob sits there, Eve does not."""

    def __init__(self, app: Starlette, language: str) -> None:
        self.app = app
        self.ann, self.bob, self.eve = (member(app, name, language=language) for name in ("Ann", "Bob", "Eve"))
        self.open = self.running = self.over = self.closed = ""

    async def prepare(self) -> None:
        self.open = await open_table(self.ann, players=2)
        self.running = await start_game(self.ann, self.bob, talk="strict")
        self.closed = await start_game(self.ann, self.bob, watching="nobody", talk="remarks")
        self.over = await start_game(self.ann, self.bob)
        await end_game(self.app, self.over, self.ann, self.bob)


Ask = Callable[[Evening], Awaitable[Answer]]


def why(table: Table, text: str) -> Message:
    """The rules' own words against an action of the first player."""
    rules = table.settings.rules
    return illegal_action_error(read_action(text), rules, 0, rules.hand_size, rules.clue_tokens).message


def told_by(decide: Callable[[Table], object]) -> Callable[[Table], Message]:
    """The words with which the table itself refuses."""

    def message(table: Table) -> Message:
        with pytest.raises(TamayaError) as refusal:
            decide(table)
        return refusal.value.message

    return message


REFUSALS: dict[str, tuple[int, str, Ask, Callable[[Table], Message]]] = {
    "not_host": (409, "open", lambda e: e.bob.act(e.open, "start"), told_by(lambda t: commands.leave_seat(t, "p-bob", 0))),
    "seats_free": (
        409,
        "open",
        lambda e: e.ann.act(e.open, "start", first=0),
        told_by(lambda t: commands.start(t, "p-ann", 0, lambda _: ())),
    ),
    "seat_taken": (
        409,
        "open",
        lambda e: e.bob.act(e.open, "sit", seat=0),
        told_by(lambda t: commands.sit(t, "p-bob", "Bob", 0)),
    ),
    "already_seated": (409, "open", lambda e: e.ann.act(e.open, "sit"), told_by(lambda t: commands.sit(t, "p-ann", "Ann"))),
    "name_taken": (
        409,
        "open",
        lambda e: e.bob.act(e.open, "sit", name="ANN"),
        told_by(lambda t: commands.sit(t, "p-bob", "ANN")),
    ),
    "bad_name": (
        400,
        "open",
        lambda e: e.bob.act(e.open, "sit", name="x" * 41),
        lambda _: say("A name has from 1 to {most} printable characters.", most=MAX_NAME_LENGTH),
    ),
    "own_word": (
        400,
        "open",
        lambda e: e.bob.act(e.open, "sit", name="Companion"),
        told_by(lambda t: commands.sit(t, "p-bob", "Companion")),
    ),
    "not_removed": (
        409,
        "open",
        lambda e: e.ann.act(e.open, "let-back", removal=0),
        told_by(lambda t: commands.readmit(t, "p-ann", 0)),
    ),
    "seat_free": (
        409,
        "open",
        lambda e: e.ann.act(e.open, "stand", seat=1),
        told_by(lambda t: commands.leave_seat(t, "p-ann", 1)),
    ),
    "unknown_seat": (
        400,
        "open",
        lambda e: e.ann.act(e.open, "stand", seat=9),
        told_by(lambda t: commands.leave_seat(t, "p-ann", 9)),
    ),
    "unknown_bot": (
        400,
        "open",
        lambda e: e.ann.act(e.open, "bot", seat=1, bot="deep"),
        told_by(lambda t: commands.seat_bot(t, "p-ann", 1, "deep")),
    ),
    "no_take_backs": (
        409,
        "running",
        lambda e: e.ann.act(e.running, "take-back", turn=1, line=0),
        told_by(lambda t: commands.take_back(t, "p-ann", 1)),
    ),
    "no_advice": (
        409,
        "running",
        lambda e: e.ann.act(e.running, "advice", turn=0, line=0, step=1),
        told_by(lambda t: commands.take_advice(t, "p-ann", 0)),
    ),
    "question_closed": (
        409,
        "running",
        lambda e: e.bob.act(e.running, "answer", question=1, agrees="yes"),
        told_by(lambda t: commands.answer(t, "p-bob", agrees=True, question=1)),
    ),
    "unknown_card": (
        400,
        "running",
        lambda e: e.ann.act(e.running, "note", card=99, text="x"),
        told_by(lambda t: commands.note(t, "p-ann", "x", card=99)),
    ),
    "no_notes": (
        409,
        "over",
        lambda e: e.ann.act(e.over, "show-notes", shown="yes"),
        told_by(lambda t: commands.show_notes(t, "p-ann", shown=True)),
    ),
    "bad_form": (
        400,
        "running",
        lambda e: e.ann.act(e.running, "move", move="play 1"),
        lambda _: say("“{field}” is missing or is no whole number; go back and choose again.", field="turn"),
    ),
    "not_started": (
        409,
        "open",
        lambda e: e.ann.act(e.open, "move", move="play 1", turn=0),
        told_by(lambda t: commands.move(t, "p-ann", "play 1", 0)),
    ),
    "started": (409, "running", lambda e: e.eve.act(e.running, "sit"), told_by(lambda t: commands.sit(t, "p-eve", "Eve"))),
    "not_yours": (
        409,
        "over",
        lambda e: e.eve.post("/games/delete", {"code": e.over}),
        told_by(lambda t: commands.remove_game(t, "p-eve")),
    ),
    "not_over_yet": (
        409,
        "running",
        lambda e: e.ann.post("/games/delete", {"code": e.running}),
        told_by(lambda t: commands.remove_game(t, "p-ann")),
    ),
    "nothing_to_delete": (
        400,
        "open",
        lambda e: e.ann.post("/games/delete"),
        lambda _: say("Say which game is to be deleted; go back and choose one."),
    ),
    "no_seat": (
        409,
        "running",
        lambda e: e.eve.act(e.running, "move", move="play 1", turn=0),
        told_by(lambda t: commands.move(t, "p-eve", "play 1", 0)),
    ),
    "not_your_turn": (
        409,
        "running",
        lambda e: e.bob.act(e.running, "move", move="play 1", turn=0),
        told_by(lambda t: commands.move(t, "p-bob", "play 1", 0)),
    ),
    "turn_over": (
        409,
        "running",
        lambda e: e.ann.act(e.running, "move", move="play 1", turn=7),
        told_by(lambda t: commands.move(t, "p-ann", "play 1", 7)),
    ),
    "malformed_action": (
        400,
        "running",
        lambda e: e.ann.act(e.running, "move", move="dance", turn=0),
        told_by(lambda t: commands.move(t, "p-ann", "dance", 0)),
    ),
    "no_such_card": (
        409,
        "running",
        lambda e: e.ann.act(e.running, "move", move="play 9", turn=0),
        lambda t: why(t, "play 9"),
    ),
    "no_discard": (
        409,
        "running",
        lambda e: e.ann.act(e.running, "move", move="discard 1", turn=0),
        lambda t: why(t, "discard 1"),
    ),
    "clue_self": (
        409,
        "running",
        lambda e: e.ann.act(e.running, "move", move=Clue(0, 1), turn=0),
        lambda t: why(t, "clue 1 1"),
    ),
    "hand_changed": (
        409,
        "running",
        lambda e: e.ann.act(e.running, "arrange", hand="1 2"),
        told_by(lambda t: commands.arrange(t, "p-ann", "1 2")),
    ),
    "strict_talk": (
        409,
        "running",
        lambda e: e.ann.act(e.running, "say", remark="thanks"),
        told_by(lambda t: commands.send_message(t, "p-ann", "thanks")),
    ),
    "remarks_only": (
        409,
        "closed",
        lambda e: e.ann.act(e.closed, "say", text="red"),
        told_by(lambda t: commands.send_message(t, "p-ann", text="red")),
    ),
    "nothing_said": (400, "over", lambda e: e.ann.act(e.over, "say"), told_by(lambda t: commands.send_message(t, "p-ann"))),
    "bad_text": (
        400,
        "over",
        lambda e: e.ann.act(e.over, "say", text="x" * 201),
        told_by(lambda t: commands.send_message(t, "p-ann", text="x" * 201)),
    ),
    "no_bot_there": (
        409,
        "running",
        lambda e: e.ann.act(e.running, "give-back"),
        told_by(lambda t: commands.give_back(t, "p-ann")),
    ),
    "game_over": (
        409,
        "over",
        lambda e: e.ann.act(e.over, "move", move="play 1", turn=0),
        told_by(lambda t: commands.move(t, "p-ann", "play 1", 0)),
    ),
    "game_not_over": (
        409,
        "running",
        lambda e: e.ann.act(e.running, "rematch"),
        told_by(lambda t: commands.rematch(t, "p-ann", "")),
    ),
    "record_not_yet": (409, "running", lambda e: e.ann.get(f"/t/{e.running}/record/link"), told_by(lambda t: t.record())),
    "no_spectators": (403, "closed", lambda e: e.eve.get(f"/t/{e.closed}"), lambda _: say("This table has no spectators.")),
    "own_eyes": (
        409,
        "running",
        lambda e: e.ann.get(f"/t/{e.running}/replay?eyes=2"),
        lambda _: say("While the game goes on, you look back with your own eyes."),
    ),
    "replay_not_yet": (409, "running", lambda e: e.ann.get(f"/t/{e.running}/replay?try=yes"), told_by(lambda t: t.past())),
    "bad_turn": (
        400,
        "over",
        lambda e: e.ann.get(f"/t/{e.over}/replay?turn=x"),
        lambda _: say("A turn is a whole number or “{end}”, not “{text}”.", end="end", text="x"),
    ),
    "bad_eyes": (
        400,
        "over",
        lambda e: e.ann.get(f"/t/{e.over}/replay?eyes=9"),
        lambda _: say("Nobody has these eyes; choose one of {known}.", known=("1", "2", "table", "hands")),
    ),
    "end_not_seen": (
        409,
        "over",
        lambda e: e.eve.get(f"/t/{e.over}/replay/solver?turn=1"),
        lambda _: say("Look at the end of the game first: what could have been tells how it went."),
    ),
    "over_there": (
        409,
        "over",
        lambda e: e.ann.post(f"/t/{e.over}/play-on", {"turn": 99}),
        lambda _: say("The game is over there; go back to an earlier turn."),
    ),
    "foreign_origin": (
        403,
        "open",
        lambda e: e.ann.post("/play", {}, origin="http://evil.example"),
        lambda _: ForeignOriginError().message,
    ),
    "too_large": (413, "open", lambda e: e.ann.post("/play", {"x": "y" * MAX_BODY_SIZE}), lambda _: TooLargeError().message),
    "unknown_table": (
        404,
        "open",
        lambda e: e.ann.get("/t/zzzzzzzzzz"),
        lambda _: say("There is no table “{code}”; check the link.", code="zzzzzzzzzz"),
    ),
    "bad_link": (
        400,
        "open",
        lambda e: e.ann.get("/me/forged"),
        lambda _: say(
            "This personal link does not work: each works once, within a day. Make a new one on your other device, "
            "under “Your devices”."
        ),
    ),
    "not_found": (404, "open", lambda e: e.ann.get("/nothing"), lambda _: say("There is nothing at this address.")),
    "wrong_method": (
        405,
        "open",
        lambda e: e.ann.get("/play"),
        lambda _: say("This address does not take that kind of request."),
    ),
    "no_form": (
        400,
        "open",
        lambda e: e.ann.post("/play", {}, content_type="multipart/form-data"),
        lambda _: say("This request cannot be understood."),
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_has_its_status_and_is_in_the_readers_language(tmp_path: Path, language: str) -> None:
    async def steps(app: Starlette) -> None:
        evening = Evening(app, language.replace("_", "-"))
        await evening.prepare()
        before = await kept_lines(app)
        for code, (status, place, ask, words) in REFUSALS.items():
            answer = await ask(evening)
            message = words(await the_table(app, getattr(evening, place)))
            assert answer.status == status, code
            assert catalogue(language)(message) in answer.words, code
        assert await kept_lines(app) == before, "a refusal changes nothing"

    with_app(tmp_path, steps)


def test_htmx_gets_a_sentence_and_a_browser_a_page(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        browser = Browser(app)
        sentence = await browser.get("/t/zzzzzzzzzz", hx_request="true")
        page = await browser.get("/t/zzzzzzzzzz")
        assert sentence.headers["content-type"].startswith("text/plain")
        assert sentence.text == "There is no table “zzzzzzzzzz”; check the link."
        assert page.headers["content-type"].startswith("text/html")
        assert 'href="/"' in page.text

    with_app(tmp_path, steps)
