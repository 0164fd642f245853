"""Compile-time translation, escaping and white space in templates."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest
from jinja2 import DictLoader
from markupsafe import Markup

from tamaya.web.rendering.templates import WEB_FOLDER, FastEnvironment


def drawn(template: str, **values: object) -> str:
    """Render a template with the translator `shout`."""
    templates = FastEnvironment({"shout": str.upper}, loader=DictLoader({"page": template}))
    templates.globals["shout"] = lambda text: f"later {text}"
    return templates.get_template("page").render(**values)


def test_constant_messages_are_translated_at_compile_time() -> None:
    assert drawn("{{ shout('hey') }} {{ shout(name) }}", name="you") == "HEY later you"


def test_all_output_except_markup_is_escaped() -> None:
    assert drawn("{{ shout('<b>') }}") == "&lt;B&gt;"
    assert drawn("{{ text }}{{ number }}", text='<&">', number=5) == "&lt;&amp;&#34;&gt;5"
    assert drawn("{{ part }}", part=Markup("<b>")) == "<b>"
    assert drawn("{% macro twice(text) %}{{ text }}{{ text }}{% endmacro %}<{{ twice(text) }}>", text="<") == "<&lt;&lt;>"
    assert drawn("{{ text | upper }}{{ texts | join(' ') }}", text="<a", texts=["<", Markup("<")]) == "&lt;A&lt; <"


def test_line_ends_become_spaces() -> None:
    assert drawn("<p>\n  {{ text }}  \n\n</p>", text="two\nlines") == "<p> two\nlines </p>"


@pytest.mark.parametrize("part", [SimpleNamespace(name="part"), {"other": "a key is no attribute"}])
def test_missing_attributes_are_errors(part: object) -> None:
    with pytest.raises(AttributeError):
        drawn("{{ part.other }}", part=part)


def test_preformatted_elements_are_on_one_line() -> None:
    for file in (WEB_FOLDER / "templates").rglob("*.html"):
        for element in re.findall(r"(?s)<(textarea|pre)\b(.*?)</\1>", file.read_text()):
            assert "\n" not in element[1], file.name
