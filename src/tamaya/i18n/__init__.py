"""Translation into six languages: catalogues, and sentences for events, moves and rules."""

from tamaya.i18n.catalogue import LANGUAGES, LETTERS, Catalogue, catalogue, pick_language, reason_in_words, tenths
from tamaya.i18n.player_names import player_at, with_names
from tamaya.i18n.rules_text import Section, explain
from tamaya.i18n.sentences import concerns, move_words, propose, propose_clue, tell

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
