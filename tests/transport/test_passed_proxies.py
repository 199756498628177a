"""A proxy of a client that the caller has made: what fails before the request was begun, and its password."""

from __future__ import annotations

import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import httpx
import httpx2
import pytest
from agent_session_platform import AgentPlatform, AgentPlatformError, ConnectionFailedError, OutcomeUnknownError

from tests.faults.exposure import leaks
from tests.fixtures import ONE_ATTEMPT
from tests.servers.fault_server import CERTIFICATES, client, fault_server
from tests.servers.proxy_server import ProxyServer, proxy_server
from tests.servers.scripts import response, then_close, then_reset
from tests.transport.proxied import QUOTED, SECRETS, proxied

ADDRESS = "https://platform.example.com"
UNAUTHORIZED = "407 Proxy Authentication Required"

libraries = pytest.mark.parametrize("library", [httpx, httpx2, aiohttp], ids=lambda library: library.__name__)
of_httpx = pytest.mark.parametrize("library", [httpx, httpx2], ids=lambda library: library.__name__)


@pytest.fixture(autouse=True)
def trust(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trust the authority of the tests."""
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATES / "authority.pem"))


@asynccontextmanager
async def passing(library: Any, address: str, proxy: ProxyServer, **settings: Any) -> AsyncGenerator[AgentPlatform]:
    """A client of the SDK with one of the library that goes through a proxy, with a password."""
    named: Any = {} if settings.pop("of_environment", False) else {"proxy": proxy.with_credentials(QUOTED)}
    if library is aiohttp:
        connector = aiohttp.TCPConnector(ssl=ssl.create_default_context())
        own: Any = aiohttp.ClientSession(connector=connector, trust_env=not named, **named)
    else:
        own = library.AsyncClient(**named, **settings.pop("own", {}))
    async with own, client(address, http_client=own, **settings) as platform:
        yield platform


@libraries
async def test_a_call_goes_through_the_proxy_of_a_client(library: Any) -> None:
    async with proxied("https") as (server, proxy), passing(library, server.base_url, proxy) as platform:
        assert await platform.request("POST", "/v3/x", body={}) == {"a": 1}
    assert (len(proxy.requests), len(server.requests)) == (1, 1)
    assert "proxy-authorization" in proxy.requests[0].headers


@libraries
@pytest.mark.parametrize("of_environment", [False, True], ids=["given", "of the environment"])
@pytest.mark.parametrize("status", ["403 Forbidden", UNAUTHORIZED, "502 Bad Gateway"])
async def test_a_proxy_of_a_client_that_refuses_is_no_unknown_outcome(
    library: Any, status: str, of_environment: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with proxied("https", refusal=response(b"no", status)) as (_, proxy):
        monkeypatch.setenv("HTTPS_PROXY", proxy.with_credentials(QUOTED))
        settings = {"of_environment": of_environment, "retry": ONE_ATTEMPT}
        async with passing(library, ADDRESS, proxy, **settings) as platform:
            expected = rf"could not connect to {ADDRESS} \(.*{status[:3]}"
            with pytest.raises(ConnectionFailedError, match=expected) as caught:
                await platform.request("POST", "/v3/x", body={})
    monkeypatch.undo()
    assert (caught.value.received, caught.value.final) == (False, status == UNAUTHORIZED)
    assert leaks(caught.value, *SECRETS) == []


@libraries
async def test_a_proxy_of_a_client_that_wants_another_password_is_asked_once(library: Any) -> None:
    async with (
        proxied("https", credentials="user:other") as (_, proxy),
        passing(library, ADDRESS, proxy) as platform,
    ):
        with pytest.raises(ConnectionFailedError, match="check the user name and the password in its address"):
            await platform.request("POST", "/v3/x", body={})
    assert len(proxy.requests) == 1


HANGING_UP = [then_close(), then_reset(), then_close(b"HTTP/1.1 200 "), then_close(b"nonsense\r\n\r\n")]


@libraries
@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_a_write_that_broke_off_behind_the_proxy_of_a_client_is_not_sent_again(library: Any, scheme: str) -> None:
    certificate = "loopback" if scheme == "https" else None
    async with (
        fault_server(then_close(), certificate=certificate) as server,
        proxy_server() as proxy,
        passing(library, server.base_url, proxy, allow_http=True) as platform,
    ):
        with pytest.raises(OutcomeUnknownError):
            await platform.request("POST", "/v3/x", body={})
    assert len(server.requests) == 1


@of_httpx
async def test_a_trace_of_a_hook_stays_and_leaves_the_outcome_unknown(library: Any) -> None:
    events: list[str] = []

    async def trace(event: str, about: Any) -> None:
        events.append(event)

    async def hook(request: Any) -> None:
        request.extensions["trace"] = trace

    own = {"event_hooks": {"request": [hook]}}
    async with (
        proxied("https", refusal=then_close()) as (_, proxy),
        passing(library, ADDRESS, proxy, own=own, retry=ONE_ATTEMPT) as platform,
    ):
        with pytest.raises(OutcomeUnknownError):
            await platform.request("POST", "/v3/x", body={})
    assert "http11.send_request_headers.started" in events


@of_httpx
async def test_a_transport_of_the_caller_that_sends_again_by_itself_leaves_the_outcome_unknown(library: Any) -> None:
    """Its second request has no trace, so that of the first, which was not begun, says nothing about it."""
    async with proxied("https", first=then_close()) as (server, proxy):
        below = library.AsyncHTTPTransport(proxy=proxy.with_credentials(QUOTED))

        class Again(library.AsyncBaseTransport):  # type: ignore[misc]  # of the library of the test
            async def handle_async_request(self, request: Any) -> Any:
                try:
                    return await below.handle_async_request(request)
                except library.TransportError:
                    pass
                raise library.ReadError("the second request broke off")

        async with (
            library.AsyncClient(transport=Again()) as own,
            client(server.base_url, http_client=own, retry=ONE_ATTEMPT) as platform,
        ):
            with pytest.raises(OutcomeUnknownError):
                await platform.request("POST", "/v3/x", body={})
        await below.aclose()


async def test_an_address_of_a_proxy_that_cannot_be_used_is_shown_without_its_password() -> None:
    async with (
        aiohttp.ClientSession(proxy=f"http://{QUOTED}@127.0.0.1:x") as own,
        client(ADDRESS, http_client=own, retry=ONE_ATTEMPT) as platform,
    ):
        with pytest.raises(AgentPlatformError) as caught:
            await platform.request("GET", "/v3/x")
    assert leaks(caught.value, *SECRETS) == []
