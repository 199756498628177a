"""Downloads that break off are continued where the server can, and never joined from two versions."""

from __future__ import annotations

import asyncio
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform import (
    AgentPlatform,
    ConnectionFailedError,
    DeadlineExceededError,
    DecodeError,
    NotFoundError,
    RetryEvent,
    RetryPolicy,
)
from agent_session_platform.rate_limit.retry_quota import MOST_TOKENS
from agent_session_platform.retry import RETRY_TOKENS

from tests.fixtures import ONE_ATTEMPT, all_clients
from tests.servers.fault_server import Connection, Request, fault_server
from tests.servers.file_server import FileScript
from tests.servers.scripts import response, then_close, then_silence

CONTENT = bytes(range(256)) * 1000
HALF = len(CONTENT) // 2


def download(platform: AgentPlatform) -> Any:
    """The download of the attachment."""
    return platform.organization().attachments.download("uuid", "name")


async def break_off(target: Path, script: Any) -> None:
    """Save a file with a single attempt, which breaks off; what came is kept."""
    async with fault_server(script) as server, client_of(server.base_url, ONE_ATTEMPT) as platform:
        with pytest.raises(ConnectionFailedError):
            await download(platform).save(target, resume=True)


def client_of(base_url: str, retry: RetryPolicy) -> AgentPlatform:
    """A client whose base URL is the same in every run, as that of a real server is."""
    return AgentPlatform(base_url, "svc_x", organization="org-acme", retry=retry)


@all_clients
async def test_a_save_that_breaks_off_is_continued_within_the_call(transport: Any, tmp_path: Path) -> None:
    script = FileScript(CONTENT, cuts=[1000, 70_000, 0])
    digest = hashlib.sha256()
    async with fault_server(script) as server, server.client(transport) as platform:
        size = await download(platform).save(tmp_path / "copy", checksum=digest.update)
    assert (tmp_path / "copy").read_bytes() == CONTENT
    assert (size, digest.digest()) == (len(CONTENT), hashlib.sha256(CONTENT).digest())
    asked = [each.headers.get("range") for each in server.requests]
    assert asked[0] is None
    assert asked[-1] is not None
    # aiohttp drops what it has not yet delivered when a connection breaks off.
    assert transport is not None or asked[1:] == ["bytes=1000-", "bytes=71000-", "bytes=71000-"]
    assert [path.name for path in tmp_path.iterdir()] == ["copy"]


@all_clients
async def test_so_are_read_and_iteration(transport: Any) -> None:
    async with fault_server(FileScript(CONTENT, cuts=[1000])) as server, server.client(transport) as platform:
        assert await download(platform).read() == CONTENT
    async with fault_server(FileScript(CONTENT, cuts=[1000])) as server, server.client(transport) as platform:
        assert b"".join([chunk async for chunk in download(platform)]) == CONTENT


async def test_the_retry_policy_says_how_often(tmp_path: Path) -> None:
    events: list[RetryEvent] = []
    retry = RetryPolicy(attempts=3, backoff_base=0.0, on_retry=events.append)
    script = FileScript(CONTENT, cuts=[10] * 9)
    async with fault_server(script) as server, server.client(retry=retry) as platform:
        with pytest.raises(ConnectionFailedError, match="given up after 3 attempts"):
            await download(platform).save(tmp_path / "copy")
    assert [event.attempt for event in events] == [1, 2]
    assert script.served == 3
    assert list(tmp_path.iterdir()) == []


async def test_a_file_that_is_complete_gives_back_what_its_breaks_took() -> None:
    async with fault_server(FileScript(CONTENT, cuts=[10] * 4)) as server, server.client() as platform:
        assert await download(platform).read() == CONTENT
        assert len(server.requests) == 5
        assert platform.rate_limiter.stats().retry_quota == MOST_TOKENS


async def test_a_file_that_is_never_complete_gives_nothing_back() -> None:
    async with fault_server(FileScript(CONTENT, cuts=[10] * 9)) as server, server.client() as platform:
        with pytest.raises(ConnectionFailedError):
            await download(platform).read()
        # Each of the four requests for the rest was a success of its own, worth one token.
        assert platform.rate_limiter.stats().retry_quota == MOST_TOKENS - 4 * RETRY_TOKENS + 4


class Second:
    """Serve the file and break off, then respond to the next request with something else."""

    def __init__(self, second: bytes) -> None:
        self.first = FileScript(CONTENT, cuts=[HALF])
        self.second = second

    async def __call__(self, request: Request, connection: Connection) -> None:
        if self.first.served:
            await connection.send(self.second)
        else:
            await self.first(request, connection)


def partial(content_range: str, body: bytes = CONTENT[HALF:], *fields: str) -> bytes:
    """A 206 with a Content-Range."""
    return response(body, "206 Partial Content", f"Content-Range: {content_range}", *fields)


END = len(CONTENT) - 1
UNFIT = {
    "the whole of another version": FileScript(b"other", etag='"v2"'),
    "another version as a range": partial(f"bytes {HALF}-{END}/{END + 1}", CONTENT[HALF:], 'ETag: "v2"'),
    "another place": partial(f"bytes {HALF - 1}-{END}/{END + 1}", CONTENT[HALF - 1 :]),
    "the beginning": partial(f"bytes 0-{END}/{END + 1}", CONTENT),
    "another size": partial(f"bytes {HALF}-{END}/{END + 2}"),
    "a part of the rest": partial(f"bytes {HALF}-{HALF + 9}/{END + 1}", CONTENT[HALF : HALF + 10]),
    "no Content-Range": response(CONTENT[HALF:], "206 Partial Content"),
    "several parts": response(b"--x", "206 Partial Content", media_type="multipart/byteranges; boundary=x"),
    "compressed": partial(f"bytes {HALF}-{END}/{END + 1}", CONTENT[HALF:], "Content-Encoding: gzip"),
    "416": response(b"", "416 Range Not Satisfiable", "Content-Range: bytes */5"),
}


@pytest.mark.parametrize("unfit", UNFIT.values(), ids=UNFIT)
async def test_what_does_not_continue_the_file_ends_the_call(unfit: Any, tmp_path: Path) -> None:
    second = unfit if isinstance(unfit, bytes) else response(unfit.content, "200 OK", f"ETag: {unfit.etag}")
    async with fault_server(Second(second)) as server, server.client() as platform:
        with pytest.raises(ConnectionFailedError, match="the server has no fitting rest of the file"):
            await download(platform).save(tmp_path / "copy")
    assert list(tmp_path.iterdir()) == []


class Unfit:
    """Respond to a range with something unfit, and to any other request with the new file."""

    def __init__(self, unfit: bytes, content: bytes) -> None:
        self.unfit = unfit
        self.whole = FileScript(content, etag='"v2"')

    async def __call__(self, request: Request, connection: Connection) -> None:
        if "range" in request.headers:
            await connection.send(self.unfit)
        else:
            await self.whole(request, connection)


@pytest.mark.parametrize("unfit", UNFIT.values(), ids=UNFIT)
async def test_a_kept_part_that_does_not_fit_is_fetched_from_its_beginning(
    unfit: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    same_download(monkeypatch)
    await break_off(tmp_path / "copy", FileScript(CONTENT, cuts=[HALF]))
    script = Unfit(unfit, b"new" * 9) if isinstance(unfit, bytes) else FileScript(b"new" * 9, etag='"v2"')
    digest = hashlib.sha256()
    async with fault_server(script) as server, server.client() as platform:
        await download(platform).save(tmp_path / "copy", resume=True, checksum=digest.update)
    assert (tmp_path / "copy").read_bytes() == b"new" * 9
    assert digest.digest() == hashlib.sha256(b"new" * 9).digest()
    assert [path.name for path in tmp_path.iterdir()] == ["copy"]


def same_download(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the downloads from all ports for one: each fault server has a new one."""
    monkeypatch.setattr("agent_session_platform.download.source.Source.id", "the same")


@all_clients
async def test_a_kept_part_is_continued_by_the_next_call(
    transport: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    same_download(monkeypatch)
    await break_off(tmp_path / "copy", FileScript(CONTENT, cuts=[HALF]))
    assert (tmp_path / "copy.part").read_bytes() == CONTENT[:HALF]
    digest = hashlib.sha256()
    async with fault_server(FileScript(CONTENT)) as server, server.client(transport) as platform:
        size = await download(platform).save(tmp_path / "copy", resume=True, checksum=digest.update)
    sent = server.requests[0].headers
    assert (sent["range"], sent["if-range"], sent["accept-encoding"]) == (f"bytes={HALF}-", '"v1"', "identity")
    assert (tmp_path / "copy").read_bytes() == CONTENT
    assert (size, digest.digest()) == (len(CONTENT), hashlib.sha256(CONTENT).digest())
    assert [path.name for path in tmp_path.iterdir()] == ["copy"]


async def test_a_part_of_another_download_is_not_continued(tmp_path: Path) -> None:
    """ETags are compared only for one URL, and so are these."""
    await break_off(tmp_path / "copy", FileScript(CONTENT, cuts=[HALF]))
    async with fault_server(FileScript(CONTENT[::-1])) as server, server.client() as platform:
        await download(platform).save(tmp_path / "copy", resume=True)
        assert "range" not in server.requests[0].headers
    assert (tmp_path / "copy").read_bytes() == CONTENT[::-1]


STATES = {
    "none": None,
    "empty": "",
    "no JSON": "{",
    "a list": "[]",
    "no validator": '{"source": "the same", "size": null}',
    "a weak validator": '{"source": "the same", "validator": "W/\\"v1\\"", "size": null}',
    "a header injected": '{"source": "the same", "validator": "\\"v1\\"\\r\\nX: y", "size": null}',
    "a number": '{"source": "the same", "validator": 7, "size": null}',
    "a size below the part": '{"source": "the same", "validator": "\\"v1\\"", "size": 5}',
    "a size of text": '{"source": "the same", "validator": "\\"v1\\"", "size": "9"}',
}


@pytest.mark.parametrize("state", STATES.values(), ids=STATES)
async def test_a_part_without_a_valid_state_is_not_continued(
    state: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    same_download(monkeypatch)
    (tmp_path / "copy.part").write_bytes(b"stale!" * 10)
    if state is not None:
        (tmp_path / "copy.part.json").write_text(state, encoding="ascii")
    async with fault_server(FileScript(CONTENT)) as server, server.client() as platform:
        await download(platform).save(tmp_path / "copy", resume=True)
        assert "range" not in server.requests[0].headers
    assert (tmp_path / "copy").read_bytes() == CONTENT


async def test_nothing_is_kept_of_a_file_that_cannot_be_continued(tmp_path: Path) -> None:
    await break_off(tmp_path / "copy", FileScript(CONTENT, etag='W/"v1"', cuts=[HALF]))
    assert list(tmp_path.iterdir()) == []


async def test_nothing_is_kept_of_a_file_that_does_not_exist(tmp_path: Path) -> None:
    async with fault_server(response({}, "404 X")) as server, server.client() as platform:
        with pytest.raises(NotFoundError):
            await download(platform).save(tmp_path / "copy", resume=True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kept", [True, False])
async def test_what_came_before_the_timeout_is_kept_only_to_be_resumed(kept: bool, tmp_path: Path) -> None:
    half = then_silence(b'HTTP/1.1 200 OK\r\nETag: "v1"\r\nContent-Length: 6\r\n\r\nabc')
    async with fault_server(half) as server, server.client() as platform:
        with pytest.raises(DeadlineExceededError, match=r"the file was not complete within timeout=1 s"):
            await download(platform).save(tmp_path / "copy", resume=kept, timeout=1)
    names = {path.name for path in tmp_path.iterdir()}
    assert names == ({"copy.part", "copy.part.json"} if kept else set())


@pytest.mark.parametrize("kept", [True, False])
async def test_what_came_before_a_cancellation_is_kept_only_to_be_resumed(kept: bool, tmp_path: Path) -> None:
    half = then_silence(b'HTTP/1.1 200 OK\r\nETag: "v1"\r\nContent-Length: 6\r\n\r\nabc')
    came = asyncio.Event()
    async with fault_server(half) as server, server.client() as platform:
        task = asyncio.ensure_future(
            download(platform).save(tmp_path / "copy", resume=kept, checksum=lambda _: came.set())
        )
        await came.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert platform.rate_limiter.stats().in_flight == 0
    names = {path.name for path in tmp_path.iterdir()}
    assert names == ({"copy.part", "copy.part.json"} if kept else set())


async def test_two_downloads_never_write_the_same_part(tmp_path: Path) -> None:
    half = then_silence(b'HTTP/1.1 200 OK\r\nETag: "v1"\r\nContent-Length: 6\r\n\r\nabc')
    came = asyncio.Event()
    async with fault_server(half) as server, server.client() as platform:
        task = asyncio.ensure_future(
            download(platform).save(tmp_path / "copy", resume=True, checksum=lambda _: came.set())
        )
        await came.wait()
        with pytest.raises(BlockingIOError, match="another download writes the same part"):
            await download(platform).save(tmp_path / "copy", resume=True)
        assert len(server.requests) == 1
        task.cancel()
        await asyncio.wait((task,))


async def test_a_part_that_was_not_asked_for_is_no_file(tmp_path: Path) -> None:
    async with fault_server(partial("bytes 0-9/100", b"0123456789")) as server, server.client() as platform:
        with pytest.raises(DecodeError, match="206 with a part of a file, which was not asked for"):
            await download(platform).save(tmp_path / "copy")
    assert list(tmp_path.iterdir()) == []


async def test_a_compressed_file_that_breaks_off_is_not_continued(tmp_path: Path) -> None:
    broken = then_close(
        b'HTTP/1.1 200 OK\r\nETag: "v1"\r\nContent-Encoding: gzip\r\nContent-Length: 100\r\n\r\n\x1f\x8b\x08\x00'
    )
    async with fault_server(broken) as server, server.client() as platform:
        with pytest.raises(ConnectionFailedError):
            await download(platform).save(tmp_path / "copy")
        assert len(server.requests) == 1


async def test_the_state_has_neither_the_address_nor_the_token(tmp_path: Path) -> None:
    await break_off(tmp_path / "copy", FileScript(CONTENT, cuts=[HALF]))
    state = json.loads((tmp_path / "copy.part.json").read_text(encoding="ascii"))
    assert set(state) == {"source", "validator", "size"}
    assert len(state["source"]) == 64
    assert (tmp_path / "copy.part.json").stat().st_mode & 0o777 == 0o600
