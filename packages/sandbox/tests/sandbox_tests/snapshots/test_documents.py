"""Validation of saved states."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform_sandbox import Sandbox
from agent_session_platform_sandbox.snapshots import dump, load
from agent_session_platform_sandbox.validation import MAX_DEPTH

from sandbox_tests.odd import OddSandbox
from sandbox_tests.plain_http import send

ORGANIZATION = "/v3/organizations/org-acme"
AUTOMATIONS = f"{ORGANIZATION}/automations"


@pytest.mark.parametrize("content", ["", "{", "[]", '{"version": 1}', "\0"])
async def test_an_invalid_file_changes_nothing(sandbox: Sandbox, org: Any, tmp_path: Path, content: str) -> None:
    await org.sessions.create()
    (tmp_path / "state.json").write_text(content)
    with pytest.raises(ValueError, match="state|Expecting"):
        sandbox.snapshots.load(tmp_path / "state.json")
    assert len(await org.sessions.list().collect()) == 1


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("version", 2, "the state.version: 1 was expected"),
        ("number", "1", "the state.number: must be of type integer"),
        ("now", "soon", "not an ISO 8601 date-time"),
        ("now", "9999-12-31T23:59:59-12:00", "must be between the years 1 and 9999 in UTC"),
        ("now", "9999-12-31T23:59:59Z", "the clock cannot go as far as"),
        ("organizations", [{"org_id": 1}], r"the state.organizations\[0\].org_id: must be of type string"),
        ("accounts", {"svc_hidden": {"kind": "x"}}, "kind must be one of"),
        ("accounts", {"svc_hidden": {"surprise": "x"}}, "TypeError"),
        ("files", {"uuid": "?"}, "the state cannot be loaded: "),
        ("collections", [{"name": ["x"], "records": {"x": []}}], "the state cannot be loaded: "),
        ("surprise", 1, "there is no 'surprise'"),
    ],
)
def test_an_invalid_state_is_refused_with_the_reason(
    sandbox: Sandbox, tmp_path: Path, name: str, value: Any, message: str
) -> None:
    file = tmp_path / "state.json"
    sandbox.snapshots.save(file)
    file.write_text(json.dumps(json.loads(file.read_text()) | {name: value}))
    with pytest.raises(ValueError, match=message) as caught:
        sandbox.snapshots.load(file)
    assert "svc_hidden" not in str(caught.value)


@pytest.mark.parametrize(
    ("collection", "part", "changed", "message"),
    [
        ("automations", "memory", {"since": "soon"}, "ValueError"),
        ("automations", "fields", {"created_at": "soon"}, "ValueError: not an ISO 8601 date-time"),
        ("automations", "fields", {"trigger": {"type": "schedule:recurring", "rrule": "FREQ=X"}}, "ValueError"),
        ("planned-turns", "fields", {"at": "soon"}, "ValueError"),
        ("planned-turns", "fields", {"turn": {}}, "InvalidArgumentError"),
    ],
)
def test_a_state_with_records_that_cannot_run_is_refused(
    sandbox: Sandbox, collection: str, part: str, changed: dict[str, Any], message: str
) -> None:
    trigger = {"type": "schedule:recurring", "rrule": "FREQ=DAILY"}
    sandbox.add_automation(trigger=trigger, action={"type": "start_session"})
    sandbox.plan_session(sandbox.add_session(), after=60, status="ready")
    sandbox.snapshots.take("mine")
    document = sandbox.snapshots.document("mine")
    [found] = [each for each in document["collections"] if each["name"][0] == collection]
    [record] = found["records"].values()
    record[part] |= changed
    with pytest.raises(ValueError, match=f"the state cannot be loaded: {message}"):
        sandbox.snapshots.keep("mine", document)


async def test_a_body_of_the_greatest_depth_can_be_saved_and_restored(sandbox: Sandbox) -> None:
    content = b'{"x": ' + b"[" * (MAX_DEPTH - 1) + b"]" * (MAX_DEPTH - 1) + b"}"
    assert (await send(sandbox, "POST", AUTOMATIONS, content=content)).is_success
    sandbox.snapshots.take()
    sandbox.snapshots.keep("again", sandbox.snapshots.document())
    assert sandbox.snapshots.diff("again") == {"added": [], "removed": [], "changed": []}


async def test_values_and_files_of_any_operation_are_saved(odd: OddSandbox) -> None:
    await odd.send("PUT", "/boxes/box-1/picture", content=b"\xff", headers={"Content-Type": "image/png"})
    await odd.json("PUT", "/tags", ["a"])
    await odd.send("PUT", "/flags/new", True)
    saved = json.dumps(dump(odd.state))
    other = OddSandbox()
    load(other.state, json.loads(saved))
    async with other.client:
        assert (await other.send("GET", "/boxes/box-1/picture")).content == b"\xff"
        assert await other.json("GET", "/tags") == ["a"]
        assert await other.json("GET", "/flags/new") is True
