"""The end of a game: the result on the page, and the picture to share."""

from __future__ import annotations

import base64
import random
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from markupsafe import Markup

from tamaya.i18n import Catalogue, catalogue
from tamaya.rules import VARIANTS, Colour, Message, Outcome, Rules, say
from tamaya.table import Settings
from tamaya.web.rendering.symbols import PAINTS, SHAPES, rings
from tamaya.web.rendering.templates import STATIC, render_component
from tamaya.web.table.advice import WITH_ADVICE, advice_words
from tamaya.web.table.log import take_back_words
from tamaya.web.table.snapshot import GameSnapshot

SIZE = 1080
"""Width and height of the picture."""
MAX_LINE_WIDTH = 960
MARGIN = 178
"""Distance of the outer fireworks from the edges."""
STAR_COUNT = 90
MIN_FONT_SIZE, MAX_FONT_SIZE = 16, 38
"""For names and table: as large as fits."""
MAX_LINES = 2


@dataclass(frozen=True, slots=True)
class Result:
    """The result on the page; `picture` describes the picture to screen readers, `how` tells of take-backs and advice, `notes`
    says whether the viewer has notes to show."""

    snapshot: GameSnapshot
    title: Message
    rating: Message | None
    ending: Message
    picture: str
    how: tuple[Message, ...]
    notes: bool


@dataclass(frozen=True, slots=True)
class Trail:
    """Part of a firework: a path, its colour, width and brightness."""

    path: str
    paint: str
    width: float
    light: float


@dataclass(frozen=True, slots=True)
class Burst:
    """One firework of the picture."""

    colour: Colour
    height: int
    x: float
    y: float
    scale: float
    paint: str
    trails: tuple[Trail, ...]

    @property
    def shape(self) -> Markup:
        """The symbol of its colour; the multicolour has none in one piece."""
        return Markup(SHAPES.get(self.colour, ""))


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text."""

    y: float
    size: float
    paint: str
    words: str
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """The picture of a result."""

    words: str
    stars: tuple[tuple[int, int, float, float], ...]
    bursts: tuple[Burst, ...]
    lines: tuple[Line, ...]


UNICODE_RANGES = {"latin-700": "U+0-FF, U+131, U+152-153, U+2000-206F, U+20AC", "latin-ext-700": "U+100-2BA, U+1E00-1EFF"}
"""The letters in each file of the display face."""


@cache
def _typeface() -> Markup:
    """The display face, embedded: a picture may load nothing."""
    rules = []
    for part, letters in UNICODE_RANGES.items():
        (file,) = STATIC.glob(f"vendor/fraunces-*-{part}-normal.woff2")
        source = f"url(data:font/woff2;base64,{base64.b64encode(file.read_bytes()).decode()})"
        rules.append(f"@font-face {{ font-family: Fraunces; font-weight: 700; src: {source}; unicode-range: {letters}; }}")
    return Markup("<style>{}</style>").format(Markup("\n".join(rules)))


def result_title(outcome: Outcome, rules: Rules) -> Message:
    """The result in a few words."""
    if outcome.score is not None:
        return say("{score} of {maximum} points", score=outcome.score, maximum=rules.maximum)
    return say("Lost") if outcome.ending.lost else say("Perfect")


def celebrated_score(outcome: Outcome) -> int:
    """How much there is to celebrate: the score; without one, all or nothing."""
    if outcome.score is not None:
        return outcome.score
    return 0 if outcome.ending.lost else outcome.points


def render_result(snapshot: GameSnapshot, language: str) -> Markup:
    """The result on the page."""
    outcome = _outcome(snapshot)
    words = describe_picture(snapshot, catalogue(language))
    notes = any(note.seat == snapshot.seat for note in snapshot.notes)
    result = Result(
        snapshot=snapshot,
        title=result_title(outcome, snapshot.view.rules),
        rating=outcome.rating,
        ending=outcome.ending.word,
        picture=words,
        how=(*take_back_words(snapshot), *advice_words(snapshot)),
        notes=snapshot.live and notes,
    )
    return render_component(result, language)


def describe_picture(snapshot: GameSnapshot, speak: Catalogue) -> str:
    """The picture in words, for screen readers."""
    heights = tuple(f"{speak(colour.word)} {height}" for colour, height in snapshot.view.fireworks.items())
    return speak(say("Fireworks in the night: {fireworks}. {result}.", fireworks=heights,
                     result=result_title(_outcome(snapshot), snapshot.view.rules)))  # fmt: skip


def render_picture(snapshot: GameSnapshot, settings: Settings, language: str, with_names: bool) -> str:
    """The picture of a finished game: no address, no date, and names only on request."""
    speak, outcome, rules = catalogue(language), _outcome(snapshot), snapshot.view.rules
    terms = [speak(settings.edition.title), *(speak(VARIANTS[name].title) for name in settings.variants)]
    terms += [speak(WITH_ADVICE)] if snapshot.advised else []
    lines = [_fitted_line(815, 92, "#e9ecff", speak(result_title(outcome, rules)), bold=True)]
    if outcome.rating:
        lines.append(_fitted_line(880, MAX_FONT_SIZE, "#ffd23f", speak(outcome.rating)))
    lines += _lines(snapshot.names if with_names else (), terms)
    words = describe_picture(snapshot, speak)
    svg = render_component(
        Picture(words, tuple(_stars(celebrated_score(outcome))), tuple(_bursts(snapshot)), tuple(lines)), language
    )
    frame = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {0}" width="{0}" height="{0}" role="img">{1}{2}</svg>\n'
    return Markup(frame).format(SIZE, _typeface(), svg)


def _outcome(snapshot: GameSnapshot) -> Outcome:
    assert snapshot.view.outcome is not None, "only an ended game has a result"
    return snapshot.view.outcome


def _lines(names: Sequence[str], about: Sequence[str]) -> Iterator[Line]:
    """Names and edition, as large as they fit between the rating and the lower edge."""
    y = 940.0
    for parts, paint in ((names, "#e9ecff"), (about, "#aab1e6")):
        size = MAX_FONT_SIZE
        while size > MIN_FONT_SIZE and len(_wrapped(parts, size)) > MAX_LINES:
            size -= 2
        for words in _wrapped(parts, size):
            yield _fitted_line(y, size, paint, words)
            y += 1.25 * size


def _fitted_line(y: float, size: float, paint: str, words: str, bold: bool = False) -> Line:
    """A line, smaller if it would be too wide."""
    return Line(y, min(size, int(MAX_LINE_WIDTH / max(_width(words), 1))), paint, words, bold)


def _wrapped(parts: Sequence[str], size: float) -> list[str]:
    """The parts in as few lines as possible at a size."""
    lines: list[str] = []
    for part in parts:
        longer = f"{lines[-1]} · {part}" if lines else part
        if lines and _width(longer) * size <= MAX_LINE_WIDTH:
            lines[-1] = longer
        else:
            lines.append(part)
    return lines


def _width(words: str) -> float:
    """The approximate width of words, in heights of a letter."""
    return sum(1.0 if unicodedata.east_asian_width(letter) in "WF" else 0.55 for letter in words)


def _stars(seed: int) -> Iterator[tuple[int, int, float, float]]:
    chance = random.Random(seed)
    for _ in range(STAR_COUNT):
        yield chance.randrange(SIZE), chance.randrange(SIZE), chance.uniform(0.6, 1.9), chance.uniform(0.2, 0.8)


def _bursts(snapshot: GameSnapshot) -> Iterator[Burst]:
    """The fireworks side by side, every other one higher."""
    heights = snapshot.view.fireworks
    for place, (colour, height) in enumerate(heights.items()):
        x = round(MARGIN + place * (SIZE - 2 * MARGIN) / (len(heights) - 1))
        y = 232 if place % 2 else 452
        paint = PAINTS.get(colour, PAINTS["yellow"])
        scale = (1.7 + 0.4 * height if height else 2.6) * 5 / len(heights)
        yield Burst(colour, height, x, y, scale, paint, tuple(_trails(colour, height)))


def _trails(colour: Colour, height: int) -> Iterator[Trail]:
    """The rays of a firework, ring by ring; the outermost end in sparks."""
    paints = [*PAINTS.values()] if colour is Colour.MULTICOLOUR else [PAINTS[colour]]
    for ring, paint, rays, sparks in rings(height, paints):
        yield Trail(rays, paint, 1.3, 0.45 + 0.1 * ring)
        if sparks:
            yield Trail(sparks, paint, 3.2, 1)
