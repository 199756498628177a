"""A server and a proxy that knows it, for the tests of proxies."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tests.servers.fault_server import FaultServer, fault_server
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


def served(scheme: str) -> Any:
    """A server on loopback that only a proxy of the test reaches, because the client is told to use it."""
    return fault_server(OK, certificate="loopback" if scheme == "https" else None)


def ports(server: FaultServer) -> dict[str, int]:
    """The port of each name that a proxy knows."""
    port = int(server.base_url.rpartition(":")[2])
    return {"platform.example.com": port, "files.example.com": port}


@asynccontextmanager
async def proxied(scheme: str, **settings: Any) -> AsyncIterator[tuple[FaultServer, ProxyServer]]:
    """A server, and a proxy that knows it under each name."""
    async with served(scheme) as server, proxy_server(ports=ports(server), **settings) as proxy:
        yield server, proxy
