"""The components of a table's page: a `Hand` is rendered by the template ``hand.html``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup

from tamaya.i18n import Catalogue
from tamaya.rules import VALUES, Card, Colour, Message, say
from tamaya.rules.message import quote
from tamaya.table import REMARKS, ChatMessage, ChatPolicy, ClueMemory, KnownCard
from tamaya.web.table.advice import AdviceNote
from tamaya.web.table.choices import CardOption
from tamaya.web.table.snapshot import GameSnapshot, LogVerdict


@dataclass(frozen=True, slots=True)
class Firework:
    """A firework: its height, the height it can still reach, and whether it is dead."""

    colour: Colour
    height: int
    most: int
    dead: bool


@dataclass(frozen=True, slots=True)
class Tableau:
    """Fireworks, tokens and deck: the same for every viewer."""

    fireworks: tuple[Firework, ...]
    clue_tokens: int
    clue_tokens_in_all: int
    mistakes: int
    mistakes_allowed: int
    last_turns: int
    deck_count: int


@dataclass(frozen=True, slots=True)
class Face:
    """The face of a card, and what its owner knows of it; `own` is the viewer's own card, which they know without seeing it."""

    card: Card
    colour: Colour | None = None
    value: int | None = None
    clued: bool = False
    own: bool = False

    @property
    def words(self) -> Message:
        """The card as a screen reader says it."""
        if not self.clued:
            return self.card.word
        if self.colour and self.value:
            return say("{card}; known: {what}", card=self.card.word, what=Card(self.colour, self.value).word)
        if self.colour or self.value:
            return say("{card}; known: {what}", card=self.card.word, what=self.colour.word if self.colour else str(self.value))
        return say("{card}; touched by a clue", card=self.card.word)


@dataclass(frozen=True, slots=True)
class Back:
    """The back of a card, with what it can be."""

    colours: tuple[Colour, ...]
    values: tuple[int, ...]
    suits: tuple[Colour, ...]

    def words(self, speak: Catalogue) -> str:
        """What the card can be, as a screen reader says it: red or blue; 1, 2 or 3."""
        if len(self.colours) == len(self.values) == 1:
            return speak(Card(self.colours[0], self.values[0]).word)
        if self.colours == self.suits and self.values == VALUES:
            return speak(say("nothing known"))
        colours = say("any colour") if self.colours == self.suits else quote(speak.either(speak(c.word) for c in self.colours))
        values = say("any value") if self.values == VALUES else quote(speak.either(map(str, self.values)))
        return speak(say("{colours}; {values}", colours=colours, values=values))


@dataclass(frozen=True, slots=True)
class HandCard:
    """One card of a hand, with its rendered face or back and its marks."""

    number: int
    slot: int
    look: str
    drawn: Markup
    open: bool
    turned: bool
    touched: bool
    hinted: bool
    newest: bool
    next_discard: bool
    pointed: bool
    note: str = ""


@dataclass(frozen=True, slots=True)
class Bubble:
    """A player's last message; `number` counts all messages of the table."""

    number: int
    words: Message | str


@dataclass(frozen=True, slots=True)
class Hand:
    """A player's hand.

    `own` is the hand at the bottom of the board, `yours` that of the viewer. `player_open` lets the viewer choose the player
    for a clue, and the guided first deal points at a player who is `hinted`.
    """

    seat: int
    name: str
    avatar: str
    own: bool
    yours: bool
    turn: bool
    player_open: bool
    badges: Markup
    bubble: Bubble | None
    cards: tuple[Markup, ...]
    hinted: bool = False


@dataclass(frozen=True, slots=True)
class PlayerBadges:
    """What stands beside a player's name: the bot that plays, if one does, the words (“you”, “away”, “thinks”), and the `offer`
    to hand over the seat or take it back."""

    seat: int
    bot: str
    marks: tuple[Message, ...]
    offer: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True)
class CompileNotice:
    """Which bots are not compiled yet."""

    words: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class CardOptions:
    """What the viewer can do with one of their own cards."""

    number: int
    slot: int
    choices: tuple[CardOption, ...]
    announced_plays: bool


@dataclass(frozen=True, slots=True)
class LessonNote:
    """What the guided first deal says now; `reminder` repeats an earlier sentence."""

    number: int
    steps: int
    sentence: Message
    why: Message | None
    reminder: Message | None


@dataclass(frozen=True, slots=True)
class MoveTip:
    """Tips on the choices; each with the moves it is about, between bars."""

    lines: tuple[tuple[str, Message], ...]


@dataclass(frozen=True, slots=True)
class TalkForm:
    """The chat form, for the kinds of messages that the viewer may send."""

    code: str
    speech: str

    @property
    def remarks(self) -> dict[str, Message]:
        """The set remarks, by key."""
        return dict(REMARKS)


REACTIONS = ("well-done", "oops", "thanks", "thinking")
LAST_REACTIONS = ("good-game", "well-done", "thanks", "sorry")
"""The remarks that take one tap, during the game and after it."""


@dataclass(frozen=True, slots=True)
class Reactions:
    """The remarks that the viewer can send with one tap."""

    code: str
    speech: str
    ended: bool

    @property
    def remarks(self) -> dict[str, Message]:
        """The remarks on offer."""
        return {key: REMARKS[key] for key in (LAST_REACTIONS if self.ended else REACTIONS)}


@dataclass(frozen=True, slots=True)
class LogLine:
    """A turn in words, with the bot's reasons, a `link` to the replay, the note on it, and the coach's verdict. With `back`, it
    tells the take-back of that number instead. `advised` says that the player took advice."""

    turn: int
    words: str
    mistake: bool
    why: str = ""
    link: str = ""
    note: str = ""
    back: int = 0
    advised: bool = False
    verdict: LogVerdict | None = None


@dataclass(frozen=True, slots=True)
class Log:
    """The log, newest first. `by_agreements` is the bot whose conventions explain the moves. A viewer who `writes` can note
    something on the current `turn`."""

    lines: Markup
    by_agreements: str = ""
    turn: int = 0
    writes: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Pile:
    """The lost or placed cards of a colour (`kind` says which): values, and the turns they came there. `replay` links to
    them."""

    kind: str
    colour: Colour
    cards: tuple[tuple[int, int], ...]
    replay: str


@dataclass(frozen=True, slots=True)
class DiscardPanel:
    """The discard pile beside the board; in a replay also the cards placed."""

    piles: tuple[Pile, ...]
    placed: tuple[Pile, ...]


@dataclass(frozen=True, slots=True)
class ChatPanel:
    """The newest messages beside the board, with the speakers' avatars by name."""

    policy: ChatPolicy
    said: tuple[ChatMessage, ...]
    avatars: tuple[tuple[str, str], ...]

    @property
    def avatars_by_name(self) -> Mapping[str, str]:
        """The avatar of each player."""
        return dict(self.avatars)


@dataclass(frozen=True, slots=True)
class Animation:
    """What a turn moves on the page: a clue with the cards it touched, or a card played, misplayed or discarded."""

    kind: str
    turn: int
    numbers: tuple[int, ...]
    card: Card | None = None

    @property
    def face(self) -> Face | None:
        """The face of the card, public by then."""
        return Face(self.card) if self.card else None


@dataclass(frozen=True, slots=True)
class ReplayFrame:
    """What a replay adds to a board: its controls, more actions, and the form fields with which the page asks about another
    move."""

    controls: Markup
    more: Markup
    fields: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Board:
    """The whole board of a moment.

    `decisions` are the choices for an action, `move_tip` the tips on them, `lesson` what the guided first deal says.
    `hand_numbers` are the viewer's cards from left to right, `last_clue_turn` is the turn of the newest clue for this hand, and
    `show_score` how much there is to celebrate at the end.
    """

    snapshot: GameSnapshot
    turn_words: Message
    score_words: Message
    hint: Message
    tableau: Markup
    hands: tuple[Markup, ...]
    decisions: tuple[Markup, ...]
    recent: tuple[LogLine, ...]
    animations: tuple[Markup, ...]
    side_panels: Markup
    talk_form: Markup
    lesson: Markup
    move_tip: Markup
    advice: AdviceNote | None
    reactions: Markup
    question: Markup
    result: Markup
    replay: ReplayFrame | None
    hand_numbers: str
    last_clue_turn: int
    show_score: int
    compile_notice: Markup


@dataclass(frozen=True, slots=True)
class Possibilities:
    """What the cards of a hand can be, as far as the table remembers clues, and the notes on each: its number, the viewer's own
    note, and those of others."""

    name: str
    own: bool
    suits: tuple[Colour, ...]
    memory: ClueMemory
    hand: tuple[KnownCard, ...]
    noted: tuple[tuple[int, str, str], ...] = ()
    writes: bool = False


@dataclass(frozen=True, slots=True)
class Illustration:
    """A moment as a picture on another page; `words` describe it to screen readers."""

    players: int
    sky: Markup
    turns: tuple[LogLine, ...]
    hands: tuple[Markup, ...]
    words: tuple[str, ...]
