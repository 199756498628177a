"""Files are streamed from the server, and saved whole or not at all."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform import (
    AgentPlatform,
    AgentPlatformError,
    ConnectionFailedError,
    NotFoundError,
    PoolTimeoutError,
)
from agent_session_platform_sandbox import Sandbox

from tests.fixtures import ONE_ATTEMPT, all_clients
from tests.servers.fault_server import fault_server
from tests.servers.scripts import EMPTY_LIST, response, then_close, then_silence

CONTENT = bytes(range(256)) * 1200


async def test_a_file_is_saved_without_leaving_another_file(org: Any, tmp_path: Path) -> None:
    made = await org.attachments.upload(file=CONTENT)
    target = tmp_path / "copy.pdf"
    assert await org.attachments.download(made["uuid"], made["name"]).save(target) == len(CONTENT)
    assert target.read_bytes() == CONTENT
    assert list(tmp_path.iterdir()) == [target]


async def test_a_file_comes_in_pieces(sandbox: Sandbox, address: str) -> None:
    async with AgentPlatform(address, sandbox.token, organization="org-acme") as platform:
        attachments = platform.organization().attachments
        made = await attachments.upload(file=CONTENT)
        pieces = [piece async for piece in attachments.download(made["uuid"], made["name"])]
    assert len(pieces) > 1
    assert b"".join(pieces) == CONTENT


async def test_a_download_that_breaks_off_leaves_no_file(tmp_path: Path) -> None:
    broken = then_close(
        b"HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: 1000\r\n\r\nhalf"
    )
    async with fault_server(broken) as server, server.client() as platform:
        download = platform.organization().attachments.download("uuid", "name")
        with pytest.raises(ConnectionFailedError, match="the exchange broke off"):
            await download.save(tmp_path / "never")
    assert list(tmp_path.iterdir()) == []


async def test_a_file_that_does_not_exist_is_not_found(org: Any, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="organization.attachments.download: 404 Not Found: no attachment"):
        await org.attachments.download("0", "x").save(tmp_path / "never")
    assert list(tmp_path.iterdir()) == []


async def test_stopping_early_gives_the_connection_back(sandbox: Sandbox, address: str) -> None:
    async with AgentPlatform(address, sandbox.token, organization="org-acme", max_connections=1) as platform:
        attachments = platform.organization().attachments
        made = await attachments.upload(file=CONTENT)
        for _ in range(3):
            async for _piece in attachments.download(made["uuid"], made["name"]):
                break
            await asyncio.sleep(0)
        assert await attachments.download(made["uuid"], made["name"]).read() == CONTENT


@all_clients
async def test_a_download_under_way_holds_up_no_other_call(transport: Any) -> None:
    """Its request was answered; only its connection is still in use."""
    half = then_silence(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc")
    busy = response(b"", "429 Too Many Requests", "Retry-After: 0")
    async with fault_server(half, busy, EMPTY_LIST) as server, server.client(transport) as platform:
        async for _ in platform.organization().attachments.download("uuid", "name"):
            async with asyncio.timeout(5):
                assert (await platform.enterprise.blueprints.list()).data == []
            break


@all_clients
async def test_a_download_that_is_not_read_keeps_its_connection(transport: Any) -> None:
    half = then_silence(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc")
    async with fault_server(half) as server, server.client(transport, max_connections=1, timeout=0.1) as platform:
        async for _ in platform.organization().attachments.download("uuid", "name"):
            with pytest.raises(PoolTimeoutError, match="no connection became free within 0.1 s"):
                await platform.enterprise.blueprints.list()
            break


async def test_closing_the_client_ends_a_download(sandbox: Sandbox, address: str) -> None:
    platform = AgentPlatform(address, sandbox.token, organization="org-acme", retry=ONE_ATTEMPT)
    made = await platform.organization().attachments.upload(file=CONTENT)
    iterator = aiter(platform.organization().attachments.download(made["uuid"], made["name"]))
    first = await anext(iterator)
    await platform.aclose()
    rest = [piece async for piece in until_error(iterator)]
    assert len(first) + sum(map(len, rest)) <= len(CONTENT)


async def until_error(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Yield what arrives before an error of the SDK."""
    try:
        async for piece in pieces:
            yield piece
    except AgentPlatformError:
        return
