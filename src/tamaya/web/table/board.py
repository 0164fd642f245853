"""Render the board from a `Snapshot` alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from markupsafe import Markup

from tamaya.engine import Clued, Discarded, Played, SeenCard, View
from tamaya.i18n import Catalogue, catalogue
from tamaya.rules import Card, Clue, Colour, Message, say, say_n
from tamaya.table import KnownCard, MoveTips, known_cards, next_discard
from tamaya.web.rendering.cache import Gapped, gap, kept
from tamaya.web.rendering.templates import draw, drawn_once, text_of
from tamaya.web.table.advice import advice_note
from tamaya.web.table.badges import COLD, fillings_of, gap_beside
from tamaya.web.table.choices import Counsel, Counsellor, card_choices, clue_sets
from tamaya.web.table.components import (
    Back,
    Board,
    Bubble,
    CardSet,
    CoachWords,
    Face,
    Firework,
    Hand,
    HandCard,
    LessonNote,
    Pile,
    Possibilities,
    Reactions,
    ReplayFrame,
    Scene,
    Side,
    Sky,
    TalkForm,
)
from tamaya.web.table.log import (
    TurnEvent,
    card_notes,
    draw_log,
    draw_question,
    is_lost,
    log_lines,
    movements,
    newest,
    newest_back_line,
    others_notes,
    own_note,
    turns_of,
)
from tamaya.web.table.result import draw_result, show_score, title
from tamaya.web.table.snapshot import Moment, newest_said


def turn_words(moment: Moment) -> Message:
    """Whose turn it is, or how the game ended."""
    view = moment.view
    if view.outcome:
        return view.outcome.ending.word
    assert view.to_move is not None
    if view.to_move != moment.seat:
        return say("It is {player}'s turn.", player=moment.names[view.to_move])
    return say("A bot takes your turn.") if moment.bot_stands_in else say("Your turn")


def score_words(view: View) -> Message:
    """What the team has, and what it can get at most."""
    if view.rules.all_or_nothing:
        return say("{placed} of {maximum} cards placed", placed=view.points, maximum=view.rules.maximum)
    return say_n("{n} point, at most {maximum}", "{n} points, at most {maximum}", view.points, maximum=view.maximum)


def hint(moment: Moment) -> Message:
    """What the reader can do now, before anything is chosen."""
    if moment.tried and moment.view.to_move is not None:
        return say("Choose what {player} does instead.", player=moment.names[moment.view.to_move])
    if moment.bot_stands_in:
        return say("A bot plays for you; take your seat back first.")
    if moment.active and moment.advice:
        return moment.advice.advice.idea
    if not moment.active:
        return say("Meanwhile you can look at your cards and rearrange them.")
    if not moment.view.hand:
        return say("Your turn: choose a teammate to tell something.")
    if not moment.view.clue_tokens:
        return say("Your turn: choose one of your cards. No clue token is left.")
    if not any(isinstance(action, Clue) for action in moment.view.legal_actions):
        return say("Your turn: choose one of your cards.")
    return say("Your turn: choose a teammate to tell something, or one of your cards.")


def draw_board(moment: Moment, language: str, side: Markup, replay: ReplayFrame | None = None) -> Markup:
    """The board for people of a language, in a replay or not; `side` is what `draw_side` makes for the same moment."""
    return Markup(draw_with_gaps(moment, language, side, replay).filled(fillings_of(moment, language)).text)


def draw_with_gaps(moment: Moment, language: str, side: Markup, replay: ReplayFrame | None = None) -> Gapped:
    """The same, with gaps where `fillings_of` and `fillings_at` say what belongs there."""
    recent = _recent(moment)
    board = Board(
        moment=moment,
        turn_words=title(moment.view.outcome, moment.view.rules) if replay and moment.view.outcome else turn_words(moment),
        score_words=score_words(moment.view),
        hint=hint(moment),
        sky=_sky(moment, language),
        hands=tuple(drawn_once(hand, language) for hand in _hands(moment, recent, language)),
        decisions=tuple(_decisions(moment, language)) if moment.active else (),
        recent=(*newest_back_line(moment, language), *log_lines(recent[:1] if replay else recent, moment, language)),
        movements=tuple(drawn_once(movement, language) for movement in movements(recent[::-1])),
        side=side,
        talk_form=drawn_once(TalkForm(moment.facts.code, moment.speech), language),
        lesson=_lesson(moment, language),
        question=draw_question(moment, language),
        reactions=drawn_once(Reactions(moment.facts.code, moment.speech, moment.ended), language),
        result=draw_result(moment, language) if moment.ended and not replay else Markup(),
        replay=replay,
        hand_numbers=" ".join(str(seen.number) for seen in moment.view.hand),
        told=max((event.turn for event in recent if isinstance(event, Clued) and event.target == moment.eyes), default=0),
        show_score=show_score(moment.view.outcome) if moment.view.outcome else 0,
        advice=advice_note(moment, language),
        coach=_coach(moment, language) if moment.coached and moment.active else Markup(),
        cold=gap(COLD),
    )
    return Gapped.of(text_of(board, language))


def draw_side(moment: Moment, language: str) -> Markup:
    """What is shown beside the board."""
    return Markup("".join((draw_log(moment, language), draw_discards_and_talk(moment, language))))


def draw_discards_and_talk(moment: Moment, language: str) -> Markup:
    """What is shown beside the board alike to everybody."""
    side = Side(
        rule=moment.facts.talk.summary,
        piles=_piles(moment, placed=False),
        placed=_piles(moment, placed=True) if not moment.live else (),
        said=newest_said(moment.said),
        signs={player.name: player.sign for player in moment.players},
    )
    return draw(side, language)


def _piles(moment: Moment, placed: bool) -> tuple[Pile, ...]:
    """The cards of each colour that were placed, or those that are lost."""
    view, kind = moment.view, "placed" if placed else "pile"
    cards: dict[Colour, list[tuple[int, int]]] = {colour: [] for colour in view.rules.suits}
    for event in view.log:
        if isinstance(event, Played | Discarded) and is_lost(event) is not placed:
            cards[event.card.colour].append((event.card.value, event.turn))
    return tuple(Pile(kind, colour, tuple(sorted(pile)), moment.replay) for colour, pile in cards.items())


def draw_scene(moment: Moment, language: str, points: frozenset[int] = frozenset()) -> Markup:
    """A moment as a picture on another page, which points at these cards and tells how it came to this."""
    turns = turns_of(moment)[-moment.view.rules.players :]
    hands = tuple(_hands(moment, turns[-1:], language, points))
    scene = Scene(
        players=moment.view.rules.players,
        sky=_sky(moment, language),
        turns=tuple(log_lines(turns, moment, language)),
        hands=tuple(draw(hand, language) for hand in hands),
        words=tuple(_hand_in_words(moment, hand, catalogue(language)) for hand in hands if not hand.own),
    )
    return Markup(Gapped.of(text_of(scene, language)).filled(fillings_of(moment, language, picture=True)).text)


def _hand_in_words(moment: Moment, hand: Hand, speak: Catalogue) -> str:
    cards = (seen.card.word for seen in moment.view.hands[hand.seat] if seen.card)
    return speak(say("{player}: {cards}", player=hand.name, cards=tuple(cards)))


def possibilities(moment: Moment, seat: int, language: str) -> Possibilities:
    """What the cards of the player at `seat` can be."""
    view, memory, rules = moment.view, moment.facts.memory, moment.view.rules
    noted = tuple(
        (seen.number, own_note(moment, card=seen.number), others_notes(moment, seen.number, language))
        for seen in view.hands[seat]
    )
    known = known_cards(view, memory)[seat]
    return Possibilities(moment.names[seat], seat == view.seat, rules.suits, memory, known, noted, moment.writes_notes)


def _sky(moment: Moment, language: str) -> Markup:
    view, rules = moment.view, moment.view.rules
    dead = view.dead_fireworks
    fireworks = tuple(Firework(suit, height, view.reach[suit], suit in dead) for suit, height in view.fireworks.items())
    tokens = view.clue_tokens, rules.clue_tokens, view.mistakes, rules.mistakes
    return drawn_once(Sky(fireworks, *tokens, view.last_turns, view.deck_count), language)


def _hands(moment: Moment, recent: Sequence[TurnEvent], language: str, points: frozenset[int] = frozenset()) -> Iterator[Hand]:
    """Every hand, clockwise from the left of the seat from which the board is drawn; that seat's own comes last."""
    view, players, eyes = moment.view, moment.players, moment.eyes
    known_hands, guide = known_cards(view, moment.facts.memory), moment.guidance
    bubbles, notes = _bubbles(moment), card_notes(moment, language)
    first = 0 if eyes is None else eyes + 1
    for place in ((first + later) % len(players) for later in range(len(players))):
        player, own = players[place], place == eyes
        hand, known = view.hands[place], known_hands[place]
        told = (event for event in (recent if own else recent[:1]) if isinstance(event, Clued) and event.target == place)
        marked = Marked(
            touched=frozenset(number for event in told for number in event.numbers),
            hinted=guide.cards if guide else (),
            newest=newest(hand, view),
            next_discard=next_discard(hand, known) if moment.shows_next_discard else None,
            pointed=points,
            notes=tuple((seen.number, notes[seen.number]) for seen in hand if seen.number in notes),
        )
        is_open = own and (moment.live or moment.tried) and not moment.ended
        yield Hand(
            seat=place,
            name=player.name,
            sign=player.sign,
            own=own,
            yours=place == moment.seat,
            turn=place == view.to_move,
            player_open=moment.active and not own,
            beside=gap_beside(place),
            bubble=bubbles.get(player.name),
            cards=_cards(hand, known, view.rules.suits, marked, is_open, language),
            hinted=guide is not None and place == guide.teammate,
        )


class Marked(NamedTuple):
    """The cards of a hand that stand out, by their numbers, and what is noted of some."""

    touched: frozenset[int]
    hinted: tuple[int, ...]
    newest: int | None
    next_discard: int | None
    pointed: frozenset[int]
    notes: tuple[tuple[int, str], ...]


@kept
def _cards(
    hand: tuple[SeenCard, ...],
    known: tuple[KnownCard, ...],
    suits: tuple[Colour, ...],
    marked: Marked,
    is_open: bool,
    language: str,
) -> tuple[Markup, ...]:
    """The cards of a hand, drawn; most hands stay as they are for some turns, and all teammates see them alike."""
    notes = dict(marked.notes)
    cards = (
        HandCard(
            number=seen.number,
            slot=slot,
            look=_look(seen.card, card),
            drawn=_card(seen, card, suits, language),
            open=is_open,
            turned=seen.turned,
            touched=seen.number in marked.touched,
            hinted=seen.number in marked.hinted,
            newest=seen.number == marked.newest,
            next_discard=seen.number == marked.next_discard,
            pointed=seen.number in marked.pointed,
            note=notes.get(seen.number, ""),
        )
        for slot, (seen, card) in enumerate(zip(hand, known, strict=True))
    )
    return tuple(drawn_once(card, language) for card in cards)


def _bubbles(moment: Moment) -> dict[str, Bubble]:
    """The last words of each player, by name, where they can be heard."""
    return {spoken.name: Bubble(number, spoken.words) for number, spoken in enumerate(moment.said, 1) if moment.live}


def _card(seen: SeenCard, known: KnownCard, suits: tuple[Colour, ...], language: str) -> Markup:
    if seen.card:
        return _face(seen.card, known.colour, known.value, known.clued, language)
    if known.card:
        return drawn_once(Face(known.card, own=True), language)
    return _back(known.colours, known.values, suits, language)


@kept
def _face(card: Card, colour: Colour | None, value: int | None, clued: bool, language: str) -> Markup:
    return draw(Face(card, colour, value, clued), language)


@kept
def _back(colours: tuple[Colour, ...], values: tuple[int, ...], suits: tuple[Colour, ...], language: str) -> Markup:
    return draw(Back(colours, values, suits), language)


def _look(card: Card | None, known: KnownCard) -> str:
    """The classes of a card: its colour or, from behind, the colour it must have, and whether a clue touched it."""
    side = "face" if card else "known face" if known.card else "back"
    colour = card.colour if card else known.colour or ""
    return f"{side} {colour} clued" if known.clued else f"{side} {colour}"


def _decisions(moment: Moment, language: str) -> Iterator[Markup]:
    """The choices of the player whose turn it is: a set for each teammate and for each card."""
    view, counsel = moment.view, _counsel(moment)
    for clues in clue_sets(view, moment.names, counsel):
        yield drawn_once(clues, language)
    for slot, seen in enumerate(view.hand):
        actions = CardSet(seen.number, slot, tuple(card_choices(view, slot, counsel)), view.rules.announced_plays)
        yield drawn_once(actions, language)


def _counsel(moment: Moment) -> Counsellor | None:
    """What the guided first deal says of each action while it asks for one."""
    guide = moment.guidance
    if guide is None or not guide.right:
        return None
    return lambda action: Counsel(guide.objection(action), action in guide.right)


def _coach(moment: Moment, language: str) -> Markup:
    """What the coach says about the choices, unless the guided first deal asks for one of them."""
    guide = moment.guidance
    if guide and guide.right:
        return Markup()
    coach, moves = MoveTips(moment.view, moment.facts.memory), defaultdict[Message, list[str]](list)
    for action in moment.view.legal_actions:
        if words := coach.advise(action):
            moves[words].append(str(action))
    return drawn_once(CoachWords(tuple(("|".join(about), words) for words, about in moves.items())), language)


def _lesson(moment: Moment, language: str) -> Markup:
    guide = moment.guidance
    if guide is None:
        return Markup()
    return drawn_once(LessonNote(guide.number, guide.steps, guide.sentence, guide.why, guide.reminder), language)


def _recent(moment: Moment) -> list[TurnEvent]:
    """What happened since the last turn of the seat that looks, newest first; at least the last turn, at most one of each
    other seat."""
    turns = turns_of(moment)[: -moment.view.rules.players : -1]
    own = next((place for place, event in enumerate(turns) if event.seat == moment.eyes), len(turns))
    return turns[: max(own, 1)]
