"""The command line: rules, editions, play, verify and convert."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tamaya import EDITIONS, Game, Rules
from tamaya.cli import tamaya as command_line
from tamaya.i18n import LANGUAGES
from tamaya.record import Record, Stop, hanab_live, native


def tamaya(*arguments: str, typed: str = "") -> Result:
    return CliRunner(env={"LC_ALL": "en_GB.UTF-8", "COLUMNS": "100"}).invoke(command_line, arguments, input=typed)


@pytest.fixture
def record() -> Record:
    game = Game(Rules(players=2), seed=4)
    while game.outcome is None:
        game.act(game.legal_actions()[0])
    return Record.of(game, ("a", "b"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_rules_explains_every_edition_in_every_language(edition: str, language: str) -> None:
    result = tamaya("rules", edition, "--lang", language)
    assert result.exit_code == 0
    assert len(result.output.splitlines()) > 20


def test_rules_combines_variants_and_settings() -> None:
    result = tamaya("rules", "french", "--variant", "bouquet final", "--variant", "B", "--players", "5", "--set", "mistakes=2")
    assert result.exit_code == 0
    for words in ("6 fireworks", "5 players", "Mistake number 2", "There are no points"):
        assert words in result.output


def test_rules_have_headings_in_the_chosen_language_with_the_booklets_titles() -> None:
    heading = tamaya("rules", "spanish", "--variant", "C", "--variant", "all-or-nothing", "--lang", "fr").output.splitlines()[0]
    assert heading == "Édition espagnole · Abacus 2012 · Farbrausch (2ª variante) · Bouquet final"


def test_rules_as_json_can_be_read_again() -> None:
    result = tamaya("rules", "spanish", "--variant", "C", "--json")
    assert Rules.from_json(json.loads(result.output)) == EDITIONS["spanish"].rules(players=3, variants=["C"])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("rules", "german"), "There is no edition “german”"),
        (("rules", "--variant", "Z"), "“Z” does not name one variant"),
        (("rules", "--variant", "A", "--variant", "B"), "contradict each other"),
        (("rules", "--players", "7"), "players cannot be 7; allowed: 2, 3, 4, 5."),
        (("rules", "--set", "mistakes"), "Write a setting like this: mistakes=2"),
        (("rules", "--set", "speed=1"), "There is no setting “speed”"),
        (("rules", "--lang", "tlh"), "There is no language “tlh”"),
        (("play", "--bot", "deep"), "There is no bot “deep”"),
        (("play", "--seat", "4"), "Your seat is a number from 1 to 3."),
        (("play", "--name", ""), "A name has from 1 to 40 printable characters."),
        (("play", "nowhere.json"), "There is no file nowhere.json."),
        (("play", "nowhere.json", "--players", "4"), "A saved game brings its own players"),
        (("play", "--name", "\x1b[2J"), "A name has from 1 to 40 printable characters."),
        (("convert", "nowhere.json"), "There is no file nowhere.json."),
    ],
)
def test_invalid_arguments_are_refused_with_the_valid_ones(arguments: tuple[str, ...], words: str) -> None:
    result = tamaya(*arguments)
    assert result.exit_code == 2
    assert words in result.output
    assert "Traceback" not in result.output


def test_errors_are_in_the_chosen_language() -> None:
    assert "edición" in tamaya("rules", "german", "--lang", "es").output
    assert "édition" in tamaya("rules", "german", "--lang", "fr").output


def test_editions_lists_every_edition_and_variant() -> None:
    output = tamaya("editions").output
    for edition in EDITIONS.values():
        assert edition.name in output
        assert all(title in output for title in edition.booklet.values())


def test_play_is_a_game_with_bots() -> None:
    result = tamaya("play", "--seed", "7", "--name", "Ana", "--players", "4", typed="play 1\nq\n")
    assert result.exit_code == 0
    assert "You play" in result.output
    assert "Yanagi" in result.output


@pytest.mark.parametrize("seed", ["7", "hanabi", "99999999999999999999999", "-1", "夏"])
def test_any_number_or_word_is_a_seed_and_repeats_its_deal(seed: str) -> None:
    first, second = (tamaya("play", "--seed", seed, "--name", "Ana", typed="q\n").output for _ in range(2))
    assert first == second


def test_end_of_input_leaves_the_table() -> None:
    assert tamaya("play", typed="").exit_code == 0


def test_a_saved_game_is_resumed(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    tamaya("play", "--seed", "7", "--name", "Ana", typed=f"play 1\nsave {path}\nq\n")
    result = tamaya("play", str(path), typed="log\nplay 2\nsave\nq\n")
    assert "You play" in result.output
    assert f"Saved as {path}" in " ".join(result.output.split())
    assert result.exit_code == 0


def test_a_resumed_game_keeps_the_seat_and_hides_its_hand(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    tamaya("play", "--seed", "5", "--seat", "2", "--name", "Ana", typed=f"save {path}\nq\n")
    screen = tamaya("play", str(path), typed="q\n").output
    assert "▶2 Ana" in screen
    assert "??" in screen.split("▶2 Ana")[1]


def test_a_file_of_another_format_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(text := json.dumps(hanab_live.to_json(Record.of(Game(seed=1), ("a", "b")))))
    result = tamaya("play", str(path), typed=f"play 1\nsave {path}\nq\nq\n")
    assert "already; choose another name" in " ".join(result.output.split())
    assert path.read_text() == text


def test_a_damaged_game_resumes_before_the_damage(tmp_path: Path, record: Record) -> None:
    path = tmp_path / "game.json"
    path.write_text(native.write(record)[:-30])
    result = tamaya("play", str(path), typed="q\n")
    assert "The file is damaged in line" in result.output
    assert result.exit_code == 0


def lines_of(result: Result) -> list[dict[str, object]]:
    return [json.loads(line) for line in result.output.splitlines()]


def test_verify_reads_all_formats_and_prints_a_line_a_game(tmp_path: Path, record: Record) -> None:
    files = {
        "own.json": native.write(record),
        "live.json": json.dumps(hanab_live.to_json(record), indent=2),
        "many.jsonl": "\n".join(
            json.dumps({"id": n, "expected": {"mistakes": 3}, "game": native.to_json(record)}) for n in range(3)
        ),
        "bare.jsonl": "\n".join(json.dumps(hanab_live.to_json(record)) for _ in range(2)),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    paths = [str(tmp_path / name) for name in files]
    result = tamaya("verify", "--json", *paths)
    rows = lines_of(result)
    assert result.exit_code == 0
    assert rows[-1] == {"games": 7, "ok": 7, "wrong": 0}
    assert [row["id"] for row in rows[:-1]] == ["own.json", "live.json", "0", "1", "2", "bare.jsonl:1", "bare.jsonl:2"]
    assert all(set(row) == {"id", "ok", "fireworks", "mistakes", "ended", "turns", "error"} for row in rows[:-1])
    assert all((row["mistakes"], row["ended"], row["error"]) == (3, "strikeout", None) for row in rows[:-1])
    assert "7 games, 7 right." in tamaya("verify", *paths).output
    assert tamaya("verify", "--quiet", *paths).output == "7 games, 7 right.\n"
    assert lines_of(tamaya("verify", "--quiet", "--json", *paths)) == [{"games": 7, "ok": 7, "wrong": 0}]


@pytest.mark.parametrize("wrong", [{"fireworks": 24}, {"ended": "normal"}, {"turns": 1}, {"unheard": 1}])
def test_verify_reports_mismatches(tmp_path: Path, record: Record, wrong: dict[str, object]) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(json.dumps({"id": "x", "expected": wrong, "game": native.to_json(record)}))
    result = tamaya("verify", str(path), "--json")
    assert result.exit_code == 1
    assert f"{next(iter(wrong))} is" in str(lines_of(result)[0]["error"])


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\xff\xfe", b"{}\n{}\n", b'{"id": 1}\n{"game": 3}\n', b"[1, 2]", b"hello", b'{"game": {}, "expected": 3}'],
)
def test_verify_survives_any_file(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    result = tamaya("verify", str(path), str(tmp_path), str(tmp_path / "nowhere"))
    assert result.exit_code == 1
    assert "Traceback" not in result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)


def test_verify_names_the_invalid_move(tmp_path: Path, record: Record) -> None:
    data = native.to_json(record)
    data["moves"][2] = "clue 2 9"
    path = tmp_path / "game.json"
    path.write_text(json.dumps(data))
    row = lines_of(tamaya("verify", str(path), "--json"))[0]
    assert (row["ok"], row["turns"]) == (False, 2)
    assert str(row["error"]).startswith("Move 3: There is no value 9")


LONG = "9" * 4301
"""More digits than Python reads as a number."""


@pytest.mark.parametrize("move", ["clue 2 LONG", "play LONG", "arrange 1: LONG", 77777])
def test_a_very_long_number_in_a_record_is_named_and_earlier_moves_are_kept(
    tmp_path: Path, record: Record, move: object
) -> None:
    data = native.to_json(record)
    data["moves"][2] = move
    path = tmp_path / "game.json"
    path.write_text(json.dumps(data).replace("LONG", LONG).replace("77777", LONG))
    verified, converted = tamaya("verify", str(path), "--json"), tamaya("convert", str(path))
    assert (verified.exit_code, converted.exit_code) == (1, 2)
    row = lines_of(verified)[0]
    assert (row["ok"], row["turns"]) == (False, 2)
    assert str(row["error"]).startswith("Move 3: ")
    assert "Move 3: " in converted.stderr
    assert json.loads(converted.stdout)["moves"] == [str(played) for played in record.moves[:2]]


@pytest.mark.parametrize(
    "arguments",
    [
        *(("rules", option, "LONG") for option in ("--players", "--variant")),
        ("rules", "LONG"),
        *(("rules", "--set", f"{name}=LONG") for name in ("mistakes", "clue_tokens", "hand_size")),
        *(("play", option, "LONG") for option in ("--players", "--seat")),
        *(("league", "simple", option, "LONG") for option in ("--games", "--players", "--seed", "--workers")),
        *(("solve", option, "LONG") for option in ("--games", "--players", "--workers")),
        ("serve", "--port", "LONG"),
    ],
)
def test_a_very_long_number_is_refused_with_a_message_in_every_option(arguments: tuple[str, ...]) -> None:
    result = tamaya(*(argument.replace("LONG", LONG) for argument in arguments))
    assert result.exit_code == 2, result.output
    assert isinstance(result.exception, SystemExit)


@pytest.mark.parametrize("target", ["tamaya", "hanab-live", "link"])
def test_convert_writes_what_verify_reads(tmp_path: Path, record: Record, target: str) -> None:
    source, copy = tmp_path / "game.json", tmp_path / "copy"
    source.write_text(native.write(record))
    result = tamaya("convert", str(source), "--to", target)
    assert result.exit_code == 0
    copy.write_text(result.output)
    row = lines_of(tamaya("verify", "--json", str(copy)))[0]
    assert (row["ok"], row["turns"]) == (True, len(record.moves))


@pytest.mark.parametrize("target", ["tamaya", "hanab-live", "link"])
def test_convert_writes_one_line_per_game(tmp_path: Path, record: Record, target: str) -> None:
    source, copy = tmp_path / "games.jsonl", tmp_path / "copy"
    source.write_text("\n".join(json.dumps(native.to_json(record)) for _ in range(3)))
    copy.write_text(tamaya("convert", str(source), "--to", target).output)
    assert lines_of(tamaya("verify", "--json", str(copy)))[-1] == {"games": 3, "ok": 3, "wrong": 0}


def test_verify_reads_the_standard_input(record: Record) -> None:
    assert "1 game, 1 right." in tamaya("verify", "-", typed=native.write(record)).output
    assert tamaya("play", "-", typed=native.write(record)).exit_code == 2


@pytest.mark.parametrize("space", [" ", "\n\n", "\ufeff"])
def test_leading_space_is_ignored(tmp_path: Path, record: Record, space: str) -> None:
    path = tmp_path / "game.json"
    path.write_text(space + native.write(record), "utf-8")
    assert "1 game, 1 right." in tamaya("verify", str(path)).output


def test_a_truncated_entry_keeps_its_id_and_game(tmp_path: Path, record: Record) -> None:
    path = tmp_path / "games.jsonl"
    line = json.dumps({"id": "x", "expected": {}, "game": native.to_json(record)})
    path.write_text(f"{line}\n{line[:-8]}")
    rows = lines_of(tamaya("verify", "--json", str(path)))
    assert [(row["id"], row["ok"]) for row in rows[:-1]] == [("x", True), ("x", False)]
    assert rows[1]["turns"] == len(record.moves) - 1


def test_an_invalid_byte_loses_no_move_before_it(tmp_path: Path, record: Record) -> None:
    path = tmp_path / "game.json"
    data = native.write(record).encode()
    place = data.rindex(b"play")
    path.write_bytes(data[:place] + b"\xff" + data[place + 1 :])
    row = lines_of(tamaya("verify", "--json", str(path)))[0]
    assert (row["ok"], row["turns"]) == (False, len(record.moves) - 1)


def test_a_stopped_game_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    record = Record(Rules(), Game(seed=1).reveal_deck(), ("a", "b"), stopped=Stop.TIMEOUT)
    path.write_text(text := native.write(record))
    tamaya("play", str(path), typed=f"play 1\nsave {path}\nq\nq\n")
    assert path.read_text() == text


def test_an_id_cannot_forge_a_line(tmp_path: Path, record: Record) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(json.dumps({"id": "x\n\x1b[2Jy  ok", "game": native.to_json(record)}))
    assert len(tamaya("verify", str(path)).output.splitlines()) == 2
    assert "\x1b" not in tamaya("verify", str(path)).output


def test_one_damaged_line_does_not_affect_the_others(tmp_path: Path, record: Record) -> None:
    path = tmp_path / "games.jsonl"
    whole = json.dumps(native.to_json(record))
    path.write_text("\n".join([whole[:-40], whole, "nonsense", whole]))
    rows = lines_of(tamaya("verify", "--json", str(path)))
    assert [row["ok"] for row in rows[:-1]] == [False, True, False, True]


def test_convert_refuses_games_that_the_format_cannot_express(tmp_path: Path) -> None:
    game = Game(Rules(announced_plays=True), seed=1)
    path = tmp_path / "game.json"
    path.write_text(native.write(Record.of(game, ("a", "b"))))
    result = tamaya("convert", str(path), "--to", "link")
    assert result.exit_code == 2
    assert "announced_plays" in result.output
