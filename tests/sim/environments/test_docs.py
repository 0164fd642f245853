"""The page about environments says what happens."""

import doctest
from pathlib import Path

PAGE = Path(__file__).parents[3] / "docs/environments.md"


def test_every_example_of_the_page_works() -> None:
    done = doctest.testfile(str(PAGE), module_relative=False)
    assert done.failed == 0
    assert done.attempted > 30
