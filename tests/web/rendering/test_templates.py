"""Templates draw what they would draw without any haste."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest
from jinja2 import DictLoader
from markupsafe import Markup

from tamaya.web.rendering.templates import WEB_FOLDER, FastEnvironment


def drawn(template: str, **values: object) -> str:
    """What a template draws in which `shout` speaks."""
    templates = FastEnvironment({"shout": str.upper}, loader=DictLoader({"page": template}))
    templates.globals["shout"] = lambda text: f"later {text}"
    return templates.get_template("page").render(**values)


def test_what_a_template_says_itself_is_said_once_and_for_all() -> None:
    assert drawn("{{ shout('hey') }} {{ shout(name) }}", name="you") == "HEY later you"


def test_all_that_is_printed_is_escaped_unless_it_is_drawn_already() -> None:
    assert drawn("{{ shout('<b>') }}") == "&lt;B&gt;"
    assert drawn("{{ text }}{{ number }}", text='<&">', number=5) == "&lt;&amp;&#34;&gt;5"
    assert drawn("{{ part }}", part=Markup("<b>")) == "<b>"
    assert drawn("{% macro twice(text) %}{{ text }}{{ text }}{% endmacro %}<{{ twice(text) }}>", text="<") == "<&lt;&lt;>"
    assert drawn("{{ text | upper }}{{ texts | join(' ') }}", text="<a", texts=["<", Markup("<")]) == "&lt;A&lt; <"


def test_the_end_of_a_line_is_a_blank() -> None:
    assert drawn("<p>\n  {{ text }}  \n\n</p>", text="two\nlines") == "<p> two\nlines </p>"


@pytest.mark.parametrize("part", [SimpleNamespace(name="part"), {"other": "a key is no attribute"}])
def test_what_is_not_there_is_an_error(part: object) -> None:
    with pytest.raises(AttributeError):
        drawn("{{ part.other }}", part=part)


def test_where_line_ends_count_templates_have_none() -> None:
    for file in (WEB_FOLDER / "templates").rglob("*.html"):
        for element in re.findall(r"(?s)<(textarea|pre)\b(.*?)</\1>", file.read_text()):
            assert "\n" not in element[1], file.name
