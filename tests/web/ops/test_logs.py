"""Log lines: enough to find bugs, without secrets."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from tamaya.table import TableLogger
from tamaya.web.ops.logs import JsonFormatter, RepeatFilter, TextFormatter
from tests.programs import run_python
from tests.support.impatient import SECRET, ImpatientServer

CODE = "abcdefghjk"
FAILURES = f"""
import asyncio, threading
from tamaya.web.ops.logs import configure_logging

def fail(*_):
    raise ValueError("{SECRET}")

class Failing:
    __del__ = fail

async def fail_later():
    fail()

async def main():
    configure_logging("HOW")
    task = asyncio.create_task(fail_later(), name="{SECRET}")
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    del task
    asyncio.get_running_loop().call_soon(fail)
    thread = threading.Thread(target=fail, name="{SECRET}")
    thread.start()
    thread.join()
    Failing()
    await asyncio.sleep(0)

asyncio.run(main())
"""


def record_of(problem: Exception, message: str = "it failed: %s", *values: object, **extra: str) -> logging.LogRecord:
    record = logging.LogRecord("tamaya.somewhere", logging.ERROR, "x.py", 1, message, values, (type(problem), problem, None))
    vars(record).update(extra)
    return record


def raised() -> Exception:
    try:
        try:
            raise KeyError(SECRET)
        except KeyError as problem:
            raise ValueError(SECRET) from problem
    except ValueError as problem:
        problem.add_note(SECRET)
        return ExceptionGroup(SECRET, [problem])


@pytest.mark.parametrize("how", [TextFormatter(), JsonFormatter()], ids=["text", "json"])
def test_exceptions_are_logged_by_type_and_location_without_their_message(how: logging.Formatter) -> None:
    line = how.format(record_of(raised(), "it failed:\n%s", "badly"))
    assert SECRET not in line
    assert "\n" not in line
    assert "it failed: badly" in line
    for told in ("ExceptionGroup", "ValueError", "KeyError", "ops/test_logs.py:"):
        assert told in line


def test_json_lines_are_objects() -> None:
    line = json.loads(JsonFormatter().format(record_of(KeyError(), "it failed: “%s”", "ü", table="3fa2c1")))
    assert line.pop("time").endswith("+00:00")
    assert line == {
        "level": "error",
        "logger": "tamaya.somewhere",
        "message": "it failed: “ü”",
        "table": "3fa2c1",
        "problems": [{"kind": "KeyError", "at": []}],
    }


def test_tables_are_logged_by_a_fingerprint_instead_of_their_code(caplog: pytest.LogCaptureFixture) -> None:
    logger = logging.getLogger("tamaya.tests")
    for code in (CODE, CODE, CODE[::-1]):
        TableLogger(logger, code).error("its bot %s is tired", "simple")
    assert CODE not in caplog.text
    one, again, other = (vars(record)["table"] for record in caplog.records)
    assert one == again != other
    assert caplog.records[0].getMessage() == f"table {one}: its bot simple is tired"
    assert len(one) == 6


def test_repeated_lines_are_suppressed() -> None:
    now = [0.0]
    sparing = RepeatFilter(most=3, clock=lambda: now[0])

    def written(message: str, times: int) -> list[str]:
        records = [record_of(KeyError(), message, number) for number in range(times)]
        return [record.getMessage() for record in records if sparing.filter(record)]

    assert written("it failed: %s", 10) == ["it failed: 0", "it failed: 1", "it failed: 2 (no more of these for a minute)"]
    assert written("something else: %s", 2) == ["something else: 0", "something else: 1"]
    now[0] = 60.0
    assert written("it failed: %s", 1) == ["it failed: 0"]


@pytest.mark.parametrize("how", ["text", "json"])
def test_uncaught_exceptions_are_logged_without_their_message(how: str) -> None:
    done = run_python("-c", FAILURES.replace("HOW", how), check=True)
    assert SECRET not in done.stderr
    lines = done.stderr.splitlines()
    assert len(lines) == 4, done.stderr
    assert all("ValueError" in line for line in lines)


@pytest.mark.slow
def test_a_server_error_is_logged_as_one_line(tmp_path: Path) -> None:
    with ImpatientServer(tmp_path / "data", IMPATIENT_FAILURE="yes", TAMAYA_LOG="json") as server:
        assert server.ask("GET", "/rules?name=Ann")[0] == 500
        server.process.terminate()
        *_, last = server.rest().splitlines()
    line: dict[str, Any] = json.loads(last)
    assert SECRET not in last
    assert "Ann" not in last
    assert line["level"] == "error"
    assert line["problems"][0]["kind"] == "ValueError"
    assert any("site/rules.py:" in place for place in line["problems"][0]["at"])
