"""Text that could inject markup, and a parser that notices if it does."""

from __future__ import annotations

from html.parser import HTMLParser

CORPUS = [
    "<script>alert(1)</script>",
    "</script><script>alert(1)",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "' onmouseover='alert(1)",
    '" autofocus onfocus="alert(1)',
    "</title><b>",
    "</textarea><b>",
    "<!--",
    "]]><b>",
    "{{ 7 * 7 }}{% raw %}",
    "{name}{0}{player}",
    "%s%n%x",
    "&lt;b&gt;&#60;b&#62;",
    "javascript:alert(1)",
    "data: x",
    "<a href=//evil.example>x</a>",
    "<style>*{display:none}</style>",
    "\u202e<b>",
]
NAMES = [text for text in CORPUS if text.isprintable() and len(text) <= 40]
FOREIGN = {"style", "iframe", "frame", "object", "embed", "base", "applet"}


class PageParser(HTMLParser):
    """Parses a page, and collects everything that would run code or leave the site."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.problems: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in FOREIGN:
            self.problems.append(tag)
        for name, value in attrs:
            if name.startswith("on") or name == "style" or (name in ("href", "src", "action") and not _own(value or "")):
                self.problems.append(f"{name}={value}")
            self.words.append(value or "")
        if tag == "script" and not dict(attrs).get("src"):
            self.problems.append("inline script")

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def _own(address: str) -> bool:
    """Whether a link stays on this site or opens a finished game on Hanab Live."""
    return (address.startswith(("/", "#")) and not address.startswith("//")) or address.startswith(
        "https://hanab.live/shared-replay-json/"
    )


def read(html: str) -> PageParser:
    parser = PageParser()
    parser.feed(html)
    parser.close()
    assert parser.problems == []
    return parser


def shows(html: str, text: str) -> bool:
    """Whether a page is harmless and shows a text literally."""
    return any(text in words for words in read(html).words)
