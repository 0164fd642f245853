"""``tamaya serve``: where it listens, what it prints, and how it stops."""

from __future__ import annotations

import signal
import socket
import webbrowser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from click.testing import CliRunner, Result

from tamaya.cli import tamaya as command_line
from tamaya.i18n import LANGUAGES, catalogue
from tamaya.rules import say
from tests.limits import WAIT
from tests.support.servers import RealServer


class Served:
    """The arguments of the server that would have run."""

    def __init__(self) -> None:
        self.config: uvicorn.Config
        self.listener: socket.socket
        self.opened: list[str] = []


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Served]:
    found = Served()

    def note(server: uvicorn.Server, sockets: list[socket.socket]) -> None:
        found.config, found.listener = server.config, sockets[0]
        server._on_ready()  # type: ignore[attr-defined]

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(uvicorn.Server, "run", note)
    monkeypatch.setattr("webbrowser.open", found.opened.append)
    yield found
    if hasattr(found, "listener"):
        found.listener.close()


def serve(*arguments: str, **environment: str) -> Result:
    return CliRunner(env={"LC_ALL": "en_GB.UTF-8", **environment}).invoke(command_line, ("serve", *arguments))


def test_the_printed_address_is_served(served: Served) -> None:
    result = serve("--port", "0")
    assert result.exit_code == 0
    port = served.listener.getsockname()[1]
    assert f"Tamaya is ready at http://localhost:{port}/" in result.output
    assert served.listener.getsockname()[0] == "127.0.0.1", "this machine alone, unless the host says otherwise"
    assert served.config.timeout_graceful_shutdown == 3, "it has ended within five seconds"
    assert served.opened == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_output_is_in_the_chosen_language(served: Served, language: str) -> None:
    result = serve("--port", "0", "--lang", language)
    url = f"http://localhost:{served.listener.getsockname()[1]}/"
    assert catalogue(language)(say("Tamaya is ready at {url}", url=url)) in result.output


def test_a_used_default_port_is_skipped(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setattr("tamaya.cli.serve.PORT", taken.getsockname()[1])
        assert serve().exit_code == 0
        assert served.listener.getsockname()[1] not in (0, taken.getsockname()[1])


def test_a_used_port_that_was_requested_is_refused_with_a_message(served: Served) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = serve("--port", str(port))
        assert (result.exit_code, f"Nothing can listen at 127.0.0.1:{port}" in result.output) == (2, True)
        assert "Traceback" not in result.output


@pytest.mark.parametrize("arguments", [("--port", "70000"), ("--port", "x"), ("--host", "no.such.host.invalid", "--port", "0")])
def test_an_invalid_address_is_refused(served: Served, arguments: tuple[str, ...]) -> None:
    result = serve(*arguments)
    assert result.exit_code == 2
    assert "Traceback" not in result.output


def test_ipv6_addresses_work(served: Served) -> None:
    result = serve("--host", "::1", "--port", "0")
    assert result.exit_code == 0, result.output
    assert f"http://[::1]:{served.listener.getsockname()[1]}/" in result.output


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("TAMAYA_BOT_PAUSE", value) for value in ("soon", "-1", "nan", "inf", "61")),
        *(("TAMAYA_METRICS", value) for value in ("everybody", "127.0.0", "10.0.0.0/99")),
        *(("TAMAYA_BOT_PROCESSES", value) for value in ("0", "1.5", "many")),
        *(("TAMAYA_ADDRESS", value) for value in ("hanabi.example", "ftp://x", "https://x/y", "https://x:999999", "https://")),
        ("TAMAYA_LIMITS", "perhaps"),
        ("TAMAYA_WARM_UP", "perhaps"),
        ("TAMAYA_LOG", "loud"),
    ],
)
def test_invalid_settings_are_refused_with_a_message(served: Served, name: str, value: str) -> None:
    result = serve("--port", "0", **{name: value})
    assert result.exit_code == 2
    assert f"{name} cannot be “{value}”; write it like" in result.output
    assert not hasattr(served, "listener")


def test_the_environment_sets_options_missing_on_the_command_line(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []
    monkeypatch.setattr("tamaya.cli.serve.create_app", lambda options: seen.append(options))
    serve("--port", "0", TAMAYA_DATA="there", TAMAYA_ADDRESS="https://x.example", TAMAYA_PROXY="10.0.0.1")
    assert (seen[0].data, seen[0].address) == ("there", "https://x.example")
    assert served.config.forwarded_allow_ips == "10.0.0.1"


def test_a_settings_file_has_the_lowest_precedence(served: Served, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seen: list[Any] = []
    monkeypatch.setattr("tamaya.cli.serve.create_app", lambda options: seen.append(options))
    file = tmp_path / "tamaya.toml"
    file.write_text('data = "file"\naddress = "https://file.example"\nbot_pause = 0.5\nport = 0\nlimits = false\n')
    serve("--config", str(file), "--data", "option", TAMAYA_ADDRESS="https://environment.example")
    found = seen[0]
    assert (found.data, found.address, found.bot_pause, found.limits) == ("option", "https://environment.example", 0.5, False)
    served.listener.close()
    serve(TAMAYA_CONFIG=str(file))
    assert seen[1].data == "file"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('colour = "red"', "There is no setting “colour”; the settings are address"),
        ("bot_pause = 'soon'", "bot_pause cannot be “soon”; write it like 1.2"),
        ("workers = 0", "workers cannot be “0”; write it like 1"),
        ("bot_pause = ", "cannot be read"),
        (f"data = '{'x' * 70_000}'", "cannot be read: more than 65536 bytes"),
    ],
)
def test_an_invalid_settings_file_is_refused_with_a_message(served: Served, tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "tamaya.toml").write_text(text)
    result = serve("--port", "0", "--config", str(tmp_path / "tamaya.toml"))
    assert (result.exit_code, words in result.output) == (2, True), result.output
    assert not hasattr(served, "listener")


def test_a_missing_settings_file_is_refused(served: Served) -> None:
    result = serve("--config", "nowhere.toml")
    assert (result.exit_code, "nowhere.toml cannot be read: No such file" in result.output) == (2, True)


def test_an_unknown_setting_is_refused(served: Served) -> None:
    result = serve("--port", "0", TAMAYA_BOTPAUSE="1")
    assert (result.exit_code, "There is no setting “TAMAYA_BOTPAUSE”; the settings are" in result.output) == (2, True)


def test_a_short_token_is_refused_and_not_quoted(served: Served) -> None:
    result = serve("--port", "0", TAMAYA_METRICS_TOKEN="short")
    assert (result.exit_code, "TAMAYA_METRICS_TOKEN cannot be “…”; write it like" in result.output) == (2, True)


def test_an_invalid_database_is_refused_without_quoting_its_password(served: Served) -> None:
    later = 75
    for address, status in (
        ("mysql://me:hush@localhost/x", 2),
        ("postgresql://me:h@hush@localhost/x", 2),
        ("postgresql://me:hush@127.0.0.1:1/x", later),
    ):
        result = serve("--port", "0", "--database", address)
        assert result.exit_code == status, result.output
        assert "hush" not in result.output
        assert "atabase" in result.output or "DATABASE" in result.output


def test_behind_a_proxy_the_public_address_is_printed(served: Served) -> None:
    assert "Tamaya is ready at https://x.example/\n" in serve("--port", "0", "--address", "https://x.example").output


def test_an_unusable_data_folder_is_refused_with_a_message(served: Served) -> None:
    Path("data").write_text("")
    result = serve("--port", "0", "--data", "data")
    assert (result.exit_code, "Nothing can be kept in the folder data" in result.output) == (2, True)
    assert "ready" not in result.output


def test_a_damaged_database_is_refused_and_left_unchanged(served: Served) -> None:
    file = Path("data/tables.sqlite")
    file.parent.mkdir()
    file.write_text("a shopping list, long enough to be taken for a database" * 20)
    before = file.read_bytes()
    result = serve("--port", "0", "--data", "data")
    assert (result.exit_code, "is damaged; put a backup in its place" in result.output) == (2, True)
    assert "ready" not in result.output
    assert file.read_bytes() == before


def test_a_browser_opens_on_request(served: Served) -> None:
    serve("--port", "0", "--open")
    assert served.opened == [f"http://localhost:{served.listener.getsockname()[1]}/"]


def test_the_server_runs_without_a_browser(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(url: str) -> None:
        raise webbrowser.Error(url)

    monkeypatch.setattr("webbrowser.open", fail)
    assert serve("--port", "0", "--open").exit_code == 0


def test_options_reach_the_application(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []
    monkeypatch.setattr("tamaya.cli.serve.create_app", lambda options: seen.append(options))
    serve("--port", "0", "--data", "here", "--address", "https://x.example", TAMAYA_SECRET="s")
    assert (seen[0].data, seen[0].address, seen[0].secret) == ("here", "https://x.example", "s")


@pytest.mark.parametrize(
    ("arguments", "environment", "warms"),
    [
        ((), {}, True),
        (("--no-warm-up",), {}, False),
        ((), {"TAMAYA_WARM_UP": "false"}, False),
        (("--warm-up",), {"TAMAYA_WARM_UP": "false"}, True),
    ],
)
def test_the_search_bot_is_compiled_unless_the_host_disables_it(
    served: Served, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], environment: dict[str, str], warms: bool
) -> None:
    seen: list[Any] = []
    monkeypatch.setattr("tamaya.cli.serve.create_app", lambda options: seen.append(options))
    serve("--port", "0", *arguments, **environment)
    assert seen[0].warm_up is warms


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_the_server_stops_on_a_signal_with_open_pages(tmp_path: Path, how: signal.Signals) -> None:
    with RealServer(tmp_path / "data") as server:
        _, place, _ = server.ask("POST", "/new", "", {"players": 2})
        with socket.create_connection(("127.0.0.1", server.port), timeout=WAIT) as page:
            page.sendall(f"GET {place}/stream HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            assert b"text/event-stream" in page.recv(4096)
            server.process.send_signal(how)
            said = server.rest()
    assert "Tamaya" not in said
    assert server.process.returncode in (0, 1, -how), "1 is what Ctrl+C means to a command line"
    assert [file.name for file in sorted((tmp_path / "data").iterdir())] == ["key", "tables.sqlite"], "nothing half written"
