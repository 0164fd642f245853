"""Connections: the accept loop, admission and timeouts."""

from tamaya.web.server.acceptor import Acceptor, LoadShare
from tamaya.web.server.admission import ConnectionLimiter
from tamaya.web.server.connection import HttpConnection, Timeouts

__all__ = ["Acceptor", "ConnectionLimiter", "HttpConnection", "LoadShare", "Timeouts"]
