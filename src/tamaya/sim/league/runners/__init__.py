"""Who plays the chunks: this process, processes on every core, or the machines of a Ray cluster."""

from tamaya.sim.league.runners.choice import choose_runner
from tamaya.sim.league.runners.cluster import Cluster
from tamaya.sim.league.runners.here import Here
from tamaya.sim.league.runners.processes import Processes
from tamaya.sim.league.runners.protocol import Done, Runner, Work

__all__ = ["Cluster", "Done", "Here", "Processes", "Runner", "Work", "choose_runner"]
