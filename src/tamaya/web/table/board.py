"""Render the board from a `GameSnapshot` alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from markupsafe import Markup

from tamaya.engine import Clued, Discarded, Played, SeenCard, View
from tamaya.i18n import Catalogue, catalogue
from tamaya.rules import Card, Clue, Colour, Message, say, say_n
from tamaya.table import KnownCard, MoveTips, known_cards, next_discard
from tamaya.web.rendering.cache import PlaceholderHtml, cached, placeholder
from tamaya.web.rendering.templates import component_text, render_cached, render_component
from tamaya.web.table.advice import advice_note
from tamaya.web.table.choices import LessonHint, LessonHints, card_options, clue_options
from tamaya.web.table.components import (
    Back,
    Board,
    Bubble,
    CardOptions,
    ChatPanel,
    DiscardPanel,
    Face,
    Firework,
    Hand,
    HandCard,
    Illustration,
    LessonNote,
    MoveTip,
    Pile,
    Possibilities,
    Reactions,
    ReplayFrame,
    Tableau,
    TalkForm,
)
from tamaya.web.table.log import (
    TurnEvent,
    animations,
    card_notes,
    is_lost,
    log_lines,
    newest_card,
    newest_take_back_line,
    others_notes,
    own_note,
    render_take_back_panel,
    turns_of,
)
from tamaya.web.table.result import celebrated_score, render_result, result_title
from tamaya.web.table.snapshot import GameSnapshot, newest_messages

COMPILE_NOTICE = "cold"
"""The placeholder for which bots are not compiled yet."""


def badges_placeholder_name(seat: int) -> str:
    """The name of the placeholder for a player's badges."""
    return f"beside-{seat}"


@cache
def _badges_at(seat: int) -> Markup:
    return placeholder(badges_placeholder_name(seat))


def turn_words(snapshot: GameSnapshot) -> Message:
    """Whose turn it is, or how the game ended."""
    view = snapshot.view
    if view.outcome:
        return view.outcome.ending.word
    assert view.to_move is not None
    if view.to_move != snapshot.seat:
        return say("It is {player}'s turn.", player=snapshot.names[view.to_move])
    return say("A bot takes your turn.") if snapshot.bot_stands_in else say("Your turn")


def score_words(view: View) -> Message:
    """The current score and the maximum still possible."""
    if not view.rules.counts_points:
        return say("{placed} of {maximum} cards placed", placed=view.points, maximum=view.rules.maximum)
    return say_n("{n} point, at most {maximum}", "{n} points, at most {maximum}", view.points, maximum=view.maximum)


def prompt_words(snapshot: GameSnapshot) -> Message:
    """What the viewer can do now, before they choose anything."""
    if snapshot.tried and snapshot.view.to_move is not None:
        return say("Choose what {player} does instead.", player=snapshot.names[snapshot.view.to_move])
    if snapshot.bot_stands_in:
        return say("A bot plays for you; take your seat back first.")
    if snapshot.active and snapshot.advice:
        return snapshot.advice.advice.idea
    if not snapshot.active:
        return say("Meanwhile you can look at your cards and rearrange them.")
    if not snapshot.view.hand:
        return say("Your turn: choose a teammate to tell something.")
    if not snapshot.view.clue_tokens:
        return say("Your turn: choose one of your cards. No clue token is left.")
    if not any(isinstance(action, Clue) for action in snapshot.view.legal_actions):
        return say("Your turn: choose one of your cards.")
    return say("Your turn: choose a teammate to tell something, or one of your cards.")


def render_with_placeholders(
    snapshot: GameSnapshot, language: str, side: Markup, replay: ReplayFrame | None = None
) -> PlaceholderHtml:
    """The board of a moment, in a replay or not, with placeholders for badges and notices; `side` is the HTML
    beside it."""
    recent = _recent(snapshot)
    board = Board(
        snapshot=snapshot,
        turn_words=result_title(snapshot.view.outcome, snapshot.view.rules)
        if replay and snapshot.view.outcome
        else turn_words(snapshot),
        score_words=score_words(snapshot.view),
        hint=prompt_words(snapshot),
        tableau=_tableau(snapshot, language),
        hands=tuple(render_cached(hand, language) for hand in _hands(snapshot, recent, language)),
        decisions=tuple(_decisions(snapshot, language)) if snapshot.active else (),
        recent=(*newest_take_back_line(snapshot, language), *log_lines(recent[:1] if replay else recent, snapshot, language)),
        animations=tuple(render_cached(movement, language) for movement in animations(recent[::-1])),
        side_panels=side,
        talk_form=render_cached(TalkForm(snapshot.table.code, snapshot.speech), language),
        lesson=_lesson(snapshot, language),
        question=render_take_back_panel(snapshot, language),
        reactions=render_cached(Reactions(snapshot.table.code, snapshot.speech, snapshot.ended), language),
        result=render_result(snapshot, language) if snapshot.ended and not replay else Markup(),
        replay=replay,
        hand_numbers=" ".join(str(seen.number) for seen in snapshot.view.hand),
        last_clue_turn=max(
            (event.turn for event in recent if isinstance(event, Clued) and event.target == snapshot.eyes), default=0
        ),
        show_score=celebrated_score(snapshot.view.outcome) if snapshot.view.outcome else 0,
        advice=advice_note(snapshot, language),
        move_tip=_move_tip(snapshot, language) if snapshot.tips_enabled and snapshot.active else Markup(),
        compile_notice=placeholder(COMPILE_NOTICE),
    )
    return PlaceholderHtml.parse(component_text(board, language))


def render_discards_and_chat(snapshot: GameSnapshot, language: str) -> Markup:
    """The part beside the board that is the same for every viewer."""
    placed = _piles(snapshot, placed=True) if not snapshot.live else ()
    discards = DiscardPanel(_piles(snapshot, placed=False), placed)
    avatars = tuple((player.name, player.avatar) for player in snapshot.players)
    chat = ChatPanel(snapshot.table.talk, newest_messages(snapshot.said), avatars)
    return Markup(" ").join((render_component(discards, language), render_cached(chat, language)))


def _piles(snapshot: GameSnapshot, placed: bool) -> tuple[Pile, ...]:
    """The cards of each colour that were placed, or those that were lost."""
    view, kind = snapshot.view, "placed" if placed else "pile"
    cards: dict[Colour, list[tuple[int, int]]] = {colour: [] for colour in view.rules.suits}
    for event in view.log:
        if isinstance(event, Played | Discarded) and is_lost(event) is not placed:
            cards[event.card.colour].append((event.card.value, event.turn))
    return tuple(Pile(kind, colour, tuple(sorted(pile)), snapshot.replay) for colour, pile in cards.items())


def illustration_with_placeholders(
    snapshot: GameSnapshot, language: str, points: frozenset[int] = frozenset()
) -> PlaceholderHtml:
    """A picture of a moment for another page, with placeholders; it points at these cards and tells the moves that led
    there."""
    turns = turns_of(snapshot)[-snapshot.view.rules.players :]
    hands = tuple(_hands(snapshot, turns[-1:], language, points))
    scene = Illustration(
        players=snapshot.view.rules.players,
        sky=_tableau(snapshot, language),
        turns=tuple(log_lines(turns, snapshot, language)),
        hands=tuple(render_component(hand, language) for hand in hands),
        words=tuple(_hand_in_words(snapshot, hand, catalogue(language)) for hand in hands if not hand.own),
    )
    return PlaceholderHtml.parse(component_text(scene, language))


def _hand_in_words(snapshot: GameSnapshot, hand: Hand, speak: Catalogue) -> str:
    cards = (seen.card.word for seen in snapshot.view.hands[hand.seat] if seen.card)
    return speak(say("{player}: {cards}", player=hand.name, cards=tuple(cards)))


def possibilities_of(snapshot: GameSnapshot, seat: int, language: str) -> Possibilities:
    """What each card at `seat` can be."""
    view, memory, rules = snapshot.view, snapshot.table.memory, snapshot.view.rules
    noted = tuple(
        (seen.number, own_note(snapshot, card=seen.number), others_notes(snapshot, seen.number, language))
        for seen in view.hands[seat]
    )
    known = known_cards(view, memory)[seat]
    return Possibilities(snapshot.names[seat], seat == view.seat, rules.suits, memory, known, noted, snapshot.writes_notes)


def _tableau(snapshot: GameSnapshot, language: str) -> Markup:
    view, rules = snapshot.view, snapshot.view.rules
    dead = view.dead_fireworks
    fireworks = tuple(Firework(suit, height, view.reach[suit], suit in dead) for suit, height in view.fireworks.items())
    tokens = view.clue_tokens, rules.clue_tokens, view.mistakes, rules.mistakes
    return render_cached(Tableau(fireworks, *tokens, view.last_turns, view.deck_count), language)


def _hands(
    snapshot: GameSnapshot, recent: Sequence[TurnEvent], language: str, points: frozenset[int] = frozenset()
) -> Iterator[Hand]:
    """Every hand, clockwise; the hand at the bottom of the board comes last."""
    view, players, eyes = snapshot.view, snapshot.players, snapshot.eyes
    known_hands, guidance = known_cards(view, snapshot.table.memory), snapshot.guidance
    bubbles, notes = _bubbles(snapshot), card_notes(snapshot, language)
    first = 0 if eyes is None else eyes + 1
    for seat in ((first + step) % len(players) for step in range(len(players))):
        player, is_own = players[seat], seat == eyes
        hand, known = view.hands[seat], known_hands[seat]
        clues = (event for event in (recent if is_own else recent[:1]) if isinstance(event, Clued) and event.target == seat)
        marked = CardMarks(
            touched=frozenset(number for event in clues for number in event.numbers),
            hinted=guidance.cards if guidance else (),
            newest=newest_card(hand, view),
            next_discard=next_discard(hand, known) if snapshot.shows_next_discard else None,
            pointed=points,
            notes=tuple((seen.number, notes[seen.number]) for seen in hand if seen.number in notes),
        )
        is_open = is_own and (snapshot.live or snapshot.tried) and not snapshot.ended
        yield Hand(
            seat=seat,
            name=player.name,
            avatar=player.avatar,
            own=is_own,
            yours=seat == snapshot.seat,
            turn=seat == view.to_move,
            player_open=snapshot.active and not is_own,
            badges=_badges_at(seat),
            bubble=bubbles.get(player.name),
            cards=_cards(hand, known, view.rules.suits, marked, is_open, language),
            hinted=guidance is not None and seat == guidance.teammate,
        )


class CardMarks(NamedTuple):
    """The numbers of the cards that are marked, and the notes on them."""

    touched: frozenset[int]
    hinted: tuple[int, ...]
    newest: int | None
    next_discard: int | None
    pointed: frozenset[int]
    notes: tuple[tuple[int, str], ...]


@cached
def _cards(
    hand: tuple[SeenCard, ...],
    known: tuple[KnownCard, ...],
    suits: tuple[Colour, ...],
    marked: CardMarks,
    is_open: bool,
    language: str,
) -> tuple[Markup, ...]:
    """The rendered cards of a hand: most hands stay the same for some turns, and all teammates see them alike."""
    notes = dict(marked.notes)
    cards = (
        HandCard(
            number=seen.number,
            slot=slot,
            look=_css_classes(seen.card, card),
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
    return tuple(render_cached(card, language) for card in cards)


def _bubbles(snapshot: GameSnapshot) -> dict[str, Bubble]:
    """The last message of each player, by name, at a live table."""
    return {spoken.name: Bubble(number, spoken.words) for number, spoken in enumerate(snapshot.said, 1) if snapshot.live}


def _card(seen: SeenCard, known: KnownCard, suits: tuple[Colour, ...], language: str) -> Markup:
    if seen.card:
        return _face(seen.card, known.colour, known.value, known.clued, language)
    if known.card:
        return render_cached(Face(known.card, own=True), language)
    return _back(known.colours, known.values, suits, language)


@cached
def _face(card: Card, colour: Colour | None, value: int | None, clued: bool, language: str) -> Markup:
    return render_component(Face(card, colour, value, clued), language)


@cached
def _back(colours: tuple[Colour, ...], values: tuple[int, ...], suits: tuple[Colour, ...], language: str) -> Markup:
    return render_component(Back(colours, values, suits), language)


def _css_classes(card: Card | None, known: KnownCard) -> str:
    """The classes of a card: its side, its known colour, and whether a clue touched it."""
    side = "face" if card else "known face" if known.card else "back"
    colour = card.colour if card else known.colour or ""
    return f"{side} {colour} clued" if known.clued else f"{side} {colour}"


def _decisions(snapshot: GameSnapshot, language: str) -> Iterator[Markup]:
    """The choices of the player whose turn it is: for each teammate, and for each card."""
    view, hint_for = snapshot.view, _lesson_hint(snapshot)
    for clues in clue_options(view, snapshot.names, hint_for):
        yield render_cached(clues, language)
    for slot, seen in enumerate(view.hand):
        actions = CardOptions(seen.number, slot, tuple(card_options(view, slot, hint_for)), view.rules.announced_plays)
        yield render_cached(actions, language)


def _lesson_hint(snapshot: GameSnapshot) -> LessonHints | None:
    """What the guided first deal says of each action, while it asks for one."""
    guide = snapshot.guidance
    if guide is None or not guide.right:
        return None
    return lambda action: LessonHint(guide.objection(action), action in guide.right)


def _move_tip(snapshot: GameSnapshot, language: str) -> Markup:
    """Tips on the choices, unless the guided first deal asks for one of them."""
    guide = snapshot.guidance
    if guide and guide.right:
        return Markup()
    coach, moves = MoveTips(snapshot.view, snapshot.table.memory), defaultdict[Message, list[str]](list)
    for action in snapshot.view.legal_actions:
        if words := coach.advise(action):
            moves[words].append(str(action))
    return render_cached(MoveTip(tuple(("|".join(about), words) for words, about in moves.items())), language)


def _lesson(snapshot: GameSnapshot, language: str) -> Markup:
    guide = snapshot.guidance
    if guide is None:
        return Markup()
    return render_cached(LessonNote(guide.number, guide.steps, guide.sentence, guide.why, guide.reminder), language)


def _recent(snapshot: GameSnapshot) -> list[TurnEvent]:
    """The turns since the viewer's last one, newest first; at least one, at most one per other seat."""
    turns = turns_of(snapshot)[: -snapshot.view.rules.players : -1]
    own = next((place for place, event in enumerate(turns) if event.seat == snapshot.eyes), len(turns))
    return turns[: max(own, 1)]
