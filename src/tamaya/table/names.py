"""Names as the eye takes them: nobody at a table is called what looks like somebody else, or like the table itself."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

from tamaya.bots import BOT_NAMES, offered_bots
from tamaya.i18n import LANGUAGES, catalogue
from tamaya.record.validation import MAX_NAME_LENGTH
from tamaya.rules import say, say_in

OWN_NAME = "Tamaya"
"""What the table calls itself."""

OWN_WORDS = (say_in("player", "you"), say_in("player", "host"), say("a bot plays"), say("bot · {name}", name=""))
"""What stands beside names and would say something else as one."""

INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U0001d159\U000e0100-\U000e01ef]"
)
"""What counts as printable and shows nothing: fillers, blanks, and signs that only choose how others are drawn."""

_ACCENTS = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]")
"""The marks on letters of European scripts. Those of others, such as vowels, make another word."""

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
"""Letters and what can be taken for each: of Latin itself, Greek, Cyrillic, Armenian, Hebrew and Cherokee, small capitals, and
some of Chinese and Japanese."""
_LOOK_OF = str.maketrans({other: letter for letter, others in _LOOKS.items() for other in others})
_PAIRS = (("rn", "m"), ("vv", "w"))

_SMALL_SIGNS = ("Pc", "Pd", "Pi", "Pf", "Sk", "Zs")
"""Hyphens, quotes and the like: the kinds of signs that are easily overlooked."""
_SMALL = ".,:;'\"·•・ʼʹ"


def visible(name: str) -> str:
    """A name without what nobody sees, and with one blank between its words; nothing of one that shows nothing."""
    shown = " ".join(INVISIBLE.sub("", name).split())
    return shown if appearance(shown[:MAX_NAME_LENGTH]) else ""  # of what anybody may send, nothing long is remembered


def look_alike(one: str, other: str) -> bool:
    """Whether two names can be taken for each other: as they are written, or both in small letters."""
    return not appearance(one).isdisjoint(appearance(other))


@lru_cache(maxsize=1_000)
def appearance(name: str) -> frozenset[str]:
    """What a name is compared by; an accent, a blank or a hyphen does not make it another one. Capitals may look like others
    than their small letters do (Η and η like H and n), so there can be two. Of a name that shows nothing, none."""
    return frozenset({_look(name), _look(name.casefold())} - {""})


def _look(text: str) -> str:
    plain = _ACCENTS.sub("", INVISIBLE.sub("", unicodedata.normalize("NFKD", text.translate(_LOOK_OF))))
    seen = plain.translate(_LOOK_OF).casefold()
    large = "".join(char for char in seen if char not in _SMALL and unicodedata.category(char) not in _SMALL_SIGNS)
    seen = large or "".join(seen.split())
    for pair, letter in _PAIRS:
        seen = seen.replace(pair, letter)
    return seen


def is_own_word(name: str) -> bool:
    """Whether a name looks like what the table says itself in one of its languages: its own name, the words beside names, and
    what bots are called."""
    return not appearance(name).isdisjoint(_own_words(tuple(offered_bots())))


@lru_cache(maxsize=4)
def _own_words(bots: Sequence[str]) -> frozenset[str]:
    titles = [entry.title for name, entry in offered_bots().items() if name in bots and entry.title]
    messages = [*OWN_WORDS, *titles, *(say("bot · {name}", name=title) for title in titles)]
    said = {catalogue(language)(message) for language in LANGUAGES for message in messages}
    return frozenset().union(*map(appearance, (OWN_NAME, *said)))


def is_free(name: str, taken: Iterable[str]) -> bool:
    """Whether a name can be told from all of these."""
    return not any(look_alike(name, other) for other in taken)


def available_name(name: str, taken: Sequence[str]) -> str:
    """The name, or the first with a number behind it that nobody at the table has."""
    names = (name, *(f"{name[: MAX_NAME_LENGTH - 2].rstrip()} {number}" for number in range(2, len(taken) + 4)))
    return next(found for found in names if is_free(found, taken) and not is_own_word(found))


def available_bot_name(taken: Sequence[str]) -> str:
    """What the next bot at a table is called."""
    return next(name for name in BOT_NAMES if is_free(name, taken))
