"""Templates, compiled once per language with their translations as constants."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Hashable, Mapping
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

_LINE_END = re.compile(r"\s*\n\s*")


def _printed(value: object) -> str:
    """A value as templates print it."""
    return value if type(value) is Markup else escape(value)


class _PrintingCode(CodeGenerator):
    def _output_child_pre(self, node: Expr, frame: Frame, finalize: Any) -> None:
        self.write("environment.printed(")

    def _output_child_post(self, node: Expr, frame: Frame, finalize: Any) -> None:
        self.write(")")


class FastEnvironment(Environment):
    """A Jinja environment that evaluates calls of `translators`, a mapping from names in templates, at compile time if all
    arguments are constants. All output is escaped."""

    code_generator_class = _PrintingCode
    printed = staticmethod(_printed)
    getattr = staticmethod(getattr)  # type: ignore[assignment,unused-ignore]  # templates do not use keys

    def __init__(self, translators: Mapping[str, Callable[..., str]], **options: Any) -> None:
        super().__init__(autoescape=True, **options)
        self._folder = _ConstantFolder(translators)

    def _parse(self, source: str, name: str | None, filename: str | None) -> TemplateNode:
        template = super()._parse(source, name, filename)
        self._folder.visit(template)
        return template


class _ConstantFolder(NodeTransformer):
    def __init__(self, translators: Mapping[str, Callable[..., str]]) -> None:
        self._translators = translators

    def visit_TemplateData(self, data: TemplateData) -> Node:  # noqa: N802
        """Replace line ends by spaces. To browsers that is the same except in `textarea` and `pre`, which templates keep on one
        line."""
        data.data = _LINE_END.sub(" ", data.data)
        return data

    def visit_Call(self, call: Call) -> Node:  # noqa: N802
        """Replace a translator's call with constant arguments by its result."""
        self.generic_visit(call)
        translator = self._translators.get(call.node.name) if isinstance(call.node, Name) else None
        has_names = call.kwargs or call.dyn_args or call.dyn_kwargs
        is_constant = not has_names and all(isinstance(argument, Const) for argument in call.args)
        return Const(translator(*_constants(call.args)), lineno=call.lineno) if translator and is_constant else call


def _constants(arguments: list[Expr]) -> list[Any]:
    return [argument.value for argument in arguments if isinstance(argument, Const)]


WEB_FOLDER = Path(__file__).parents[1]
STATIC, TEMPLATES = WEB_FOLDER / "static", WEB_FOLDER / "templates"


@cache
def asset(name: str) -> str:
    """The URL of a static file; it changes with the file, so browsers may cache it forever."""
    digest = hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12]
    return f"/static/{name}?v={digest}"


def format_date(moment: float, language: str) -> str:
    """A timestamp's date, with its year."""
    return _format_day(datetime.fromtimestamp(moment, UTC).date(), language)


@lru_cache(maxsize=5_000)
def _format_day(day: date, language: str) -> str:
    return format_skeleton("yMMMd", datetime.combine(day, time()), locale=language)


@cache
def environment(language: str) -> Environment:
    """The Jinja environment of a language."""
    speak = catalogue(language)
    translators: dict[str, Callable[..., str]] = {
        "say": lambda text, **values: speak(Message(text, values=values)),
        "say_in": lambda context, text: speak(Message(text, context=context)),
    }
    templates = FastEnvironment(
        translators,
        loader=FileSystemLoader([TEMPLATES, *sorted(folder for folder in TEMPLATES.iterdir() if folder.is_dir())]),
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters |= {
        "speak": lru_cache(maxsize=5_000)(speak),  # boards repeat messages; the global `speak` has `join` as well
        "drawn": lambda part: render_cached(part, language),
        "day": lambda moment: format_skeleton("MMMd", datetime.fromtimestamp(moment, UTC), locale=language),
        "date": lambda moment: format_date(moment, language),
        "number": lambda number, digits=0: format_decimal(round(number, digits), f"#,##0{'.0'[: 2 * digits]}", locale=language),
    }
    templates.globals |= translators | {
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
    """A letter if every keyboard has it, or an empty string."""
    return letter if letter.isascii() else ""


@cache
def _template(name: str, language: str) -> Template:
    template = environment(language).get_template(name)
    template.globals = dict(template.globals)  # copied by every rendering, and faster than Jinja's ChainMap
    return template


def render(template: str, language: str, **context: Any) -> Markup:
    """Render a template in a language."""
    return Markup(_template(template, language).render(context))


def render_component(part: object, language: str) -> Markup:
    """Render a component of a page: a `TalkForm` with the template ``talk_form.html``, as its variable ``talk_form``."""
    return Markup(component_text(part, language))


def component_text(part: object, language: str) -> str:
    """The same as a plain `str`, for long HTML that is processed further."""
    name = _template_name(type(part).__name__)
    return _template(f"{name}.html", language).render({name: part})


@cache
def _template_name(kind: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind).lower()


@cached
def render_cached(part: Hashable, language: str) -> Markup:
    """The same, cached."""
    return render_component(part, language)
