"""The bounds of a download: bytes, and seconds."""

from __future__ import annotations

import gzip
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform import DeadlineExceededError, DecodeError
from agent_session_platform._api import MAX_DOWNLOAD

from tests.fixtures import all_clients
from tests.servers.fault_server import fault_server
from tests.servers.scripts import drip, gzip_response, response, silence

Way = Callable[[Any, Path, dict[str, Any]], Awaitable[Any]]


async def save(download: Any, target: Path, options: dict[str, Any]) -> int:
    """Return how many bytes were saved."""
    size: int = await download.save(target, **options)
    assert target.stat().st_size == size
    return size


async def read(download: Any, target: Path, options: dict[str, Any]) -> int:
    """Return how many bytes were read."""
    return len(await download.read(**options))


async def stream(download: Any, target: Path, options: dict[str, Any]) -> int:
    """Return how many bytes came."""
    return sum([len(chunk) async for chunk in download.stream(**options)])


all_ways = pytest.mark.parametrize("way", [save, read, stream])


@all_clients
@all_ways
@pytest.mark.parametrize(
    ("size", "most", "fits"), [(10, 10, True), (11, 10, False), (0, 0, True), (1, 0, False), (11, None, True)]
)
async def test_a_file_has_no_more_than_max_bytes(
    transport: Any, way: Way, size: int, most: int | None, fits: bool, tmp_path: Path
) -> None:
    async with fault_server(response(b"x" * size)) as server, server.client(transport) as platform:
        download = platform.organization().attachments.download("uuid", "name")
        if fits:
            assert await way(download, tmp_path / "copy", {"max_bytes": most}) == size
        else:
            with pytest.raises(DecodeError, match=f"200 with a file of more than {most} bytes; .*max_bytes="):
                await way(download, tmp_path / "copy", {"max_bytes": most})
            assert list(tmp_path.iterdir()) == []
        assert platform.rate_limiter.stats().in_flight == 0


@all_clients
@all_ways
async def test_the_bytes_are_counted_after_decompression(transport: Any, way: Way, tmp_path: Path) -> None:
    bomb = gzip_response(bytes(50_000_000))
    assert len(bomb) < 100_000
    async with fault_server(bomb) as server, server.client(transport) as platform:
        download = platform.organization().attachments.download("uuid", "name")
        with pytest.raises(DecodeError, match="a file of more than 1000000 bytes"):
            await way(download, tmp_path / "copy", {"max_bytes": 1_000_000})
    assert list(tmp_path.iterdir()) == []


async def test_read_is_bounded_by_max_body_unless_it_says_otherwise() -> None:
    async with fault_server(response(b"x" * 2000)) as server, server.client(max_body=1000) as platform:
        download = platform.organization().attachments.download("uuid", "name")
        with pytest.raises(DecodeError, match="a file of more than 1000 bytes"):
            await download.read()
        assert len(await download.read(max_bytes=None)) == 2000


async def iterate(download: Any, target: Path, options: dict[str, Any]) -> int:
    """Return how many bytes came."""
    return sum([len(chunk) async for chunk in download])


@pytest.mark.parametrize("way", [save, stream, iterate])
async def test_what_is_saved_or_streamed_is_bounded_by_default(
    way: Way, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert MAX_DOWNLOAD == 10 * 1024**3
    pieces = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\nabc" % (MAX_DOWNLOAD + 1)
    monkeypatch.setattr("agent_session_platform.download.transfer.Transfer._count", count_as_gigabytes)
    async with fault_server(drip(pieces)) as server, server.client() as platform:
        download = platform.organization().attachments.download("uuid", "name")
        with pytest.raises(DecodeError, match=f"a file of more than {MAX_DOWNLOAD} bytes"):
            await way(download, tmp_path / "copy", {})


def count_as_gigabytes(transfer: Any, size: int) -> None:
    """Count each byte as if it were a gigabyte."""
    transfer.position += size * 1024**3
    if transfer.position > transfer._options.max_bytes:
        raise transfer._error(f"a file of more than {transfer._options.max_bytes} bytes")


# They become less than a hundredth: more would be refused.
ZEROS = b"".join(bytes(4000) + os.urandom(30) for _ in range(1000)) * 100

SLOW = {
    "a byte now and then": drip(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"),
    "no response": silence,
    "compressed zeros": response(gzip.compress(ZEROS, 1), "200 OK", "Content-Encoding: gzip"),
}


@all_clients
@all_ways
@pytest.mark.parametrize("slow", ["a byte now and then", "no response"])
async def test_the_timeout_is_for_the_whole_file(transport: Any, way: Way, slow: str, tmp_path: Path) -> None:
    async with fault_server(SLOW[slow]) as server, server.client(transport, timeout=20) as platform:
        download = platform.organization().attachments.download("uuid", "name")
        with pytest.raises(DeadlineExceededError, match=r"the file was not complete within timeout=0.2 s"):
            await way(download, tmp_path / "copy", {"timeout": 0.2})
    assert list(tmp_path.iterdir()) == []


async def test_the_timeout_ends_a_decompression_that_never_waits(tmp_path: Path) -> None:
    async with fault_server(SLOW["compressed zeros"]) as server, server.client() as platform:
        download = platform.organization().attachments.download("uuid", "name")
        with pytest.raises(DeadlineExceededError):
            await stream(download, tmp_path, {"timeout": 0.05})


async def test_a_file_within_its_timeout_is_complete(tmp_path: Path) -> None:
    async with fault_server(response(b"x" * 2000)) as server, server.client() as platform:
        download = platform.organization().attachments.download("uuid", "name")
        assert await save(download, tmp_path / "copy", {"timeout": 60}) == 2000
