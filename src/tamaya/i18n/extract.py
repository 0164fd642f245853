"""Update the catalogues from the source: add new messages untranslated, drop unused ones."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from tamaya.i18n.catalogue import FOLDER, LANGUAGES

SOURCE = Path(__file__).parents[1]
KEYWORDS = {"say": None, "say_n": (1, 2), "say_in": ((1, "c"), 2)}
HEADERS = ("MIME-Version:", "Content-Type:", "Content-Transfer-Encoding:", "Language:", "Plural-Forms:")


def template() -> Catalog:
    """Every message in the source."""
    found = Catalog(charset="utf-8")
    for _, _, message, _, context in extract_from_dir(SOURCE, [("**.py", "python"), ("**.html", "jinja2")], keywords=KEYWORDS):
        found.add(message, context=context)
    return found


def updated(language: str, messages: Catalog) -> bytes:
    """The text of a language's catalogue with exactly these messages."""
    path = FOLDER / f"{language}.po"
    catalog = read_po(BytesIO(path.read_bytes() if path.exists() else b""), locale=language)
    catalog.update(messages, no_fuzzy_matching=True)
    for message in catalog:
        if language == "en" and message.id:
            message.string = message.id
        message.flags.discard("fuzzy")
    written = BytesIO()
    write_po(written, catalog, width=0, no_location=True, sort_output=True, ignore_obsolete=True)
    return _clean_header(written.getvalue().decode()).encode()


def _clean_header(text: str) -> str:
    """Drop dates, tools and placeholders from the header; keep the language and its plurals."""
    head, _, body = text.partition("\n\n")
    lines = [line for line in head.splitlines() if not line.startswith("#")]
    kept = [line for line in lines if not line.startswith('"') or line[1:].startswith(HEADERS)]
    return "\n".join(kept) + "\n\n" + body


def main() -> None:
    """Rewrite every catalogue."""
    FOLDER.mkdir(exist_ok=True)
    for language in LANGUAGES:
        messages = template()
        (FOLDER / f"{language}.po").write_bytes(updated(language, messages))
        print(f"{language}.po: {len(messages)} messages")


if __name__ == "__main__":
    main()
