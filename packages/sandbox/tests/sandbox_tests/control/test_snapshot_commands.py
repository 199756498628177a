"""Snapshots over HTTP."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
from agent_session_platform_sandbox import Sandbox

NONE: dict[str, list[str]] = {"added": [], "removed": [], "changed": []}


async def test_a_snapshot_is_taken_compared_and_restored(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    assert (await http.post("/_sandbox/snapshots/my one")).json() == {"snapshots": ["beginning", "my one"]}
    sandbox.add_session()
    diff = (await http.get("/_sandbox/snapshots/my one/diff")).json()
    assert diff == {"added": ["sessions/org-acme/assistant-1"], "removed": [], "changed": []}
    assert (await http.post("/_sandbox/snapshots/my one/restore")).json()["families"] == {}


async def test_a_snapshot_is_saved_to_a_file_and_kept_again(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    sandbox.add_session(title="Kept")
    await http.post("/_sandbox/snapshots/mine")
    file = (await http.get("/_sandbox/snapshots/mine")).text
    other = Sandbox()
    async with httpx.AsyncClient(transport=other.transport(), base_url=other.base_url) as there:
        assert (await there.put("/_sandbox/snapshots/theirs", content=file)).json()["snapshots"][1:] == ["theirs"]
        assert (await there.post("/_sandbox/snapshots/theirs/restore")).json()["families"] == {"sessions": 1}
    async with other.client() as platform:
        assert [each.title async for each in platform.organization().sessions.list()] == ["Kept"]


async def test_a_snapshot_over_http_has_no_credential_and_keeps_the_known_ones(
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


async def test_a_saved_state_is_kept_with_its_credentials(
    sandbox: Sandbox, http: httpx.AsyncClient, tmp_path: Path
) -> None:
    sandbox.add_credential("svc_saved")
    sandbox.snapshots.save(tmp_path / "state.json")
    sandbox.reset()
    await http.put("/_sandbox/snapshots/saved", content=(tmp_path / "state.json").read_bytes())
    await http.post("/_sandbox/snapshots/saved/restore")
    assert "svc_saved" in sandbox.accounts.by_token


def test_a_document_of_http_can_be_loaded_from_a_file(sandbox: Sandbox, tmp_path: Path) -> None:
    sandbox.add_session()
    sandbox.snapshots.take("mine")
    (tmp_path / "state.json").write_text(json.dumps(sandbox.snapshots.document("mine")))
    other = Sandbox()
    other.snapshots.load(tmp_path / "state.json")
    assert [*other.state.collection("sessions", "org-acme")] == ["assistant-1"]
    assert other.token in other.accounts.by_token


async def test_the_name_of_a_snapshot_may_contain_a_slash(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    await http.post("/_sandbox/snapshots/a%2Fdiff")
    assert sandbox.snapshots.names == ["beginning", "a/diff"]
