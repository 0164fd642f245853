"""Everything the product says, in six languages."""

from tamaya.i18n.catalogue import LANGUAGES, Catalogue, catalogue, pick_language, reason_in_words
from tamaya.i18n.events import concerns, tell
from tamaya.i18n.explain import Section, explain
from tamaya.i18n.letters import LETTERS
from tamaya.i18n.numbers import tenths
from tamaya.i18n.players import player_at, with_names
from tamaya.i18n.proposals import move_words, propose, propose_clue

__all__ = [
    "LANGUAGES",
    "LETTERS",
    "Catalogue",
    "Section",
    "catalogue",
    "concerns",
    "explain",
    "move_words",
    "pick_language",
    "player_at",
    "propose",
    "propose_clue",
    "reason_in_words",
    "tell",
    "tenths",
    "with_names",
]
