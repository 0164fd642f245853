"""The page about the search says what happens."""

import doctest
from pathlib import Path

import tamaya.search

PAGE = Path(__file__).parents[2] / "docs" / "search.md"


def test_every_example_of_the_page_works() -> None:
    done = doctest.testfile(str(PAGE), module_relative=False)
    assert done.failed == 0
    assert done.attempted >= 20


def test_the_public_names_are_these_and_all_there() -> None:
    assert tamaya.search.__all__ == ["Budget", "Estimate", "MoveValue", "Search", "Values", "values"]
    assert all(hasattr(tamaya.search, name) for name in tamaya.search.__all__)
