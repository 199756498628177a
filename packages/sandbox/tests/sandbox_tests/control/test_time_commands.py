"""The journal and the clock over HTTP."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from agent_session_platform_sandbox import Sandbox

SESSIONS = "/v3/organizations/org-acme/sessions"


def as_admin(sandbox: Sandbox) -> dict[str, str]:
    return {"Authorization": f"Bearer {sandbox.token}"}


async def test_the_journal_continues_after_a_number(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    for _ in range(2):
        await http.get(SESSIONS, headers=as_admin(sandbox))
    response = (await http.get("/_sandbox/journal?after=1")).json()
    assert [(each["number"], each["operation"], each["status"]) for each in response["entries"]] == [
        (2, "organization.sessions.list", 200)
    ]
    assert response["last"] == 2


async def test_a_cleared_journal_says_so_and_continues_its_numbers(http: httpx.AsyncClient) -> None:
    await http.get(SESSIONS)
    assert (await http.delete("/_sandbox/journal")).json() == {"entries": [], "last": 1, "cleared": 1}
    await http.get(SESSIONS)
    response = (await http.get("/_sandbox/journal?after=1")).json()
    assert ([each["number"] for each in response["entries"]], response["last"], response["cleared"]) == ([2], 2, 1)


@pytest.mark.parametrize(
    ("body", "now"),
    [
        ({"advance": {"hours": 1}}, "2026-11-01T01:00:00+00:00"),
        ({"advance": {"days": 1, "seconds": 0.5}}, "2026-11-02T00:00:00.500000+00:00"),
        ({"to": "2030-01-01T00:00:00Z"}, "2030-01-01T00:00:00+00:00"),
    ],
)
async def test_the_clock_moves(http: httpx.AsyncClient, body: dict[str, Any], now: str) -> None:
    assert (await http.post("/_sandbox/clock", json=body)).json() == {"now": now, "ticks": False}


async def test_due_runs_are_done(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    trigger = {"type": "schedule:recurring", "rrule": "FREQ=HOURLY"}
    sandbox.add_automation(trigger=trigger, action={"type": "start_session", "prompt": "Triage"})
    await http.post("/_sandbox/clock", json={"advance": {"hours": 3}})
    assert (await http.get("/_sandbox/state")).json()["families"]["sessions"] == 3


async def test_the_permissions_of_the_requests_are_returned(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    await http.get(SESSIONS, headers=as_admin(sandbox))
    response = (await http.get("/_sandbox/journal/permissions")).json()
    assert response["organization"] == {"ViewOrgSessions": ["organization.sessions.list"]}
