"""Advice, private notes, and which bot may play for whom."""

from __future__ import annotations

from functools import partial

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamaya import EDITIONS, TamayaError
from tamaya.bots import BOTS, DEFAULT_BOT, offered_bots
from tamaya.record import AdvisedTurn, from_text, native
from tamaya.table import AdvicePolicy, ClueMemory, Decision, Note, Phase, Settings, Table, commands, notes_at
from tamaya.table.events import AdviceTaken, BotSat, GameRemoved, Noted, NotesShown, TakenOver, decode, encode
from tamaya.table.lesson import right_actions
from tamaya.table.state import notes_after_take_back
from tests.support.fakes import (
    ALLOWED,
    ANN,
    BOB,
    CID,
    EVE,
    a_table,
    answers,
    deal_of,
    decided,
    ended,
    evening,
    full_table,
    moves,
    plain_settings,
    refusal,
    run,
    standing,
    started,
    tables_over,
    takes_back,
)
from tests.support.memory_store import MemoryStore


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


def test_a_note_is_on_a_card_or_a_turn_and_keeps_its_time() -> None:
    table = decided(started(), noted(ANN, "  a  one? ", card=7), lambda now: commands.move(now, ANN, "play 1", 0))
    table = decided(table, noted(ANN, "why did I?", turn=1), noted(ANN, "a two!", card=7))
    assert table.notes_for(ANN) == (Note(0, 0, "a one?", 7), Note(0, 1, "why did I?", None, 1), Note(0, 1, "a two!", 7))
    assert notes_at(table.notes_for(ANN), 0) == (Note(0, 0, "a one?", 7),)
    assert set(notes_at(table.notes_for(ANN), 1)) == set(table.notes_for(ANN)[1:])


def test_empty_text_deletes_a_note() -> None:
    table = decided(started(), noted(ANN, "x", card=7), noted(ANN, " ", card=7))
    assert notes_at(table.notes_for(ANN), table.turn) == ()
    assert commands.note(table, ANN, "", card=7) == [], "there is nothing to delete"
    assert commands.note(started(), ANN, "", card=7) == []


def test_repeating_a_note_stores_nothing() -> None:
    table = decided(started(), noted(ANN, "x", card=7))
    assert commands.note(table, ANN, " x ", card=7) == []
    assert commands.note(table, BOB, "x", card=7) == [Noted(1, "x", 7)]


def test_a_note_stays_with_its_card_when_the_hand_is_rearranged() -> None:
    table = decided(started(), noted(ANN, "x", card=0), lambda now: commands.arrange(now, ANN, "4 3 2 1 0"))
    assert [(note.card, table.hand_numbers(0).index(note.card or 0)) for note in table.notes_for(ANN)] == [(0, 4)]


def test_notes_are_private_while_the_game_goes_on() -> None:
    table = decided(started(), noted(ANN, "x", card=7), noted(BOB, "y", turn=0))
    assert [note.text for note in table.notes_for(ANN)] == ["x"]
    assert [note.text for note in table.notes_for(BOB)] == ["y"]
    assert table.notes_for(CID) == table.notes_for(EVE) == table.notes_for("") == ()


def test_after_the_game_players_show_and_hide_their_notes() -> None:
    table = over(noted(ANN, "x", card=7), noted(BOB, "y", card=7))
    assert [note.text for note in table.notes_for(CID)] == []
    shown = decided(table, lambda now: commands.show_notes(now, BOB, True))
    assert [note.text for note in shown.notes_for(CID)] == [note.text for note in shown.notes_for(EVE)] == ["y"]
    assert [note.text for note in shown.notes_for(ANN)] == ["x", "y"]
    assert commands.show_notes(shown, BOB, True) == []
    assert commands.show_notes(shown, BOB, False) == [NotesShown(1, False)]
    assert decided(shown, lambda now: commands.show_notes(now, BOB, False)).notes_for(CID) == ()


def test_notes_are_deleted_with_the_game_of_their_author() -> None:
    table = decided(over(noted(ANN, "x", card=7), noted(BOB, "y", card=7)), lambda now: commands.show_notes(now, BOB, True))
    table = table.after([GameRemoved(1)])
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
def test_invalid_notes_are_refused(table: Table, decide: Decision, code: str) -> None:
    assert refusal(table, decide) == code


def test_notes_are_limited() -> None:
    table = started()
    for count in range(commands.MAX_NOTES):
        table = decided(table, noted(ANN, str(count), card=0))
    assert refusal(table, noted(ANN, "x", card=0)) == "too_many"
    assert commands.note(table, BOB, "x", card=0)


@given(st.integers(0, 2**32))
def test_notes_of_others_change_nothing_that_a_person_sees(seed: int) -> None:
    """Apart from the sequence, a person sees the same with and without the notes of others."""
    table, happened = evening(seed)
    begun = started(table.settings, bots=(1,) if seed % 2 else (), seed=seed)
    happened = [event for event in happened if not isinstance(event, NotesShown)]
    table = begun.after(happened)
    others = begun.after(event for event in happened if not isinstance(event, Noted) or event.seat == 0)
    assert others.notes_for(ANN) == table.notes_for(ANN)
    assert others.view_for(ANN) == table.view_for(ANN)
    assert standing(others)[4:12] == standing(table)[4:12]


def test_random_games_contain_notes() -> None:
    written = 0
    for seed in range(5):
        written += sum(isinstance(event, Noted) for event in evening(seed)[1])
    assert written > 5


def test_a_note_on_a_turn_taken_back_is_appended_to_the_turn_before() -> None:
    notes = (
        Note(0, 2, "first", turn=2),
        Note(0, 3, "second", turn=3),
        Note(0, 4, "third", turn=4),
        Note(0, 4, "", turn=4),
        Note(0, 4, "red", card=7),
    )
    kept = {(note.turn, note.card): note.text for note in notes_at(notes_after_take_back(notes, 2))}
    assert kept == {(2, None): "first · second", (None, 7): "red"}


SHARED = msgspec.structs.replace(ALLOWED, advice=AdvicePolicy.EVERYBODY)
NEVER = msgspec.structs.replace(ALLOWED, advice=AdvicePolicy.NOBODY)


def asks(person: str, turn: int | None = None, line: int | None = None) -> Decision:
    """A request for advice, by default on the current turn."""
    return lambda now: commands.take_advice(
        now, person, now.turn if turn is None else turn, now.branch if line is None else line
    )


def test_a_person_alone_with_bots_may_ask_unless_the_settings_forbid_it() -> None:
    assert asks(ANN)(started(ALLOWED, bots=(1, 2))) == [AdviceTaken(0)]
    assert refusal(started(NEVER, bots=(1, 2)), asks(ANN)) == "no_advice"


def test_several_people_may_not_ask_unless_the_settings_allow_it() -> None:
    assert refusal(started(ALLOWED), asks(ANN)) == "no_advice"
    assert asks(ANN)(started(SHARED)) == [AdviceTaken(0)]


def test_a_person_for_whom_a_bot_plays_still_counts_as_a_person() -> None:
    table = decided(started(ALLOWED, bots=(2,)), lambda now: commands.take_over(now, ANN, 1, DEFAULT_BOT, away=True))
    assert refusal(table, asks(ANN)) == "no_advice"


def test_repeated_requests_for_advice_in_a_turn_count_once() -> None:
    table = decided(started(SHARED), asks(ANN))
    assert asks(ANN)(table) == []
    assert table.advised == (AdvisedTurn(0, 1),)


def test_only_the_player_to_move_may_ask_and_only_about_this_turn() -> None:
    table = decided(started(SHARED), *moves("clue 2 1"))
    assert refusal(table, asks(ANN)) == "not_your_turn"
    assert refusal(table, asks(EVE)) == "no_seat"
    assert refusal(table, asks(BOB, turn=0)) == "turn_over"
    assert refusal(table, asks(BOB, line=1)) == "turn_over"
    resting = decided(table, lambda now: commands.take_over(now, BOB, 1, "simple", away=False))
    assert refusal(resting, asks(BOB)) == "bot_plays"


def test_there_is_no_advice_before_the_deal_or_after_the_end() -> None:
    assert refusal(a_table(settings=SHARED), asks(ANN)) == "not_started"
    assert refusal(ended(SHARED), asks(ANN)) == "game_over"


def test_the_guided_first_deal_replaces_advice() -> None:
    guided = Settings(str(EDITIONS["standard"].rules(3)), lesson=True)
    table = decided(full_table(guided, bots=(1, 2)), lambda now: commands.start_lesson(now, ANN, partial(deal_of, 1)))
    while table.bot_to_move:
        assert table.to_move is not None
        table = decided(table, *moves(str(right_actions(table.view_of_seat(table.to_move))[0])))
    assert refusal(table, asks(ANN)) == "guided"


def test_a_take_back_does_not_remove_taken_advice() -> None:
    table = decided(started(SHARED), asks(ANN), *moves("clue 2 1"), asks(BOB), *moves("clue 3 1"), asks(CID))
    table = decided(table, *moves("discard 1"), takes_back(ANN), answers(BOB, True), answers(CID, True))
    assert table.turn == 0
    assert table.advised == (AdvisedTurn(0, 1), AdvisedTurn(1, 1), AdvisedTurn(2, 1))


def test_the_record_says_who_took_advice_and_when() -> None:
    table = decided(started(SHARED), asks(ANN), *moves("clue 2 1"), asks(BOB))
    while table.phase is Phase.PLAYING:
        table = decided(table, *moves("play 1"))
    record = table.record()
    assert record.advised == (AdvisedTurn(0, 1), AdvisedTurn(1, 2))
    assert from_text(native.write(record)).record == record


def test_lists_of_games_say_that_advice_was_taken() -> None:
    async def steps() -> None:
        store = MemoryStore()
        tables = tables_over(store)
        settings = Settings(ALLOWED.rules_text, starter="1")
        seats = [lambda now, seat=seat: commands.seat_bot(now, ANN, seat, "simple") for seat in (1, 2)]
        table = await tables.create(settings, ANN, "Ann", *seats, lambda now: commands.start(now, ANN, 0, tables.runtime.deal))
        before = store.listings[table.code].progress
        await tables.update(table.code, asks(ANN))
        after = store.listings[table.code].progress
        assert before is not None
        assert after is not None
        assert (before.advised, after.advised) == (0, 1)
        await tables.close()

    run(steps())


def test_the_events_say_that_advice_was_taken_but_not_which() -> None:
    line = encode(AdviceTaken(2))
    assert line == '{"event":"advised","seat":2}'
    assert decode(line) == AdviceTaken(2)


@pytest.mark.parametrize("settings", [ALLOWED, SHARED, NEVER])
def test_a_rematch_keeps_the_settings(settings: Settings) -> None:
    table = ended(settings, bots=(1, 2))
    _, events = commands.rematch(table, ANN, "zzzzzzzzzz")
    assert Table("zzzzzzzzzz", events).settings.advice is settings.advice


KEPT_BACK = sorted(set(BOTS) - set(offered_bots()))


def code_of_refusal(table: Table, decide: Decision) -> str:
    """The code of a refusal."""
    with pytest.raises(TamayaError) as problem:
        decide(table)
    return problem.value.code


def test_random_is_offered_and_some_bots_are_not() -> None:
    assert "random" in offered_bots()
    assert {"cheat", "faultless"} <= set(KEPT_BACK)


@pytest.mark.parametrize("bot", sorted({*offered_bots()} - {DEFAULT_BOT, "learned"}))
def test_players_may_not_choose_the_bot_for_an_absent_teammate(bot: str) -> None:
    assert code_of_refusal(started(), lambda now: commands.take_over(now, ANN, 1, bot, away=True)) == "not_your_bot"
    assert code_of_refusal(started(), lambda now: commands.take_over(now, ANN, 1, bot, away=False)) == "not_away"
    assert commands.take_over(started(), ANN, 0, bot, away=False) == [TakenOver(0, bot)], "for oneself, any"
    assert commands.seat_bot(a_table(), ANN, 1, bot) == [BotSat(1, bot, "Kiku")], "before the game, all players see it"


def test_a_bot_that_does_not_know_the_rules_of_a_table_gets_no_seat_there() -> None:
    assert len(started().seats) == 3
    assert code_of_refusal(started(), lambda now: commands.take_over(now, ANN, 0, "learned", away=False)) == "unknown_rules"
    assert code_of_refusal(a_table(), lambda now: commands.seat_bot(now, ANN, 1, "learned")) == "unknown_rules"
    for_two = a_table(settings=plain_settings(players=2))
    assert commands.seat_bot(for_two, ANN, 1, "learned") == [BotSat(1, "learned", "Kiku")]


def test_the_default_bot_plays_for_an_absent_player() -> None:
    assert commands.take_over(started(), ANN, 1, DEFAULT_BOT, away=True) == [TakenOver(1, DEFAULT_BOT)]


@pytest.mark.parametrize("bot", KEPT_BACK)
def test_a_bot_that_is_not_offered_gets_no_seat_at_all(bot: str) -> None:
    assert code_of_refusal(started(), lambda now: commands.take_over(now, ANN, 1, bot, away=True)) == "unknown_bot"
    assert code_of_refusal(started(), lambda now: commands.take_over(now, ANN, 0, bot, away=False)) == "unknown_bot"
    assert code_of_refusal(a_table(), lambda now: commands.seat_bot(now, ANN, 1, bot)) == "unknown_bot"
