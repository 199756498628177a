"""Files are streamed to the server, and read anew for each attempt."""

from __future__ import annotations

import asyncio
import io
import os
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform import AgentPlatform, InvalidArgumentError, RateLimitedError
from agent_session_platform_sandbox import RateLimit, Sandbox

from tests.fixtures import QUICK, all_clients
from tests.servers.fault_server import FaultServer, fault_server
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


class Bad(io.BytesIO):
    """A file that fails in one way when it is read in earnest."""

    def __init__(self, way: str) -> None:
        super().__init__(CONTENT)
        self.way = way

    def read(self, size: int | None = -1) -> Any:
        chunk = super().read(size)
        if size == 0:
            return chunk
        if self.way == "raises":
            raise KeyError("from the file")
        if self.way == "raises late" and self.tell() > 100_000:
            raise ValueError("I/O operation on closed file")
        if self.way == "text":
            return chunk.decode("latin-1")
        if self.way == "none":
            return None
        if self.way == "short" and self.tell() > 100_000:
            return b""
        return chunk + b"more" if self.way == "long" and chunk else chunk


def closed_file() -> io.BytesIO:
    file = io.BytesIO(CONTENT)
    file.close()
    return file


class NoPosition(io.BytesIO):
    def tell(self) -> int:
        raise RuntimeError("no position")


BAD: dict[str, tuple[Any, str]] = {
    "closed": (closed_file, "file cannot be read: ValueError"),
    "no position": (lambda: NoPosition(CONTENT), "file cannot be read: RuntimeError"),
    "raises": (lambda: Bad("raises"), "file cannot be read: KeyError"),
    "raises late": (lambda: Bad("raises late"), "file cannot be read: ValueError"),
    "text": (lambda: Bad("text"), "file cannot be read: not bytes but str"),
    "none": (lambda: Bad("none"), "file cannot be read: not bytes but NoneType"),
    "short": (lambda: Bad("short"), "file changed while it was sent: it had 307200 bytes, and is shorter now"),
    "long": (lambda: Bad("long"), "file changed while it was sent: it had 307200 bytes, and is longer now"),
}


async def upload_then_read(server: FaultServer, platform: AgentPlatform, source: Any, message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        await platform.organization().attachments.upload(file=source)
    # The only connection is free again.
    assert await platform.organization().secrets.list() == {}


@all_clients
@pytest.mark.parametrize("way", BAD)
async def test_a_file_that_fails_is_an_invalid_argument_and_loses_no_connection(transport: Any, way: str) -> None:
    make, message = BAD[way]
    async with fault_server(response({})) as server, server.client(transport, max_connections=1) as platform:
        await upload_then_read(server, platform, make(), message)
    assert [request.path for request in server.requests] == ["/v3/organizations/org-acme/secrets"]


@all_clients
@pytest.mark.parametrize(("change", "now"), [(b"", "shorter"), (CONTENT + b"more", "longer")])
async def test_a_file_that_changes_while_it_is_sent_is_an_invalid_argument(
    transport: Any, change: bytes, now: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured = os.fstat

    def change_after(descriptor: int) -> os.stat_result:
        result = measured(descriptor)
        file.write_bytes(change)
        return result

    async with fault_server(response({})) as server, server.client(transport, max_connections=1) as platform:
        monkeypatch.setattr("agent_session_platform.request.upload.os.fstat", change_after)
        await upload_then_read(server, platform, file, f"and is {now} now")


@all_clients
async def test_a_seek_that_fails_on_the_second_attempt_is_an_invalid_argument(transport: Any) -> None:
    class Once(io.BytesIO):
        seeks = 0

        def seek(self, *arguments: Any) -> int:
            self.seeks += 1
            if self.seeks > 2:
                raise ValueError("I/O operation on closed file")
            return super().seek(*arguments)

    async with (
        fault_server(BUSY, response({})) as server,
        server.client(transport, max_connections=1) as platform,
    ):
        await upload_then_read(server, platform, Once(CONTENT), "file cannot be read: ValueError")


@all_clients
async def test_an_open_file_is_sent_from_its_position_in_each_attempt(transport: Any) -> None:
    source = io.BytesIO(b"before the rest")
    source.seek(7)
    async with fault_server(BUSY, response({})) as server, server.client(transport) as platform:
        await platform.organization().attachments.upload(file=source)
    for request in server.requests:
        assert b"\r\n\r\nthe rest\r\n" in request.body


@all_clients
async def test_a_file_of_unknown_length_is_sent_in_chunks(transport: Any) -> None:
    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

    async with fault_server(response({})) as server, server.client(transport) as platform:
        await platform.organization().attachments.upload(file=Pipe(CONTENT))
    assert CONTENT in server.requests[0].body
    assert server.requests[0].headers["transfer-encoding"] == "chunked"
