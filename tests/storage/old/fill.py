"""Plays at a Tamaya server through its pages until its database has all kinds of data.

    python tests/storage/old/fill.py http://127.0.0.1:8000 known.json

This imports nothing of Tamaya, so that it works with a server of any version. README.md says which one it was.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable
from html import unescape
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode, urlsplit

TIMEOUT = 500.0
"""Seconds to wait for bots and the coach, which compiles first."""


class Player:
    """A browser with a cookie, and the name of its user."""

    def __init__(self, site: str, name: str) -> None:
        self.site, self.name, self.cookie = urlsplit(site), name, ""
        self.get("/")

    def ask(self, method: str, path: str, fields: dict[str, object] | None = None) -> tuple[int, str]:
        """Send a request; returns its status, and the redirect's target or the page."""
        connection = HTTPConnection(str(self.site.hostname), self.site.port, timeout=TIMEOUT)
        headers = {
            "Origin": f"http://{self.site.netloc}",
            "Content-Type": "application/x-www-form-urlencoded",
            "Accept-Language": "en",
            "Cookie": self.cookie,
        }
        connection.request(method, path, urlencode(fields or {}), headers)
        answer = connection.getresponse()
        text = unescape(answer.read().decode())
        if cookie := answer.headers.get("set-cookie"):
            self.cookie = cookie.partition(";")[0]
        connection.close()
        return answer.status, answer.headers.get("location") or text

    def get(self, path: str) -> str:
        """Get a page."""
        status, text = self.ask("GET", path)
        assert status == 200, text
        return text

    def post(self, path: str, **fields: object) -> str:
        """Post a form, which must be accepted."""
        status, text = self.ask("POST", path, fields)
        assert status in (200, 303), f"{status} for {path} {fields}: {re.findall('<p>.*?</p>', text)}"
        return text

    def open(self, **fields: object) -> str:
        """Create a table; returns its code."""
        return self.post("/new", **{"name": self.name, "edition": "standard", **fields}).rpartition("/")[2]

    def page_in_turn(self, code: str) -> str:
        """Get the page of a table once it is this player's turn."""
        return wait(lambda: page if 'name="move"' in (page := self.get(f"/t/{code}")) else "")

    def line(self, page: str) -> int:
        """The number of moves taken back, as a page shows it."""
        found = re.search(r'name="line" value="(\d+)"', page)
        return int(found[1]) if found else 0

    def move(self, code: str, kind: str) -> int:
        """Make the first move on the page, if possible of this kind; returns its turn."""
        page = self.page_in_turn(code)
        offered = re.findall(r'name="move" value="([^"]+)"([^>]*)', page)
        legal = [move for move, rest in offered if "data-refusal" not in rest and not move.startswith("play")]
        chosen = min(legal, key=lambda move: not move.startswith(kind))
        hand = re.search(r'name="hand" value="([^"]+)"', page)
        self.post(
            f"/t/{code}/move", move=chosen, turn=turn_of(page), line=self.line(page), **({"hand": hand[1]} if hand else {})
        )
        return turn_of(page)


def turn_of(page: str) -> int:
    """The number of turns on a page."""
    found = re.search(r'data-turn="(\d+)"', page)
    assert found, page[:2000]
    return int(found[1])


def wait(found: Callable[[], str]) -> str:
    """Poll until something is found."""
    end = time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        if text := found():
            return text
        time.sleep(0.05)
    raise TimeoutError


def finished_game(ann: Player, bob: Player) -> str:
    """A game of two people and a bot with all kinds of events, played to its end by bots."""
    code = ann.open(players=3, who="some", bots=1, bot="convention", take_backs="yes", talk="free", advice="everybody")
    bob.post(f"/t/{code}/sit", name=bob.name)
    ann.post(f"/t/{code}/say", text="Good luck! 花火")
    ann.post(f"/t/{code}/start", first=0)
    ann.post(f"/t/{code}/note", text="my oldest", card=0)
    page = ann.page_in_turn(code)
    ann.post(f"/t/{code}/advice", turn=turn_of(page), line=ann.line(page), step=1)
    ann.post(f"/t/{code}/arrange", hand="4 0 1 2 3")
    ann.move(code, "clue")
    turn = bob.move(code, "clue")
    ann.page_in_turn(code)
    bob.post(f"/t/{code}/take-back", turn=turn + 1, line=0)
    ann.post(f"/t/{code}/answer", agrees="yes", question=1)
    bob.post(f"/t/{code}/note", text="here I took one back", turn=turn)
    bob.move(code, "clue")
    for player in (ann, bob):
        player.post(f"/t/{code}/take-over", bot="convention")
    wait(lambda: "x" if ann.ask("GET", f"/t/{code}/record/tamaya")[1].startswith("{") else "")
    ann.post(f"/t/{code}/show-notes", shown="yes")
    ann.post(f"/t/{code}/rematch")
    return code


def coached(who: Player, code: str) -> None:
    """Have the coach analyse a game."""
    who.post(f"/t/{code}/replay/coach")
    wait(lambda: "x" if "coach-players" in who.get(f"/t/{code}/replay?turn=end") else "")


def running_game(who: Player, turns: int, *bots: str, instead: str) -> str:
    """A game with these bots after some turns that a bot took for the player, who is now to move."""
    code = who.open(players=1 + len(bots))
    for seat, bot in enumerate(bots, start=1):
        who.post(f"/t/{code}/bot", seat=seat, bot=bot)
    who.post(f"/t/{code}/start", first=0)
    who.post(f"/t/{code}/take-over", bot=instead)
    wait(lambda: page if turn_of(page := who.get(f"/t/{code}")) >= turns else "")
    who.post(f"/t/{code}/give-back")
    who.page_in_turn(code)
    return code


def question(ann: Player, bob: Player) -> str:
    """A game of two people with a pending take-back request."""
    code = ann.open(players=2, take_backs="yes", listed="yes")
    bob.post(f"/t/{code}/sit", name=bob.name)
    ann.post(f"/t/{code}/start", first=0)
    turn = ann.move(code, "clue")
    ann.post(f"/t/{code}/take-back", turn=turn + 1, line=0)
    return code


def main(site: str, file: str) -> None:
    """Fill the server at an address, and write what a test needs to know to a file."""
    ann, bob = Player(site, "Ann"), Player(site, "Bob")
    made = time.time()
    finished = finished_game(ann, bob)
    record = ann.get(f"/t/{finished}/record/tamaya")
    link = ann.get(f"/t/{finished}/record/link")
    coached(ann, finished)
    brought = ann.post("/bring", text=link).split("/")[2]
    damaged = ann.post("/bring", text=link.strip().rpartition(",")[0][:-1] + "!,0").split("/")[2]
    running = {
        "hat": running_game(ann, 12, "hat", "hat", instead="hat"),
        "convention": running_game(ann, 12, "convention", "simple", "convention", instead="convention"),
        "learned": running_game(ann, 12, "learned", instead="learned"),
        "search": running_game(ann, 4, "search", instead="convention"),
    }
    asked = question(ann, bob)
    lobby = bob.open(players=5, edition="french", listed="yes")
    bob.post("/me/end", others="yes")
    personal = re.search(r"/me/([\w-]{10,})", ann.post("/me/link"))
    assert personal
    known = {
        "made": made,
        "cookies": {player.name: player.cookie.partition("=")[2] for player in (ann, bob)},
        "personal_link": f"/me/{personal[1]}",
        "finished": finished,
        "record": json.loads(record),
        "link": link.strip(),
        "brought": brought,
        "damaged": damaged,
        "running": running,
        "turns": {code: turn_of(ann.get(f"/t/{code}")) for code in (*running.values(), asked)},
        "question": asked,
        "lobby": lobby,
    }
    Path(file).write_text(json.dumps(known, ensure_ascii=False, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
