"""The page that ``tamaya review --html`` writes: everything is in it, so that it can be sent and kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from tamaya.cli.review import Reviewed
from tamaya.i18n import Catalogue
from tamaya.rules import Action, say
from tamaya.web.facts import draw_now, draw_story, draw_winning
from tamaya.web.pages import STATIC

STYLES = ("base.css", "review.css")
FRAME = Markup("""<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{styles}</style>
</head>
<body class="review-page">
<main>
<h1>{title}</h1>
{games}
</main>
</body>
</html>
""")
GAME = Markup(
    '<section aria-labelledby="game{place}">\n<h2 id="game{place}">{id}</h2>\n{players}{problem}{facts}\n</section>\n'
)


def page(games: Sequence[Reviewed], speak: Catalogue) -> str:
    """The page about these games."""
    return FRAME.format(
        language=speak.language.replace("_", "-"),
        title=speak(say("Looking back")),
        styles=Markup("\n".join((STATIC / name).read_text("utf-8") for name in STYLES)),
        games=Markup("").join(_game(place, game, speak) for place, game in enumerate(games, start=1)),
    )


@dataclass(frozen=True)
class _Places:
    """Where the links of this page lead: to what it says of a turn. It shows no positions."""

    anchor: str

    def at(self, turn: int) -> str:
        return f"#{self.anchor}{turn}"

    def after(self, turn: int, then: tuple[Action, ...]) -> str:
        return ""


def _game(place: int, game: Reviewed, speak: Catalogue) -> Markup:
    places = _Places(f"game{place}-turn")
    facts = solver = players = Markup()
    if game.facts and game.entry.replay:
        if game.winning:
            solver = draw_winning(game.entry.replay.record, game.winning, places, speak.language)
        facts = draw_now(game.facts, None, places, speak.language)
        facts += draw_story(game.facts, places, speak.language, solver, anchor=places.anchor)
        players = Markup("<p>{}</p>\n").format(speak.join(game.facts.names))
    problem = Markup('<p class="problem">{}</p>\n').format(speak(game.problem)) if game.problem else Markup()
    return GAME.format(place=place, id=game.entry.id, players=players, problem=problem, facts=facts)
