"""My games: lists, statistics and imports."""
