"""How requests leave: over the SDK's own connections, through a proxy, or through what the user passes."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from agent_session_platform import (
    AgentPlatform,
    ConfigurationError,
    NotFoundError,
    ProblemError,
    RetryPolicy,
    UnprocessableContentError,
)
from agent_session_platform.transport.interface import CACHED_URLS

from tests.servers.fault_server import TOKEN, client, fault_server
from tests.servers.scripts import response

OK = response({})
PATH = "/v3/enterprise/whatever"


async def test_the_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    async with fault_server(OK) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.base_url)
        async with client("http://platform.example.com", allow_http=True) as platform:
            await platform.request("GET", PATH)
    [request] = proxy.requests
    assert (request.method, request.target) == ("GET", f"http://platform.example.com{PATH}")


@pytest.mark.parametrize("settings", [{}, {"allow_http": True, "excepted": "127.0.0.1"}], ids=["http", "excepted"])
async def test_no_proxy_is_used_for_this_machine(settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """It would read the token, as everybody on the way to it; with `allow_http` the environment decides."""
    settings = dict(settings)
    async with fault_server(OK) as server, fault_server(OK) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.base_url)
        monkeypatch.setenv("NO_PROXY", settings.pop("excepted", ""))
        async with server.client(**settings) as platform:
            await platform.request("GET", PATH)
    assert (len(server.requests), len(proxy.requests)) == (1, 0)


async def test_missing_certificates_are_a_configuration_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/no/such/file.pem")
    with pytest.raises(ConfigurationError, match="^SSL_CERT_FILE='/no/such/file.pem' cannot be used"):
        await client("https://127.0.0.1:9").request("GET", PATH)


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


@pytest.mark.parametrize(("body", "length"), [(None, "0"), ({"a": "é"}, "10")])
async def test_a_post_states_the_length_of_its_body(body: dict[str, str] | None, length: str) -> None:
    async with fault_server(OK) as server, server.client() as platform:
        await platform.request("POST", PATH, body=body)
    assert server.requests[0].headers["content-length"] == length


async def test_each_attempt_sends_its_number() -> None:
    failed = response(b"", "500 No")
    retry = RetryPolicy(attempts=3, backoff_base=0.0)
    async with fault_server(failed, failed, OK) as server, server.client(retry=retry) as platform:
        await platform.request("GET", PATH)
    assert [request.headers["x-agent-platform-attempt"] for request in server.requests] == ["1", "2", "3"]


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


async def test_a_transport_that_is_passed_can_read_the_content_of_a_request() -> None:
    contents: list[bytes] = []

    def handle(request: httpx.Request) -> httpx.Response:
        contents.append(request.content)
        return httpx.Response(200, json={})

    async with AgentPlatform("https://x.example.com", TOKEN, transport=httpx.MockTransport(handle)) as platform:
        await platform.request("POST", PATH, body={"a": 1})
    assert contents == [b'{"a":1}']


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"http_client": object()}, "http_client must be an httpx.AsyncClient, not object"),
        ({"transport": object()}, "transport must be an httpx.AsyncBaseTransport, not object"),
    ],
    ids=["http_client", "transport"],
)
def test_an_object_of_another_type_is_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        client("http://127.0.0.1:9", **settings)


async def test_the_default_headers_of_an_http_client_do_not_replace_those_of_a_request() -> None:
    defaults = {"Authorization": "Bearer other", "Accept-Encoding": "br", "Connection": "close", "X-Own": "1"}
    async with (
        fault_server(OK) as server,
        httpx.AsyncClient(headers=defaults) as own,
        server.client(http_client=own) as platform,
    ):
        await platform.request("GET", PATH)
    sent = server.requests[0].headers
    assert (sent["authorization"], sent["accept-encoding"]) == (f"Bearer {TOKEN}", "gzip, deflate")
    assert (sent["connection"], sent["x-own"]) == ("close", "1")


async def test_a_closed_http_client_is_refused() -> None:
    own = httpx.AsyncClient()
    await own.aclose()
    async with client("http://127.0.0.1:9", http_client=own) as platform:
        with pytest.raises(ConfigurationError, match="the http_client that was passed is closed"):
            await platform.request("GET", PATH)


async def test_the_hooks_of_an_http_client_see_every_request_and_response() -> None:
    seen: list[Any] = []

    async def on_request(request: httpx.Request) -> None:
        seen.append(request.headers["x-agent-platform-attempt"])

    async def on_response(received: httpx.Response) -> None:
        seen.append(received.status_code)

    busy = response(b"", "429 Too Many Requests", "Retry-After: 0.01")
    own = httpx.AsyncClient(event_hooks={"request": [on_request], "response": [on_response]})
    async with fault_server(busy, OK) as server, own, server.client(http_client=own) as platform:
        await platform.request("GET", PATH)
    assert seen == ["1", 429, "2", 200]


@pytest.mark.parametrize(
    ("status", "error"), [("404 Not Found", NotFoundError), ("422 Unprocessable", UnprocessableContentError)]
)
async def test_a_hook_that_raises_for_the_status_changes_no_error(status: str, error: type[ProblemError]) -> None:
    async def raise_for_status(received: httpx.Response) -> None:
        received.raise_for_status()

    own = httpx.AsyncClient(event_hooks={"response": [raise_for_status]})
    async with fault_server(response({}, status)) as server, own, server.client(http_client=own) as platform:
        with pytest.raises(error):
            await platform.request("POST", PATH, body={})
    assert len(server.requests) == 1


def test_a_transport_and_an_http_client_exclude_each_other() -> None:
    with pytest.raises(ConfigurationError, match="pass transport or http_client, not both"):
        AgentPlatform("https://x.example.com", TOKEN, transport="aiohttp", http_client=object())  # type: ignore[arg-type]
