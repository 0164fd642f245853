"""Small tables of numbers that kernel functions look things up in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

Table: TypeAlias = Callable[[Iterable[int]], Any]
"""What makes a table of the wanted speed: ``tuple``, or an array that the compiler takes for a constant."""
