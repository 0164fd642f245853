"""What a browser calls itself, in two words that people know their devices by."""

from __future__ import annotations

BROWSERS = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser/": "Samsung Internet",
    "Firefox/": "Firefox",
    "FxiOS/": "Firefox",
    "Chrome/": "Chrome",
    "CriOS/": "Chrome",
    "Safari/": "Safari",
}
"""Browsers by what marks them. Nearly all say that they are Chrome and Safari as well, so those come last."""
SYSTEMS = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "CrOS": "ChromeOS",
    "Windows": "Windows",
    "Mac OS X": "Mac",
    "Linux": "Linux",
}
LONGEST = 400


def device_of(agent: str) -> str:
    """The browser and the device of a User-Agent header, such as “Firefox · Android”; nothing of it is quoted, and what is not
    known is left out."""
    said = agent[:LONGEST]
    found = (next((name for mark, name in names.items() if mark in said), "") for names in (BROWSERS, SYSTEMS))
    return " · ".join(filter(None, found))
