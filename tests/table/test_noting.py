"""Private notes: on cards and turns, for their writer alone until the game is over and the writer shows them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamaya.table import ClueMemory, Decision, Note, Phase, Table, commands, notes_at
from tamaya.table.events import Noted, NotesShown, Parted
from tamaya.table.state import taken_back_to
from tests.table.fakes import ANN, BOB, CID, EVE, decided, ended, full_table, plain_settings, standing, started
from tests.table.second_thoughts import evening, refusal


def noted(person: str, text: str, **about: int) -> Decision:
    return lambda now: commands.note(now, person, text, **about)


def over(*decisions: Decision) -> Table:
    """A game that ends after these notes."""
    table = decided(started(), *decisions)
    while table.phase is Phase.PLAYING:
        assert table.to_move is not None
        person = table.seats[table.to_move].person
        table = decided(table, lambda now, who=person: commands.move(now, who, "play 1", now.turn))  # type: ignore[misc]
    return table


def test_a_note_is_on_a_card_or_a_turn_and_keeps_when_it_was_written() -> None:
    table = decided(started(), noted(ANN, "  a  one? ", card=7), lambda now: commands.move(now, ANN, "play 1", 0))
    table = decided(table, noted(ANN, "why did I?", turn=1), noted(ANN, "a two!", card=7))
    assert table.notes_for(ANN) == (Note(0, 0, "a one?", 7), Note(0, 1, "why did I?", None, 1), Note(0, 1, "a two!", 7))
    assert notes_at(table.notes_for(ANN), 0) == (Note(0, 0, "a one?", 7),)
    assert set(notes_at(table.notes_for(ANN), 1)) == set(table.notes_for(ANN)[1:])


def test_a_note_without_text_is_gone() -> None:
    table = decided(started(), noted(ANN, "x", card=7), noted(ANN, " ", card=7))
    assert notes_at(table.notes_for(ANN), table.turn) == ()
    assert commands.note(table, ANN, "", card=7) == [], "there is nothing to delete"
    assert commands.note(started(), ANN, "", card=7) == []


def test_the_same_note_twice_is_one() -> None:
    table = decided(started(), noted(ANN, "x", card=7))
    assert commands.note(table, ANN, " x ", card=7) == []
    assert commands.note(table, BOB, "x", card=7) == [Noted(1, "x", 7)]


def test_a_note_stays_with_its_card_when_the_hand_is_laid_out_anew() -> None:
    table = decided(started(), noted(ANN, "x", card=0), lambda now: commands.arrange(now, ANN, "4 3 2 1 0"))
    assert [(note.card, table.hand_numbers(0).index(note.card or 0)) for note in table.notes_for(ANN)] == [(0, 4)]


def test_nobody_else_reads_a_note_while_the_game_goes_on() -> None:
    table = decided(started(), noted(ANN, "x", card=7), noted(BOB, "y", turn=0))
    assert [note.text for note in table.notes_for(ANN)] == ["x"]
    assert [note.text for note in table.notes_for(BOB)] == ["y"]
    assert table.notes_for(CID) == table.notes_for(EVE) == table.notes_for("") == ()


def test_after_the_game_those_are_read_whose_writers_agree_and_until_they_no_longer_do() -> None:
    table = over(noted(ANN, "x", card=7), noted(BOB, "y", card=7))
    assert [note.text for note in table.notes_for(CID)] == []
    shown = decided(table, lambda now: commands.show_notes(now, BOB, True))
    assert [note.text for note in shown.notes_for(CID)] == [note.text for note in shown.notes_for(EVE)] == ["y"]
    assert [note.text for note in shown.notes_for(ANN)] == ["x", "y"]
    assert commands.show_notes(shown, BOB, True) == []
    assert commands.show_notes(shown, BOB, False) == [NotesShown(1, False)]
    assert decided(shown, lambda now: commands.show_notes(now, BOB, False)).notes_for(CID) == ()


def test_whoever_parts_with_a_game_takes_their_notes_with_them() -> None:
    table = decided(over(noted(ANN, "x", card=7), noted(BOB, "y", card=7)), lambda now: commands.show_notes(now, BOB, True))
    table = table.after([Parted(1)])
    assert table.notes_for(EVE) == table.notes_for(BOB) == ()
    assert [note.text for note in table.notes_for(ANN)] == ["x"]


@pytest.mark.parametrize(
    ("table", "decide", "code"),
    [
        (full_table(), noted(ANN, "x", card=0), "not_started"),
        (ended(), noted(ANN, "x", card=0), "game_over"),
        (started(), noted(EVE, "x", card=0), "no_seat"),
        (started(plain_settings(memory=ClueMemory.NOTHING)), noted(ANN, "x", card=0), "no_notes"),
        (started(), noted(ANN, "x" * 201, card=0), "bad_text"),
        (started(), noted(ANN, "a\x1bb", card=0), "bad_text"),
        (started(), noted(ANN, "x"), "bad_note"),
        (started(), noted(ANN, "x", card=0, turn=0), "bad_note"),
        (started(), noted(ANN, "x", card=15), "unknown_card"),
        (started(), noted(ANN, "x", card=-1), "unknown_card"),
        (started(), noted(ANN, "x", turn=1), "no_such_turn"),
        (decided(started(), noted(ANN, "x", card=0)), lambda now: commands.show_notes(now, ANN, True), "game_not_over"),
        (ended(), lambda now: commands.show_notes(now, ANN, True), "no_notes"),
        (over(noted(ANN, "x", card=0)), lambda now: commands.show_notes(now, BOB, True), "no_notes"),
        (over(noted(ANN, "x", card=0)), lambda now: commands.show_notes(now, EVE, True), "no_seat"),
    ],
)
def test_what_cannot_be_noted_is_refused_in_words(table: Table, decide: Decision, code: str) -> None:
    assert refusal(table, decide) == code


def test_notes_are_not_written_for_ever() -> None:
    table = started()
    for count in range(commands.MOST_NOTED):
        table = decided(table, noted(ANN, str(count), card=0))
    assert refusal(table, noted(ANN, "x", card=0)) == "too_many"
    assert commands.note(table, BOB, "x", card=0)


@given(st.integers(0, 2**32))
def test_whatever_others_write_changes_nothing_that_a_person_may_see(seed: int) -> None:
    """All notes of others could be missing: but for the sequence, nobody could tell."""
    table, happened = evening(seed)
    begun = started(table.settings, bots=(1,) if seed % 2 else (), seed=seed)
    happened = [event for event in happened if not isinstance(event, NotesShown)]
    table = begun.after(happened)
    others = begun.after(event for event in happened if not isinstance(event, Noted) or event.seat == 0)
    assert others.notes_for(ANN) == table.notes_for(ANN)
    assert others.view_for(ANN) == table.view_for(ANN)
    assert standing(others)[4:12] == standing(table)[4:12]


def test_such_evenings_do_write_notes() -> None:
    written = 0
    for seed in range(5):
        written += sum(isinstance(event, Noted) for event in evening(seed)[1])
    assert written > 5


def test_a_note_on_a_turn_that_was_taken_back_joins_the_one_on_the_turn_before() -> None:
    notes = (
        Note(0, 2, "first", turn=2),
        Note(0, 3, "second", turn=3),
        Note(0, 4, "third", turn=4),
        Note(0, 4, "", turn=4),
        Note(0, 4, "red", card=7),
    )
    kept = {(note.turn, note.card): note.text for note in notes_at(taken_back_to(notes, 2))}
    assert kept == {(2, None): "first · second", (None, 7): "red"}
