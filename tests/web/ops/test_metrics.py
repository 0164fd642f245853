"""Metrics: values, labels without names, and access."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from starlette.applications import Starlette

from tamaya.web.ops.metrics import forget_worker, prepare_folder, worker_environment
from tamaya.web.rendering.cache import BOARD_CACHE_SIZE, RENDER_CACHE_SIZE
from tamaya.web.services import services_of
from tests.limits import WAIT
from tests.programs import run_python
from tests.support.client import Answer, Browser, end_game, member, open_table, sqlite_store_of, start_game, the_table, with_app
from tests.support.stores import allow_pages

OWN = {"host": "localhost:8000"}
TOKEN = "a-long-enough-token"


def host_of(app: Starlette, address: str = "127.0.0.1") -> Browser:
    """A browser on the server's machine."""
    browser = Browser(app)
    browser.address = (address, 40000)
    return browser


async def read(app: Starlette) -> str:
    answer = await host_of(app).get("/metrics", **OWN)
    assert (answer.status, answer.headers["content-type"]) == (200, "text/plain; version=0.0.4; charset=utf-8")
    return answer.text


def value(text: str, name: str) -> float:
    """The value of a metric with its labels, or 0."""
    found = re.search(rf"^{re.escape(name)} (\S+)$", text, re.MULTILINE)
    return float(found[1]) if found else 0.0


def test_a_game_is_counted_without_names(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Annabelle"), member(app, "Bartholomew")
        code = await start_game(ann, bob, name="Annabelle")
        stream = ann.stream(f"/t/{code}/stream")
        await stream.until(b"id: ")
        await end_game(app, code, ann, bob)
        lone = await open_table(ann, players=2, who="bots", starter="1")
        await end_game(app, lone, ann)
        assert (await bob.get(f"/t/{code}/made-up-by-{'Bartholomew'}")).status == 404
        assert (await bob.get("/t/zzzzzzzzzz")).status == 404
        assert (await bob.act(code, "move", move="play 1", turn=0)).status == 409
        text = await read(app)
        moves = [
            event
            for one in (code, lone)
            for event in await services_of(app).tables.store.read_events(one)
            if '"moved"' in event
        ]
        by_bots = sum('"bot":true' in event for event in moves)
        assert by_bots > 0
        assert value(text, 'tamaya_moves_total{by="bot"}') == by_bots
        assert value(text, 'tamaya_moves_total{by="person"}') == len(moves) - by_bots
        assert value(text, "tamaya_streams") == 1
        assert value(text, "tamaya_tables_in_memory") == 2
        assert 10_000 < value(text, "tamaya_drawings_bytes") < RENDER_CACHE_SIZE + BOARD_CACHE_SIZE
        assert value(text, "tamaya_ready") == 1
        assert value(text, "tamaya_appends_waiting") == 0
        assert value(text, "tamaya_append_seconds_count") >= len(moves)
        assert value(text, 'tamaya_requests_total{route="/t/{code}/move",status="2xx"}') == len(moves) - by_bots
        assert value(text, 'tamaya_request_seconds_count{route="/t/{code}/stream"}') == 1
        assert value(text, 'tamaya_requests_total{route="other",status="4xx"}') == 1
        assert value(text, 'tamaya_refusals_total{code="unknown_table"}') == 1
        secrets = [code, lone, "Annabelle", "Bartholomew", ann.person, bob.person, ann.cookie, bob.cookie, "zzzzzzzzzz"]
        table = await the_table(app, code)
        assert [secret for secret in (*secrets, *table.people, str(tmp_path), "203.0.113.9") if secret in text] == []
        await stream.close()
        assert value(await read(app), "tamaya_streams") == 0

    with_app(tmp_path, steps)


def test_labels_are_route_templates_and_fixed_words(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        for number in range(50):
            await ann.get(f"/{number}/x{number}")
            await ann.get(f"/t/{'abcdefghjk'[number % 10] * 10}")
            await ann.get(f"/static/{number}.js")
            await ann.ask("BREW", f"/rules?{number}")
        text = await read(app)
        routes = set(re.findall(r'route="([^"]*)"', text))
        assert routes == {"other", "/t/{code}", "/static", "/rules"}
        assert value(text, 'tamaya_requests_total{route="/static",status="4xx"}') == 50
        assert value(text, 'tamaya_requests_total{route="/rules",status="4xx"}') == 50

    with_app(tmp_path, steps)


def test_database_errors_are_counted_by_reason(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        code = await start_game(ann, bob, talk="free")
        allow_pages(sqlite_store_of(app), 1)
        said = [(await ann.act(code, "say", text="z" * 200)).status for _ in range(60)]
        text = await read(app)
        assert value(text, 'tamaya_refusals_total{code="unavailable"}') == said.count(503) > 0
        assert value(text, 'tamaya_database_errors_total{reason="full"}') >= said.count(503)
        assert value(text, "tamaya_ready") == 0
        assert value(text, 'tamaya_requests_total{route="/t/{code}/say",status="5xx"}') == said.count(503)

    with_app(tmp_path, steps)


def is_refused(answer: Answer) -> bool:
    return answer.status == 404 and "tamaya_" not in answer.text


@pytest.mark.parametrize(
    "headers",
    [
        {**OWN, "x-forwarded-for": "203.0.113.9"},
        {**OWN, "x-forwarded-for": "127.0.0.1"},
        {**OWN, "x-forwarded-proto": "https"},
        {**OWN, "x-real-ip": "203.0.113.9"},
        {**OWN, "forwarded": "for=203.0.113.9"},
        {**OWN, "via": "1.1 proxy"},
        {"host": "hanabi.example"},
        {"host": "localhost.hanabi.example:8000"},
        {"host": ""},
        {**OWN, "authorization": f"Bearer {TOKEN}"} | {"x-forwarded-for": "203.0.113.9"},
    ],
)
def test_requests_through_a_local_proxy_cannot_read_metrics(tmp_path: Path, headers: dict[str, str]) -> None:
    async def steps(app: Starlette) -> None:
        assert is_refused(await host_of(app).send("GET", "/metrics", [b""], headers))

    with_app(tmp_path, steps)


@pytest.mark.parametrize(
    ("address", "is_host"), [("203.0.113.9", False), ("::1", True), ("::ffff:127.0.0.1", True), ("", False)]
)
def test_by_default_only_the_machine_itself_reads_metrics(tmp_path: Path, address: str, is_host: bool) -> None:
    async def steps(app: Starlette) -> None:
        answer = await host_of(app, address).get("/metrics", **OWN)
        assert (answer.status == 200) if is_host else is_refused(answer)

    with_app(tmp_path, steps)


def test_the_setting_names_networks_that_may_read_metrics(tmp_path: Path) -> None:
    async def named(app: Starlette) -> None:
        assert (await host_of(app, "10.1.2.3").get("/metrics", host="tamaya.internal:8000")).status == 200
        assert is_refused(await host_of(app, "11.1.2.3").get("/metrics", host="tamaya.internal:8000"))
        assert is_refused(await host_of(app).get("/metrics", **OWN))

    async def without_networks(app: Starlette) -> None:
        assert is_refused(await host_of(app).get("/metrics", **OWN))

    with_app(tmp_path, named, metrics="10.0.0.0/8, 2001:db8::/32")
    with_app(tmp_path, without_networks, metrics="")


@pytest.mark.parametrize("said", [f"Bearer {TOKEN}", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", TOKEN, "Bearer ", ""])
def test_the_token_grants_access_from_anywhere(tmp_path: Path, said: str) -> None:
    async def steps(app: Starlette) -> None:
        answer = await Browser(app).get("/metrics", authorization=said, x_forwarded_for="203.0.113.9")
        assert (answer.status == 200) if said == f"Bearer {TOKEN}" else is_refused(answer)

    with_app(tmp_path, steps, metrics_token=TOKEN)


def test_an_unset_token_grants_no_access(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        assert is_refused(await Browser(app).get("/metrics", authorization="Bearer "))

    with_app(tmp_path, steps)


WORKER = """
import os, sys
from tamaya.web.ops.metrics import PrometheusMetrics
metrics = PrometheusMetrics()
metrics.count("move", "person")
metrics.queue("bot", 2, "plain")
metrics.ready.set(1)
sys.stdout.write(f"{os.getpid()}\\n" if len(sys.argv) == 1 else metrics.render().decode())
sys.stdout.flush()
os._exit(0)
"""


def test_processes_share_counters_and_ended_ones_leave_no_gauges(tmp_path: Path) -> None:
    folder = tmp_path / "metrics"
    prepare_folder(folder)
    environment = worker_environment(folder)
    first, second = (int(run_python("-c", WORKER, variables=environment, check=True, limit=WAIT).stdout) for _ in range(2))
    forget_worker(folder, first)
    text = run_python("-c", WORKER, "tell", variables=environment, check=True, limit=WAIT).stdout
    assert first != second
    assert value(text, 'tamaya_moves_total{by="person"}') == 3
    assert value(text, 'tamaya_bots_waiting{kind="plain"}') == 4
    assert value(text, "tamaya_ready") == 1
    prepare_folder(folder)
    assert list(folder.iterdir()) == []
