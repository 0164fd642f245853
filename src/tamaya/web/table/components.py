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
    """A firework: its height, how high it can still get, and whether it is dead."""

    colour: Colour
    height: int
    most: int
    dead: bool


@dataclass(frozen=True, slots=True)
class Tableau:
    """Fireworks, tokens and deck: the same for everybody."""

    fireworks: tuple[Firework, ...]
    clue_tokens: int
    clue_tokens_in_all: int
    mistakes: int
    mistakes_allowed: int
    last_turns: int
    deck_count: int


@dataclass(frozen=True, slots=True)
class Face:
    """The face of a card, and what its owner knows of it; `own` is a card that one does not see, but knows."""

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
    """A card from behind, with what it can be."""

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
    """One card of a hand: what is drawn on it, whether the reader can pick it, how it lies there, whether it is the one drawn
    last or would be discarded next, and what is noted of it. A picture may point at it."""

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
    """The last thing that a player said; `number` counts all that was said at the table."""

    number: int
    words: Message | str


@dataclass(frozen=True, slots=True)
class Hand:
    """One player's hand.

    `own` marks the hand of the seat from which the board is drawn, `yours` that of the reader. The reader can pick its player
    for a clue if `player_open`; `beside` is what stands beside the name. The guided first deal leads to a player who is
    `hinted`.
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
    """What can be done with one of the reader's own cards."""

    number: int
    slot: int
    choices: tuple[CardOption, ...]
    announced_plays: bool


@dataclass(frozen=True, slots=True)
class LessonNote:
    """What the guided first deal says now; `why` is one more sentence, `reminder` one that was said before."""

    number: int
    steps: int
    sentence: Message
    why: Message | None
    reminder: Message | None


@dataclass(frozen=True, slots=True)
class MoveTip:
    """What the coach says, each sentence with the moves that it is about, between bars."""

    lines: tuple[tuple[str, Message], ...]


@dataclass(frozen=True, slots=True)
class TalkForm:
    """Where the reader says something, in the ways that are open to them."""

    code: str
    speech: str

    @property
    def remarks(self) -> dict[str, Message]:
        """The set remarks."""
        return dict(REMARKS)


REACTIONS = ("well-done", "oops", "thanks", "thinking")
LAST_REACTIONS = ("good-game", "well-done", "thanks", "sorry")
"""The remarks that are one tap away, while the game goes on and when it is over."""


@dataclass(frozen=True, slots=True)
class Reactions:
    """What the reader can say with one tap, if they may say anything."""

    code: str
    speech: str
    ended: bool

    @property
    def remarks(self) -> dict[str, Message]:
        """The remarks on offer."""
        return {key: REMARKS[key] for key in (LAST_REACTIONS if self.ended else REACTIONS)}


@dataclass(frozen=True, slots=True)
class LogLine:
    """One turn in words: whether it was a mistake, the bot's reasons for it, where one sees it again, what is noted of it, and
    what the coach says of it.
    With `back`, it tells of something that was taken back there; `back` counts the take-backs so far. Who moved there may have
    been `advised`."""

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
    """What happened, turn by turn, newest first. `by_agreements` names the bot whose agreements say what moves mean, if they
    do. On the present `turn`, a reader who `writes` can have a note."""

    lines: Markup
    by_agreements: str = ""
    turn: int = 0
    writes: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Pile:
    """The cards of a colour that are lost, or those that were placed, as `kind` says: of each its value, and the turn in which
    it came there. `replay` is where that is seen again."""

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
    """What moved in a turn: a clue and the cards it touched, or a card that was played, lost or discarded."""

    kind: str
    turn: int
    numbers: tuple[int, ...]
    card: Card | None = None

    @property
    def face(self) -> Face | None:
        """The face of the card, which everybody has seen by then."""
        return Face(self.card) if self.card else None


@dataclass(frozen=True, slots=True)
class ReplayFrame:
    """What a replay adds to the board of a moment: its controls, what more can be done, and the fields by which a page asks
    what another move would lead to."""

    controls: Markup
    more: Markup
    fields: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Board:
    """The whole board of a moment; `decisions` are the sets of choices from which the reader takes an action, `movements` are
    what moves, `lesson` is what the guided first deal says, `coach` what the coach has to say about the choices, `advice`
    what the reader can ask for and has been told, `cold` which bots are not ready yet.

    `hand_numbers` are those of the reader's cards, from left to right. `told` is the turn of the newest clue for the eyes that
    look, and `show_score` how much there is to celebrate at the end.
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
    told: int
    show_score: int
    compile_notice: Markup


@dataclass(frozen=True, slots=True)
class Possibilities:
    """What the cards of one hand can be, as far as the table remembers it for its players, and what is noted of each: its
    number, the reader's own note, which they can change if they are one who `writes`, and those of others."""

    name: str
    own: bool
    suits: tuple[Colour, ...]
    memory: ClueMemory
    hand: tuple[KnownCard, ...]
    noted: tuple[tuple[int, str, str], ...] = ()
    writes: bool = False


@dataclass(frozen=True, slots=True)
class Illustration:
    """A moment as a picture: sky, last moves and hands, for a page that speaks of it. `words` tell it to those who see none."""

    players: int
    sky: Markup
    turns: tuple[LogLine, ...]
    hands: tuple[Markup, ...]
    words: tuple[str, ...]
