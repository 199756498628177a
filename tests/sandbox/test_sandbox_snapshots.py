"""The sandbox's snapshots: what they differ in, and how they go into files and over HTTP."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from agent_session_platform.sandbox import Sandbox, User
from agent_session_platform.sandbox.time.clock import START

NONE: dict[str, list[str]] = {"added": [], "removed": [], "changed": []}


@pytest.fixture
async def http(sandbox: Sandbox) -> AsyncIterator[httpx.AsyncClient]:
    """A plain HTTP client of the sandbox, in process, without a credential."""
    async with httpx.AsyncClient(transport=sandbox.transport(), base_url=sandbox.base_url) as client:
        yield client


@pytest.mark.parametrize(
    ("change", "section", "named"),
    [
        (lambda sandbox: sandbox.add_organization("org-new"), "added", "organizations/org-new"),
        (lambda sandbox: sandbox.add_organization("org-acme", platforms=[]), "changed", "organizations/org-acme"),
        (lambda sandbox: sandbox.state.organizations.pop("org-acme"), "removed", "organizations/org-acme"),
        (lambda sandbox: sandbox.state.users.setdefault("user-1", User("user-1")), "added", "users/user-1"),
        (lambda sandbox: sandbox.add_credential("svc_brand_new"), "added", "credentials/5"),
        (lambda sandbox: sandbox.add_credential(sandbox.token, permissions=[]), "changed", "credentials/1"),
        (lambda sandbox: sandbox.accounts.by_token.pop(sandbox.token), "removed", "credentials/1"),
        (lambda sandbox: sandbox.clock.advance(hours=1), "changed", "clock"),
        (
            lambda sandbox: setattr(sandbox.state, "org_group_limits_enabled", False),
            "changed",
            "settings/org_group_limits_enabled",
        ),
    ],
)
def test_a_diff_sees_more_than_collections(
    sandbox: Sandbox, change: Callable[[Sandbox], object], section: str, named: str
) -> None:
    sandbox.snapshots.take()
    change(sandbox)
    diff = sandbox.snapshots.diff()
    assert diff == NONE | {section: [named]}
    assert "svc_" not in str(diff)


def test_where_time_passes_by_itself_it_is_no_difference() -> None:
    moments = iter(START + timedelta(seconds=second) for second in range(100))
    sandbox = Sandbox(now=lambda: next(moments))
    sandbox.snapshots.take()
    assert sandbox.snapshots.diff() == NONE


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
def test_a_state_that_is_wrong_is_told_with_its_place(
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
async def test_a_state_whose_things_cannot_run_is_refused(
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


async def test_a_snapshot_goes_into_a_file_and_comes_back(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    sandbox.add_session(title="Kept")
    await http.post("/_sandbox/snapshots/mine")
    file = (await http.get("/_sandbox/snapshots/mine")).text
    other = Sandbox()
    async with httpx.AsyncClient(transport=other.transport(), base_url=other.base_url) as there:
        assert (await there.put("/_sandbox/snapshots/theirs", content=file)).json()["snapshots"][1:] == ["theirs"]
        assert (await there.post("/_sandbox/snapshots/theirs/restore")).json()["families"] == {"sessions": 1}
    async with other.client() as platform:
        assert [each.title async for each in platform.organization().sessions.list()] == ["Kept"]


async def test_a_snapshot_over_http_has_no_credential_and_leaves_those_that_are_known(
    sandbox: Sandbox, http: httpx.AsyncClient
) -> None:
    await http.post("/_sandbox/snapshots/mine")
    document = (await http.get("/_sandbox/snapshots/mine")).json()
    sandbox.add_credential("svc_added_since")
    await http.put("/_sandbox/snapshots/mine", json=document)
    await http.post("/_sandbox/snapshots/mine/restore")
    assert "accounts" not in document
    assert "svc_added_since" in sandbox.accounts.by_token
    assert (await http.get("/_sandbox/snapshots/mine/diff")).json() == NONE


async def test_what_a_process_saved_is_kept_with_its_credentials(
    sandbox: Sandbox, http: httpx.AsyncClient, tmp_path: Path
) -> None:
    sandbox.add_credential("svc_saved")
    sandbox.snapshots.save(tmp_path / "state.json")
    sandbox.reset()
    await http.put("/_sandbox/snapshots/saved", content=(tmp_path / "state.json").read_bytes())
    await http.post("/_sandbox/snapshots/saved/restore")
    assert "svc_saved" in sandbox.accounts.by_token


def test_what_was_fetched_over_http_can_be_loaded_from_a_file(sandbox: Sandbox, tmp_path: Path) -> None:
    sandbox.add_session()
    sandbox.snapshots.take("mine")
    (tmp_path / "state.json").write_text(json.dumps(sandbox.snapshots.document("mine")))
    other = Sandbox()
    other.snapshots.load(tmp_path / "state.json")
    assert [*other.state.collection("sessions", "org-acme")] == ["assistant-1"]
    assert other.token in other.accounts.by_token


async def test_the_name_of_a_snapshot_may_have_a_slash(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    await http.post("/_sandbox/snapshots/a%2Fdiff")
    assert sandbox.snapshots.names == ["beginning", "a/diff"]
