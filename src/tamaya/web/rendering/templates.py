"""Templates in six languages, with their words folded in when they are compiled."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from babel.dates import format_skeleton
from babel.numbers import format_decimal
from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from jinja2.compiler import CodeGenerator, Frame
from jinja2.nodes import Call, Const, Expr, Name, Node, TemplateData
from jinja2.nodes import Template as TemplateNode
from jinja2.runtime import Macro
from jinja2.visitor import NodeTransformer
from markupsafe import Markup, escape

from tamaya.i18n import LANGUAGES, LETTERS, catalogue
from tamaya.rules import VALUES, Message
from tamaya.web.bot_profiles import teammate_of, teammates
from tamaya.web.rendering.cache import cached
from tamaya.web.rendering.symbols import sprite
from tamaya.web.table.snapshot import ShownAdvice

_LINE_END = re.compile(r"\s*\n\s*")


def _printed(value: object) -> str:
    """A value as a template prints it."""
    return value if type(value) is Markup else escape(value)


class _PrintingCode(CodeGenerator):
    def _output_child_pre(self, node: Expr, frame: Frame, finalize: Any) -> None:
        self.write("environment.printed(")

    def _output_child_post(self, node: Expr, frame: Frame, finalize: Any) -> None:
        self.write(")")


class FastEnvironment(Environment):
    """Templates in which calls of the `speakers`, by the name that templates have for them, become what they return, wherever
    all that they are told is written in the template. All that they print is escaped."""

    code_generator_class = _PrintingCode
    printed = staticmethod(_printed)
    getattr = staticmethod(getattr)  # type: ignore[assignment,unused-ignore]  # templates name attributes, no keys

    def __init__(self, translators: Mapping[str, Callable[..., str]], **options: Any) -> None:
        super().__init__(autoescape=True, **options)
        self._folder = _ConstantFolder(translators)

    def _parse(self, source: str, name: str | None, filename: str | None) -> TemplateNode:
        template = super()._parse(source, name, filename)
        self._folder.visit(template)
        return template


class _ConstantFolder(NodeTransformer):
    def __init__(self, speakers: Mapping[str, Callable[..., str]]) -> None:
        self._translators = speakers

    def visit_TemplateData(self, data: TemplateData) -> Node:  # noqa: N802
        """The text between two expressions, with a blank where a line ends: to a browser that is the same, except in a
        `textarea` or `pre`, which therefore begin and end on one line."""
        data.data = _LINE_END.sub(" ", data.data)
        return data

    def visit_Call(self, call: Call) -> Node:  # noqa: N802
        """What a call returns, if that is the same in every drawing."""
        self.generic_visit(call)
        speaker = self._translators.get(call.node.name) if isinstance(call.node, Name) else None
        fixed = not (call.kwargs or call.dyn_args or call.dyn_kwargs) and all(isinstance(told, Const) for told in call.args)
        return Const(speaker(*_constants(call.args)), lineno=call.lineno) if speaker and fixed else call


def _constants(arguments: list[Expr]) -> list[Any]:
    return [argument.value for argument in arguments if isinstance(argument, Const)]


WEB_FOLDER = Path(__file__).parents[1]
STATIC, TEMPLATES = WEB_FOLDER / "static", WEB_FOLDER / "templates"


@dataclass(frozen=True, slots=True)
class Reader:
    """The person for whom a table is drawn: who they are, their name and whether it is their own, their language, the address
    they reach us at, whether a coach speaks to them, whether they want to see what would be discarded next, and the advice that
    they have asked for."""

    person: str
    name: str
    language: str
    address: str
    named: bool = True
    tips_enabled: bool = False
    next_discard: bool = False
    advice: ShownAdvice | None = None


@cache
def asset(name: str) -> str:
    """The address of a static file. It changes with the file, so browsers may cache it for ever."""
    digest = hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12]
    return f"/static/{name}?v={digest}"


def format_date(moment: float, language: str) -> str:
    """The day of a moment, with its year."""
    return _format_day(datetime.fromtimestamp(moment, UTC).date(), language)


@lru_cache(maxsize=5_000)
def _format_day(day: date, language: str) -> str:
    return format_skeleton("yMMMd", datetime.combine(day, time()), locale=language)


@cache
def environment(language: str) -> Environment:
    """The templates in a language."""
    speak = catalogue(language)
    speakers: dict[str, Callable[..., str]] = {
        "say": lambda text, **values: speak(Message(text, values=values)),
        "say_in": lambda context, text: speak(Message(text, context=context)),
    }
    templates = FastEnvironment(
        speakers,
        loader=FileSystemLoader([TEMPLATES, *sorted(folder for folder in TEMPLATES.iterdir() if folder.is_dir())]),
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters |= {
        "speak": lru_cache(maxsize=5_000)(speak),  # boards say the same again and again; the global one has `join` as well
        "drawn": lambda part: render_cached(part, language),
        "day": lambda moment: format_skeleton("MMMd", datetime.fromtimestamp(moment, UTC), locale=language),
        "date": lambda moment: format_date(moment, language),
        "number": lambda number, digits=0: format_decimal(round(number, digits), f"#,##0{'.0'[: 2 * digits]}", locale=language),
    }
    templates.globals |= speakers | {
        "say_n": lambda one, many, n, **values: speak(Message(one, many, n, values={"n": n, **values})),
        "speak": speak,
        "asset": asset,
        "language": language,
        "html_language": language.replace("_", "-"),
        "languages": LANGUAGES,
        "values": VALUES,
        "sprite": sprite,
        "teammate_of": teammate_of,
        "teammates": teammates,
        "letter": cache(lambda colour: speak(LETTERS[colour])),
        "key": lambda colour: _ascii_letter(speak(LETTERS[colour])) or colour.letter,
    }
    macros = vars(templates.get_template("macros.html").module)
    templates.globals |= {name: macro for name, macro in macros.items() if isinstance(macro, Macro)}
    templates.globals |= {name: lru_cache(maxsize=100)(macros[name]) for name in ("shape", "sign")}
    return templates


def _ascii_letter(letter: str) -> str:
    """A letter that is on everybody's keyboard, or nothing."""
    return letter if letter.isascii() else ""


@cache
def _template(name: str, language: str) -> Template:
    template = environment(language).get_template(name)
    template.globals = dict(template.globals)  # every drawing copies it, and jinja's own kind of mapping takes its time
    return template


def render(template: str, language: str, **context: Any) -> Markup:
    """A page in a language."""
    return Markup(_template(template, language).render(context))


def render_component(part: object, language: str) -> Markup:
    """A part of a page: a `TalkForm` is drawn by the template ``talk_form.html``, which calls it ``talk_form``."""
    return Markup(component_text(part, language))


def component_text(part: object, language: str) -> str:
    """The same as a plain `str`, already escaped: for long drawings that are still changed before they are sent."""
    name = _template_name(type(part).__name__)
    return _template(f"{name}.html", language).render({name: part})


@cache
def _template_name(kind: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind).lower()


@cached
def render_cached(part: Hashable, language: str) -> Markup:
    """The same for parts that come up again, which are drawn once and then remembered."""
    return render_component(part, language)
