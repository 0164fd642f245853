"""The table in a browser."""

from tamaya.web.app import create_app
from tamaya.web.options import ServerOptions

__all__ = ["ServerOptions", "create_app"]
