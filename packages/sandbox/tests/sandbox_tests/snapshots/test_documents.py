"""Validation of saved states."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from agent_session_platform_sandbox import Sandbox
from agent_session_platform_sandbox.snapshots import dump, load
from agent_session_platform_sandbox.validation import MAX_DEPTH

from sandbox_tests.odd import OddSandbox
from sandbox_tests.plain_http import send

ORGANIZATION = "/v3/organizations/org-acme"
AUTOMATIONS = f"{ORGANIZATION}/automations"
JSON = "application/json"


def test_a_file_that_is_not_a_state_is_refused(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "state.json").write_text("[]")
    with pytest.raises(ValueError, match="is not a state of a sandbox"):
        sandbox.snapshots.load(tmp_path / "state.json")


async def test_an_invalid_state_changes_nothing(sandbox: Sandbox, org: Any, tmp_path: Path) -> None:
    await org.sessions.create()
    (tmp_path / "state.json").write_text('{"version": 1}')
    with pytest.raises(ValueError, match="not a state of a sandbox: the state: 'now' is missing"):
        sandbox.snapshots.load(tmp_path / "state.json")
    assert len(await org.sessions.list().collect()) == 1


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("number", "1", "the state.number: must be of type integer"),
        ("now", "soon", "soon"),
        ("now", "2026-11-01", "must have a timezone"),
        ("now", "9999-12-31T23:59:59-12:00", "must be between the years 1 and 9999 in UTC"),
        ("organizations", [{"org_id": 1}], r"the state.organizations\[0\].org_id: must be of type string"),
        ("accounts", {"svc_hidden": {"kind": "x"}}, r"the state.accounts\[1\].kind: must be one of"),
        ("files", {"uuid": "?"}, "the state.files.uuid: must be Base64"),
        ("collections", [{"name": ["x"], "records": {"x": []}}], "records.x: must be of type object"),
        ("surprise", 1, "there is no 'surprise'"),
    ],
)
def test_an_invalid_state_is_refused_with_the_place(
    sandbox: Sandbox, tmp_path: Path, name: str, value: Any, message: str
) -> None:
    file = tmp_path / "state.json"
    sandbox.snapshots.save(file)
    file.write_text(json.dumps(json.loads(file.read_text()) | {name: value}))
    with pytest.raises(ValueError, match=message) as caught:
        sandbox.snapshots.load(file)
    assert "svc_hidden" not in str(caught.value)


@pytest.mark.parametrize(
    ("part", "changed", "message"),
    [
        ("memory", {"since": "soon"}, "ValueError: not an ISO 8601 date-time"),
        ("memory", {"since": 3}, "TypeError"),
        ("fields", {"created_at": "soon"}, "ValueError: not an ISO 8601 date-time"),
        ("fields", {"trigger": {"type": "schedule:recurring", "rrule": "FREQ=X"}}, "ValueError: 'FREQ=X' is not"),
    ],
)
async def test_a_state_with_records_that_cannot_run_is_refused(
    sandbox: Sandbox, http: httpx.AsyncClient, part: str, changed: dict[str, Any], message: str
) -> None:
    trigger = {"type": "schedule:recurring", "rrule": "FREQ=DAILY"}
    automation_id = sandbox.add_automation(trigger=trigger, action={"type": "start_session"})
    sandbox.snapshots.take("mine")
    document = sandbox.snapshots.document("mine")
    [automations] = [each for each in document["collections"] if each["name"] == ["automations", "org-acme"]]
    automations["records"][automation_id][part] |= changed
    refused = await http.put("/_sandbox/snapshots/mine", json=document)
    assert refused.status_code == 400
    place = f"automations/org-acme/{automation_id}: it is enabled and cannot run: {message}"
    assert place in refused.json()["detail"]


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
