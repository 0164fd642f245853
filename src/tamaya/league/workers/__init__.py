"""Who plays the chunks: this process, processes on every core, or the machines of a Ray cluster."""

from tamaya.league.workers.choice import choose_runner
from tamaya.league.workers.cluster import Cluster
from tamaya.league.workers.here import Here
from tamaya.league.workers.processes import Processes
from tamaya.league.workers.protocol import Done, Runner, Work

__all__ = ["Cluster", "Done", "Here", "Processes", "Runner", "Work", "choose_runner"]
