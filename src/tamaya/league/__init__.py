"""How well bots play: many games of each, the same deals for all, on one core or on many machines, with the same totals."""

from tamaya.league.checkpoint import Kept
from tamaya.league.matches import CHUNK, Chunk, Run, chunks_of
from tamaya.league.play import ChunkResult, play_chunk, play_game, record_chunk
from tamaya.league.standings import Standing, play_runs, write_games
from tamaya.league.statistics import Difference, Statistics, Totals, difference, differences
from tamaya.league.workers import Here, Runner, choose_runner
from tamaya.league.workers.processes import Processes
from tamaya.league.workers.ray_cluster import Cluster
from tamaya.rules.errors import LeagueError

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
