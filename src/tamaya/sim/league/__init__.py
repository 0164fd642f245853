"""How well bots play: many games of each, the same deals for all, on one core or on many machines, with the same totals."""

from tamaya.sim.league.differences import Difference, difference, differences
from tamaya.sim.league.errors import LeagueError
from tamaya.sim.league.keeping import Kept
from tamaya.sim.league.play import ChunkResult, play_chunk, play_game, record_chunk
from tamaya.sim.league.records import write_games
from tamaya.sim.league.run import CHUNK, Chunk, Run, chunks_of
from tamaya.sim.league.runners import Cluster, Here, Processes, Runner, choose_runner
from tamaya.sim.league.standing import Standing, play_runs
from tamaya.sim.league.totals import Statistics, Totals

__all__ = [
    "CHUNK",
    "Chunk",
    "ChunkResult",
    "Cluster",
    "Difference",
    "Here",
    "Kept",
    "LeagueError",
    "Processes",
    "Run",
    "Runner",
    "Standing",
    "Statistics",
    "Totals",
    "choose_runner",
    "chunks_of",
    "difference",
    "differences",
    "play_chunk",
    "play_game",
    "play_runs",
    "record_chunk",
    "write_games",
]
