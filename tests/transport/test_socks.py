"""SOCKS proxies, on httpx and httpx2."""

from __future__ import annotations

import gc
import sys
from typing import Any

import pytest
from agent_session_platform import ConfigurationError, ConnectionFailedError

from tests.faults.exposure import leaks
from tests.fixtures import ONE_ATTEMPT
from tests.servers.fault_server import CERTIFICATES, client, fault_server
from tests.servers.socks_server import socks_server
from tests.transport.proxied import OK, PASSWORD, QUOTED, SECRETS, schemes

ADDRESS = "https://platform.example.com"

families = pytest.mark.parametrize("transport", ["httpx", "httpx2"])


@families
@schemes
@pytest.mark.parametrize("credentials", [None, ("user", PASSWORD)], ids=["open", "with credentials"])
async def test_a_call_goes_through_it(transport: Any, scheme: str, credentials: Any) -> None:
    pytest.importorskip("socksio")
    async with fault_server(OK, certificate="loopback" if scheme == "https" else None) as server:
        port = int(server.base_url.rpartition(":")[2])
        async with socks_server(port, credentials) as (address, connected):
            proxy = f"socks5://{f'{QUOTED}@' if credentials else ''}{address}"
            settings: Any = {"verify": CERTIFICATES / "authority.pem", "allow_http": True, "proxy": proxy}
            async with client(f"{scheme}://localhost", transport, **settings) as platform:
                assert await platform.request("GET", "/v3/x") == {"a": 1}
    assert connected == ["localhost"]


@families
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
async def test_one_that_refuses_is_named(transport: Any) -> None:
    pytest.importorskip("socksio")
    async with socks_server(1, ("user", "other")) as (address, _):
        proxy = f"socks5://{QUOTED}@{address}"
        async with client(ADDRESS, transport, proxy=proxy, retry=ONE_ATTEMPT) as platform:
            expected = rf"could not connect to {ADDRESS} through the proxy socks5://{address} \(ProxyError: "
            with pytest.raises(ConnectionFailedError, match=expected) as caught:
                await platform.request("POST", "/v3/x", body={})
    assert not caught.value.received
    assert leaks(caught.value, *SECRETS) == []
    # httpcore leaves the connection to the garbage collector.
    del caught
    gc.collect()


@pytest.mark.parametrize("transport", ["httpx", "httpx2", "aiohttp"])
@pytest.mark.parametrize("given", [True, False], ids=["given", "of the environment"])
async def test_what_it_needs_is_named(transport: Any, given: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "socksio", None)
    monkeypatch.setenv("ALL_PROXY", "socks5h://127.0.0.1:1")
    settings: Any = {"proxy": "socks5://127.0.0.1:1"} if given else {}
    needed = "socksio: pip install 'socksio>=1.0,<2'$"
    if transport == "aiohttp":
        needed = "transport='httpx' or 'httpx2'"
    with pytest.raises(ConfigurationError, match=f"SOCKS, which needs {needed}"):
        async with client(ADDRESS, transport, **settings) as platform:
            await platform.request("GET", "/v3/x")
