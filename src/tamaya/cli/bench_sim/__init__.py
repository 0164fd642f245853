"""``tamaya bench sim``: how many moves a second the simulator makes, beside what others use."""

from tamaya.cli.bench_sim.command import sim

__all__ = ["sim"]
