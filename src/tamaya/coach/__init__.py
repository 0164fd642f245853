"""The coach and the solver, which work on finished games in the background."""
