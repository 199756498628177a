"""Files: streamed in both directions, and never half there."""

from __future__ import annotations

import asyncio
import io
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform import (
    AgentPlatform,
    AgentPlatformError,
    ConnectionFailedError,
    DecodeError,
    InvalidArgumentError,
    NotFoundError,
    RateLimitedError,
    RetryPolicy,
)
from agent_session_platform.sandbox import RateLimit, Sandbox

from tests.conftest import QUICK
from tests.servers.stranger import response, stranger

CONTENT = os.urandom(300_000)
TOKEN = "svc_0123456789"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "report.pdf"
    path.write_bytes(CONTENT)
    return path


def sources(file: Path) -> dict[str, Any]:
    return {"path": file, "text": str(file), "bytes": CONTENT, "open": io.BytesIO(CONTENT)}


@pytest.mark.parametrize("source", ["path", "text", "bytes", "open"])
async def test_a_file_goes_up_and_comes_down_as_it_was(org: Any, file: Path, source: str) -> None:
    made = await org.attachments.upload(file=sources(file)[source])
    assert made["name"] == ("report.pdf" if source in ("path", "text") else "file")
    assert await org.attachments.download(made["uuid"], made["name"]).read() == CONTENT


async def test_a_file_is_saved_without_anything_left_beside_it(org: Any, file: Path, tmp_path: Path) -> None:
    made = await org.attachments.upload(file=file)
    target = tmp_path / "copy.pdf"
    assert await org.attachments.download(made["uuid"], made["name"]).save(target) == len(CONTENT)
    assert target.read_bytes() == CONTENT
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.pdf", "report.pdf"]


async def test_a_file_is_iterated_over_piece_by_piece(sandbox: Sandbox, address: str) -> None:
    async with AgentPlatform(address, sandbox.token, organization="org-acme") as platform:
        attachments = platform.organization().attachments
        made = await attachments.upload(file=CONTENT)
        chunks = [chunk async for chunk in attachments.download(made["uuid"], made["name"])]
    assert len(chunks) > 1
    assert b"".join(chunks) == CONTENT


async def test_a_file_that_breaks_off_is_not_left_behind(tmp_path: Path) -> None:
    broken = b"HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: 1000\r\n\r\nhalf of it"
    async with stranger(broken) as server, AgentPlatform(server.base_url, TOKEN, organization="org-a") as platform:
        download = platform.organization().attachments.download("u", "n")
        with pytest.raises(ConnectionFailedError, match="the exchange broke off"):
            await download.save(tmp_path / "never")
    assert list(tmp_path.iterdir()) == []


async def test_a_file_that_is_not_there_is_told(org: Any, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="organization.attachments.download: 404 Not Found: no attachment"):
        await org.attachments.download("0", "x").save(tmp_path / "never")
    assert list(tmp_path.iterdir()) == []


async def test_a_redirect_of_a_download_is_not_followed() -> None:
    elsewhere = response(b"", "302 Found", Location="https://elsewhere.example/file")
    async with stranger(elsewhere) as server, AgentPlatform(server.base_url, TOKEN, organization="org-a") as platform:
        with pytest.raises(DecodeError, match="302 with a redirect to https://elsewhere.example/file"):
            await platform.organization().attachments.download("u", "n").read()


async def test_reading_holds_no_more_than_the_limit(sandbox: Sandbox) -> None:
    async with sandbox.client(max_body=1000) as platform:
        made = await platform.organization().attachments.upload(file=CONTENT)
        with pytest.raises(DecodeError, match="a file of more than 1000 bytes; save"):
            await platform.organization().attachments.download(made["uuid"], made["name"]).read()
        assert platform.rate_limiter.stats().in_flight == 0


async def test_stopping_early_gives_the_connection_back(sandbox: Sandbox, address: str) -> None:
    async with AgentPlatform(address, sandbox.token, organization="org-acme", max_connections=1) as platform:
        attachments = platform.organization().attachments
        made = await attachments.upload(file=CONTENT)
        for _ in range(3):
            async for _chunk in attachments.download(made["uuid"], made["name"]):
                break
            await asyncio.sleep(0)
        assert await attachments.download(made["uuid"], made["name"]).read() == CONTENT


@pytest.mark.parametrize("source", ["path", "bytes", "open"])
async def test_an_upload_is_read_anew_for_each_try(sandbox: Sandbox, file: Path, source: str) -> None:
    clock = iter(range(1000))
    sandbox.rate_limit = RateLimit(1, burst=1, retry_after=None, clock=lambda: next(clock) / 2)
    async with sandbox.client(retry=QUICK) as platform:
        for _ in range(2):
            made = await platform.organization().attachments.upload(file=sources(file)[source])
            sandbox.rate_limit, limit = None, sandbox.rate_limit
            assert await platform.organization().attachments.download(made["uuid"], made["name"]).read() == CONTENT
            sandbox.rate_limit = limit


async def test_a_file_that_cannot_be_rewound_is_sent_once() -> None:
    class Pipe(io.RawIOBase):
        sent = False

        def readable(self) -> bool:
            return True

        def read(self, size: int = -1) -> bytes:
            if size == 0 or self.sent:
                return b""
            self.sent = True
            return b"once"

    busy = response(b"", "429 Too Many Requests", Retry_After="0")
    async with stranger(busy) as server, AgentPlatform(server.base_url, TOKEN, organization="org-a") as platform:
        with pytest.raises(RateLimitedError, match="given up after 1 try"):
            await platform.organization().attachments.upload(file=Pipe())
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("/no/such/file", "file: no such file: '/no/such/file'"),
        (io.StringIO("text"), "file must be open in binary mode"),
        (7, "file must be a path, bytes or an open file, not int"),
    ],
)
async def test_a_file_that_cannot_be_one_is_refused(org: Any, source: Any, message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        await org.attachments.upload(file=source)


async def test_closing_the_client_ends_a_download(sandbox: Sandbox, address: str) -> None:
    platform = AgentPlatform(address, sandbox.token, organization="org-acme", retry=RetryPolicy.none())
    made = await platform.organization().attachments.upload(file=CONTENT)
    iterator = platform.organization().attachments.download(made["uuid"], made["name"]).__aiter__()
    first = await anext(iterator)
    await platform.aclose()
    rest = [chunk async for chunk in quietly(iterator)]
    assert len(first) + sum(map(len, rest)) <= len(CONTENT)


async def quietly(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """What still comes, up to an error of ours."""
    try:
        async for chunk in chunks:
            yield chunk
    except AgentPlatformError:
        return


async def test_a_file_that_goes_away_before_it_is_sent_is_told_and_nothing_is_sent(tmp_path: Path) -> None:
    path = tmp_path / "report.txt"
    path.write_bytes(CONTENT)
    busy = response(b"", "429 Too Many Requests", Retry_After="0")
    async with stranger(busy) as server, AgentPlatform(server.base_url, TOKEN, organization="org-a") as platform:

        async def upload() -> None:
            with pytest.raises(InvalidArgumentError, match="file cannot be read: No such file"):
                await platform.organization().attachments.upload(file=path)

        call = asyncio.create_task(upload())
        while not server.requests:
            await asyncio.sleep(0)
        path.unlink()
        await call
    assert len(server.requests) == 1


async def test_a_file_that_cannot_be_read_is_no_broken_connection(org: Any) -> None:
    class Broken(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            if size == 0:
                return b""
            raise PermissionError(13, "Permission denied")

    with pytest.raises(InvalidArgumentError, match="file cannot be read: Permission denied"):
        await org.attachments.upload(file=Broken(CONTENT))


async def test_a_saved_file_has_the_mode_that_any_new_file_has(org: Any, tmp_path: Path) -> None:
    made = await org.attachments.upload(file=CONTENT)
    await org.attachments.download(made["uuid"], made["name"]).save(tmp_path / "copy")
    (tmp_path / "other").touch()
    assert (tmp_path / "copy").stat().st_mode == (tmp_path / "other").stat().st_mode
