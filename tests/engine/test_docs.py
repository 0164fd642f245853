"""The examples of plain functions in docs/architecture.md."""

import doctest
import inspect
import re
from pathlib import Path

from tamaya.engine import layout
from tamaya.engine.kernel import hands

PAGE = Path(__file__).parents[2] / "docs" / "architecture.md"


def test_the_interpreter_session_of_the_page_is_correct() -> None:
    done = doctest.testfile(str(PAGE), module_relative=False)
    assert done.failed == 0
    assert done.attempted >= 8


def test_the_excerpt_of_the_page_is_in_the_source() -> None:
    (excerpt,) = re.findall(r"```py\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    placeholder, function = excerpt.strip().split("\n\n")
    assert placeholder in inspect.getsource(layout)
    assert function in inspect.getsource(hands)
