"""Figures on a page of the documentation, and figures from another machine."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from tamaya.cli.bench_sim.batches import CPU
from tamaya.cli.bench_sim.measuring import Row
from tamaya.rules import MalformedError, say

BEGIN, END = "<!-- figures: {name} -->", "<!-- end of figures: {name} -->"
KEYS = {"players", "mode", "play", "device", "cores", "moves_per_s", "openspiel_moves_per_s", "ratio"}


def check_places(path: Path, names: Iterable[str]) -> None:
    """Refuse a page that does not keep a place for figures, before they are measured."""
    text = path.read_text("utf-8")
    for begin, end in map(_marks, names):
        if end not in text.partition(begin)[2]:
            raise MalformedError(
                "no_place",
                say(
                    "{file} has no place for figures: a line {begin} and below it {end}.", file=path.name, begin=begin, end=end
                ),
            )


def write_figures(path: Path, parts: Mapping[str, str]) -> None:
    """Put figures between the two lines that keep their place on a page."""
    check_places(path, parts)
    text = path.read_text("utf-8")
    for name, figures in parts.items():
        begin, end = _marks(name)
        before, _, rest = text.partition(begin)
        text = f"{before}{begin}\n{figures}\n{end}{rest.partition(end)[2]}"
    path.write_text(text, "utf-8")


def _marks(name: str) -> tuple[str, str]:
    return BEGIN.format(name=name), END.format(name=name)


def card_rows(paths: Iterable[Path]) -> list[Row]:
    """A card's rows that ``--json`` wrote on its machine; that machine's processor is not this one and stays out."""
    rows = []
    for path in paths:
        try:
            read = json.loads(path.read_text("utf-8"))
            sound = isinstance(read, list) and all(isinstance(row, dict) and row.keys() >= KEYS for row in read)
        except ValueError:
            sound = False
        if not sound:
            raise MalformedError("bad_rows", say("{file} does not hold the rows of this command.", file=path.name))
        rows += [row for row in read if row["device"] != CPU]
    return rows
