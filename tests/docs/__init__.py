"""The documents: every link, path and command in them exists."""
