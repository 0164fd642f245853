"""The table in a browser."""

from tamaya.web.app import create_app
from tamaya.web.options import Options

__all__ = ["Options", "create_app"]
