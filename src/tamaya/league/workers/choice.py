"""Which runner plays, by what a person asked for."""

from __future__ import annotations

from tamaya.league.workers.cluster import Cluster
from tamaya.league.workers.here import Here
from tamaya.league.workers.processes import Processes
from tamaya.league.workers.protocol import Runner


def choose_runner(workers: int | None = None, cluster: str | None = None) -> Runner:
    """A Ray cluster where one is named, this process for a single worker, else as many processes as wanted or as cores."""
    if cluster is not None:
        return Cluster(cluster, workers)
    return Here() if workers == 1 else Processes(workers)
