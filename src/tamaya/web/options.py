"""What a host can set. Each is also an environment variable: ``TAMAYA_DATA``, ``TAMAYA_SECRET`` and so on."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Annotated

import msgspec
from msgspec import Meta

from tamaya.rules import MalformedError, say


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """How a server runs; without any setting it serves this machine alone and keeps its data in ``tamaya-data``."""

    data: str = "tamaya-data"
    """The folder of the database and of the key that signs cookies."""
    secret: str = ""
    """The key that signs cookies; made and kept in the data folder where none is given."""
    address: Annotated[str, Meta(pattern=r"\A(https?://([^/\s:\[\]]+|\[[0-9a-fA-F:]+\])(:\d{1,5})?/?)?\Z")] = ""
    """The address people type, such as ``https://hanabi.example``, where a proxy hides it."""
    proxy: str = "127.0.0.1"
    """The addresses, with commas, of proxies that are trusted to say who is asking and whether by https."""
    bot_pause: Annotated[float, Meta(ge=0, le=60)] = 1.2
    """The seconds between a bot's turn and its move, so that people can follow."""
    bot_processes: Annotated[int, Meta(ge=1, le=64)] = 1
    """How many bots think at the same time."""
    warm_up: bool = False
    """Whether what bots that think ahead need is compiled as soon as the server runs, and not when somebody first wants it."""
    limits: bool = True
    """Whether anybody who asks too often is told to wait."""
    metrics: Annotated[str, Meta(pattern=r"\A[0-9a-fA-F.:/, ]*\Z")] = "127.0.0.1,::1"
    """The addresses or networks, with commas, that may read the metrics if no proxy is in between; nobody if there are none."""
    metrics_token: Annotated[str, Meta(pattern=r"\A([!-~]{16,})?\Z")] = ""
    """What whoever reads the metrics from elsewhere sends as a bearer token, at least sixteen characters."""


EXAMPLES = {"address": "https://hanabi.example", "metrics": "127.0.0.1,10.0.0.0/8", "metrics_token": "at-least-16-characters"}


def read_options(environment: Mapping[str, str] = os.environ, **given: object) -> Options:
    """The options from the environment; what is given as an argument overrides it."""
    found = {name: environment.get(f"TAMAYA_{name.upper()}") for name in Options.__struct_fields__}
    chosen: dict[str, object] = {}
    for name in Options.__struct_fields__:
        value = given.get(name) if given.get(name) is not None else found[name]
        if value is None:
            continue
        try:
            msgspec.convert({name: value}, Options, strict=False)
            if name == "metrics":
                read_networks(str(value))
        except (msgspec.ValidationError, ValueError):
            setting = f"TAMAYA_{name.upper()}"
            example = EXAMPLES.get(name, str(getattr(Options(), name)))
            message = say("{setting} cannot be “{value}”; write it like {example}.",
                          setting=setting, value=str(value)[:80], example=example)  # fmt: skip
            raise MalformedError("bad_option", message) from None
        chosen[name] = value
    return msgspec.convert(chosen, Options, strict=False)


@cache
def read_networks(text: str) -> tuple[IPv4Network | IPv6Network, ...]:
    """The networks of a setting, in which one address is a network of its own; a `ValueError` where it has another in it."""
    return tuple(ip_network(part.strip(), strict=False) for part in text.split(",") if part.strip())


def _no_key(path: Path) -> str:
    raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), str(path))


def database(options: Options) -> Path:
    """The file of all tables."""
    return Path(options.data) / "tables.sqlite"


def signing_key(options: Options) -> str:
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
    return path.read_text() or _no_key(path)
