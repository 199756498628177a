"""A server, a proxy that knows it, and clients that go through it, for the tests of proxies."""

from __future__ import annotations

import base64
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import httpx
import httpx2
import pytest
from agent_session_platform import AgentPlatform

from tests.fixtures import ONE_ATTEMPT, PASSED
from tests.servers.fault_server import FaultServer, client, fault_server
from tests.servers.proxy_server import ProxyServer, proxy_server
from tests.servers.scripts import response

OK = response({"a": 1})

PASSWORD = "hush/0123456789@é"
QUOTED = "user:hush%2F0123456789%40%C3%A9"
BASIC = base64.b64encode(f"user:{PASSWORD}".encode()).decode()
# What must not be seen of it, in any form.
SECRETS = ("hush", "0123456789", BASIC)

transports = pytest.mark.parametrize("transport", ["httpx", "httpx2", "aiohttp"])
schemes = pytest.mark.parametrize("scheme", ["http", "https"])


def served(scheme: str, script: Any = OK) -> Any:
    """A server on loopback that only a proxy of the test reaches, because the client is told to use it."""
    return fault_server(script, certificate="loopback" if scheme == "https" else None)


@asynccontextmanager
async def proxied(scheme: str, script: Any = OK, **settings: Any) -> AsyncIterator[tuple[FaultServer, ProxyServer]]:
    """A server, and a proxy that knows it under each name."""
    async with served(scheme, script) as server:
        port = int(server.base_url.rpartition(":")[2])
        ports = {"platform.example.com": port, "files.example.com": port}
        async with proxy_server(ports=ports, **settings) as proxy:
            yield server, proxy


@asynccontextmanager
async def through(
    proxy: str | None, base_url: str, transport: Any, *, own: dict[str, Any] | None = None, **settings: Any
) -> AsyncIterator[AgentPlatform]:
    """Make a client that goes through a proxy, and sends a request once.

    Args:
        proxy: The address of the proxy; None for that of the environment.
        base_url: The address of the server.
        transport: A transport of the SDK's own, or the name of a client of the caller.
        own: Settings of a client of the caller.
        settings: Settings of the AgentPlatform.
    """
    settings = {"allow_http": True, "retry": ONE_ATTEMPT, **settings}
    given = {} if proxy is None else {"proxy": proxy}
    if transport not in PASSED:
        async with client(base_url, transport, **given, **settings) as platform:
            yield platform
        return
    if "aiohttp" in transport:
        connector = aiohttp.TCPConnector(ssl=ssl.create_default_context())
        passed: Any = aiohttp.ClientSession(connector=connector, trust_env=proxy is None, **given)
    else:
        library: Any = httpx2 if "httpx2" in transport else httpx
        passed = library.AsyncClient(**given, **(own or {}))
    async with passed, client(base_url, http_client=passed, **settings) as platform:
        yield platform
