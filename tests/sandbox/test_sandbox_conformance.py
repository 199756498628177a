"""What schemathesis found (tests/sandbox/conformance.py), so that it does not come back."""

from __future__ import annotations

import socket
from typing import Any

import httpx
import pytest
from agent_session_platform.sandbox import Sandbox

ORGANIZATION = "/v3/organizations/org-acme"
LIMIT = "/v3/enterprise/consumption/acu-limits/assistant-equivalent/org-acme"


async def answer(sandbox: Sandbox, method: str, path: str, **settings: Any) -> httpx.Response:
    headers = {"Authorization": f"Bearer {sandbox.token}", "Content-Type": "application/json"}
    async with httpx.AsyncClient(transport=sandbox.transport(), base_url=sandbox.base_url, headers=headers) as client:
        return await client.request(method, path, **settings)


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        (f"{ORGANIZATION}/automations", "GET, HEAD, POST"),
        # GET /v3/enterprise/consumption/* covers this path as well, and does not answer for it.
        (LIMIT, "DELETE, PUT"),
    ],
)
async def test_what_a_path_does_not_do_is_405_and_what_it_does_stands_in_allow(
    sandbox: Sandbox, path: str, allowed: str
) -> None:
    for method in ("OPTIONS", "TRACE") if "GET" in allowed else ("GET", "OPTIONS"):
        refused = await answer(sandbox, method, path)
        assert (refused.status_code, refused.headers["Allow"]) == (405, allowed)


@pytest.mark.parametrize("content", [b'{"message": "\\ud800"}', b'{"message": NaN}', b'{"message": 1e999}'])
async def test_what_could_not_be_written_again_is_no_json(sandbox: Sandbox, content: bytes) -> None:
    path = f"{ORGANIZATION}/sessions/{sandbox.add_session()}/messages"
    assert (await answer(sandbox, "POST", path, content=content)).status_code == 400


@pytest.mark.parametrize("body", [0, [], "text", {"enabled": "yes"}, {"name": 5}])
async def test_an_automation_is_refused_what_it_cannot_be(sandbox: Sandbox, body: Any) -> None:
    path = f"{ORGANIZATION}/automations"
    assert (await answer(sandbox, "POST", path, json=body)).status_code == 422
    assert (await answer(sandbox, "PATCH", f"{path}/{sandbox.add_automation()}", json=body)).status_code == 422


async def test_an_automation_keeps_what_is_the_platforms(sandbox: Sandbox) -> None:
    path = f"{ORGANIZATION}/automations/{sandbox.add_automation()}"
    before = (await answer(sandbox, "GET", path)).json()
    body = {"automation_id": "mine", "org_id": None, "created_at": "never", "enabled": None, "state": 1}
    assert (await answer(sandbox, "PATCH", path, json=body)).json() == before | {"state": 1}
    assert (await answer(sandbox, "POST", f"{ORGANIZATION}/automations", json=body | {"enabled": True})).is_success


@pytest.mark.parametrize("body", [{"title": 5}, {"tags": "nightly"}, {"tags": [1]}])
async def test_a_session_is_refused_what_it_could_not_show(sandbox: Sandbox, body: dict[str, Any]) -> None:
    assert (await answer(sandbox, "POST", f"{ORGANIZATION}/sessions", json=body)).status_code == 422


@pytest.mark.parametrize(
    "change", [{"scheduled_at": ""}, {"name": None}, {"enabled": 1}, {"agent": "advanced"}, {"tags": [1]}]
)
async def test_a_schedule_is_refused_what_it_could_not_show(sandbox: Sandbox, change: dict[str, Any]) -> None:
    path = f"{ORGANIZATION}/schedules"
    body = {"name": "Triage", "prompt": "Triage", "frequency": "0 9 * * 1-5"}
    made = (await answer(sandbox, "POST", path, json=body)).json()
    updated = await answer(sandbox, "PATCH", f"{path}/{made['scheduled_session_id']}", json=change)
    assert updated.status_code == 422


async def test_a_socket_of_the_sandbox_does_not_wait_for_acknowledgements(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[socket.socket] = []
    create = socket.create_server
    monkeypatch.setattr(socket, "create_server", lambda *arguments: made.append(create(*arguments)) or made[0])
    with sandbox.serve():
        assert made[0].getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
