"""Requests as they arrive."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import quote_plus

import pytest
from agent_session_platform import AgentPlatform
from pytest_httpx import HTTPXMock

from tests.fixtures import all_clients
from tests.servers.fault_server import client as connect
from tests.servers.fault_server import fault_server
from tests.servers.scripts import response

URL = "https://platform.example.com"
TOKEN = "svc_0123456789"


@pytest.fixture
async def client() -> AsyncIterator[AgentPlatform]:
    async with AgentPlatform(URL, TOKEN, organization="org-acme") as platform:
        yield platform


async def test_parameters_that_are_not_given_are_not_sent(client: AgentPlatform, httpx_mock: HTTPXMock) -> None:
    """Rule session-list-no-order; session-list-parameters: nothing but what the caller gives goes into the query."""
    httpx_mock.add_response(json={"items": []})
    await client.organization().sessions.list().collect()
    assert str(httpx_mock.get_requests()[0].url) == f"{URL}/v3/organizations/org-acme/sessions"


async def test_several_origins_repeat_the_parameter(client: AgentPlatform, httpx_mock: HTTPXMock) -> None:
    """session-list-origins-encoding: the OpenAPI default."""
    httpx_mock.add_response(json={"items": []})
    await client.organization().sessions.list(first=5, after="c=", origins=["api", "slack"]).collect()
    assert httpx_mock.get_requests()[0].url.query == b"first=5&after=c%3D&origins=api&origins=slack"


async def test_an_update_is_a_merge_patch(client: AgentPlatform, httpx_mock: HTTPXMock) -> None:
    """automation-update-media-type: merge-patch (RFC 7396) is used."""
    httpx_mock.add_response(json={})
    await client.organization().automations.update("automation-1", enabled=False, note=None)
    [request] = httpx_mock.get_requests()
    assert (request.method, request.headers["Content-Type"]) == ("PATCH", "application/merge-patch+json")
    assert json.loads(request.content) == {"enabled": False, "note": None}


async def test_a_deletion_has_no_body(client: AgentPlatform, httpx_mock: HTTPXMock) -> None:
    httpx_mock.add_response(status_code=204)
    assert not await client.enterprise.blueprints.delete("blueprint-1")
    [request] = httpx_mock.get_requests()
    assert (request.method, request.content, "Content-Type" in request.headers) == ("DELETE", b"", False)


async def test_a_raw_request_is_sent_like_any_other(client: AgentPlatform, httpx_mock: HTTPXMock) -> None:
    httpx_mock.add_response(status_code=429, headers={"Retry-After": "0"})
    httpx_mock.add_response(json=[1, 2])
    assert await client.request("post", "/v3/enterprise/whatever", query={"first": 1}, body={"a": 1}) == [1, 2]
    first, second = httpx_mock.get_requests()
    assert (second.method, second.url.query, second.content) == ("POST", b"first=1", b'{"a":1}')
    assert first.headers["Authorization"] == second.headers["Authorization"] == f"Bearer {TOKEN}"


# What servers and proxies tell apart, although some libraries do not; what is encoded already stays as it is.
TARGETS = {
    "/v3/a%2Fb%2fc%20d/100%/%zz": "/v3/a%2Fb%2fc%20d/100%25/%25zz",
    "/v3/a%25b%2525": "/v3/a%25b%2525",
    "/v3/%7Ea~b%41%2D%2E%5F": "/v3/%7Ea~b%41%2D%2E%5F",
    "/v3/a:b@c;d=e,f!$&'()*+-._~/": "/v3/a:b@c;d=e,f!$&'()*+-._~/",
    "/v3/é%C3%A9%e2%98%83%FF": "/v3/%C3%A9%C3%A9%e2%98%83%FF",
    "/v3/%00%0A%3F%23": "/v3/%00%0A%3F%23",
    "/v3/a//b/": "/v3/a//b/",
    '/v3/[a]|"{b}\\': "/v3/%5Ba%5D%7C%22%7Bb%7D%5C",
}


@all_clients
@pytest.mark.parametrize(("path", "target"), TARGETS.items())
@pytest.mark.parametrize("prefix", ["", "/a%2Fb/%7Ec"])
async def test_a_path_is_percent_encoded_once(transport: Any, path: str, target: str, prefix: str) -> None:
    """Every HTTP library sends the same bytes."""
    async with fault_server(response({})) as server, connect(f"{server.base_url}{prefix}", transport) as platform:
        await platform.request("GET", path)
    assert [request.target for request in server.requests] == [f"{prefix}{target}"]


@all_clients
@pytest.mark.parametrize("text", ["a/b%2Fc", "~-._+b c,d", "é☃", "'()*!", "a&b=c#d?e", '"<>|^`{}[]\\'])
async def test_a_query_arrives_as_it_was_written(transport: Any, text: str) -> None:
    written = quote_plus(text)
    async with fault_server(response({})) as server, server.client(transport) as platform:
        await platform.request("GET", "/v3/x", query={"é": text})
    [request] = server.requests
    assert (request.target, request.query) == (f"/v3/x?%C3%A9={written}", {"é": text})
