"""Templates that take little time to draw: most of what a busy server does is drawing boards.

Words that every drawing has alike are put into a template when it is compiled. What is drawn already is put into another
drawing as it is, without a copy of its own; Jinja makes one or two.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from jinja2 import Environment
from jinja2.compiler import CodeGenerator, Frame
from jinja2.nodes import Call, Const, Expr, Name, Node, Template, TemplateData
from jinja2.visitor import NodeTransformer
from markupsafe import Markup, escape

_LINE_END = re.compile(r"\s*\n\s*")


def _printed(value: object) -> str:
    """A value as a template prints it."""
    return value if type(value) is Markup else escape(value)


class _PrintingCode(CodeGenerator):
    def _output_child_pre(self, node: Expr, frame: Frame, finalize: Any) -> None:
        self.write("environment.printed(")

    def _output_child_post(self, node: Expr, frame: Frame, finalize: Any) -> None:
        self.write(")")


class QuickTemplates(Environment):
    """Templates in which calls of the `speakers`, by the name that templates have for them, become what they return, wherever
    all that they are told is written in the template. All that they print is escaped."""

    code_generator_class = _PrintingCode
    printed = staticmethod(_printed)
    getattr = staticmethod(getattr)  # type: ignore[assignment,unused-ignore]  # templates name attributes, no keys

    def __init__(self, speakers: Mapping[str, Callable[..., str]], **options: Any) -> None:
        super().__init__(autoescape=True, **options)
        self._fixing = _Fixing(speakers)

    def _parse(self, source: str, name: str | None, filename: str | None) -> Template:
        template = super()._parse(source, name, filename)
        self._fixing.visit(template)
        return template


class _Fixing(NodeTransformer):
    def __init__(self, speakers: Mapping[str, Callable[..., str]]) -> None:
        self._speakers = speakers

    def visit_TemplateData(self, data: TemplateData) -> Node:  # noqa: N802
        """The text between two expressions, with a blank where a line ends: to a browser that is the same, except in a
        `textarea` or `pre`, which therefore begin and end on one line."""
        data.data = _LINE_END.sub(" ", data.data)
        return data

    def visit_Call(self, call: Call) -> Node:  # noqa: N802
        """What a call returns, if that is the same in every drawing."""
        self.generic_visit(call)
        speaker = self._speakers.get(call.node.name) if isinstance(call.node, Name) else None
        fixed = not (call.kwargs or call.dyn_args or call.dyn_kwargs) and all(isinstance(told, Const) for told in call.args)
        return Const(speaker(*_told(call.args)), lineno=call.lineno) if speaker and fixed else call


def _told(arguments: list[Expr]) -> list[Any]:
    return [argument.value for argument in arguments if isinstance(argument, Const)]
