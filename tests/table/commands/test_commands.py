"""Which commands are allowed to whom, and when. A refusal has a code and changes nothing."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamaya import Game, IllegalError, Rules, TamayaError
from tamaya.bots import DEFAULT_BOT
from tamaya.engine import Event
from tamaya.record import MAX_ARRANGEMENTS
from tamaya.rules import Move
from tamaya.table import REMARKS, ChatPolicy, Decision, Phase, Settings, SpectatorMode, Table, commands
from tamaya.table.events import AnyEvent, GivenBack, Rematched, Said, Sat, SeatFreed, TakenBack, TakenOver
from tests.support.fakes import (
    ANN,
    BOB,
    CID,
    EVE,
    a_table,
    any_decision,
    bot_moves,
    deal_of,
    decided,
    ended,
    full_table,
    game_of,
    plain_settings,
    random_decision,
    standing,
    started,
)

DEAL = partial(deal_of, 3)
FREE = plain_settings(talk=ChatPolicy.FREE)
STRICT = plain_settings(talk=ChatPolicy.STRICT)


def refusal(table: Table, decide: Decision) -> str:
    """The code of a refusal that leaves the table as it was."""
    before = standing(table)
    with pytest.raises(TamayaError) as problem:
        table.after(decide(table))
    assert standing(table) == before
    assert str(problem.value)
    return problem.value.code


def test_the_person_who_opens_a_table_hosts_it_and_sits_at_it() -> None:
    table = a_table()
    assert (table.host, table.phase, table.seat_of(ANN), table.names) == (ANN, Phase.OPEN, 0, ("Ann", "", ""))
    assert (table.turn, table.to_move, table.bot_to_move, table.sequence) == (0, None, "", 2)


@pytest.mark.parametrize("name", ["", "   ", "x" * 41, "a\x1bb", "\u2028", "\u202e", "\ufeff"])
def test_a_name_has_from_1_to_40_printable_characters(name: str) -> None:
    def open_it(_: Table) -> list[object]:
        return list(commands.open_table(plain_settings(), ANN, name))

    assert refusal(a_table(), open_it) == "bad_name"  # type: ignore[arg-type]
    assert refusal(a_table(), lambda now: commands.sit(now, BOB, name)) == "bad_name"


def test_blanks_in_names_and_messages_are_collapsed() -> None:
    assert commands.checked_name("  Ann \n  Lee ") == "Ann Lee"
    assert commands.send_message(a_table(), ANN, text=" hello\r\n  there\t ") == [Said(0, "", "hello there")]


def test_people_take_the_first_free_seat_or_the_requested_one() -> None:
    table = a_table()
    assert commands.sit(table, BOB, "Bob") == [Sat(1, BOB, "Bob")]
    assert commands.sit(table, BOB, "Bob", 2) == [Sat(2, BOB, "Bob")]
    assert commands.sit(table, ANN, "Ann", 2) == [SeatFreed(0), Sat(2, ANN, "Ann")]
    moved = decided(table, lambda now: commands.sit(now, ANN, "Ann", 2))
    assert moved.names == ("", "", "Ann")


@pytest.mark.parametrize(
    ("table", "decide", "code"),
    [
        (a_table(), lambda now: commands.sit(now, ANN, "Ann"), "already_seated"),
        (a_table(), lambda now: commands.sit(now, ANN, "Ann", 0), "already_seated"),
        (a_table(), lambda now: commands.sit(now, BOB, "Bob", 0), "seat_taken"),
        (a_table(), lambda now: commands.sit(now, BOB, "Bob", 3), "seat_taken"),
        (a_table(), lambda now: commands.sit(now, BOB, "Bob", -1), "seat_taken"),
        (a_table(), lambda now: commands.sit(now, BOB, "aNN"), "name_taken"),
        (full_table(bots=[2]), lambda now: commands.sit(now, EVE, "Eve"), "table_full"),
        (full_table(), lambda now: commands.sit(now, BOB, "Bob", 0), "table_full"),
        (a_table(), lambda now: commands.leave_seat(now, BOB, 0), "not_host"),
        (a_table(), lambda now: commands.leave_seat(now, ANN, 1), "seat_free"),
        (a_table(), lambda now: commands.leave_seat(now, ANN, 3), "unknown_seat"),
        (a_table(), lambda now: commands.leave_seat(now, ANN, -1), "unknown_seat"),
        (full_table(), lambda now: commands.leave_seat(now, CID, 1), "not_host"),
        (full_table(bots=[1]), lambda now: commands.leave_seat(now, CID, 1), "not_host"),
        (a_table(), lambda now: commands.seat_bot(now, BOB, 1, "simple"), "not_host"),
        (a_table(), lambda now: commands.seat_bot(now, ANN, 0, "simple"), "seat_taken"),
        (a_table(), lambda now: commands.seat_bot(now, ANN, 5, "simple"), "unknown_seat"),
        (a_table(), lambda now: commands.seat_bot(now, ANN, 1, "deep"), "unknown_bot"),
        (full_table(), lambda now: commands.start(now, BOB, 0, DEAL), "not_host"),
        (full_table(), lambda now: commands.start(now, EVE, 0, DEAL, host_away=True), "not_host"),
        (full_table(), lambda now: commands.rename(now, EVE, "Eve"), "no_seat"),
        (full_table(), lambda now: commands.rename(now, ANN, "BOB"), "name_taken"),
        (full_table(), lambda now: commands.rename(now, ANN, ""), "bad_name"),
        (started(), lambda now: commands.rename(now, ANN, "Anna"), "started"),
        (a_table(), lambda now: commands.start(now, ANN, 0, DEAL), "seats_free"),
        (full_table(), lambda now: commands.start(now, ANN, 3, DEAL), "unknown_seat"),
        (full_table(), lambda now: commands.start(now, ANN, -1, DEAL), "unknown_seat"),
        (full_table(), lambda now: commands.move(now, ANN, "play 1", 0), "not_started"),
        (full_table(), lambda now: commands.arrange(now, ANN, "0 1 2 3 4"), "not_started"),
        (full_table(), lambda now: commands.take_over(now, ANN, 1, "simple", True), "not_started"),
        (full_table(), lambda now: commands.give_back(now, ANN), "not_started"),
        (full_table(), lambda now: commands.rematch(now, ANN, "b" * 10)[0], "game_not_over"),
        (full_table(), lambda now: commands.send_message(now, EVE, text="hello"), "no_seat"),
        (started(), lambda now: commands.sit(now, EVE, "Eve"), "started"),
        (started(), lambda now: commands.leave_seat(now, BOB, 1), "started"),
        (started(), lambda now: commands.leave_seat(now, ANN, 1), "started"),
        (started(), lambda now: commands.seat_bot(now, ANN, 1, "simple"), "started"),
        (started(), lambda now: commands.start(now, ANN, 0, DEAL), "started"),
        (started(), lambda now: commands.move(now, EVE, "play 1", 0), "no_seat"),
        (started(), lambda now: commands.move(now, BOB, "play 1", 0), "not_your_turn"),
        (started(), lambda now: commands.move(now, BOB, "play 1", 1), "turn_over"),
        (started(), lambda now: commands.move(now, ANN, "play 1", 1), "turn_over"),
        (started(), lambda now: commands.move(now, ANN, "play 1", -1), "turn_over"),
        (started(), lambda now: commands.move(now, ANN, "dance", 0), "malformed_action"),
        (started(), lambda now: commands.move(now, ANN, "", 0), "malformed_action"),
        (started(), lambda now: commands.move(now, ANN, "arrange 1: 2 1 3 4 5", 0), "malformed_action"),
        (started(), lambda now: commands.move(now, ANN, "play 6", 0), "no_such_card"),
        (started(), lambda now: commands.move(now, ANN, "discard 1", 0), "no_discard"),
        (started(), lambda now: commands.move(now, ANN, "clue 1 red", 0), "clue_self"),
        (started(), lambda now: commands.move(now, ANN, "clue 4 red", 0), "unknown_player"),
        (started(), lambda now: commands.move(now, ANN, "play 1 as red", 0), "no_announcement"),
        (started(), lambda now: commands.arrange(now, EVE, "0 1 2 3 4"), "no_seat"),
        (started(), lambda now: commands.arrange(now, BOB, "0 1 2 3 4"), "hand_changed"),
        (started(), lambda now: commands.arrange(now, ANN, "0 1 2 3"), "hand_changed"),
        (started(), lambda now: commands.arrange(now, ANN, "0 1 2 3 3"), "hand_changed"),
        (started(), lambda now: commands.arrange(now, ANN, "0 1 2 3 4--"), "hand_changed"),
        (started(), lambda now: commands.arrange(now, ANN, ""), "hand_changed"),
        (started(), lambda now: commands.give_back(now, ANN), "no_bot_there"),
        (started(), lambda now: commands.take_over(now, EVE, 1, "simple", True), "no_seat"),
        (started(), lambda now: commands.take_over(now, ANN, 1, "simple", False), "not_away"),
        (started(), lambda now: commands.take_over(now, ANN, 9, "simple", True), "unknown_seat"),
        (started(), lambda now: commands.take_over(now, ANN, 0, "deep", False), "unknown_bot"),
        (started(bots=[1]), lambda now: commands.take_over(now, ANN, 1, "simple", True), "bot_plays_already"),
        (started(), lambda now: commands.rematch(now, ANN, "b" * 10)[0], "game_not_over"),
        (ended(), lambda now: commands.move(now, ANN, "play 1", now.turn), "game_over"),
        (ended(), lambda now: commands.arrange(now, ANN, "0 1 2 3 4"), "game_over"),
        (ended(), lambda now: commands.take_over(now, ANN, 0, "simple", False), "game_over"),
        (ended(), lambda now: commands.give_back(now, ANN), "game_over"),
        (ended(), lambda now: commands.sit(now, EVE, "Eve"), "started"),
        (ended(), lambda now: commands.start(now, ANN, 0, DEAL), "started"),
        (ended(), lambda now: commands.rematch(now, EVE, "b" * 10)[0], "no_seat"),
        (ended().after([Rematched("b" * 10)]), lambda now: commands.rematch(now, ANN, "c" * 10)[0], "rematch_begun"),
        (a_table(), lambda now: commands.send_message(now, ANN), "nothing_said"),
        (a_table(), lambda now: commands.send_message(now, ANN, "thanks", "and more"), "nothing_said"),
        (a_table(), lambda now: commands.send_message(now, ANN, "rude"), "nothing_said"),
        (a_table(), lambda now: commands.send_message(now, ANN, text="x" * 201), "bad_text"),
        (a_table(), lambda now: commands.send_message(now, ANN, text="\x1b[2J"), "bad_text"),
    ],
)
def test_refused_commands_change_nothing(table: Table, decide: Decision, code: str) -> None:
    assert refusal(table, decide) == code


def test_a_game_without_people_does_not_start() -> None:
    bots = decided(full_table(bots=[1, 2]), lambda now: commands.leave_seat(now, ANN, 0))
    bots = decided(bots, lambda now: commands.seat_bot(now, ANN, 0, "simple"))
    assert refusal(bots, lambda now: commands.start(now, ANN, 0, DEAL)) == "no_people"


def test_the_host_frees_every_seat_and_players_their_own() -> None:
    table = full_table(bots=[2])
    assert commands.leave_seat(table, ANN, 2) == [SeatFreed(2)]
    assert commands.leave_seat(table, ANN, 1) == [SeatFreed(1, removed=True)]
    assert commands.leave_seat(table, BOB, 1) == [SeatFreed(1)]
    gone = decided(table, lambda now: commands.leave_seat(now, ANN, 0))
    assert gone.seats[0].free
    assert commands.leave_seat(gone, ANN, 1) == [SeatFreed(1, removed=True)], "a host who stands up is still the host"


def test_bots_have_different_names() -> None:
    settings = plain_settings(5)
    table = decided(a_table(settings=settings), lambda now: commands.sit(now, BOB, "kiku"))
    for seat in (2, 3, 4):
        table = decided(table, partial(commands.seat_bot, person=ANN, seat=seat, bot="simple"))
    folded = [name.casefold() for name in table.names]
    assert len(set(folded)) == 5
    assert [seat.bot for seat in table.seats] == ["", "", "simple", "simple", "simple"]


@pytest.mark.parametrize("first", [0, 1, 2])
def test_the_first_player_has_seat_0_and_the_others_follow_clockwise(first: int) -> None:
    names = ("Ann", "Bob", "Cid")
    table = started(first=first)
    assert table.names == names[first:] + names[:first]
    assert table.to_move == 0
    assert (table.phase, table.turn) == (Phase.PLAYING, 0)
    assert table.view_for(ANN).seat == table.seat_of(ANN) == (-first) % 3


def test_only_the_player_to_move_moves_and_each_move_is_a_turn() -> None:
    table = decided(started(), lambda now: commands.move(now, ANN, "play 1", 0))
    assert (table.turn, table.to_move) == (1, 1)
    assert refusal(table, lambda now: commands.move(now, ANN, "play 1", 0)) == "turn_over"
    assert refusal(table, lambda now: commands.move(now, ANN, "play 1", 1)) == "not_your_turn"
    assert decided(table, lambda now: commands.move(now, BOB, "play 1", 1)).turn == 2


def test_a_move_is_applied_once(monkeypatch: pytest.MonkeyPatch) -> None:
    table = started(bots=(1,))
    applied: list[Move] = []
    honest = Game.move

    def counted(game: Game, move: Move) -> Event:
        applied.append(move)
        return honest(game, move)

    monkeypatch.setattr(Game, "move", counted)
    table = decided(
        table,
        lambda now: commands.arrange(now, ANN, "4 3 2 1 0"),
        lambda now: commands.move(now, ANN, " PLAY  1 ", 0),
        lambda now: bot_moves(now, "play 2", 1),
    )
    assert list(map(str, applied)) == ["arrange 1: 5 4 3 2 1", "play 1", "play 2"]
    assert game_of(table).moves == tuple(applied)


def test_a_player_rearranges_their_hand_at_any_time_without_a_turn() -> None:
    table = started()
    numbers = table.hand_numbers(1)
    wanted = " ".join(f"{number}{'-' if number == numbers[2] else ''}" for number in reversed(numbers))
    after = decided(table, lambda now: commands.arrange(now, BOB, wanted))
    assert after.hand_numbers(1) == tuple(reversed(numbers))
    assert [seen.turned for seen in after.view_for(BOB).hand] == [False, False, True, False, False]
    assert (after.turn, after.to_move, after.arrangements) == (0, 0, 1)


def test_a_bot_plays_for_a_player_until_they_take_the_seat_back() -> None:
    table = decided(started(), lambda now: commands.take_over(now, BOB, 0, DEFAULT_BOT, away=True))
    assert (table.seats[0].person, table.seats[0].bot, table.bot_to_move) == (ANN, DEFAULT_BOT, DEFAULT_BOT)
    assert refusal(table, lambda now: commands.move(now, ANN, "play 1", 0)) == "bot_plays"
    assert refusal(table, lambda now: commands.arrange(now, ANN, "0 1 2 3 4")) == "bot_plays"
    assert refusal(table, lambda now: commands.take_over(now, ANN, 0, "simple", away=False)) == "bot_plays_already"
    assert commands.give_back(table, ANN) == [GivenBack(0)]
    back = decided(table, lambda now: commands.give_back(now, ANN))
    assert (back.seats, back.bot_to_move) == (started().seats, "")
    own = decided(started(), lambda now: commands.take_over(now, ANN, 0, "simple", away=False))
    assert own.bot_to_move == "simple"


def test_a_bots_move_counts_only_for_the_turn_it_was_chosen_for() -> None:
    table = started()
    assert bot_moves(table, "play 1", 0) == [], "it is a person's turn"
    table = decided(table, lambda now: commands.take_over(now, ANN, 0, "simple", away=False))
    assert bot_moves(table, "play 1", 1) == []
    assert [str(event) for event in bot_moves(table, "play 1", 0)] == [
        "Moved(seat=0, move='play 1', bot=True, why=None, replaced=False)"
    ]
    assert refusal(table, lambda now: bot_moves(now, "play 9", 0)) == "no_such_card"
    assert bot_moves(ended(), "play 1", ended().turn) == []


def test_a_move_chosen_for_another_order_of_the_hand_is_refused() -> None:
    table = started()
    assert commands.move(table, ANN, "play 1", 0, "0 1 2 3 4") != []
    turned = decided(table, lambda now: commands.arrange(now, ANN, "4 0 1 2 3"))
    assert refusal(turned, lambda now: commands.move(now, ANN, "play 1", 0, "0 1 2 3 4")) == "hand_changed"
    assert commands.move(turned, ANN, "play 1", 0, "4 0 1 2 3") != []
    with_bot = decided(turned, lambda now: commands.take_over(now, ANN, 0, "simple", away=False))
    assert bot_moves(with_bot, "play 1", 0, (0, 1, 2, 3, 4)) == []
    assert bot_moves(with_bot, "play 1", 0, (4, 0, 1, 2, 3)) != []


def tables_by_talk() -> Iterator[tuple[Table, ChatPolicy]]:
    for talk in ChatPolicy:
        for make in (full_table, started, ended):
            yield make(plain_settings(talk=talk)), talk


@pytest.mark.parametrize(("table", "talk"), list(tables_by_talk()))
def test_talk_is_free_before_and_after_and_by_the_settings_during_the_game(table: Table, talk: ChatPolicy) -> None:
    playing = table.phase is Phase.PLAYING
    for remark in REMARKS:
        if playing and talk is ChatPolicy.STRICT:
            assert refusal(table, lambda now, remark=remark: commands.send_message(now, BOB, remark)) == "strict_talk"  # type: ignore[misc]
        else:
            assert commands.send_message(table, BOB, remark) == [Said(1, remark)]
    if playing and talk is not ChatPolicy.FREE:
        wanted = "strict_talk" if talk is ChatPolicy.STRICT else "remarks_only"
        assert refusal(table, lambda now: commands.send_message(now, BOB, text="it is red")) == wanted
    else:
        assert commands.send_message(table, BOB, text="x" * 200) == [Said(1, "", "x" * 200)]


def test_messages_and_rearrangements_are_limited() -> None:
    table = a_table().after([Said(0, "thanks")] * commands.MAX_MESSAGES)
    assert refusal(table, lambda now: commands.send_message(now, ANN, "thanks")) == "too_many"
    game = started()
    event = commands.arrange(game, ANN, " ".join(map(str, game.hand_numbers(0))))
    game = game.after(event * MAX_ARRANGEMENTS)
    assert refusal(game, lambda now: commands.arrange(now, ANN, "0 1 2 3 4")) == "too_many"
    assert commands.move(game, ANN, "play 1", 0), "the game itself goes on"


def test_rearrangements_that_were_taken_back_count_too() -> None:
    game = started()
    event = commands.arrange(game, ANN, " ".join(map(str, game.hand_numbers(0))))
    game = game.after([*commands.move(game, ANN, "play 1", 0), *event * MAX_ARRANGEMENTS, TakenBack(0, 0)])
    assert (game.turn, game.arrangements) == (0, MAX_ARRANGEMENTS)
    assert refusal(game, lambda now: commands.arrange(now, ANN, "0 1 2 3 4")) == "too_many"


def test_a_player_may_change_their_name_until_the_game_begins() -> None:
    table = decided(full_table(), lambda now: commands.rename(now, BOB, " Bobby  B "))
    assert table.names == ("Ann", "Bobby B", "Cid")
    assert table.seat_of(BOB) == 1
    assert commands.rename(table, BOB, "Bobby B") == []
    assert decided(table, lambda now: commands.rename(now, BOB, "bobby b")).names[1] == "bobby b", "one's own name is not taken"


def test_while_the_host_is_away_every_seated_player_may_start_the_game() -> None:
    table = decided(full_table(), lambda now: commands.start(now, BOB, 1, DEAL, host_away=True))
    assert (table.phase, table.names[0]) == (Phase.PLAYING, "Bob")


@pytest.mark.parametrize("watching", SpectatorMode)
def test_spectators_see_what_the_settings_allow(watching: SpectatorMode) -> None:
    settings = plain_settings(watching=watching)
    assert all(table(settings).may_look(person) for table in (started, ended) for person in (ANN, BOB, CID))
    assert full_table(settings).may_look(EVE), "visitors of an open table may want to sit down"
    assert started(settings).may_look(EVE) is ended(settings).may_look(EVE) is (watching is not SpectatorMode.NOBODY)
    faces = [[seen.card is not None for seen in hand] for hand in started(settings).view_for(EVE).hands]
    assert faces == [[watching is SpectatorMode.HANDS] * 5] * 3
    assert started(settings).view_for(EVE).seat is None
    for person in (ANN, BOB, CID):
        view = started(settings).view_for(person)
        assert [all(seen.card for seen in hand) for hand in view.hands] == [seat != view.seat for seat in range(3)]


@pytest.mark.parametrize("watching", SpectatorMode)
def test_a_host_without_a_seat_is_a_spectator(watching: SpectatorMode) -> None:
    table = decided(full_table(plain_settings(watching=watching)), lambda now: commands.leave_seat(now, ANN, 0))
    table = decided(table, lambda now: commands.seat_bot(now, ANN, 0, "simple"), lambda now: commands.start(now, ANN, 0, DEAL))
    assert table.may_look(ANN)
    assert table.view_for(ANN) == table.view_for(EVE)


def test_the_record_is_available_after_the_end_only() -> None:
    for table, code in ((started(), "game_not_over"), (full_table(), "not_started")):
        with pytest.raises(IllegalError) as problem:
            table.record()
        assert problem.value.code == code
    table = ended(bots=[1])
    record = table.record()
    assert (record.names, record.bots, len(record.moves)) == (table.names, (None, "simple", None), table.turn)


@given(st.integers(0, 2**32), st.sampled_from([FREE, STRICT, Settings(str(Rules(2, announced_plays=True)))]))
def test_every_command_returns_events_or_refuses_and_leaves_the_table_unchanged(seed: int, settings: Settings) -> None:
    choice = random.Random(seed)
    table = a_table(settings=settings)
    for _ in range(60):
        decide: Callable[[Table], list[AnyEvent]] = random_decision(table, choice)
        before = standing(table)
        events: list[AnyEvent] = []
        following = table
        try:
            events = decide(table)
            assert standing(table) == before, "a command changes nothing itself"
            following = table.after(events)
        except TamayaError:
            events = []
        assert standing(table) == before, "`after` makes another table"
        assert following.sequence == table.sequence + len(events)
        table = following
    assert table.sequence > 2


@given(st.integers(0, 2**32))
def test_strangers_change_nothing(seed: int) -> None:
    choice = random.Random(seed)
    for table in (full_table(), started(), ended(), started(bots=[1, 2])):
        try:
            events = any_decision(table, choice, [EVE])(table)
        except TamayaError:
            events = []
        assert not any(isinstance(event, (Sat, SeatFreed, Said, TakenOver, GivenBack, Rematched)) for event in events)
        assert all(getattr(event, "bot", False) for event in events), "only a bot moves without a person"
