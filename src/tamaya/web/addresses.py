"""What counts as one network address: limits and connections count by the same."""

from __future__ import annotations

import re
from functools import lru_cache
from ipaddress import IPv6Address, ip_address

NETWORK = 64
"""How many bits of an IPv6 address say whose it is; with the rest, one machine can have any number of addresses."""
LONGEST = 64
"""How much is kept of what is no address at all."""
_WITH_PORT = re.compile(r"\[([^\]]*)\](?::\d+)?|([^:]*):\d+")
"""As some proxies pass addresses on."""


def address_of(host: str) -> str:
    """What counts as one address: an IPv4 address, however it is written, or an IPv6 network. Whoever connects again comes from
    another port."""
    return _address_of(host[:LONGEST])


@lru_cache(maxsize=10_000)
def _address_of(host: str) -> str:
    found = _WITH_PORT.fullmatch(host)
    bare = (found[1] or found[2] or "") if found else host
    try:
        address = ip_address(bare.partition("%")[0])
    except ValueError:
        return host
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return f"{IPv6Address(int(address) >> NETWORK << NETWORK)}/{NETWORK}"
