"""The guided first deal: a table like any other whose first turns are prepared."""

from tamaya.table.lesson.deal import FIRST, PLAYERS, prepared
from tamaya.table.lesson.guide import Guidance, guidance, right_actions

__all__ = ["FIRST", "PLAYERS", "Guidance", "guidance", "prepared", "right_actions"]
