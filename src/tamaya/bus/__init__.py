"""Adapters of the `Bus` port: signals between the processes of a server.

`tamaya.bus.postgres` needs psycopg, so it is imported where it is used.
"""

from tamaya.bus.local import LocalBus

__all__ = ["LocalBus"]
