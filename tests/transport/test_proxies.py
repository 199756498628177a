"""Proxies: which one is used, and how it gets the request."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform import (
    ConfigurationError,
)

from tests.servers.fault_server import CERTIFICATES, TOKEN, client, fault_server
from tests.servers.proxy_server import proxy_server
from tests.servers.scripts import response
from tests.transport.proxied import PASSWORD, QUOTED, proxied, schemes, served, transports


@pytest.fixture(autouse=True)
def trust(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trust the authority of the tests."""
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATES / "authority.pem"))


# How requests go through it.


@transports
@pytest.mark.parametrize("certificate", [None, "loopback"], ids=["http proxy", "https proxy"])
@pytest.mark.parametrize("credentials", [None, f"user:{PASSWORD}"], ids=["open", "with credentials"])
@schemes
async def test_a_call_goes_through_the_proxy(
    transport: Any, scheme: str, credentials: str | None, certificate: str | None
) -> None:
    async with proxied(scheme, credentials=credentials, certificate=certificate) as (server, proxy):
        address = proxy.with_credentials(QUOTED) if credentials else proxy.base_url
        async with client(server.base_url, transport, proxy=address, allow_http=True) as platform:
            for _ in range(2):
                assert await platform.request("POST", "/v3/x", body={"b": 2}) == {"a": 1}
    host = server.base_url.partition("://")[2]
    expected = [("CONNECT", host)] if scheme == "https" else [("POST", f"http://{host}/v3/x")] * 2
    assert proxy.targets == expected
    assert [request.body for request in server.requests] == [b'{"b":2}'] * 2


@transports
@schemes
async def test_the_credentials_of_the_proxy_do_not_reach_the_server(transport: Any, scheme: str) -> None:
    """Over http it is the proxy that takes them out."""
    async with proxied(scheme, credentials=f"user:{PASSWORD}") as (server, proxy):
        address = proxy.with_credentials(QUOTED)
        async with client(server.base_url, transport, proxy=address, allow_http=True) as platform:
            await platform.request("GET", "/v3/x")
    [request] = server.requests
    assert [name for name, _ in request.fields if name.lower().startswith("proxy")] == []


@transports
async def test_the_token_does_not_reach_a_proxy_that_connects(transport: Any) -> None:
    async with (
        proxied("https") as (server, proxy),
        client(server.base_url, transport, proxy=proxy.base_url) as platform,
    ):
        await platform.request("GET", "/v3/x")
    assert TOKEN not in repr(proxy.requests)


@transports
async def test_a_proxy_may_have_an_ipv6_address(transport: Any) -> None:
    async with (
        proxied("https", host="::1") as (server, proxy),
        client(server.base_url, transport, proxy=proxy.base_url) as platform,
    ):
        await platform.request("GET", "/v3/x")
    assert len(proxy.requests) == 1


@transports
@pytest.mark.parametrize("given", [True, False], ids=["given", "of the environment"])
async def test_the_target_of_a_redirect_has_the_proxy_for_its_own_address(
    transport: Any, given: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with served("https") as storage, proxy_server() as proxy:
        address = storage.base_url.removeprefix("https://")
        redirect = response(b"", "302 Found", f"Location: https://{address}/file?signature=x")
        async with fault_server(redirect) as server:
            monkeypatch.setenv("HTTPS_PROXY", proxy.base_url)
            settings: Any = {"proxy": proxy.base_url, "allow_http": True} if given else {}
            async with server.client(transport, **settings) as platform:
                file = platform.organization().attachments.download("id", "name")
                assert await file.read(follow=True, hosts=[address]) == b'{"a": 1}'
    assert ("CONNECT", address) in proxy.targets
    assert len(proxy.requests) == 1 + given


# Which one it is.


@transports
@pytest.mark.parametrize("lower", [False, True], ids=["upper case", "lower case"])
@pytest.mark.parametrize(("name", "scheme"), [("HTTP", "http"), ("HTTPS", "https"), ("ALL", "http"), ("ALL", "https")])
async def test_the_environment_names_the_proxy(
    transport: Any, name: str, scheme: str, lower: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with proxied(scheme) as (server, proxy):
        variable = f"{name}_PROXY"
        monkeypatch.setenv(variable.lower() if lower else variable, proxy.base_url)
        async with client(server.base_url, transport, allow_http=True) as platform:
            await platform.request("GET", "/v3/x")
    assert len(proxy.requests) == 1


EXCEPTED = ["*", "127.0.0.1", "127.0.0.0/8", "127.0.0.1:{port}", "example.com, 127.0.0.1", "example.com 127.0.0.1"]
NOT_EXCEPTED = ["", "127.0.0.2", "10.0.0.0/8", "127.0.0.1:1", "localhost", "::1"]


@pytest.mark.parametrize("lower", [False, True], ids=["upper case", "lower case"])
@pytest.mark.parametrize("no_proxy", [*EXCEPTED, *NOT_EXCEPTED])
async def test_no_proxy_excepts_servers(no_proxy: str, lower: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    async with proxied("http") as (server, proxy):
        monkeypatch.setenv("HTTP_PROXY", proxy.base_url)
        value = no_proxy.format(port=server.base_url.rpartition(":")[2])
        monkeypatch.setenv("no_proxy" if lower else "NO_PROXY", value)
        async with client(server.base_url, allow_http=True) as platform:
            await platform.request("GET", "/v3/x")
    assert len(proxy.requests) == (no_proxy in NOT_EXCEPTED)


@transports
async def test_a_server_of_this_machine_has_no_proxy_of_the_environment_over_http(
    transport: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would read the token, as everybody on the way to it."""
    async with proxied("http") as (server, proxy):
        monkeypatch.setenv("ALL_PROXY", proxy.base_url)
        async with client(f"{server.base_url}/prefix", transport) as platform:
            await platform.request("GET", "/v3/x")
    assert (len(server.requests), len(proxy.requests)) == (1, 0)


@transports
async def test_a_proxy_that_is_given_is_used_for_every_server(transport: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    async with proxied("https") as (server, proxy):
        monkeypatch.setenv("NO_PROXY", "*")
        monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:1")
        async with client(server.base_url, transport, proxy=proxy.base_url) as platform:
            await platform.request("GET", "/v3/x")
    assert len(proxy.requests) == 1


def test_a_token_goes_to_no_proxy_elsewhere_over_http() -> None:
    with pytest.raises(ConfigurationError, match=r"through the proxy http://proxy.example.com:3128: over http"):
        client("http://127.0.0.1:8000", proxy="http://user:secret@proxy.example.com:3128")
