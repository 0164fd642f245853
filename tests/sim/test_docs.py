"""The pages about the simulator and its environments say what happens."""

import doctest
from pathlib import Path

import pytest

pytestmark = pytest.mark.compiler

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize(("page", "least"), [("simulator.md", 25), ("environments.md", 30)])
def test_every_example_of_a_page_works(page: str, least: int) -> None:
    done = doctest.testfile(str(DOCS / page), module_relative=False)
    assert done.failed == 0
    assert done.attempted >= least
