"""Everything the product says, in six languages."""

from tamaya.i18n.catalogue import LANGUAGES, Catalogue, catalogue, pick_language, retold
from tamaya.i18n.events import tell
from tamaya.i18n.explain import Section, explain
from tamaya.i18n.letters import LETTERS
from tamaya.i18n.players import player_at

__all__ = [
    "LANGUAGES",
    "LETTERS",
    "Catalogue",
    "Section",
    "catalogue",
    "explain",
    "pick_language",
    "player_at",
    "retold",
    "tell",
]
