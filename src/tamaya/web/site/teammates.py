"""The pages that introduce the bots and how they think."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from tamaya.bots import known_bots
from tamaya.i18n import catalogue, reason_in_words, tell
from tamaya.rules import Message, say, say_in
from tamaya.web.bot_profiles import teammate_of, teammates
from tamaya.web.context import RequestContext
from tamaya.web.site.examples import IDEAS, OTHER_AGREEMENTS, RULES, Idea, bot_event, bot_reason
from tamaya.web.table.board_cache import render_illustration
from tamaya.web.table.snapshot import GameSnapshot, Player, TableInfo

HABITS: Mapping[str, tuple[Message, ...]] = {
    "search": (
        say(
            "It knows the agreements of the {name} and takes for granted that you play by them, too.",
            name=say_in("bot", "Companion"),
        ),
        say("Before each move it imagines hundreds of ways in which the cards may lie, as far as they fit what everybody did."),
        say(
            "It tries every allowed move by playing the game on to its end, and leaves the agreements where another one clearly"
            " wins points."
        ),
        say("After the game it says why it did so."),
        say("It always takes two seconds: how long it thinks tells you nothing."),
    ),
    "simple": (
        say(
            "It plays a card when clues and the cards in sight leave no doubt that it fits; in its last turn it takes a chance."
        ),
        say("It tells you what you can play, and of a card that you would discard next if it is the last of its kind."),
        say("Otherwise it discards its oldest card that no clue has touched."),
        say("It reads nothing between the lines: a clue says what its words say."),
    ),
    "hat": (
        say(
            "It does not think as people do: it counts. Every hand stands for a number, and a clue tells the sum of those that"
            " the giver sees."
        ),
        say(
            "All others see every hand but their own. They subtract, and each learns something about their own cards: one clue"
            " speaks to everybody."
        ),
        say("So its clues mean little by their words; do not read them as a friend's. Among people it is a poor partner."),
        say(
            "If somebody does not keep to the code it notices sooner or later, and then goes by the words of clues and by "
            "counting."
        ),
        say("With three players and more of its kind it reaches all points in most games."),
    ),
    "learned": (
        say("Nobody taught it: it played a hundred million games with itself, and kept to what went well."),
        say(
            "What its clues mean it found out for itself. By the agreements of people they mislead: beside a partner who goes"
            " by those, most games are lost."
        ),
        say(
            "Watched over many games, its clues mostly say which card to play, whatever they touch: 1, 2 and 3 the newest, 4"
            " the one beside it, red the middle one, yellow and green the second oldest, white and blue the oldest. 5 calls for"
            " none."
        ),
        say("With its like it reaches all points in seven games out of ten: nobody else here does so well for two."),
        say("It cannot say why it does what it does."),
    ),
    "random": (say("Whatever is allowed, as dice fall. It is good for trying things out, and for nothing else."),),
}
"""How the bots think that need no pictures."""


@dataclass(frozen=True, slots=True)
class IdeaComponent:
    """An idea on the page: its picture, the bot's answer and its reason."""

    title: Message
    words: Message
    picture: Markup
    answer: str
    why: str


async def all_teammates(request: Request) -> Response:
    """The bots that can be seated."""
    return RequestContext(request).page("teammates.html", teammates=teammates())


async def teammate_page(request: Request) -> Response:
    """The page of one bot."""
    ctx, bot = RequestContext(request), request.path_params["bot"]
    if bot not in known_bots():
        raise HTTPException(404)
    ideas, habits = (_render_ideas(ctx.language), OTHER_AGREEMENTS) if bot == "convention" else ((), HABITS.get(bot, ()))
    return ctx.page("teammate_page.html", teammate=teammate_of(bot), ideas=ideas, habits=habits)


@cache
def _render_ideas(language: str) -> tuple[IdeaComponent, ...]:
    """The ideas of the convention bot in a language."""
    return tuple(_render_idea(idea, place, language) for place, idea in enumerate(IDEAS, 1))


def _render_idea(idea: Idea, place: int, language: str) -> IdeaComponent:
    speak, game = catalogue(language), idea.game
    names = idea.names(speak(say_in("player", "You")))
    snapshot = GameSnapshot(game.view(idea.eyes), TableInfo(tuple(map(Player, names))), idea.eyes)
    seat, slot = idea.points
    picture = render_illustration(snapshot, language, frozenset({game.hand_numbers(seat)[slot]}))
    answer = speak.text(tell(bot_event(idea), names, RULES, idea.eyes))
    return IdeaComponent(
        idea.title,
        idea.words,
        _with_own_ids(picture, place),
        answer,
        reason_in_words(speak, bot_reason(idea), names, idea.eyes),
    )


def _with_own_ids(picture: Markup, place: int) -> Markup:
    """The picture with ids of its own, so that several fit on a page."""
    return Markup(re.sub(r'\b(id|for|aria-labelledby|aria-controls)="', rf'\1="idea-{place}-', picture))
