"""Files are streamed from the server, and saved whole or not at all."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform import (
    AgentPlatform,
    AgentPlatformError,
    ClientClosedError,
    ConnectionFailedError,
    DecodeError,
    NotFoundError,
    PoolTimeoutError,
)
from agent_session_platform_sandbox import Sandbox

from tests.fixtures import all_clients
from tests.servers.fault_server import Script, fault_server
from tests.servers.scripts import EMPTY_LIST, gzip_response, response, then_close, then_silence

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


BROKEN: dict[str, tuple[Script, type[AgentPlatformError]]] = {
    "broken off": (then_close(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf"), ConnectionFailedError),
    "cut-off gzip": (gzip_response(CONTENT, keep=-8), DecodeError),
}


@all_clients
@pytest.mark.parametrize(("script", "error"), BROKEN.values(), ids=BROKEN)
async def test_a_download_that_is_not_complete_leaves_no_file(
    transport: Any, script: Script, error: type[AgentPlatformError], tmp_path: Path
) -> None:
    async with fault_server(script) as server, server.client(transport) as platform:
        with pytest.raises(error):
            await platform.organization().attachments.download("uuid", "name").save(tmp_path / "never")
    assert list(tmp_path.iterdir()) == []


async def test_a_file_that_does_not_exist_is_not_found(org: Any, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="organization.attachments.download: 404 Not Found: no attachment"):
        await org.attachments.download("0", "x").save(tmp_path / "never")
    assert list(tmp_path.iterdir()) == []


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
            with pytest.raises(PoolTimeoutError, match=r"^POST /v3/x: no connection became free within 0\.1 s$"):
                await platform.request("POST", "/v3/x", body={})
            break


async def test_closing_the_client_ends_a_download() -> None:
    half = then_silence(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc")
    async with fault_server(half) as server:
        platform = server.client()
        chunks = aiter(platform.organization().attachments.download("uuid", "name"))
        await anext(chunks)
        await platform.aclose()
        with pytest.raises(ClientClosedError):
            await anext(chunks)
