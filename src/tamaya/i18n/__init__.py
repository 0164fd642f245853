"""Everything the product says, in six languages."""

from tamaya.i18n.catalogue import LANGUAGES, Catalogue, catalogue, pick_language, reason_in_words
from tamaya.i18n.events import concerns, tell
from tamaya.i18n.explain import Section, explain
from tamaya.i18n.letters import LETTERS
from tamaya.i18n.players import player_at

__all__ = [
    "LANGUAGES",
    "LETTERS",
    "Catalogue",
    "Section",
    "catalogue",
    "concerns",
    "explain",
    "pick_language",
    "player_at",
    "reason_in_words",
    "tell",
]
