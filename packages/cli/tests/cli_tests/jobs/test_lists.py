"""`asp export` and `asp changes`, against a sandbox."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform_sandbox import Sandbox

from cli_tests.conftest import Asp

LIST, LIST_OF_MESSAGES = "organization.sessions.list", "enterprise.sessions.list_messages"
EXPORT = ("export", LIST)


def ids(path: Path) -> list[str]:
    return [json.loads(line)["session_id"] for line in path.read_text().splitlines()]


def changes(asp: Asp, state: Path, *more: str) -> list[tuple[Any, ...]]:
    result = asp("changes", "organization.sessions.list", "--state", str(state), *more)
    assert (result.exit_code, result.stderr) == (0, "")
    found = map(json.loads, result.stdout.splitlines())
    return sorted((each["kind"], each["key"], "title" in each["fields"]) for each in found)


def test_the_items_are_written_as_json_lines(asp: Asp, sandbox: Sandbox, tmp_path: Path) -> None:
    made = {sandbox.add_session(title=str(number)) for number in range(3)}
    path = tmp_path / "x.jsonl"
    result = asp(*EXPORT, str(path), "--first", "2")
    assert json.loads(result.stdout) == {"path": str(path), "written": 3, "lines": 3, "complete": True}
    assert (result.stderr, {*ids(path)}) == ("", made)


def test_a_dash_is_stdout(asp: Asp, sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made = [sandbox.add_session(title=title) for title in ("日本", "b", "c")]
    result = asp(*EXPORT, "-", "--first", "2")
    assert (result.exit_code, result.stderr) == (0, "")
    assert [json.loads(line)["session_id"] for line in result.stdout.splitlines()] == made
    refused = asp(*EXPORT, "-", "--state", "x.state")
    assert (refused.exit_code, "name a file" in refused.stderr) == (2, True)
    assert [*tmp_path.iterdir()] == []


def test_a_state_is_never_stdout(asp: Asp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for words in ((*EXPORT, "x.jsonl"), ("changes", LIST), ("follow", LIST_OF_MESSAGES, "assistant-1", "--once")):
        result = asp(*words, "--state", "-")
        assert (result.exit_code, "write ./- for a file of that name" in result.stderr) == (2, True)
    assert [*tmp_path.iterdir()] == []


def test_with_a_state_what_is_new_is_added(asp: Asp, sandbox: Sandbox, tmp_path: Path) -> None:
    again = (*EXPORT, str(tmp_path / "x.jsonl"), "--state", str(tmp_path / "x.state"))
    first = sandbox.add_session(title="a")
    asp(*again)
    second = sandbox.add_session(title="b")
    assert json.loads(asp(*again).stdout)["written"] == 1
    assert ids(tmp_path / "x.jsonl") == [first, second]


def test_path_and_query_parameters_are_those_of_the_operation(asp: Asp, sandbox: Sandbox, tmp_path: Path) -> None:
    session = sandbox.add_session(title="a")
    sandbox.add_message(session, "one")
    export = ("export", "enterprise.sessions.list_messages", session, str(tmp_path / "x.jsonl"))
    assert json.loads(asp(*export, "--first", "5").stdout)["lines"] == 1
    assert "first=5" in str(sandbox.journal[-1].query)


def test_the_most_pages_of_a_run_are_kept(asp: Asp, sandbox: Sandbox, tmp_path: Path) -> None:
    for number in range(3):
        sandbox.add_session(title=str(number))
    files = (str(tmp_path / "x.jsonl"), "--state", str(tmp_path / "x.state"))
    some = (*EXPORT, *files, "--first", "1", "--max-pages", "2")
    assert [json.loads(asp(*some).stdout)["complete"] for _ in range(2)] == [False, True]
    assert len(ids(tmp_path / "x.jsonl")) == 3


def test_what_is_new_or_changed_since_the_last_run_is_printed(asp: Asp, sandbox: Sandbox, tmp_path: Path) -> None:
    first = sandbox.add_session(title="a")
    assert changes(asp, tmp_path / "state") == [("new", first, False)]
    assert changes(asp, tmp_path / "state") == []
    second = sandbox.add_session(title="b")
    sandbox.update_session(first, title="c")
    assert changes(asp, tmp_path / "state") == [("changed", first, True), ("new", second, False)]


def test_what_is_gone_is_printed_on_request(asp: Asp, sandbox: Sandbox, tmp_path: Path) -> None:
    first = sandbox.add_session(title="a")
    changes(asp, tmp_path / "state")
    sandbox.remove_session(first)
    assert changes(asp, tmp_path / "state") == []
    assert changes(asp, tmp_path / "state", "--gone") == [("gone", first, False)]
