"""The client of a request: its network address, its browser and its device."""

from __future__ import annotations

import re
from functools import lru_cache
from ipaddress import IPv6Address, ip_address

IPV6_PREFIX = 64
"""The bits of an IPv6 address that identify a network; a machine can have any number of addresses within one."""
MAX_ADDRESS_LENGTH = 64
_WITH_PORT = re.compile(r"\[([^\]]*)\](?::\d+)?|([^:]*):\d+")
"""Addresses with ports, as some proxies forward them."""


def address_of(host: str) -> str:
    """The IPv4 address or IPv6 network of a host, in one spelling and without its port."""
    return _address_of(host[:MAX_ADDRESS_LENGTH])


@lru_cache(maxsize=10_000)
def _address_of(host: str) -> str:
    match = _WITH_PORT.fullmatch(host)
    bare = (match[1] or match[2] or "") if match else host
    try:
        address = ip_address(bare.partition("%")[0])
    except ValueError:
        return host
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return f"{IPv6Address(int(address) >> IPV6_PREFIX << IPV6_PREFIX)}/{IPV6_PREFIX}"


BROWSERS = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser/": "Samsung Internet",
    "Firefox/": "Firefox",
    "FxiOS/": "Firefox",
    "Chrome/": "Chrome",
    "CriOS/": "Chrome",
    "Safari/": "Safari",
}
"""Browsers by a mark in their User-Agent header. Nearly all claim to be Chrome and Safari as well, so those come last."""
SYSTEMS = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "CrOS": "ChromeOS",
    "Windows": "Windows",
    "Mac OS X": "Mac",
    "Linux": "Linux",
}
MAX_USER_AGENT = 400


def device_of(agent: str) -> str:
    """The browser and system in a User-Agent header, such as “Firefox · Android”; unknown ones are left out."""
    agent = agent[:MAX_USER_AGENT]
    names = (next((name for mark, name in known.items() if mark in agent), "") for known in (BROWSERS, SYSTEMS))
    return " · ".join(filter(None, names))
