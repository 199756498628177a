"""How requests leave: straight through httpx's transport, by the environment's proxies, or through a user's client."""

from __future__ import annotations

import httpx
import pytest
from agent_session_platform import AgentPlatform, RetryPolicy
from agent_session_platform.transport.connections import URLS_KEPT

from tests.servers.stranger import stranger

TOKEN = "svc_connections"
OK = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}"


async def test_a_proxy_that_the_environment_names_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    async with stranger(OK) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.base_url)
        async with AgentPlatform("http://platform.example.com", TOKEN) as platform:
            await platform.request("GET", "/v3/enterprise/whatever")
    assert proxy.requests[0].startswith(b"GET http://platform.example.com/v3/enterprise/whatever HTTP/1.1\r\n")


async def test_no_proxy_is_used_for_a_host_that_the_environment_excepts(monkeypatch: pytest.MonkeyPatch) -> None:
    async with stranger(OK) as server, stranger(OK) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.base_url)
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        async with AgentPlatform(server.base_url, TOKEN) as platform:
            await platform.request("GET", "/v3/enterprise/whatever")
    assert (len(server.requests), len(proxy.requests)) == (1, 0)


async def test_each_request_has_the_headers_that_http_wants_and_each_of_ours_once() -> None:
    async with stranger(OK) as server, AgentPlatform(server.base_url, TOKEN) as platform:
        await platform.request("GET", "/v3/enterprise/whatever")
    names = [line.partition(b":")[0].lower() for line in server.requests[0].split(b"\r\n")[1:] if line]
    assert sorted(names) == [
        b"accept",
        b"accept-encoding",
        b"authorization",
        b"host",
        b"user-agent",
        b"x-agent-platform-attempt",
    ]


@pytest.mark.parametrize(("body", "length"), [(None, b"0"), ({"a": "é"}, b"10")])
async def test_a_post_tells_the_length_of_its_body(body: dict[str, str] | None, length: bytes) -> None:
    async with stranger(OK) as server, AgentPlatform(server.base_url, TOKEN) as platform:
        await platform.request("POST", "/v3/enterprise/whatever", body=body)
    assert b"\r\ncontent-length: " + length + b"\r\n" in server.requests[0].lower()


async def test_each_try_says_its_number_though_the_headers_are_kept() -> None:
    refused = b"HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n"
    quick = RetryPolicy(attempts=3, backoff_base=0.0)
    async with stranger(refused, refused, OK) as server, AgentPlatform(server.base_url, TOKEN, retry=quick) as platform:
        await platform.request("GET", "/v3/enterprise/whatever")
    told = [request.lower().partition(b"x-agent-platform-attempt: ")[2][:1] for request in server.requests]
    assert told == [b"1", b"2", b"3"]


async def test_a_path_that_was_sent_before_goes_where_it_went_and_another_one_does_not() -> None:
    requests: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        requests.append(request.url.path)
        return httpx.Response(200, json={})

    paths = [f"/v3/enterprise/{number}" for number in range(URLS_KEPT + 2)]
    async with AgentPlatform("https://x.example.com", TOKEN, transport=httpx.MockTransport(answer)) as platform:
        for path in [*paths, *paths]:
            await platform.request("GET", path)
    assert requests == [*paths, *paths]


async def test_the_hooks_of_a_client_that_is_passed_are_run() -> None:
    seen: list[str] = []

    async def note(request: httpx.Request) -> None:
        seen.append(request.url.path)

    async with (
        stranger(OK) as server,
        httpx.AsyncClient(event_hooks={"request": [note]}) as client,
        AgentPlatform(server.base_url, TOKEN, http_client=client) as platform,
    ):
        await platform.request("GET", "/v3/enterprise/whatever")
    assert seen == ["/v3/enterprise/whatever"]


async def test_a_transport_that_is_passed_can_read_the_content_of_a_request() -> None:
    contents: list[bytes] = []

    def answer(request: httpx.Request) -> httpx.Response:
        contents.append(request.content)
        return httpx.Response(200, json={})

    async with AgentPlatform("https://x.example.com", TOKEN, transport=httpx.MockTransport(answer)) as platform:
        await platform.request("POST", "/v3/enterprise/whatever", body={"a": 1})
    assert contents == [b'{"a":1}']
