"""Requests as httpx sends them."""

from __future__ import annotations

import json
import platform as machine
from typing import Any

import httpx
import pytest
from agent_session_platform import AgentPlatform
from pytest_httpx import HTTPXMock

from tests.fixtures import all_transports
from tests.servers.fault_server import fault_server
from tests.servers.scripts import response

URL = "https://platform.example.com"
TOKEN = "svc_0123456789"


@pytest.fixture
async def client() -> AgentPlatform:
    return AgentPlatform(URL, TOKEN, organization="org-acme")


async def test_a_request_has_credential_user_agent_and_accept(client: AgentPlatform, httpx_mock: HTTPXMock) -> None:
    httpx_mock.add_response(json={"items": []})
    await client.organization().sessions.list().collect()
    [request] = httpx_mock.get_requests()
    assert request.headers["Authorization"] == f"Bearer {TOKEN}"
    # Some servers choose the form of an error by what is accepted.
    assert request.headers["Accept"] == "application/json, application/problem+json"
    assert request.headers["User-Agent"].startswith("agent-session-platform/")
    assert f"python/{machine.python_version()} httpx/{httpx.__version__}" in request.headers["User-Agent"]
    await client.aclose()


async def test_parameters_that_are_not_given_are_not_sent(client: AgentPlatform, httpx_mock: HTTPXMock) -> None:
    """Rule session-list-no-order; session-list-parameters: nothing but what the caller gives goes into the query."""
    httpx_mock.add_response(json={"items": []})
    await client.organization().sessions.list().collect()
    assert str(httpx_mock.get_requests()[0].url) == f"{URL}/v3/organizations/org-acme/sessions"
    await client.aclose()


async def test_several_origins_repeat_the_parameter(client: AgentPlatform, httpx_mock: HTTPXMock) -> None:
    """session-list-origins-encoding: the OpenAPI default."""
    httpx_mock.add_response(json={"items": []})
    await client.organization().sessions.list(first=5, after="c=", origins=["api", "slack"]).collect()
    assert httpx_mock.get_requests()[0].url.query == b"first=5&after=c%3D&origins=api&origins=slack"
    await client.aclose()


async def test_an_update_is_a_merge_patch(client: AgentPlatform, httpx_mock: HTTPXMock) -> None:
    """automation-update-media-type: merge-patch (RFC 7396) is used."""
    httpx_mock.add_response(json={})
    await client.organization().automations.update("automation-1", enabled=False, note=None)
    [request] = httpx_mock.get_requests()
    assert (request.method, request.headers["Content-Type"]) == ("PATCH", "application/merge-patch+json")
    assert json.loads(request.content) == {"enabled": False, "note": None}
    await client.aclose()


async def test_a_deletion_has_no_body(client: AgentPlatform, httpx_mock: HTTPXMock) -> None:
    httpx_mock.add_response(status_code=204)
    assert not await client.enterprise.blueprints.delete("blueprint-1")
    [request] = httpx_mock.get_requests()
    assert (request.method, request.content, "Content-Type" in request.headers) == ("DELETE", b"", False)
    await client.aclose()


async def test_an_id_with_a_slash_stays_one_segment(client: AgentPlatform, httpx_mock: HTTPXMock) -> None:
    httpx_mock.add_response(json={})
    await client.organization().sessions.get("assistant-1/../../x")
    path = b"/v3/organizations/org-acme/sessions/assistant-1%2F..%2F..%2Fx"
    assert httpx_mock.get_requests()[0].url.raw_path == path
    await client.aclose()


async def test_a_base_url_with_a_path_keeps_it(httpx_mock: HTTPXMock) -> None:
    httpx_mock.add_response(json={"data": []})
    async with AgentPlatform(f"{URL}/gateway/", TOKEN) as platform:
        await platform.enterprise.blueprints.list()
    assert str(httpx_mock.get_requests()[0].url) == f"{URL}/gateway/v3/enterprise/snapshot-setup/blueprints"


async def test_a_raw_request_is_sent_like_any_other(client: AgentPlatform, httpx_mock: HTTPXMock) -> None:
    httpx_mock.add_response(status_code=429, headers={"Retry-After": "0"})
    httpx_mock.add_response(json=[1, 2])
    assert await client.request("post", "/v3/enterprise/whatever", query={"first": 1}, body={"a": 1}) == [1, 2]
    first, second = httpx_mock.get_requests()
    assert (second.method, second.url.query, second.content) == ("POST", b"first=1", b'{"a":1}')
    assert first.headers["Authorization"] == second.headers["Authorization"] == f"Bearer {TOKEN}"
    await client.aclose()


async def test_the_http_client_of_the_user_is_used_and_left_open(httpx_mock: HTTPXMock) -> None:
    httpx_mock.add_response(json={"data": []})
    seen: list[str] = []

    async def hook(request: httpx.Request) -> None:
        seen.append(request.url.path)

    async with httpx.AsyncClient(event_hooks={"request": [hook]}, follow_redirects=True) as own:
        async with AgentPlatform(URL, TOKEN, http_client=own) as platform:
            await platform.enterprise.blueprints.list()
        assert not own.is_closed
    assert seen == ["/v3/enterprise/snapshot-setup/blueprints"]


@all_transports
async def test_a_raw_path_is_percent_encoded_once(transport: Any) -> None:
    """What is encoded already stays as it is, and every HTTP library sends the same bytes."""
    paths = {
        "/v3/é": "/v3/%C3%A9",
        "/v3/a%2Fb%20c/100%/%zz": "/v3/a%2Fb%20c/100%25/%25zz",
        "/v3/a:b@c;d=e,f!$&'()*+-._~/": "/v3/a:b@c;d=e,f!$&'()*+-._~/",
        '/v3/[a]|"{b}\\': "/v3/%5Ba%5D%7C%22%7Bb%7D%5C",
    }
    async with fault_server(response({})) as server, server.client(transport) as platform:
        for path in paths:
            await platform.request("GET", path, query={"é": "ü /"})
    assert [request.target for request in server.requests] == [
        f"{target}?%C3%A9=%C3%BC+%2F" for target in paths.values()
    ]
