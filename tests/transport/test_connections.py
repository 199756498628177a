"""What each request has, whatever it asks for."""

from __future__ import annotations

import platform as machine

import httpx
import pytest
from agent_session_platform import (
    AgentPlatform,
)
from agent_session_platform.transport.interface import CACHED_URLS

from tests.servers.fault_server import TOKEN, fault_server
from tests.servers.scripts import response

OK = response({})
PATH = "/v3/enterprise/whatever"


async def test_each_header_is_sent_once() -> None:
    async with fault_server(OK) as server, server.client() as platform:
        await platform.request("GET", PATH)
    assert sorted(name.lower() for name, _ in server.requests[0].fields) == [
        "accept",
        "accept-encoding",
        "authorization",
        "host",
        "user-agent",
        "x-agent-platform-attempt",
    ]
    sent = server.requests[0].headers
    assert sent["authorization"] == f"Bearer {TOKEN}"
    # Some servers choose the form of an error by what is accepted.
    assert sent["accept"] == "application/json, application/problem+json"
    assert f"python/{machine.python_version()} httpx/{httpx.__version__}" in sent["user-agent"]


@pytest.mark.parametrize(("body", "length"), [(None, "0"), ({"a": "é"}, "10")])
async def test_a_post_states_the_length_of_its_body(body: dict[str, str] | None, length: str) -> None:
    async with fault_server(OK) as server, server.client() as platform:
        await platform.request("POST", PATH, body=body)
    assert server.requests[0].headers["content-length"] == length


async def test_no_cookie_is_kept() -> None:
    async with fault_server(response({}, "200 OK", "Set-Cookie: a=b; Path=/")) as server, server.client() as platform:
        for _ in range(2):
            await platform.request("GET", PATH)
    assert "cookie" not in server.requests[1].headers


async def test_a_url_from_the_cache_is_the_one_that_was_asked_for() -> None:
    requests: list[str] = []

    def handle(request: httpx.Request) -> httpx.Response:
        requests.append(request.url.path)
        return httpx.Response(200, json={})

    paths = [f"/v3/enterprise/{number}" for number in range(CACHED_URLS + 2)]
    async with AgentPlatform("https://x.example.com", TOKEN, transport=httpx.MockTransport(handle)) as platform:
        for path in [*paths, *paths]:
            await platform.request("GET", path)
    assert requests == [*paths, *paths]
