"""`asp changes`, against a sandbox."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from agent_session_platform_sandbox import Sandbox

from cli_tests.conftest import Asp


def changes(asp: Asp, state: Path, *more: str) -> list[tuple[Any, ...]]:
    result = asp("changes", "organization.sessions.list", "--state", str(state), *more)
    assert (result.exit_code, result.stderr) == (0, "")
    found = map(json.loads, result.stdout.splitlines())
    return [(each["kind"], each["key"], "title" in each["fields"]) for each in found]


def test_what_is_new_or_changed_since_the_last_run_is_printed(asp: Asp, sandbox: Sandbox, tmp_path: Path) -> None:
    first = sandbox.add_session(title="a")
    assert changes(asp, tmp_path / "state") == [("new", first, False)]
    assert changes(asp, tmp_path / "state") == []
    second = sandbox.add_session(title="b")
    sandbox.update_session(first, title="c")
    assert sorted(changes(asp, tmp_path / "state")) == [("changed", first, True), ("new", second, False)]


def test_what_is_gone_is_printed_on_request(asp: Asp, sandbox: Sandbox, tmp_path: Path) -> None:
    first = sandbox.add_session(title="a")
    changes(asp, tmp_path / "state")
    sandbox.remove_session(first)
    assert changes(asp, tmp_path / "state") == []
    assert changes(asp, tmp_path / "state", "--gone") == [("gone", first, False)]


def test_a_state_is_required(asp: Asp) -> None:
    result = asp("changes", "organization.sessions.list")
    assert (result.exit_code, "Missing option '--state'" in result.stderr) == (2, True)
