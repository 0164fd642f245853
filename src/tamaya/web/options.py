"""Server options. Command line options override environment variables (``TAMAYA_DATA``, ``TAMAYA_SECRET`` …), which override
a TOML file."""

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
    """The options of a server; by default it serves this machine alone and keeps its data in ``tamaya-data``."""

    host: Annotated[str, Meta(min_length=1, max_length=255)] = "127.0.0.1"
    """The address to listen on; ``0.0.0.0`` accepts connections from other machines."""
    port: Annotated[int, Meta(ge=0, le=65535)] | None = None
    """The port to listen on; by default the usual one, or any free one."""
    data: str = "tamaya-data"
    """The folder of the SQLite database and of the key that signs cookies."""
    database: Annotated[str, Meta(pattern=r"\A(postgres(ql)?://\S+)?\Z")] = ""
    """A PostgreSQL database to use instead of a file in the data folder: ``postgresql://user:password@host/name``."""
    workers: Annotated[int, Meta(ge=1, le=64)] = 1
    """The number of server processes; more than one requires PostgreSQL."""
    secret: str = ""
    """The key that signs cookies; by default one is generated in the data folder."""
    address: Annotated[str, Meta(pattern=r"\A(https?://([^/\s:\[\]]+|\[[0-9a-fA-F:]+\])(:\d{1,5})?/?)?\Z")] = ""
    """The public URL, such as ``https://hanabi.example``, if a proxy hides it."""
    proxy: str = "127.0.0.1"
    """Comma-separated addresses of proxies whose headers on client and scheme are trusted."""
    bot_pause: Annotated[float, Meta(ge=0, le=60)] = 1.2
    """The seconds a bot waits before its action, so that people can follow."""
    bot_processes: Annotated[int, Meta(ge=1, le=64)] = 1
    """How many bots think at the same time, per server process."""
    warm_up: bool = False
    """Whether search bots are compiled when the server starts rather than at their first use."""
    backup_to: str = ""
    """The folder for scheduled backups; empty for none."""
    backup_every: Annotated[float, Meta(ge=0.1, le=8760)] = 24.0
    """The hours between backups."""
    backup_keep: Annotated[int, Meta(ge=1, le=10_000)] = 14
    """How many backups are kept."""
    limits: bool = True
    """Whether requests are rate-limited."""
    log: Literal["text", "json"] = "text"
    """The format of log lines."""
    metrics: Annotated[str, Meta(pattern=r"\A[0-9a-fA-F.:/, ]*\Z")] = "127.0.0.1,::1"
    """Comma-separated addresses or networks that may read the metrics without a proxy in between; empty for none."""
    metrics_token: Annotated[str, Meta(pattern=r"\A([!-~]{16,})?\Z")] = ""
    """A bearer token, of sixteen characters or more, that grants access to the metrics from anywhere."""


EXAMPLE_VALUES = {
    "address": "https://hanabi.example",
    "backup_to": "/srv/backups",
    "database": "postgresql://user@host/name",
    "port": "8000",
    "metrics": "127.0.0.1,10.0.0.0/8",
    "metrics_token": "at-least-16-characters",
}
SECRET_SETTINGS = ("secret", "database", "metrics_token")
"""Settings whose values error messages do not repeat."""
CONFIG_VARIABLE = "TAMAYA_CONFIG"
"""The environment variable that names the TOML file."""
OTHER_VARIABLES = {"TAMAYA_TESTS", "TAMAYA_CHROMIUM"}
"""Variables that ./dev reads."""
MAX_CONFIG_SIZE = 64 * 1024


def read_options(environment: Mapping[str, str] = os.environ, config: str | None = None, **given: object) -> ServerOptions:
    """The options from a file, the environment and arguments, in ascending precedence.

    Unknown settings and invalid values raise `MalformedError`.
    """
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
    try:
        with path.open("rb") as file:
            text = file.read(MAX_CONFIG_SIZE + 1)
        if len(text) > MAX_CONFIG_SIZE:
            raise ValueError(f"more than {MAX_CONFIG_SIZE} bytes")
        return tomllib.loads(text.decode())
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error).splitlines()[0][:120]
        message = say("The settings in {file} cannot be read: {problem}", file=str(path), problem=reason)
        raise MalformedError("bad_config", message) from None


@cache
def read_networks(text: str) -> tuple[IPv4Network | IPv6Network, ...]:
    """The networks in a comma-separated list of addresses and networks; `ValueError` for anything else."""
    return tuple(ip_network(part.strip(), strict=False) for part in text.split(",") if part.strip())


def _missing_key(path: Path) -> str:
    raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), str(path))


def database_path(options: ServerOptions) -> Path:
    """The path of the SQLite database."""
    return Path(options.data) / "tables.sqlite"


def signing_key(options: ServerOptions) -> str:
    """The key that signs cookies, generated on the first start unless the host sets one."""
    if options.secret:
        return options.secret
    path = Path(options.data) / "key"
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        with NamedTemporaryFile("w", dir=path.parent) as file, suppress(FileExistsError):
            file.write(secrets.token_urlsafe(32))
            file.flush()
            os.link(file.name, path)  # atomic; of two servers, the first wins
    return path.read_text() or _missing_key(path)
