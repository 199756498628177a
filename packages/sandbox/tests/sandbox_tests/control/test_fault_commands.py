"""Faults and the rate limit over HTTP."""

from __future__ import annotations

import httpx
import pytest
from agent_session_platform_sandbox import RateLimit, Sandbox

SESSIONS = "/v3/organizations/org-acme/sessions"


def as_admin(sandbox: Sandbox) -> dict[str, str]:
    return {"Authorization": f"Bearer {sandbox.token}"}


async def test_a_fault_is_added_met_and_listed(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    body = {"operation": "organization.sessions.list", "status": 429, "retry_after": 7, "body": {"detail": "slowly"}}
    added = await http.post("/_sandbox/faults", json=body)
    assert (added.status_code, added.json()["unused"]) == (200, True)
    refused = await http.get(SESSIONS, headers=as_admin(sandbox))
    assert (refused.status_code, refused.headers["Retry-After"], refused.json()["detail"]) == (429, "7", "slowly")
    [fault] = (await http.get("/_sandbox/faults")).json()["faults"]
    assert (fault["operation"], fault["met"], fault["unused"]) == ("organization.sessions.list", 1, False)


async def test_the_faults_are_cleared(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    sandbox.faults.add(status=503)
    assert (await http.delete("/_sandbox/faults")).json() == {"faults": []}
    assert (await http.get(SESSIONS, headers=as_admin(sandbox))).status_code == 200


async def test_a_rate_limit_is_set_shown_and_removed(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    assert (await http.get("/_sandbox/rate-limit")).json() == {"rate_limit": None}
    limit = {"per_second": 0.001, "burst": 1, "retry_after": "seconds", "clock": "real"}
    assert (await http.put("/_sandbox/rate-limit", json=limit)).json() == {"rate_limit": {**limit, "refused": 0}}
    statuses = [(await http.get(SESSIONS, headers=as_admin(sandbox))).status_code for _ in range(2)]
    assert (statuses, (await http.get("/_sandbox/rate-limit")).json()["rate_limit"]["refused"]) == ([200, 429], 1)
    await http.delete("/_sandbox/rate-limit")
    assert (await http.get(SESSIONS, headers=as_admin(sandbox))).status_code == 200


async def test_a_rate_limit_may_use_the_clock_of_the_sandbox(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    await http.put("/_sandbox/rate-limit", json={"per_second": 1000, "clock": "sandbox"})

    async def statuses(count: int) -> list[int]:
        return [(await http.get(SESSIONS, headers=as_admin(sandbox))).status_code for _ in range(count)]

    assert await statuses(3) == [200, 429, 429]
    await http.post("/_sandbox/clock", json={"advance": {"seconds": 0.001}})
    assert await statuses(2) == [200, 429]
    assert (await http.get("/_sandbox/rate-limit")).json()["rate_limit"]["clock"] == "sandbox"


@pytest.mark.parametrize(
    ("body", "clock"), [({}, "real"), ({"clock": "real"}, "real"), ({"clock": "sandbox"}, "sandbox")]
)
async def test_a_rate_limit_shows_its_clock(http: httpx.AsyncClient, body: dict[str, str], clock: str) -> None:
    shown = await http.put("/_sandbox/rate-limit", json={"per_second": 1, **body})
    assert shown.json()["rate_limit"]["clock"] == clock


async def test_a_clock_that_was_given_in_python_is_shown_as_other(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    sandbox.rate_limit = RateLimit(1, clock=lambda: 0.0)
    assert (await http.get("/_sandbox/rate-limit")).json()["rate_limit"]["clock"] == "other"
