"""Requests to the API: the order of checks, unknown paths and methods."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest
from agent_session_platform import AgentPlatform, NotFoundError
from agent_session_platform_sandbox import Sandbox

from sandbox_tests.plain_http import ORGANIZATION, SESSIONS, send

ACME, NOWHERE = "/v3/organizations/org-acme/schedules", "/v3/organizations/org-nowhere/schedules"
SESSION = f"{SESSIONS}/assistant-1"


@pytest.mark.parametrize(
    ("method", "path", "token", "body", "content_type", "status"),
    [
        ("PUT", f"{NOWHERE}?frist=1", "svc_of_nobody", "{", "text/plain", 405),
        ("GET", "/v3/nothing?frist=1", "svc_of_nobody", "{", "text/plain", 404),
        ("POST", f"{NOWHERE}?frist=1", "svc_of_nobody", "{", "text/plain", 401),
        ("POST", f"{NOWHERE}?frist=1", Sandbox.viewer_token, "{", "text/plain", 403),
        ("POST", f"{NOWHERE}?frist=1", Sandbox.token, "{", "text/plain", 404),
        ("POST", f"{ACME}?frist=1", Sandbox.token, "{", "text/plain", 422),
        ("POST", ACME, Sandbox.token, "{", "text/plain", 415),
        ("POST", ACME, Sandbox.token, "{", "application/json", 400),
        ("GET", ACME, Sandbox.token, "{", "application/json", 400),
        ("POST", ACME, Sandbox.token, "{}", "application/json", 422),
        ("PATCH", f"{ACME}/schedule-9", Sandbox.token, "{}", "application/json", 404),
    ],
)
async def test_the_first_of_several_reasons_to_refuse_is_reported(
    sandbox: Sandbox, method: str, path: str, token: str, body: str, content_type: str, status: int
) -> None:
    """The order is an assumption: error-status-mapping."""
    headers = {"Authorization": f"Bearer {token}", "Content-Type": content_type}
    assert (await send(sandbox, method, path, headers=headers, content=body.encode())).status_code == status


@pytest.mark.parametrize(
    ("path", "hint"),
    [
        (f"{SESSIONS}/", "; did you mean '/v3/organizations/{org_id}/sessions'?"),
        (f"{SESSION}/mesages", "; did you mean '/v3/organizations/{org_id}/sessions/{assistant_id}/messages'?"),
        ("/of/the/kind", ""),
    ],
)
async def test_an_unknown_path_is_refused_without_a_redirect(sandbox: Sandbox, path: str, hint: str) -> None:
    refused = await send(sandbox, "POST", path, content=b"{}")
    assert (refused.status_code, refused.headers["Content-Type"]) == (404, "application/problem+json")
    assert refused.json()["detail"] == f"no operation POST {path}{hint}"


@pytest.mark.parametrize(
    ("path", "allowed", "methods"),
    [
        (SESSIONS, "GET, HEAD, POST", ["PUT", "OPTIONS", "TRACE", "BREW"]),
        # GET /v3/enterprise/consumption/* covers this path as well, but must not be used for it.
        ("/v3/enterprise/consumption/acu-limits/assistant-equivalent/org-acme", "DELETE, PUT", ["GET", "OPTIONS"]),
    ],
)
async def test_an_unknown_method_names_the_known_ones(sandbox: Sandbox, path: str, allowed: str, methods: Any) -> None:
    for method in methods:
        refused = await send(sandbox, method, path)
        assert (refused.status_code, refused.headers["Allow"]) == (405, allowed)
        assert refused.json()["detail"] == f"no operation {method} {path}; it takes {allowed}"


async def test_a_response_to_head_has_no_body(sandbox: Sandbox) -> None:
    response = await send(sandbox, "HEAD", SESSIONS)
    assert (response.status_code, response.content) == (200, b"")


async def test_an_unknown_record_is_reported_with_the_path(platform: AgentPlatform) -> None:
    with pytest.raises(NotFoundError, match="no session assistant-9") as caught:
        await platform.request("GET", f"{SESSIONS}/assistant-9")
    assert caught.value.instance == f"{SESSIONS}/assistant-9"


async def test_concurrent_requests_get_their_own_responses(sandbox: Sandbox) -> None:
    async def make(number: int) -> Any:
        made = (await send(sandbox, "POST", SESSIONS, json={"title": f"{number}"})).json()
        return (await send(sandbox, "GET", f"{SESSIONS}/{made['session_id']}")).json()["title"]

    assert await asyncio.gather(*(make(number) for number in range(100))) == [f"{number}" for number in range(100)]
    assert sorted(entry.number for entry in sandbox.journal) == list(range(1, 201))


async def test_a_path_may_be_encoded_more_than_it_has_to_be(platform: AgentPlatform) -> None:
    assert (await platform.request("GET", "/v3/enterprise/%71ueue"))["total"] == 0


@pytest.mark.parametrize(
    "headers", [[], [""], ["Bearer"], ["Bearer nobody"], ["Basic svc_sandbox_admin"], [f"Bearer {Sandbox.token}"] * 2]
)
async def test_requests_without_one_known_credential_are_a_401(http: httpx.AsyncClient, headers: list[str]) -> None:
    """Rule auth-credential-invalid."""
    refused = await http.get(SESSIONS, headers=[("Authorization", each) for each in headers])
    assert (refused.status_code, refused.headers["WWW-Authenticate"]) == (401, "Bearer")


async def test_a_refusal_shows_no_credential(sandbox: Sandbox) -> None:
    body = {"name": [sandbox.token], "prompt": "p"}
    refused = await send(sandbox, "POST", f"{ORGANIZATION}/schedules", json=body)
    assert (refused.status_code, sandbox.token in refused.text) == (422, False)
    assert sandbox.token not in (await send(sandbox, "GET", f"{SESSIONS}/{sandbox.token}")).text
