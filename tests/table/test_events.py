"""Events survive encoding, and a table is fully described by its events."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamaya import TamayaError
from tamaya.rules import Message
from tamaya.storage import SqliteStore
from tamaya.table import AdvicePolicy, ChatPolicy, ClueMemory, Origin, Settings, SpectatorMode, Starter, Store, Table
from tamaya.table.events import (
    AdviceTaken,
    AnyEvent,
    BotSat,
    GameImported,
    GameRemoved,
    GivenBack,
    Moved,
    Noted,
    NotesShown,
    Opened,
    Readmitted,
    Rematched,
    Said,
    Sat,
    SeatFreed,
    Started,
    StartPosition,
    StoredMessage,
    TakeBackApproved,
    TakeBackDeclined,
    TakeBackRequested,
    TakenBack,
    TakenOver,
    decode,
    encode,
)
from tests.support.fakes import ANN, random_decision, run, standing, tables_over
from tests.support.memory_store import MemoryStore
from tests.tables import rules

text = st.text(max_size=50)
seat = st.integers(0, 4)


@st.composite
def settings(draw: st.DrawFn) -> Settings:
    """All kinds of settings."""
    watching = draw(st.sampled_from(SpectatorMode))
    return Settings(
        rules_text=str(draw(rules())),
        edition_name=draw(st.sampled_from(["standard", "french", "italian"])),
        variants=draw(st.sampled_from([(), ("one-mistake",), ("multicolour-ten", "all-or-nothing")])),
        talk=draw(st.sampled_from(ChatPolicy)),
        memory=draw(st.sampled_from(ClueMemory)),
        watching=watching,
        starter=draw(st.sampled_from([*map(str, Starter), "1", "5"])),
        listed=watching is not SpectatorMode.HANDS and draw(st.booleans()),
        take_backs=draw(st.booleans()),
        advice=draw(st.sampled_from(AdvicePolicy)),
        origin=draw(st.none() | st.builds(Origin, text, st.integers(0, 99))),
    )


def messages() -> st.SearchStrategy[Message]:
    """All kinds of messages: with numbers, texts, nested messages and lists of these."""
    plain = st.one_of(text, st.integers(-(2**53), 2**53), st.lists(text, max_size=3).map(tuple))

    def saying(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Message]:
        return st.builds(Message, text, text, st.integers(0, 99), text, st.dictionaries(text, values, max_size=3))

    inner = saying(plain)
    return saying(st.one_of(plain, inner, st.lists(inner, max_size=3).map(tuple)))


EVENTS: dict[type, st.SearchStrategy[Any]] = {
    Opened: st.builds(Opened, text, settings()),
    Sat: st.builds(Sat, seat, text, text),
    BotSat: st.builds(BotSat, seat, text, text),
    SeatFreed: st.builds(SeatFreed, seat, st.booleans()),
    Readmitted: st.builds(Readmitted, st.integers(0, 9)),
    GameRemoved: st.builds(GameRemoved, seat),
    StartPosition: st.builds(StartPosition, text, st.lists(text, max_size=3).map(tuple)),
    GameImported: st.builds(GameImported, text, settings(), text, st.none() | messages().map(StoredMessage.of)),
    Started: st.builds(Started, text, seat),
    Moved: st.builds(Moved, seat, text, st.booleans(), st.none() | messages().map(StoredMessage.of), st.booleans()),
    Said: st.builds(Said, seat, text, text),
    TakenOver: st.builds(TakenOver, seat, text),
    GivenBack: st.builds(GivenBack, seat),
    TakeBackRequested: st.builds(TakeBackRequested, seat, st.integers(0, 99)),
    TakeBackApproved: st.builds(TakeBackApproved, seat),
    TakeBackDeclined: st.builds(TakeBackDeclined, seat),
    TakenBack: st.builds(TakenBack, seat, st.integers(0, 99)),
    Noted: st.builds(Noted, seat, text, st.none() | st.integers(0, 59), st.none() | st.integers(0, 99)),
    AdviceTaken: st.builds(AdviceTaken, seat),
    NotesShown: st.builds(NotesShown, seat, st.booleans()),
    Rematched: st.builds(Rematched, text),
}


def test_the_examples_include_every_event() -> None:
    assert set(EVENTS) == set(get_args(AnyEvent))


@given(st.one_of(*EVENTS.values()))
def test_events_survive_encoding(event: AnyEvent) -> None:
    line = encode(event)
    assert "\n" not in line
    assert decode(line) == event
    assert type(decode(line)) is type(event)
    assert encode(decode(line)) == line


@given(messages())
def test_reasons_of_bots_survive_encoding(message: Message) -> None:
    kept = decode(encode(Moved(0, "play 1", True, StoredMessage.of(message))))
    assert isinstance(kept, Moved)
    assert kept.why is not None
    assert kept.why.message == message


@given(settings())
def test_settings_keep_their_rules(agreed: Settings) -> None:
    kept = decode(encode(Opened("p", agreed)))
    assert isinstance(kept, Opened)
    assert (kept.settings, kept.settings.rules, kept.settings.edition) == (agreed, agreed.rules, agreed.edition)


@pytest.mark.parametrize("line", ["", "{}", '{"event":"danced"}', '{"event":"sat","seat":"one"}', "[1]", '{"event":"stood"}'])
def test_a_line_that_is_no_event_is_refused(line: str) -> None:
    with pytest.raises(msgspec.DecodeError):
        decode(line)


async def random_evening(store: Store, agreed: Settings, seed: int, decisions: int) -> Table:
    """Play random decisions at a table; after each, its stored lines make the same table."""
    choice, tables = random.Random(seed), tables_over(store, seed)
    table = await tables.create(agreed, ANN, "Ann")
    for _ in range(decisions):
        before = await store.read_events(table.code)
        try:
            table = await tables.update(table.code, random_decision(table, choice))
        except TamayaError:
            assert await store.read_events(table.code) == before, "a refusal leaves no trace"
            assert standing(await tables.get(table.code)) == standing(table)
            continue
        while table.bot_to_move:
            table = await tables.refresh(table.code, table.sequence + 1)
            await asyncio.sleep(0)
        lines = await store.read_events(table.code)
        assert len(lines) == table.sequence
        assert standing(Table(table.code, map(decode, lines))) == standing(table)
    assert standing(await tables_over(store).get(table.code)) == standing(table), "another process sees the same"
    await tables.close()
    return table


async def in_memory(steps: Callable[[Store], Awaitable[Table]]) -> Table:
    return await steps(MemoryStore())


async def on_disk(steps: Callable[[Store], Awaitable[Table]]) -> Table:
    with TemporaryDirectory() as folder:
        return await steps(await SqliteStore.open(Path(folder) / "tables.db"))


@given(settings(), st.integers(0, 2**32))
def test_a_table_equals_what_its_stored_lines_make(agreed: Settings, seed: int) -> None:
    table = run(in_memory(lambda store: random_evening(store, agreed, seed, 30)))
    assert table.sequence > 2


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_the_stores_on_disk_and_in_memory_hold_the_same_events(seed: int) -> None:
    agreed = Settings(f"players={2 + seed % 4}")
    kept = [run(place(lambda store: random_evening(store, agreed, seed, 40))) for place in (in_memory, on_disk)]
    assert standing(kept[0]) == standing(kept[1])
    assert kept[0].turn > 0
