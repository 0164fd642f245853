"""Whole numbers that people and programs write."""

from __future__ import annotations


def read_number(text: str, digits: int = 2) -> int | None:
    """The number that a text of at most so many plain digits stands for; None for any other text.

    Everything that comes from outside is read here: Python alone takes digits of every script, signs and underscores for a
    number, and fails on a very long one.
    """
    return int(text) if len(text) <= digits and text.isascii() and text.isdigit() else None
