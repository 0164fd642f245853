"""The harmless phrases of tables that allow set remarks; everybody reads them in their own language."""

from __future__ import annotations

from collections.abc import Mapping

from tamaya.rules import Message, say

REMARKS: Mapping[str, Message] = {
    "know-nothing": say("I still know nothing about my hand."),
    "remember": say("Do you remember what you hold?"),
    "thinking": say("Let me think."),
    "your-turn": say("It is your turn!"),
    "well-done": say("Beautiful!"),
    "oops": say("Oh no!"),
    "sorry": say("Sorry, that was me."),
    "thanks": say("Thank you."),
    "soon-back": say("I will be right back."),
    "good-game": say("Good game!"),
}
