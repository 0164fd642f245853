"""The exact rules of any game in sentences, generated from its `Rules`."""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple

from tamaya.rules import EDITIONS, Edition, LastMistake, Message, Multicolour, Rules, rating, say, say_n


class Section(NamedTuple):
    """A heading and the sentences under it; `topic` names its subject, for callers that illustrate it."""

    title: Message
    sentences: tuple[Message, ...]
    topic: str = ""


def explain(rules: Rules, edition: Edition | None = None, starter: Message | None = None) -> tuple[Section, ...]:
    """The rules from the first card to the score.

    The edition adds what a mistake does to the tokens and, unless `starter` says it, who starts.
    """
    starter = starter or (edition.starter if edition else None)
    return (
        Section(say("The goal"), _goal(rules), "goal"),
        Section(say("The cards"), (*_cards(rules), *((starter,) if starter else ())), "cards"),
        Section(say("A turn"), (say("Play goes clockwise. A turn is exactly one of three actions; nobody can pass."),)),
        Section(say("Give a clue"), _clues(rules), "clue"),
        Section(say("Discard a card"), _discards(rules), "discard"),
        Section(say("Play a card"), _plays(rules, edition or EDITIONS["standard"]), "play"),
        Section(say("The end"), _end(rules)),
        Section(say("The score"), _score(rules)),
        Section(say("Around the table"), _customs(rules)),
    )


def _goal(rules: Rules) -> tuple[Message, ...]:
    return (
        say_n(
            "Together you build {n} firework: a run 1, 2, 3, 4, 5 of one colour ({colours}).",
            "Together you build {n} fireworks, one for each colour ({colours}): each is a run 1, 2, 3, 4, 5.",
            len(rules.suits),
            colours=tuple(colour.word for colour in rules.suits),
        ),
        say("Nobody sees their own cards; everybody sees everybody else's."),
    )


def _cards(rules: Rules) -> tuple[Message, ...]:
    sentences = [
        say_n(
            "The deck has {n} card.",
            "The deck has {n} cards: of each colour three 1s, two 2s, two 3s, two 4s and one 5.",
            rules.deck_size,
        )
    ]
    if rules.multicolour is Multicolour.FIVE:
        sentences.append(say("Only the multicolour has a single card of each value."))
    sentences.append(
        say_n("Each of the {players} players holds {n} card.", "Each of the {players} players holds {n} cards.",
              rules.hand_size, players=rules.players)
    )  # fmt: skip
    return tuple(sentences)


def _clues(rules: Rules) -> tuple[Message, ...]:
    sentences = [
        say("Name one colour or one value to one teammate and point at all cards of that hand that match."),
        say_n(
            "It costs a clue token. There is {n}, available at the start; without it no clue can be given.",
            "It costs a clue token. There are {n}, all available at the start; with none left no clue can be given.",
            rules.clue_tokens,
        ),
        say("A clue that matches no card is allowed.") if rules.empty_clues else say("A clue must match at least one card."),
    ]
    if rules.multicolour is not Multicolour.NONE:
        sentences.append(
            say("The multicolour can be named like any other colour.")
            if rules.multicolour_named
            else say("The multicolour cannot be named: its cards match every colour that is named.")
        )
    return tuple(sentences)


def _discards(rules: Rules) -> tuple[Message, ...]:
    return (
        say("Put one of your cards face up on the discard pile, take a clue token back and draw a card unseen."),
        say("This is not possible while all clue tokens are available."),
        say("Discarding a card that you know nothing about is a risk, but at times you have to take it."),
        say("Every card but the 5s and the multicolour ones has copies: losing one need not cost a firework.")
        if rules.multicolour is Multicolour.FIVE
        else say("Every card but the 5s has copies: losing one need not cost a firework."),
    )


def _plays(rules: Rules, edition: Edition) -> tuple[Message, ...]:
    sentences = [
        say("A card that starts or continues its colour's firework stays there; any other is discarded and is a mistake."),
        edition.mistake,
        say("Whether right or wrong, draw a card unseen."),
        say("Placing a 5 gives a clue token back, unless all are available."),
    ]
    if rules.announced_plays:
        sentences += [
            say("You may announce the colour of the firework that the card continues."),
            say("Right: one clue token more comes back, unless all are available."),
            say("Wrong, because the card does not fit or has another colour: the card is discarded and is a mistake."),
        ]
    return tuple(sentences)


def _end(rules: Rules) -> tuple[Message, ...]:
    return (
        say_n("The first mistake ends the game at once.", "Mistake number {n} ends the game at once.", rules.mistakes),
        {
            LastMistake.ZERO: say("The team then has 0 points."),
            LastMistake.LOST: say("The game is then lost, without a score."),
            LastMistake.POINTS: say("The team then keeps the points it has made."),
        }[rules.last_mistake],
        say("When all fireworks are complete, the game is won at once."),
        *(_last_round() if rules.has_last_round else _all_or_nothing()),
    )


def _last_round() -> tuple[Message, ...]:
    return (
        say("When the last card of the deck is drawn, everyone, the player who drew it included, has one more turn."),
        say("There is nothing left to draw in these turns."),
    )


def _all_or_nothing() -> tuple[Message, ...]:
    return (
        say("An empty deck does not end the game: play goes on with ever fewer cards in hand."),
        say("A player without cards can still give clues."),
        say("The game is lost as soon as a card is discarded without which a firework cannot be completed."),
        say("It is also lost when a player's turn comes who has neither a card nor a clue token to spend."),
    )


def _score(rules: Rules) -> tuple[Message, ...]:
    if not rules.counts_points:
        return (say("There are no points: the fireworks are perfect, or the game is lost."),)
    return (
        say("The score is the sum of the highest card of each firework, {maximum} at most.", maximum=rules.maximum),
        *(say("{scores} — {rating}", scores=scores, rating=words) for scores, words in _scale(rules.maximum)),
    )


def _scale(maximum: int) -> list[tuple[str, Message]]:
    bands = [(words, list(scores)) for words, scores in groupby(range(maximum + 1), key=rating)]
    return [(f"{scores[0]}-{scores[-1]}" if len(scores) > 1 else f"{scores[0]}", words) for words, scores in bands]


def _customs(rules: Rules) -> tuple[Message, ...]:
    mark = say("Mark a firework that can no longer be completed; its cards can still be discarded for clue tokens.")
    return (
        say("You may rearrange and turn your own cards at any time; that is no action and costs no turn."),
        say("The discard pile may be looked through at any time."),
        *((mark,) if rules.counts_points else ()),  # otherwise the game is over
        say("During a player's turn nobody comments on it or influences it."),
        say("Agree on the talk allowed otherwise: strict (clues only), harmless remarks, or free."),
    )
