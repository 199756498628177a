"""Requirements, parameters and credentials over HTTP."""

from __future__ import annotations

import httpx
from agent_session_platform_sandbox import Sandbox

SESSIONS = "/v3/organizations/org-acme/sessions"


def as_admin(sandbox: Sandbox) -> dict[str, str]:
    return {"Authorization": f"Bearer {sandbox.token}"}


async def test_the_requirement_of_an_operation_is_changed(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    headers = {"Authorization": f"Bearer {sandbox.viewer_token}"}
    assert (await http.get("/v3/enterprise/queue", headers=headers)).status_code == 403
    body = {"permissions": ["ViewOrgSessions"]}
    assert (await http.post("/_sandbox/operations/enterprise.queue.get/require", json=body)).json()["required"] == body
    assert (await http.get("/v3/enterprise/queue", headers=headers)).status_code == 200


async def test_a_parameter_that_the_contract_does_not_have_is_accepted(
    sandbox: Sandbox, http: httpx.AsyncClient
) -> None:
    path = f"{SESSIONS}?status=running"
    assert (await http.get(path, headers=as_admin(sandbox))).status_code == 422
    await http.post("/_sandbox/operations/organization.sessions.list/accept", json={"parameters": ["status"]})
    assert (await http.get(path, headers=as_admin(sandbox))).status_code == 200


async def test_a_credential_is_removed_and_not_shown(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    sandbox.add_credential("svc_expiring")
    for status in (200, 404):
        response = await http.post("/_sandbox/credentials/remove", json={"token": "svc_expiring"})
        assert (response.status_code, "svc_expiring" in response.text) == (status, False)
