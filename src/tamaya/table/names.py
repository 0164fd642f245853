"""Names are compared by how they look: no player's name looks like another one, or like what the table itself says."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

from tamaya.bots import BOT_NAMES, offered_bots
from tamaya.i18n import LANGUAGES, catalogue
from tamaya.record.validation import MAX_NAME_LENGTH
from tamaya.rules import say, say_in

TABLE_NAME = "Tamaya"
"""The name of the table itself."""

RESERVED_WORDS = (say_in("player", "you"), say_in("player", "host"), say("a bot plays"), say("bot · {name}", name=""))
"""Words that the table shows beside names, and that would mislead as a name."""

INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U0001d159\U000e0100-\U000e01ef]"
)
"""Printable characters that show nothing: fillers, blanks and variation selectors."""

_ACCENTS = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]")
"""Combining marks of European scripts. Those of other scripts, such as vowels, make another word."""

_LOOKS = {
    "a": "АаΑαɑᴀᎪ",
    "ae": "æÆӕӔ",
    "b": "ВвЬьΒβʙᏴ",
    "c": "СсϹϲᴄᏟ",
    "d": "đĐðÐԁԀᴅᎠ",
    "e": "ЕеΕεєЄᴇᎬ",
    "f": "ƒϜϝ",
    "g": "ɡɢցᏀ",
    "h": "НнΗһҺħĦհʜᎻ",
    "j": "ЈјϳͿᴊᎫ",
    "k": "КкΚκᴋᏦ",
    "l": "iI1|łŁıІіΙιɩӀӏɪʟᏞו",
    "m": "МмΜᴍᎷ",
    "n": "ΝηпոռɴŋŊ",
    "o": "0ОоΟοσØøօՕᴏס",
    "oe": "œŒ",
    "p": "РрΡρᴘᏢþÞ",
    "q": "ԛԚզ",
    "r": "гʀᎡ",
    "s": "ЅѕꜱᏚՏ",
    "t": "ТтΤτŧŦᴛᎢ",
    "u": "υսՍᴜμ",
    "v": "ѴѵνᴠᏙ",
    "w": "ԜԝωшᴡᎳ",
    "x": "ХхΧχ×",
    "y": "УуΥγүҮʏ",
    "z": "ΖζᴢᏃ",
    "3": "ЗзƷʒӠӡ",
    "6": "б",
    "口": "ロ囗",
    "一": "ー",
    "二": "ニ",
    "八": "ハ",
    "力": "カ",
    "夕": "タ",
    "工": "エ",
    "卜": "ト",
    "へ": "ヘ",
    "日": "曰",
    "己": "已巳",
}
"""Letters and their lookalikes in Latin, Greek, Cyrillic, Armenian, Hebrew and Cherokee, small capitals, and some characters of
Chinese and Japanese."""
_LOOK_OF = str.maketrans({other: letter for letter, others in _LOOKS.items() for other in others})
_PAIRS = (("rn", "m"), ("vv", "w"))

_SMALL_SIGNS = ("Pc", "Pd", "Pi", "Pf", "Sk", "Zs")
"""Categories of characters that are easily overlooked, such as hyphens and quotes."""
_SMALL = ".,:;'\"·•・ʼʹ"


def visible(name: str) -> str:
    """A name without invisible characters, with single blanks between words; empty if nothing visible is left."""
    shown = " ".join(INVISIBLE.sub("", name).split())
    return shown if appearance(shown[:MAX_NAME_LENGTH]) else ""  # visitors may send long texts, which must not fill the cache


def look_alike(one: str, other: str) -> bool:
    """Whether two names can be mistaken for each other, as written or in lower case."""
    return not appearance(one).isdisjoint(appearance(other))


@lru_cache(maxsize=1_000)
def appearance(name: str) -> frozenset[str]:
    """The forms by which a name is compared, without accents, blanks and hyphens. There are two if its capitals look like other
    letters than its small ones (Η and η like H and n), and none if nothing is visible."""
    return frozenset({_look(name), _look(name.casefold())} - {""})


def _look(text: str) -> str:
    plain = _ACCENTS.sub("", INVISIBLE.sub("", unicodedata.normalize("NFKD", text.translate(_LOOK_OF))))
    seen = plain.translate(_LOOK_OF).casefold()
    large = "".join(char for char in seen if char not in _SMALL and unicodedata.category(char) not in _SMALL_SIGNS)
    seen = large or "".join(seen.split())
    for pair, letter in _PAIRS:
        seen = seen.replace(pair, letter)
    return seen


def is_reserved(name: str) -> bool:
    """Whether a name looks like what the table itself says in any language: its own name, the words beside names, and the names
    of bots."""
    return not appearance(name).isdisjoint(_reserved_forms(tuple(offered_bots())))


@lru_cache(maxsize=4)
def _reserved_forms(bots: Sequence[str]) -> frozenset[str]:
    titles = [entry.title for name, entry in offered_bots().items() if name in bots and entry.title]
    messages = [*RESERVED_WORDS, *titles, *(say("bot · {name}", name=title) for title in titles)]
    said = {catalogue(language)(message) for language in LANGUAGES for message in messages}
    return frozenset().union(*map(appearance, (TABLE_NAME, *said)))


def is_free(name: str, taken: Iterable[str]) -> bool:
    """Whether a name looks different from all of these."""
    return not any(look_alike(name, other) for other in taken)


def available_name(name: str, taken: Sequence[str]) -> str:
    """The name, with a number behind it if it is taken at the table."""
    names = (name, *(f"{name[: MAX_NAME_LENGTH - 2].rstrip()} {number}" for number in range(2, len(taken) + 4)))
    return next(found for found in names if is_free(found, taken) and not is_reserved(found))


def available_bot_name(taken: Sequence[str]) -> str:
    """The name of the next bot at a table."""
    return next(name for name in BOT_NAMES if is_free(name, taken))
