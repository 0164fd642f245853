"""What a host can set: in a TOML file, by environment variables (``TAMAYA_DATA``, ``TAMAYA_SECRET`` and so on), which go before
the file, and by options of the command, which go before both."""

from __future__ import annotations

import errno
import os
import secrets
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from tamaya.rules import MalformedError, say


class ServerOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How a server runs; without any setting it serves this machine alone and keeps its data in ``tamaya-data``."""

    host: Annotated[str, Meta(min_length=1, max_length=255)] = "127.0.0.1"
    """The address to listen on; ``0.0.0.0`` lets others in."""
    port: Annotated[int, Meta(ge=0, le=65535)] | None = None
    """The port to listen on; where none is given, the usual one or any that is free."""
    data: str = "tamaya-data"
    """The folder of the SQLite database and of the key that signs cookies."""
    database: Annotated[str, Meta(pattern=r"\A(postgres(ql)?://\S+)?\Z")] = ""
    """Where tables are kept instead of a file in the data folder: ``postgresql://user:password@host/name``."""
    workers: Annotated[int, Meta(ge=1, le=64)] = 1
    """How many processes serve; more than one needs PostgreSQL."""
    secret: str = ""
    """The key that signs cookies; made and kept in the data folder where none is given."""
    address: Annotated[str, Meta(pattern=r"\A(https?://([^/\s:\[\]]+|\[[0-9a-fA-F:]+\])(:\d{1,5})?/?)?\Z")] = ""
    """The address people type, such as ``https://hanabi.example``, where a proxy hides it."""
    proxy: str = "127.0.0.1"
    """The addresses, with commas, of proxies that are trusted to say who is asking and whether by https."""
    bot_pause: Annotated[float, Meta(ge=0, le=60)] = 1.2
    """The seconds between a bot's turn and its move, so that people can follow."""
    bot_processes: Annotated[int, Meta(ge=1, le=64)] = 1
    """How many bots think at the same time, for each process that serves."""
    warm_up: bool = False
    """Whether what bots that think ahead need is compiled as soon as the server runs, and not when somebody first wants it."""
    backup_to: str = ""
    """The folder in which the server keeps backups of its tables; without one it makes none."""
    backup_every: Annotated[float, Meta(ge=0.1, le=8760)] = 24.0
    """The hours between two backups."""
    backup_keep: Annotated[int, Meta(ge=1, le=10_000)] = 14
    """How many backups are kept; older ones are deleted."""
    limits: bool = True
    """Whether anybody who asks too often is told to wait."""
    log: Literal["text", "json"] = "text"
    """Whether the log is written for people or, as JSON, for programs."""
    metrics: Annotated[str, Meta(pattern=r"\A[0-9a-fA-F.:/, ]*\Z")] = "127.0.0.1,::1"
    """The addresses or networks, with commas, that may read the metrics if no proxy is in between; nobody if there are none."""
    metrics_token: Annotated[str, Meta(pattern=r"\A([!-~]{16,})?\Z")] = ""
    """What whoever reads the metrics from elsewhere sends as a bearer token, at least sixteen characters."""


EXAMPLE_VALUES = {
    "address": "https://hanabi.example",
    "backup_to": "/srv/backups",
    "database": "postgresql://user@host/name",
    "port": "8000",
    "metrics": "127.0.0.1,10.0.0.0/8",
    "metrics_token": "at-least-16-characters",
}
SECRET_SETTINGS = ("secret", "database", "metrics_token")
"""What is not repeated where it is refused."""
CONFIG_VARIABLE = "TAMAYA_CONFIG"
"""The environment variable that names the file."""
OTHER_VARIABLES = {"TAMAYA_TESTS", "TAMAYA_CHROMIUM"}
"""What ./dev reads, which is no setting of a server."""
MAX_CONFIG_SIZE = 64 * 1024


def read_options(environment: Mapping[str, str] = os.environ, config: str | None = None, **given: object) -> ServerOptions:
    """The options from a file and the environment; what is given as an argument overrides them. A setting that there is not is
    refused, and so is a value that cannot be."""
    known = ServerOptions.__struct_fields__
    variables = {f"TAMAYA_{name.upper()}": name for name in known}
    unknown = sorted(
        name
        for name in environment
        if name.startswith("TAMAYA_") and name not in {*variables, CONFIG_VARIABLE, *OTHER_VARIABLES}
    )
    if unknown:
        raise _unknown_option(unknown[0], tuple(variables))
    file = config or environment.get(CONFIG_VARIABLE) or ""
    chosen: dict[str, object] = {}
    for name, value in (_read_file(Path(file)) if file else {}).items():
        if name not in known:
            raise _unknown_option(name, known)
        chosen[name] = _validated(name, name, value)
    for variable, name in variables.items():
        value = given.get(name) if given.get(name) is not None else environment.get(variable)
        if value is not None:
            chosen[name] = _validated(name, variable, value)
    return msgspec.convert(chosen, ServerOptions, strict=False)


def _validated(name: str, setting: str, value: object) -> object:
    """A value that the option can have."""
    try:
        msgspec.convert({name: value}, ServerOptions, strict=False)
        if name == "metrics":
            read_networks(str(value))
    except (msgspec.ValidationError, ValueError):
        example = EXAMPLE_VALUES.get(name, str(getattr(ServerOptions(), name)))
        shown = "…" if name in SECRET_SETTINGS else str(value)[:80]
        message = say("{setting} cannot be “{value}”; write it like {example}.", setting=setting, value=shown, example=example)
        raise MalformedError("bad_option", message) from None
    return value


def _unknown_option(name: str, known: tuple[str, ...]) -> MalformedError:
    message = say("There is no setting “{name}”; the settings are {known}.", name=name[:40], known=tuple(sorted(known)))
    return MalformedError("unknown_option", message)


def _read_file(path: Path) -> dict[str, Any]:
    """The settings in a file."""
    try:
        with path.open("rb") as file:
            text = file.read(MAX_CONFIG_SIZE + 1)
        if len(text) > MAX_CONFIG_SIZE:
            raise ValueError(f"more than {MAX_CONFIG_SIZE} bytes")
        return tomllib.loads(text.decode())
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem).splitlines()[0][:120]
        message = say("The settings in {file} cannot be read: {problem}", file=str(path), problem=reason)
        raise MalformedError("bad_config", message) from None


@cache
def read_networks(text: str) -> tuple[IPv4Network | IPv6Network, ...]:
    """The networks of a setting, in which one address is a network of its own; a `ValueError` where it has another in it."""
    return tuple(ip_network(part.strip(), strict=False) for part in text.split(",") if part.strip())


def _missing_key(path: Path) -> str:
    raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), str(path))


def database_path(options: ServerOptions) -> Path:
    """The file of all tables."""
    return Path(options.data) / "tables.sqlite"


def signing_key(options: ServerOptions) -> str:
    """The key that signs cookies, the same after a restart."""
    if options.secret:
        return options.secret
    path = Path(options.data) / "key"
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        with NamedTemporaryFile("w", dir=path.parent) as file, suppress(FileExistsError):
            file.write(secrets.token_urlsafe(32))
            file.flush()
            os.link(file.name, path)  # whole or not at all, and the first of two servers wins
    return path.read_text() or _missing_key(path)
