"""Everything the product says, in six languages."""

from tamaya.i18n.catalogue import LANGUAGES, Catalogue, catalogue, pick_language
from tamaya.i18n.events import tell
from tamaya.i18n.explain import Section, explain

__all__ = ["LANGUAGES", "Catalogue", "Section", "catalogue", "explain", "pick_language", "tell"]
