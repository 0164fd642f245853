"""The bus: signals between the processes of a server.

`tamaya.bus.postgres` needs its driver, so it is imported where it is used.
"""

from tamaya.bus.local import LocalBus

__all__ = ["LocalBus"]
