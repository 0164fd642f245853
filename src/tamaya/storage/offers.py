"""Which tables are shown to anybody who looks for one."""

from __future__ import annotations

from sqlalchemy import ColumnElement, exists, func, select

from tamaya.storage.schema import people, tables
from tamaya.table.ports import OFFERS


def is_offered_to(person: str) -> ColumnElement[bool]:
    """The tables that somebody may join and has no seat at; of each host the last ones only, so that nobody's hide all others.

    All of this is asked of the database: what is dropped afterwards would have taken the place of something else.
    """
    own = exists().where(people.c.code == tables.c.code, people.c.person == person)
    newest = func.row_number().over(partition_by=tables.c.offered, order_by=(tables.c.touched.desc(), tables.c.code))
    offers = select(tables.c.code, newest.label("place")).where(tables.c.offered.is_not(None), ~own).subquery()
    return tables.c.code.in_(select(offers.c.code).where(offers.c.place <= OFFERS))
