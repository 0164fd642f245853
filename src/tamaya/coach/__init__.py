"""The coach and the solver at work in the background, for games that are over."""
