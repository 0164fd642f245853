"""Replays: the page, what is known of the game, and looking at it together."""
