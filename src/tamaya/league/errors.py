"""What can keep a run from its end."""

from __future__ import annotations

from tamaya.rules import TamayaError


class LeagueError(TamayaError):
    """A run that was asked for rightly and could not be played to its end: a bot failed, or workers were lost."""
