"""Commands of a running game: moves, messages, notes, advice, take-backs, and a bot that takes over a seat."""

from __future__ import annotations

from tamaya.bots import DEFAULT_BOT, BotMove, find_bot
from tamaya.record import MAX_ADVICE, MAX_ARRANGEMENTS, MAX_TAKE_BACKS, AdvisedTurn
from tamaya.rules import (
    Action,
    Arrange,
    IllegalError,
    MalformedError,
    read_action,
    say,
)
from tamaya.table.commands._checks import (
    outdated_hand,
    outdated_turn,
    own_seat,
    playing_seat,
    require_offered,
    require_running,
    seat_at,
    with_agreed_take_back,
)
from tamaya.table.events import (
    AdviceTaken,
    AnyEvent,
    GivenBack,
    Moved,
    Noted,
    NotesShown,
    Said,
    StoredMessage,
    TakeBackApproved,
    TakeBackDeclined,
    TakeBackRequested,
    TakenBack,
    TakenOver,
)
from tamaya.table.lesson import guidance, right_actions
from tamaya.table.settings import AdvicePolicy, ChatPolicy
from tamaya.table.state import REMARKS, Phase, notes_at
from tamaya.table.table import Table

MAX_MESSAGE_LENGTH = 200
MAX_MESSAGES = 500


def move(table: Table, person: str, text: str, turn: int, hand: str | None = None, line: int = 0) -> list[AnyEvent]:
    """Take a person's turn. `turn`, `line` and the card numbers in `hand` are those that the person saw: after another turn, a
    take-back or a rearrangement, slots mean other cards."""
    seat = playing_seat(table, person)
    action = read_action(text)
    if (turn, line) != (table.turn, table.branch):
        raise outdated_turn()
    if table.to_move != seat:
        raise IllegalError("not_your_turn", say("It is not your turn."))
    if hand is not None and hand.split() != [str(number) for number in table.hand_numbers(seat)]:
        raise outdated_hand()
    _require_lesson_step(table, seat, action)
    return [Moved.of(seat, action)]


def _require_lesson_step(table: Table, seat: int, action: Action) -> None:
    """In the guided first deal, refuse a legal action that the step does not ask for."""
    guide = guidance(table.view_of_seat(seat), table.names) if table.settings.lesson else None
    objection = guide.objection(action) if guide and action in guide.view.legal_actions else None
    if objection:
        raise IllegalError("wrong_step", objection)


def arrange(table: Table, person: str, wanted: str) -> list[AnyEvent]:
    """Rearrange a hand: `wanted` has the numbers of its cards from left to right, with ``-`` after those turned sideways."""
    seat = playing_seat(table, person)
    numbers = table.hand_numbers(seat)
    words = wanted.split()
    order = [word.removesuffix("-") for word in words]
    if sorted(order) != sorted(map(str, numbers)):
        raise outdated_hand()
    if table.arrangements >= MAX_ARRANGEMENTS:
        raise IllegalError("too_many", say("The hands of this game have been rearranged often enough."))
    turned = tuple(place for place, word in enumerate(words) if word.endswith("-"))
    return [Moved.of(seat, Arrange(seat, tuple(numbers.index(int(number)) for number in order), turned))]


def bot_move(table: Table, thought: BotMove, turn: int, hand: tuple[int, ...] | None = None, line: int = 0) -> list[AnyEvent]:
    """Take a bot's turn; no events if the turn, the line of play or the hand has changed since, or a take-back is being
    discussed."""
    seat = table.to_move
    if (turn, line) != (table.turn, table.branch) or seat is None or not table.bot_to_move:
        return []
    if hand is not None and hand != table.hand_numbers(seat):
        return []
    why = StoredMessage.of(thought.why) if thought.why else None
    return [Moved.of(seat, thought.action, bot=True, why=why, replaced=bool(thought.problem))]


def send_message(table: Table, person: str, remark: str = "", text: str = "") -> list[AnyEvent]:
    """Send a message, a set remark or free text, if the table allows it now."""
    seat = own_seat(table, person)
    text = " ".join(text.split())
    if bool(remark) == bool(text) or (remark and remark not in REMARKS):
        raise MalformedError("nothing_said", say("Choose a remark, or write something."))
    if len(text) > MAX_MESSAGE_LENGTH or not text.isprintable():
        raise MalformedError("bad_text", say("Write at most {most} printable characters.", most=MAX_MESSAGE_LENGTH))
    if table.phase is Phase.PLAYING:
        if table.settings.talk is ChatPolicy.STRICT:
            raise IllegalError("strict_talk", say("At this table nobody talks while the game goes on."))
        if text and table.settings.talk is ChatPolicy.REMARKS:
            raise IllegalError("remarks_only", say("At this table only the set remarks are allowed while the game goes on."))
    if len(table.said) >= MAX_MESSAGES:
        raise IllegalError("too_many", say("Enough has been said at this table."))
    return [Said(seat, remark, text)]


def take_over(table: Table, person: str, seat: int, bot: str, away: bool) -> list[AnyEvent]:
    """Have a bot play for a player who is away, or for oneself. Teammates get the default bot, so that no player can put a bot
    that loses games on their seats."""
    own = own_seat(table, person)
    require_running(table)
    taken = seat_at(table, seat)
    if taken.bot:
        raise IllegalError("bot_plays_already", say("A bot plays there already."))
    if seat != own and not away:
        raise IllegalError("not_away", say("{name} is at the table; a bot can play only for somebody who left.",
                                           name=taken.name))  # fmt: skip
    require_offered(table, bot)
    if seat != own and bot != DEFAULT_BOT:
        message = say("You can choose a bot only for yourself; for somebody who is away, “{name}” plays.",
                      name=find_bot(DEFAULT_BOT).title or DEFAULT_BOT)  # fmt: skip
        raise IllegalError("not_your_bot", message)
    return with_agreed_take_back(table, TakenOver(seat, bot))


def give_back(table: Table, person: str) -> list[AnyEvent]:
    """Take a seat back from the bot."""
    seat = own_seat(table, person)
    require_running(table)
    if not table.seats[seat].bot:
        raise IllegalError("no_bot_there", say("You play yourself already."))
    return [GivenBack(seat)]


MAX_TAKE_BACK_REQUESTS = 500


def take_back(table: Table, person: str, turn: int, line: int = 0) -> list[AnyEvent]:
    """Take back a person's last action, that of `turn` on the `line` of play they saw, and all that followed. Other people have
    to agree, bots do not."""
    last = turn_to_take_back(table, person)
    if (turn, line) != (last, table.branch):
        raise outdated_turn()
    asked = with_agreed_take_back(table, TakeBackRequested(own_seat(table, person), last - 1))
    return [event for event in asked if isinstance(event, TakenBack)] or asked


def turn_to_take_back(table: Table, person: str) -> int:
    """The turn that a person may take back now, or ask to; raises if there is none."""
    seat = playing_seat(table, person)
    if not table.settings.take_backs or table.settings.lesson:
        raise IllegalError("no_take_backs", say("At this table nothing is taken back."))
    if table.question:
        raise IllegalError("asked_already", say("Somebody has asked already; answer first."))
    last = table.last_turn_of(seat)
    if last is None:
        raise IllegalError("nothing_to_undo", say("You have not done anything yet that could be taken back."))
    if last - 1 in table.refused_turns:
        raise IllegalError("refused_before", say("Somebody has said no to that already."))
    if table.branch >= MAX_TAKE_BACKS or table.questions >= MAX_TAKE_BACK_REQUESTS:
        raise IllegalError("too_many", say("Enough has been taken back in this game."))
    return last


def answer(table: Table, person: str, agrees: bool, question: int) -> list[AnyEvent]:
    """Agree to a take-back or decline it; `question` is the number of the request that the person saw. Its author withdraws it
    by declining."""
    seat = own_seat(table, person)
    require_running(table)
    if not table.question or question != table.questions:
        raise IllegalError("question_closed", say("That question is no longer open."))
    asks = seat == table.question.seat
    if seat not in table.question.awaited_from(table.human_seats) and not asks:
        raise IllegalError("not_asked", say("You have answered already, or a bot plays for you."))
    if not agrees:
        return [TakeBackDeclined(seat)]
    if asks:
        raise IllegalError("not_asked", say("It is for the others to agree."))
    return with_agreed_take_back(table, TakeBackApproved(seat))


def take_advice(table: Table, person: str, turn: int, line: int = 0) -> list[AnyEvent]:
    """Note that a person asked for advice in the `turn` and on the `line` of play they saw. Repeated requests in a turn count
    once."""
    seat = seat_to_advise(table, person)
    if (turn, line) != (table.turn, table.branch):
        raise outdated_turn()
    return [] if AdvisedTurn(seat, turn + 1) in table.advised else [AdviceTaken(seat)]


def seat_to_advise(table: Table, person: str) -> int:
    """The seat of a person who may ask for advice now; raises if they may not."""
    seat = playing_seat(table, person)
    if not gives_advice(table):
        raise IllegalError("no_advice", say("At this table everybody decides without advice."))
    if table.to_move != seat:
        raise IllegalError("not_your_turn", say("It is not your turn."))
    if table.settings.lesson and right_actions(table.view_of_seat(seat)):
        raise IllegalError("guided", say("The guided first deal tells you what to do here."))
    if len(table.advised) >= MAX_ADVICE:
        raise IllegalError("too_many", say("Enough advice has been taken in this game."))
    return seat


def gives_advice(table: Table) -> bool:
    """Whether players may ask for advice at a table."""
    alone = len(table.people) == 1
    return {AdvicePolicy.NOBODY: False, AdvicePolicy.ALONE: alone, AdvicePolicy.EVERYBODY: True}[table.settings.advice]


MAX_NOTE_LENGTH = 200
MAX_NOTES = 300
"""How often a player may write, change or delete a note in one game."""


def note(table: Table, person: str, text: str, card: int | None = None, turn: int | None = None) -> list[AnyEvent]:
    """Write a note on a card, by its number, or on the moment after a turn; empty text deletes it."""
    seat = own_seat(table, person)
    require_running(table)
    if not table.settings.memory.keeps_history:
        raise IllegalError("no_notes", say("At this table everybody remembers for themselves: there are no notes."))
    text = " ".join(text.split())
    if len(text) > MAX_NOTE_LENGTH or not text.isprintable():
        raise MalformedError("bad_text", say("Write at most {most} printable characters.", most=MAX_NOTE_LENGTH))
    if (card is None) == (turn is None):
        raise MalformedError("bad_note", say("A note is on a card or on a turn."))
    if card is not None and card not in table.cards_drawn:
        raise MalformedError("unknown_card", say("There is no such card on the table."))
    if turn is not None and not 0 <= turn <= table.turn:
        raise MalformedError("no_such_turn", say("This game has turns from {first} to {last}.", first=0, last=table.turn))
    own = table.notes_for(person)
    found = [before.text for before in notes_at(own) if (before.card, before.turn) == (card, turn)]
    if text == "".join(found):
        return []
    if len(own) >= MAX_NOTES:
        raise IllegalError("too_many", say("You have written enough notes in this game."))
    return [Noted(seat, text, card, turn)]


def show_notes(table: Table, person: str, shown: bool) -> list[AnyEvent]:
    """Show a player's notes to all after the game, or hide them again."""
    seat = own_seat(table, person)
    if table.phase is not Phase.ENDED:
        raise IllegalError("game_not_over", say("Notes can be shown when the game is over."))
    if not any(note.seat == seat for note in notes_at(table.notes_for(person))):
        raise IllegalError("no_notes", say("You have written no notes in this game."))
    return [NotesShown(seat, shown)] if shown != (seat in table.shown_notes) else []
