"""The summary of the state over HTTP."""

from __future__ import annotations

import httpx
from agent_session_platform_sandbox import Sandbox


async def test_the_state_counts_records(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    sandbox.add_session(title="First")
    sandbox.add_session(title="Second")
    state = (await http.get("/_sandbox/state")).json()
    assert state["families"] == {"sessions": 2}
    assert state["collections"] == [
        {"name": "sessions/org-acme", "count": 2, "deleted": 0, "newest": ["Second", "First"]}
    ]


async def test_deleted_records_are_counted_separately(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    blueprint = sandbox.add_blueprint()
    sandbox.state.collection("blueprints")[blueprint].deleted = True
    [collection] = (await http.get("/_sandbox/state")).json()["collections"]
    assert (collection["count"], collection["deleted"], collection["newest"]) == (0, 1, [])
