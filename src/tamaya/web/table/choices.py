"""A player's choices, each with the sentence that describes it and the reason if it is not allowed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tamaya.engine import View
from tamaya.engine.refusals import illegal_action_error
from tamaya.i18n import propose, propose_clue
from tamaya.rules import VALUES, Action, Card, Clue, Colour, Discard, Message, Play, Rules


@dataclass(frozen=True, slots=True)
class LessonHint:
    """What the guided first deal says of an action: the objection to it, or that it is right."""

    objection: Message | None = None
    hinted: bool = False


LessonHints = Callable[[Action], LessonHint]
NO_HINT = LessonHint()


@dataclass(frozen=True, slots=True)
class CardOption:
    """What can be done with a card: the action, its sentence, and the reason if it is refused."""

    action: str
    kind: str
    colour: Colour | None
    sentence: Message
    refusal: Message | None
    lesson_hint: LessonHint


@dataclass(frozen=True, slots=True)
class ClueOption:
    """A clue for a teammate: the slots it touches, and the reason if it is refused."""

    seat: int
    name: str
    hint: Colour | int
    touches: tuple[int, ...]
    refusal: Message | None
    lesson_hint: LessonHint

    @property
    def action(self) -> str:
        """The clue as an action of a form."""
        return str(Clue(self.seat, self.hint))

    @property
    def colour(self) -> Colour | None:
        """The colour it names, if any."""
        return self.hint if isinstance(self.hint, Colour) else None

    @property
    def sentence(self) -> Message:
        """The sentence that describes it."""
        return propose_clue(self.name, self.hint, self.touches)


@dataclass(frozen=True, slots=True)
class ClueOptions:
    """Every clue for a teammate; the fields are all that it depends on."""

    rules: Rules
    seat: int
    name: str
    cards: tuple[Card | None, ...]
    legal: tuple[Colour | int, ...]
    refusal: Message
    lesson_hints: tuple[LessonHint, ...]

    @property
    def choices(self) -> list[ClueOption]:
        """Every colour and value that can be named, legal or not."""
        return [self._clue(hint, lesson_hint) for hint, lesson_hint in zip(_hints(self.rules), self.lesson_hints, strict=True)]

    def _clue(self, hint: Colour | int, lesson_hint: LessonHint) -> ClueOption:
        touches = tuple(slot for slot, card in enumerate(self.cards) if card and self.rules.matches(hint, card))
        return ClueOption(self.seat, self.name, hint, touches, None if hint in self.legal else self.refusal, lesson_hint)


def _hints(rules: Rules) -> tuple[Colour | int, ...]:
    return (*rules.named_colours, *VALUES)


def clue_options(view: View, names: Sequence[str], hint_for: LessonHints | None = None) -> list[ClueOptions]:
    """The clues for each teammate of the player whose view this is."""
    legal: dict[int, list[Colour | int]] = {seat: [] for seat in range(len(names)) if seat != view.seat}
    for action in view.legal_actions:
        if isinstance(action, Clue):
            legal[action.seat].append(action.hint)
    hints = _hints(view.rules)
    return [
        ClueOptions(
            view.rules,
            seat,
            names[seat],
            tuple(seen.card for seen in view.hands[seat]),
            tuple(allowed),
            _refusal_words(view, Clue(seat, VALUES[0])),
            tuple(hint_for(Clue(seat, hint)) for hint in hints) if hint_for else (NO_HINT,) * len(hints),
        )
        for seat, allowed in legal.items()
    ]


def card_options(view: View, slot: int, hint_for: LessonHints | None = None) -> list[CardOption]:
    """What the player can do with one of their own cards."""
    choices = [_card_option(view, "play", Play(slot), hint_for), _card_option(view, "discard", Discard(slot), hint_for)]
    if view.rules.announced_plays:
        choices += [_card_option(view, "announce", Play(slot, colour)) for colour in view.rules.suits]
    return choices


def _card_option(view: View, kind: str, action: Play | Discard, hint_for: LessonHints | None = None) -> CardOption:
    colour = action.announced if isinstance(action, Play) else None
    lesson_hint = hint_for(action) if hint_for else NO_HINT
    return CardOption(str(action), kind, colour, propose(action, view), _refusal(view, action), lesson_hint)


def _refusal(view: View, action: Action) -> Message | None:
    return None if action in view.legal_actions else _refusal_words(view, action)


def _refusal_words(view: View, action: Action) -> Message:
    assert view.seat is not None
    return illegal_action_error(action, view.rules, view.seat, len(view.hand), view.clue_tokens).message
