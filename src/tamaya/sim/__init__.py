"""Millions of games: batches at compiled speed, observations, environments, leagues."""
