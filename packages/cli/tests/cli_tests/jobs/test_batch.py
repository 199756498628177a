"""`asp batch`, against a sandbox: rows become objects, and a second run continues."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform_cli.batch import end_of, summarize
from agent_session_platform_jobs import BatchItem
from agent_session_platform_sandbox import Sandbox, Turn

from cli_tests.conftest import Asp

CREATE = "organization.sessions.create"
TITLES = ("row-1: it", "row-2: all")


@pytest.fixture
def rows(tmp_path: Path) -> str:
    path = tmp_path / "rows.csv"
    path.write_text("id,what\nrow-1,it\nrow-2,all\n")
    return str(path)


def batch(rows: str, *more: str) -> tuple[str, ...]:
    given = ("--create", CREATE, "--key", "id", "--argument", "title={id}: {what}")
    return ("batch", rows, *given, *more)


def printed(output: str) -> dict[str, Any]:
    return {each["key"]: each for each in map(json.loads, output.splitlines())}


def titles(sandbox: Sandbox) -> Counter[str]:
    """Return the number of requested sessions by title."""
    return Counter(
        each.body["title"] for each in sandbox.journal if each.method == "POST" and isinstance(each.body, dict)
    )


def test_each_row_becomes_an_object(asp: Asp, sandbox: Sandbox, rows: str) -> None:
    result = asp(*batch(rows))
    assert (result.exit_code, result.stderr) == (0, f"asp: rows: 2 settled; store: {rows}.sqlite\n")
    found = printed(result.stdout)
    assert {found[key]["result"]["title"] for key in ("row-1", "row-2")} == {*TITLES}


def test_the_next_run_sends_nothing_twice(asp: Asp, sandbox: Sandbox, rows: str) -> None:
    first = asp(*batch(rows))
    Path(rows).write_text(f"{Path(rows).read_text()}row-3,more\n")
    second = asp(*batch(rows))
    assert titles(sandbox) == {"row-1: it": 1, "row-2: all": 1, "row-3: more": 1}
    assert printed(first.stdout).items() <= printed(second.stdout).items()


def test_rows_are_waited_for(asp: Asp, rows: str) -> None:
    until = ("--until", "title=row-1: it", "--unexpected", "title=row-2: all", "--every", "0.01")
    result = asp(*batch(rows, *until))
    found = {key: (each["reason"], each["state"]) for key, each in printed(result.stdout).items()}
    assert found == {"row-1": ("matched", "settled"), "row-2": ("unexpected", "settled")}
    assert (result.exit_code, "rows: 1 settled, 1 unexpected; store" in result.stderr) == (10, True)


def test_where_the_contract_names_no_states_rows_cannot_be_waited_for_by_them(
    asp: Asp, sandbox: Sandbox, rows: str
) -> None:
    result = asp(*batch(rows, "--wait"))
    assert (result.exit_code, "--wait needs the states" in result.stderr, [*sandbox.journal]) == (2, True, [])
    assert "until" not in result.stderr.replace("--until NAME=VALUE", "")


@pytest.mark.usefixtures("named_states")
def test_the_contract_may_name_the_states_that_rows_are_waited_for(asp: Asp, sandbox: Sandbox, rows: str) -> None:
    sandbox.on_message(lambda _: Turn(fields={"status": "ready"}))
    result = asp(*batch(rows, "--argument", "prompt={what}", "--wait"))
    assert [each["reason"] for each in printed(result.stdout).values()] == ["matched", "matched"]


def test_a_refused_row_fails_and_is_sent_again_on_request(asp: Asp, sandbox: Sandbox, rows: str) -> None:
    sandbox.faults.add(CREATE, status=422, times=1)
    result = asp(*batch(rows, "--concurrency", "1"))
    assert (result.exit_code, "1 failed, 1 settled" in result.stderr) == (14, True)
    assert asp(*batch(rows, "--retry-failed")).exit_code == 0


def test_an_unknown_row_is_listed_settled_and_forgotten(asp: Asp, sandbox: Sandbox, rows: str) -> None:
    sandbox.faults.add(CREATE, lose=True, times=2)
    result = asp(*batch(rows))
    assert (result.exit_code, "asp batch unknown --store" in result.stderr) == (7, True)
    store = ("--store", f"{rows}.sqlite")
    assert [json.loads(each)["key"] for each in asp("batch", "unknown", *store).stdout.splitlines()] == [
        "row-1",
        "row-2",
    ]
    assigned = asp("batch", "assign", "row-1", "assistant-1", *store)
    assert json.loads(assigned.stdout)["id"] == "assistant-1"
    assert asp("batch", "forget", "row-2", *store).exit_code == 0
    again = asp(*batch(rows))
    assert (again.exit_code, titles(sandbox)["row-1: it"], titles(sandbox)["row-2: all"]) == (0, 1, 2)


def test_only_an_object_that_exists_is_assigned_and_it_can_be_taken_back(asp: Asp, sandbox: Sandbox, rows: str) -> None:
    sandbox.faults.add(CREATE, lose=True, times=1)
    asp(*batch(rows, "--concurrency", "1"))
    assign = ("batch", "assign", "row-1", "--store", f"{rows}.sqlite")
    for wrong in ("", "assistant-999"):
        assert asp(*assign, wrong).exit_code == 2
    mistaken = sandbox.add_session(title="of somebody else")
    assert json.loads(asp(*assign, mistaken).stdout)["state"] == "created"
    assert "first take its object back" in asp("batch", "forget", *assign[2:]).stderr
    undone = json.loads(asp(*assign, "--undo").stdout)
    assert (undone["state"], undone["id"]) == ("unknown", None)
    assert "pass either the ID of the object, or --undo" in asp(*assign).stderr
    assert json.loads(asp(*assign, "assistant-1").stdout)["state"] == "created"
    assert asp(*batch(rows)).exit_code == 0


@pytest.mark.parametrize(
    ("argument", "field"), [('tags=["{id}"]', "tags"), ("title={id}", "title")], ids=["an array", "text"]
)
def test_the_object_of_an_unknown_row_is_found_by_a_field_with_its_key(
    asp: Asp, sandbox: Sandbox, rows: str, argument: str, field: str
) -> None:
    sandbox.faults.add(CREATE, lose=True, times=1)
    again = batch(rows, "--concurrency", "1", "--argument", argument, "--find-by", field)
    found = {**printed(asp(*again).stdout), **printed(asp(*again).stdout)}
    assert {each["state"] for each in found.values()} == {"settled"}
    assert len({each["id"] for each in found.values()}) == 2
    assert [*titles(sandbox).values()] == [1, 1]


def test_a_file_without_rows_is_said(asp: Asp, tmp_path: Path) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_text("id,what\n")
    result = asp(*batch(str(rows)))
    assert (result.exit_code, result.stderr) == (0, f"asp: {rows} has no rows: nothing was sent\n")


def test_json_lines_keep_the_types(asp: Asp, sandbox: Sandbox, tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"id": 7, "tags": ["a", "b"], "n": 3}\n')
    arguments = ("--argument", "title={n} of {id}", "--argument", "tags={tags}")
    result = asp("batch", str(rows), "--create", CREATE, "--key", "id", *arguments)
    assert result.exit_code == 0, result.stderr
    (made,) = [each.body for each in sandbox.journal if each.method == "POST"]
    assert made == {"title": "3 of 7", "tags": ["a", "b"]}


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--argument", "optons={what}"), "takes no argument 'optons'; did you mean 'options'?"),
        (("--argument", "x={wat}"), "has no column 'wat'; did you mean 'what'"),
        (("--create", "organization.sessions.list"), "--create organization.sessions.list: it only reads"),
        (("--create", "organization.sessions.creat"), "did you mean 'organization.sessions.create'"),
        (("--until", "status"), "--until takes NAME=VALUE"),
        (
            ("--create", "organization.playbooks.create", "--until", "title=x"),
            "organization.playbooks.create has no wait",
        ),
        (("--concurrency", "0"), "--concurrency"),
        (("--key", "idd"), "has no column 'idd'; did you mean 'id'?; try: asp batch rows --help"),
        (
            ("--create", "organization.playbooks.create", "--find-by", "x"),
            "--find-by cannot be used: organization.playbooks.list has no pages",
        ),
    ],
)
def test_what_is_wrong_is_refused_before_anything_is_sent(
    asp: Asp, sandbox: Sandbox, rows: str, more: tuple[str, ...], message: str
) -> None:
    result = asp(*batch(rows, *more))
    assert (result.exit_code, result.stdout, message in result.stderr) == (2, "", True), result.stderr
    assert [*sandbox.journal] == []


def test_a_wrong_row_is_refused_before_the_others_are_sent(asp: Asp, sandbox: Sandbox, rows: str) -> None:
    Path(rows).write_text(f"{Path(rows).read_text()}row-3\n")
    result = asp(*batch(rows))
    assert (result.exit_code, "line 4 must have as many cells" in result.stderr, [*sandbox.journal]) == (2, True, [])


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("rows.csv", "id,what\na,it\nb,all\na,more\n", "line 4: an earlier row has the same key 'a'"),
        ("rows.jsonl", '{"id": 1, "what": "x"}\n{"id": "1", "what": "y"}\n', "line 2: an earlier row"),
        ("rows.json", '[{"id": 1, "what": "x"}, {"id": 1, "what": "x"}]', "item 2: an earlier row"),
    ],
)
def test_a_key_that_comes_twice_is_refused_before_anything_is_sent(
    asp: Asp, sandbox: Sandbox, tmp_path: Path, name: str, text: str, message: str
) -> None:
    path = tmp_path / name
    path.write_text(text)
    result = asp(*batch(str(path)))
    assert (result.exit_code, message in result.stderr, [*sandbox.journal]) == (2, True, []), result.stderr
    assert [*tmp_path.iterdir()] == [path]


def test_a_store_that_is_not_there_is_not_made(asp: Asp, tmp_path: Path) -> None:
    result = asp("batch", "unknown", "--store", str(tmp_path / "run.sqlite"))
    assert (result.exit_code, [*tmp_path.iterdir()]) == (2, [])


PIPE = b"id,what\nrow-1,it\nrow-2,all\n"


def test_the_rows_of_stdin_are_read_once(asp: Asp, sandbox: Sandbox, tmp_path: Path) -> None:
    result = asp(*batch("-", "--store", str(tmp_path / "run.sqlite")), input=PIPE)
    assert (result.exit_code, {*titles(sandbox)}) == (0, {*TITLES}), result.stderr


@pytest.mark.skipif(not os.path.exists("/dev/stdin"), reason="there is no such name here")
@pytest.mark.parametrize("is_file", [False, True], ids=["a pipe", "a file"])
def test_a_pipe_with_a_name_is_read_once_and_names_no_store(
    asp: Asp, sandbox: Sandbox, tmp_path: Path, rows: str, is_file: bool
) -> None:
    environment = {**os.environ, **{name: value for name, value in asp.environment.items() if value is not None}}
    for more, code in ((), 2), (("--store", str(tmp_path / "run.sqlite")), 0):
        words = [sys.executable, "-m", "agent_session_platform_cli", *batch("/dev/stdin", *more)]
        with open(rows, "rb") as file:
            given: dict[str, Any] = {"stdin": file} if is_file else {"input": PIPE}
            done = subprocess.run(words, capture_output=True, check=False, env=environment, **given)
        assert done.returncode == code, done.stderr
        assert (b"add --store FILE" in done.stderr) == (code == 2)
    assert {*titles(sandbox)} == {*TITLES}


def test_an_empty_name_of_a_store_is_refused(asp: Asp, sandbox: Sandbox, rows: str) -> None:
    result = asp(*batch(rows, "--store", ""))
    assert (result.exit_code, "the path is empty" in result.stderr, len(sandbox.journal)) == (2, True, 0)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither signal for one process")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_is_ended_continues_and_sends_nothing_twice(
    asp: Asp, sandbox: Sandbox, tmp_path: Path, number: int
) -> None:
    rows = tmp_path / "rows.csv"
    keys = [f"row-{number}" for number in range(12)]
    rows.write_text("id,what\n" + "".join(f"{key},it\n" for key in keys))
    sandbox.faults.add(CREATE, latency=0.1, times=len(keys))
    process = asp.start(*batch(str(rows), "--concurrency", "2"))
    assert process.stdout is not None
    settled = {json.loads(process.stdout.readline())["key"] for _ in range(3)}
    process.send_signal(number)
    _, errors = process.communicate(timeout=30)
    is_killed = number == signal.SIGKILL
    assert (process.returncode, titles(sandbox).total() < len(keys)) == (-number if is_killed else 130, True)
    assert is_killed or "asp: stopped; continue with: asp batch " in errors
    sandbox.faults.clear()
    result = asp(*batch(str(rows)))
    found = printed(result.stdout)
    unknown = [key for key in keys if found[key]["state"] == "unknown"]
    # Ctrl-C waits for the rows in flight.
    assert len(unknown) <= (2 if is_killed else 0)
    assert result.exit_code == (7 if unknown else 0)
    assert settled <= {key for key in keys if found[key]["state"] == "settled"} == {*keys} - {*unknown}
    assert max(titles(sandbox).values()) == 1


def item(state: Any, reason: Any = None) -> BatchItem:
    return BatchItem(key="x", state=state, reason=reason)


@pytest.mark.parametrize(
    ("items", "code"),
    [
        ([], 0),
        ([item("settled", "matched"), item("released"), item("settled")], 0),
        ([item("settled", "matched"), item("failed")], 14),
        ([item("failed"), item("created", "deadline"), item("unknown"), item("settled", "unexpected")], 7),
        ([item("settled"), item("created", "deadline"), item("settled", "unexpected")], 13),
        ([item("settled"), item("settled", "unexpected")], 10),
        ([item("settled", "gone")], 11),
        ([item("settled", "stalled")], 12),
    ],
)
def test_the_worst_end_is_the_exit_code(items: list[BatchItem], code: int) -> None:
    assert summarize(Counter(map(end_of, items)), "run.sqlite") == code


def test_the_rows_are_counted_with_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    ends = Counter({"settled": 2, "unexpected": 1, "failed": 1, "unknown": 1, "deadline": 1})
    summarize(ends, "run.sqlite")
    assert capsys.readouterr().err.splitlines() == [
        "asp: rows: 1 deadline, 1 failed, 2 settled, 1 unexpected, 1 unknown; store: run.sqlite",
        "asp: for rows with an unknown outcome: asp batch unknown --store run.sqlite",
        "asp: to send the failed rows again: --retry-failed",
        "asp: to wait again: run the same command",
    ]
