"""Commands for reviews, settings, seeds and assumptions."""

from __future__ import annotations

from typing import Any

import httpx
from agent_session_platform_sandbox import Sandbox


def as_admin(sandbox: Sandbox) -> dict[str, str]:
    return {"Authorization": f"Bearer {sandbox.token}"}


SEED: dict[str, Any] = {
    "sessions": [{"title": "Fix it", "org_id": "org-new", "tags": ["nightly"]}, {"title": "Ship it"}],
    "users": [{"user_id": "user-1", "email": "ada@example.com", "organizations": ["org-new"]}],
    "idp_users": [{"user_id": "user-2", "group_names": ["staff"]}],
    "idp_groups": [{"name": "staff"}],
    "roles": [{"role_id": "role-1", "permissions": ["ViewOrgSessions"]}],
    "hypervisors": [{"status": "available"}],
    "blueprints": [{"repo_name": "acme/shop"}],
    "repositories": [{"name": "acme/shop"}],
    "automations": [{"trigger": {"type": "schedule:recurring", "rrule": "FREQ=DAILY"}}],
    "organizations": [{"org_id": "org-new", "platforms": ["Linux"]}],
    "guardrail_violations": [{"org_id": "org-new", "session_id": "assistant-1", "guardrail_id": "guardrail-1"}],
    "credentials": [{"token": "svc_seeded_one", "permissions": ["ViewOrgSessions"], "organizations": ["org-new"]}],
}


async def test_reviews_are_settled(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    body = {"pr_url": "https://git.example.com/acme/shop/pull/7"}
    await http.post("/v3/enterprise/pr-reviews", json=body, headers=as_admin(sandbox))
    settled = (await http.post("/_sandbox/reviews/settle", json={"status": "errored"})).json()["settled"]
    assert [(each["pr_number"], each["status"]) for each in settled] == [(7, "errored")]
    assert (await http.post("/_sandbox/reviews/settle")).json() == {"settled": []}


async def test_group_limits_are_switched_off(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    assert (await http.get("/_sandbox/settings")).json() == {"org_group_limits_enabled": True}
    await http.put("/_sandbox/settings", json={"org_group_limits_enabled": False})
    refused = await http.get("/v3/enterprise/org-group-limits", headers=as_admin(sandbox))
    assert refused.status_code == 403


async def test_a_reset_restores_the_beginning(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    sandbox.add_session()
    sandbox.faults.add(status=503)
    assert (await http.post("/_sandbox/reset")).json()["families"] == {}
    assert [*sandbox.faults] == []


async def test_the_assumptions_are_listed(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    listed = (await http.get("/_sandbox/assumptions")).json()
    assert [each["gap"] for each in listed["assumptions"]] == [each.gap for each in sandbox.assumptions]
    assert [each["gap"] for each in listed["undecided"]] == [each.gap for each in sandbox.undecided]


async def test_a_seed_over_http_returns_no_credential(http: httpx.AsyncClient) -> None:
    response = await http.post("/_sandbox/seed", json=SEED)
    assert response.json()["added"]["credentials"] == ["serviceUser"]
    assert "svc_seeded_one" not in response.text
