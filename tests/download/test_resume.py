"""Downloads that break off are continued where the server can, and never joined from two versions."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform import (
    ConnectionFailedError,
    DeadlineExceededError,
    DecodeError,
    RequestOptions,
    RetryEvent,
    RetryPolicy,
)
from agent_session_platform.retry import MAX_TOKENS, RETRY_TOKENS

from tests.download.test_download import download
from tests.fixtures import all_clients
from tests.servers.fault_server import fault_server
from tests.servers.scripts import HALF_A_FILE, FileScript, response, then_close

CONTENT = bytes(range(256)) * 1000
HALF = len(CONTENT) // 2


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
        assert platform.rate_limiter.stats().retry_quota == MAX_TOKENS


async def test_a_file_that_is_never_complete_gives_nothing_back() -> None:
    async with fault_server(FileScript(CONTENT, cuts=[10] * 9)) as server, server.client() as platform:
        with pytest.raises(ConnectionFailedError):
            await download(platform).read()
        # Each of the four requests for the rest was a success of its own, worth one token.
        assert platform.rate_limiter.stats().retry_quota == MAX_TOKENS - 4 * RETRY_TOKENS + 4


def partial(content_range: str, body: bytes = CONTENT[HALF:], *fields: str) -> bytes:
    """A 206 with a Content-Range."""
    return response(body, "206 Partial Content", f"Content-Range: {content_range}", *fields)


END = len(CONTENT) - 1
UNFIT = {
    "the whole of another version": response(b"other", "200 OK", 'ETag: "v2"'),
    "another version as a range": partial(f"bytes {HALF}-{END}/{END + 1}", CONTENT[HALF:], 'ETag: "v2"'),
    "another place": partial(f"bytes {HALF - 1}-{END}/{END + 1}", CONTENT[HALF - 1 :]),
    "the beginning": partial(f"bytes 0-{END}/{END + 1}", CONTENT),
    "another size": partial(f"bytes {HALF}-{END}/{END + 2}"),
    "a part of the rest": partial(f"bytes {HALF}-{HALF + 9}/{END + 1}", CONTENT[HALF : HALF + 10]),
    "no Content-Range": response(CONTENT[HALF:], "206 Partial Content"),
    "several parts": response(b"--x", "206 Partial Content", media_type="multipart/byteranges; boundary=x"),
    "of unknown size": partial(f"bytes {HALF}-{END}/*"),
}


@pytest.mark.parametrize("unfit", UNFIT.values(), ids=UNFIT)
async def test_what_does_not_continue_the_file_ends_the_call(unfit: bytes, tmp_path: Path) -> None:
    async with fault_server(FileScript(CONTENT, cuts=[HALF]), unfit) as server, server.client() as platform:
        with pytest.raises(ConnectionFailedError, match="the server has no fitting rest of the file"):
            await download(platform).save(tmp_path / "copy")
    assert list(tmp_path.iterdir()) == []


@all_clients
async def test_with_resume_a_file_is_asked_for_as_it_is_and_its_rest_with_its_validator(
    transport: Any, tmp_path: Path
) -> None:
    """The rest of a compressed response could not be joined to its beginning."""
    async with fault_server(FileScript(CONTENT, cuts=[HALF])) as server, server.client(transport) as platform:
        assert await download(platform).save(tmp_path / "copy", resume=True) == len(CONTENT)
        await download(platform).save(tmp_path / "compressed")
    first, second, other = (each.headers for each in server.requests)
    assert (first["accept-encoding"], second["accept-encoding"]) == ("identity", "identity")
    assert "gzip" in other["accept-encoding"]
    assert second["if-range"] == '"v1"'
    # aiohttp drops what it has not yet delivered when a connection breaks off.
    assert second["range"] == f"bytes={HALF}-" or "aiohttp" in str(transport)
    assert (tmp_path / "copy").read_bytes() == CONTENT


@pytest.mark.parametrize("resume", [True, False])
async def test_nothing_is_kept_of_a_file_that_does_not_come(resume: bool, tmp_path: Path) -> None:
    async with fault_server(HALF_A_FILE) as server, server.client() as platform:
        with pytest.raises(DeadlineExceededError, match=r"the file was not complete within 0.1 s"):
            await download(platform).save(tmp_path / "copy", resume=resume, timeout=0.1)
    assert list(tmp_path.iterdir()) == []


COMPRESSED = then_close(
    b'HTTP/1.1 200 OK\r\nETag: "v1"\r\nContent-Encoding: gzip\r\nContent-Length: 99\r\n\r\n\x1f\x8b\x08\x00'
)
WITHOUT_VALIDATOR = [FileScript(CONTENT, etag=etag, cuts=[HALF]) for etag in ('W/"v1"', "v1", '"a" "b"', '"\x01"')]


@pytest.mark.parametrize("script", [*WITHOUT_VALIDATOR, COMPRESSED])
async def test_a_file_without_a_strong_etag_or_with_compression_is_not_continued(script: Any, tmp_path: Path) -> None:
    async with fault_server(script) as server, server.client() as platform:
        with pytest.raises(ConnectionFailedError):
            await download(platform).save(tmp_path / "copy")
        assert len(server.requests) == 1


async def test_a_range_of_the_caller_is_the_file() -> None:
    options = RequestOptions(extra_headers={"Range": "bytes=0-9"})
    async with fault_server(partial("bytes 0-9/100", b"0123456789")) as server, server.client() as platform:
        attachments = platform.organization().attachments
        assert await attachments.download("uuid", "name", options=options).read() == b"0123456789"


async def test_a_part_that_was_not_asked_for_is_no_file(tmp_path: Path) -> None:
    async with fault_server(partial("bytes 0-9/100", b"0123456789")) as server, server.client() as platform:
        with pytest.raises(DecodeError, match="206 with a part of a file, which was not asked for"):
            await download(platform).save(tmp_path / "copy")
    assert list(tmp_path.iterdir()) == []
