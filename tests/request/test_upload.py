"""Files are streamed to the server, and read anew for each attempt."""

from __future__ import annotations

import asyncio
import io
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform import InvalidArgumentError, RateLimitedError
from agent_session_platform.sandbox import RateLimit, Sandbox

from tests.conftest import QUICK
from tests.servers.fault_server import fault_server
from tests.servers.scripts import response

CONTENT = bytes(range(256)) * 1200
BUSY = response(b"", "429 Too Many Requests", "Retry-After: 0")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "report.pdf"
    path.write_bytes(CONTENT)
    return path


def sources(file: Path) -> dict[str, Any]:
    return {"path": file, "text": str(file), "bytes": CONTENT, "open": io.BytesIO(CONTENT)}


@pytest.mark.parametrize("source", ["path", "text", "bytes", "open"])
async def test_a_file_arrives_as_it_was(org: Any, file: Path, source: str) -> None:
    made = await org.attachments.upload(file=sources(file)[source])
    assert made["name"] == ("report.pdf" if source in ("path", "text") else "file")
    assert await org.attachments.download(made["uuid"], made["name"]).read() == CONTENT


@pytest.mark.parametrize("source", ["path", "bytes", "open"])
async def test_a_file_is_read_anew_for_each_attempt(sandbox: Sandbox, file: Path, source: str) -> None:
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

    async with fault_server(BUSY) as server, server.client() as platform:
        with pytest.raises(RateLimitedError, match="given up after 1 attempt"):
            await platform.organization().attachments.upload(file=Pipe())
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("/no/such/file", "file: no such file: '/no/such/file'"),
        (io.StringIO("text"), "file must be open in binary mode"),
        (7, "file must be a path, bytes or an open file, not int"),
    ],
    ids=["no file", "text", "number"],
)
async def test_an_invalid_file_is_refused(org: Any, source: Any, message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        await org.attachments.upload(file=source)


async def test_a_file_that_is_deleted_between_two_attempts_is_an_invalid_argument(file: Path) -> None:
    async with fault_server(BUSY) as server, server.client() as platform:

        async def upload() -> None:
            with pytest.raises(InvalidArgumentError, match="file cannot be read: No such file"):
                await platform.organization().attachments.upload(file=file)

        call = asyncio.create_task(upload())
        while not server.requests:
            await asyncio.sleep(0)
        file.unlink()
        await call
    assert len(server.requests) == 1


async def test_a_file_that_cannot_be_read_is_an_invalid_argument(org: Any) -> None:
    class Unreadable(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            if size == 0:
                return b""
            raise PermissionError(13, "Permission denied")

    with pytest.raises(InvalidArgumentError, match="file cannot be read: Permission denied"):
        await org.attachments.upload(file=Unreadable(CONTENT))
