"""The snippets of pages that no other test runs."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from tamaya import MalformedError

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize(("page", "least"), [("solver.md", 4)])
def test_a_session_answers_as_the_page_shows(page: str, least: int) -> None:
    done = doctest.testfile(str(DOCS / page), module_relative=False)
    assert (done.failed, done.attempted >= least) == (0, True)


def test_the_module_that_seats_a_trained_network_loads_its_file() -> None:
    (block,) = re.findall(r"```python\n(.*?)```", (DOCS / "training.md").read_text("utf-8"), re.DOTALL)
    with pytest.raises(MalformedError, match=r"There is no file mine\.weights\."):
        exec(block, {})
