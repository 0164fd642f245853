"""``tamaya bench web``: how soon people see each other's moves when many tables are busy."""

from tamaya.cli.bench_web.command import web

__all__ = ["web"]
