"""``python -m tests.support.stillborn``: a supervisor whose workers exit at once."""

from __future__ import annotations

import socket
import sys
from multiprocessing import connection

from tamaya.web.options import ServerOptions
from tamaya.web.server import LoadShare
from tamaya.web.server.supervisor import Supervisor


def end_at_once(options: ServerOptions, listener: socket.socket, says: connection.Connection, siblings: LoadShare) -> None:
    sys.exit(3)


if __name__ == "__main__":
    with socket.create_server(("127.0.0.1", 0)) as listener:
        sys.exit(Supervisor(ServerOptions(workers=2), listener, lambda: print("ready", flush=True), end_at_once).run())
