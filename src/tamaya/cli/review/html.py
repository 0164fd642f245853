"""The self-contained page that ``tamaya review --html`` writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from tamaya.cli.review.text import ReviewedGame
from tamaya.engine import Arranged
from tamaya.i18n import Catalogue, tell
from tamaya.record import Record, play_again
from tamaya.review.analysis import GameAnalysis
from tamaya.review.analysis_sentences import SIGNS, costly_move, overview, verdict_sentence
from tamaya.rules import Action, say
from tamaya.web.rendering.templates import STATIC
from tamaya.web.replay.facts_view import NO_ANALYSIS, render_game, render_turn, render_winnability

STYLES = ("base.css", "replay/review.css")
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


def page(games: Sequence[ReviewedGame], speak: Catalogue) -> str:
    """The page about these games."""
    return FRAME.format(
        language=speak.language.replace("_", "-"),
        title=speak(say("Looking back")),
        styles=Markup("\n".join((STATIC / name).read_text("utf-8") for name in STYLES)),
        games=Markup("").join(_game(place, game, speak) for place, game in enumerate(games, start=1)),
    )


@dataclass(frozen=True)
class _TurnLinks:
    """Links to the turns of this page, which shows no positions."""

    anchor: str

    def at(self, turn: int) -> str:
        return f"#{self.anchor}{turn}"

    def after(self, turn: int, then: tuple[Action, ...]) -> str:
        return ""


def _game(place: int, game: ReviewedGame, speak: Catalogue) -> Markup:
    facts = solver = players = Markup()
    if game.facts and game.entry.replay:
        turns, moves = _TurnLinks(f"game{place}-turn"), _TurnLinks(f"game{place}-move")
        record, coaching = game.entry.replay.record, game.analysis or NO_ANALYSIS
        if game.winnability:
            solver = render_winnability(record, game.winnability, turns, speak.language)
        to_dots = moves if coaching.judgements else turns
        facts = render_turn(game.facts, None, to_dots, speak.language, coaching=coaching)
        facts += render_game(game.facts, turns, speak.language, solver, anchor=turns.anchor)
        players = Markup("<p>{}</p>\n").format(speak.join(game.facts.names))
        if coaching.judgements:
            facts += _coached(place, record, coaching, speak) + _moves(moves.anchor, record, coaching, speak)
    wrong = filter(None, (game.problem, game.coach_error))
    problem = Markup().join(Markup('<p class="problem">{}</p>\n').format(speak(message)) for message in wrong)
    return GAME.format(place=place, id=game.entry.id, players=players, problem=problem, facts=facts)


COACHED = Markup('<h3 id="coach{place}">{title}</h3>\n<ul>\n{overview}</ul>\n{moments}')
MOMENT = Markup('<div class="costly">\n<p>{words}</p>\n<ol start="{start}">\n{line}</ol>\n</div>\n')
MOVES = Markup('<details class="every-move" open>\n<summary>{title}</summary>\n<ol>\n{moves}</ol>\n</details>\n')
MOVE = Markup('<li id="{id}"{wrong}><b>{sign}</b> {words}</li>\n')
ITEM = Markup("<li>{}</li>\n")


def _coached(place: int, record: Record, coaching: GameAnalysis, speak: Catalogue) -> Markup:
    moments = Markup()
    for judgement in coaching.costliest():
        told = costly_move(record, judgement)
        line = Markup().join(ITEM.format(speak.text(tell(event, record.names, record.rules))) for event in told.line[1:])
        words = speak.text(filter(None, (told.cost, told.better, told.agreements)))
        moments += MOMENT.format(words=words, start=told.turn + 1, line=line)
    return COACHED.format(
        place=place,
        title=speak(say("The coach")),
        overview=Markup().join(ITEM.format(speak(message)) for message in overview(record, coaching)),
        moments=moments,
    )


def _moves(anchor: str, record: Record, coaching: GameAnalysis, speak: Catalogue) -> Markup:
    """What the coach says of every move; the dots of the plot link here."""
    events = [event for event in play_again(record).game.log if not isinstance(event, Arranged)]
    moves = Markup().join(
        MOVE.format(
            id=f"{anchor}{judgement.turn}",
            wrong=Markup(' class="wrong"') if judgement.verdict.is_flag else "",
            sign=SIGNS[judgement.verdict],
            words=speak.text((tell(event, record.names, record.rules)[0], verdict_sentence(judgement))),
        )
        for event, judgement in zip(events, coaching.judgements, strict=True)
    )
    return MOVES.format(title=speak(say("Every move")), moves=moves)
