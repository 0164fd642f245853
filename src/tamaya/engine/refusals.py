"""Messages that say why an action or a rearrangement is illegal; the kernel alone decides *whether* it is."""

from __future__ import annotations

from collections.abc import Sequence

from tamaya.rules import VALUES, Action, Arrange, Clue, Colour, IllegalError, Message, Play, Rules, say, say_n


def game_over_error() -> IllegalError:
    """The error for any move after the end."""
    return IllegalError("game_over", say("The game is over; start a new one or take back a move."))


def unknown_player_error(seat: int, players: int) -> IllegalError:
    """The error for a seat that is not at the table."""
    message = say("There is no player {seat}; players go from 1 to {players}.", seat=seat + 1, players=players)
    return IllegalError("unknown_player", message)


def illegal_action_error(action: Action, rules: Rules, seat: int, hand: int, clue_tokens: int) -> IllegalError:
    """The error for an illegal action of the player at `seat`, who holds `hand` cards."""
    if isinstance(action, Clue):
        return _illegal_clue(action, rules, seat, clue_tokens)
    if not 0 <= action.slot < hand:
        return IllegalError("no_such_card", _no_such_card(action.slot, hand))
    if isinstance(action, Play):
        return _illegal_announcement(action, rules)
    return IllegalError(
        "no_discard",
        say_n(
            "The only clue token is available, so nothing may be discarded; give a clue or play a card.",
            "All {n} clue tokens are available, so nothing may be discarded; give a clue or play a card.",
            clue_tokens,
        ),
    )


def arrangement_error(arrangement: Arrange, rules: Rules, hand: int) -> IllegalError | None:
    """The error for a rearrangement; None if it is valid."""
    if not 0 <= arrangement.seat < rules.players:
        return unknown_player_error(arrangement.seat, rules.players)
    if hand == 0:
        return IllegalError("bad_order", _no_such_card(0, hand))
    if sorted(arrangement.order) != list(range(hand)) or not set(arrangement.turned) <= set(range(hand)):
        slots = tuple(str(slot + 1) for slot in range(hand))
        return IllegalError("bad_order", say("Name each card of the hand once, in the new order: {slots}.", slots=slots))
    return None


def _illegal_clue(action: Clue, rules: Rules, seat: int, clue_tokens: int) -> IllegalError:
    if not 0 <= action.seat < rules.players:
        return unknown_player_error(action.seat, rules.players)
    if action.seat == seat:
        return IllegalError("clue_self", say("Nobody gives a clue to themselves; choose a teammate."))
    if isinstance(action.hint, Colour):
        if action.hint not in rules.named_colours:
            allowed = _colour_words(rules.named_colours)
            message = say("No clue can name {colour} here; choose from {allowed}.", colour=action.hint.word, allowed=allowed)
            return IllegalError("colour_not_named", message)
    elif action.hint not in VALUES:
        return IllegalError("no_such_value", say("There is no value {value}; values go from 1 to 5.", value=action.hint))
    if clue_tokens == 0:
        return IllegalError("no_clue_token", say("No clue token is available; discard or play a card."))
    return IllegalError("empty_clue", say("No card of that hand matches, and a clue must touch at least one card here."))


def _illegal_announcement(action: Play, rules: Rules) -> IllegalError:
    if not rules.announced_plays or action.announced is None:
        return IllegalError("no_announcement", say("Plays are not announced in this game; just play the card."))
    message = say(
        "There is no {colour} firework in this game; announce one of {allowed}.",
        colour=action.announced.word,
        allowed=_colour_words(rules.suits),
    )
    return IllegalError("no_such_firework", message)


def _colour_words(colours: Sequence[Colour]) -> tuple[Message, ...]:
    return tuple(colour.word for colour in colours)


def _no_such_card(slot: int, hand: int) -> Message:
    if hand == 0:
        return say("There is no card left in this hand; give a clue.")
    return say_n(
        "There is no card {slot} in this hand; it holds only one.",
        "There is no card {slot} in this hand; choose from 1 to {n}.",
        hand,
        slot=slot + 1,
    )
