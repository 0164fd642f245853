"""The table: its page, board, log and live updates."""
