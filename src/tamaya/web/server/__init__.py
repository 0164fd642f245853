"""Connections, below every request: the accept loop, admission, and timeouts."""

from tamaya.web.server.acceptor import Door, Siblings
from tamaya.web.server.admission import Connections
from tamaya.web.server.connection import Patience, Wire

__all__ = ["Connections", "Door", "Patience", "Siblings", "Wire"]
