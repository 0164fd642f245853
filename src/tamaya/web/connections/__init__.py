"""Connections, below every request: who is let in, for how long somebody may keep the server waiting, and who goes first when
it gets tight."""

from tamaya.web.connections.crowd import Connections
from tamaya.web.connections.door import Door
from tamaya.web.connections.siblings import Siblings
from tamaya.web.connections.wire import Patience, Wire

__all__ = ["Connections", "Door", "Patience", "Siblings", "Wire"]
