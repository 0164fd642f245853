"""Compare bots over many games: the same deals for all, with the same totals on one core or on many machines."""

from tamaya.league.checkpoint import Checkpoint
from tamaya.league.matches import CHUNK, Chunk, Match, chunks_of
from tamaya.league.play import ChunkResult, play_chunk, play_game, record_chunk
from tamaya.league.standings import MatchResult, play_matches, write_games
from tamaya.league.statistics import Difference, Statistics, Totals, difference, differences
from tamaya.league.workers import InProcess, Runner, choose_runner
from tamaya.league.workers.processes import Processes
from tamaya.league.workers.ray_cluster import Cluster
from tamaya.rules import LeagueError

__all__ = [
    "CHUNK",
    "Checkpoint",
    "Chunk",
    "ChunkResult",
    "Cluster",
    "Difference",
    "InProcess",
    "LeagueError",
    "Match",
    "MatchResult",
    "Processes",
    "Runner",
    "Statistics",
    "Totals",
    "choose_runner",
    "chunks_of",
    "difference",
    "differences",
    "play_chunk",
    "play_game",
    "play_matches",
    "record_chunk",
    "write_games",
]
