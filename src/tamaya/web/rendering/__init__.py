"""Rendering: templates, their cache, symbols and images."""
