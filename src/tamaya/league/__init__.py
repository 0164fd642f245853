"""How well bots play: many games of each, the same deals for all, on one core or on many machines, with the same totals."""

from tamaya.league.differences import Difference, difference, differences
from tamaya.league.keeping import Kept
from tamaya.league.play import ChunkResult, play_chunk, play_game, record_chunk
from tamaya.league.records import write_games
from tamaya.league.run import CHUNK, Chunk, Run, chunks_of
from tamaya.league.standing import Standing, play_runs
from tamaya.league.totals import Statistics, Totals
from tamaya.league.workers import Cluster, Here, Processes, Runner, choose_runner
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
