"""Text that could do harm on a page, and a reader that notices when it does."""

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


class Reader(HTMLParser):
    """Reads a page as a browser does, and minds everything that would run or leave the site."""

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
    """Whether a link stays here, or leads to where an ended game can be looked at."""
    return (address.startswith(("/", "#")) and not address.startswith("//")) or address.startswith(
        "https://hanab.live/shared-replay-json/"
    )


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert reader.problems == []
    return reader


def shows(html: str, text: str) -> bool:
    """Whether a page is harmless and shows a text as it was written."""
    return any(text in words for words in read(html).words)
