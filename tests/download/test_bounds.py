"""The options of a download: checked before anything is sent; bounds of bytes and of seconds."""

from __future__ import annotations

import gzip
import inspect
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform import DeadlineExceededError, FileTooLargeError, InvalidArgumentError
from agent_session_platform._api import MAX_DOWNLOAD, Download

from tests.servers.fault_server import fault_server
from tests.servers.scripts import drip, response, silence

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


async def coroutine(chunk: bytes) -> None:
    """Be no plain function."""


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"max_bytes": -1}, "max_bytes must be a whole number of at least 0, not -1"),
    ({"timeout": 0}, "timeout must be a positive number of seconds, not 0"),
    ({"timeout": float("nan")}, "timeout must be a positive number of seconds"),
    ({"follow": 1, "hosts": ["x"]}, "follow must be True or False, not int"),
    ({"follow": True}, r"follow=True and hosts=\['files.example.com'\] need each other"),
    ({"follow": True, "hosts": None}, "need each other"),
    ({"hosts": ["files.example.com"]}, "need each other"),
    ({"follow": True, "hosts": "files.example.com"}, "hosts must be a list of host names .* not 'files.example.com'"),
    ({"follow": True, "hosts": 5}, "hosts must be a list of host names"),
    ({"follow": True, "hosts": ["*.example.com"]}, "hosts must be a list of host names"),
    ({"follow": True, "hosts": ["https://files.example.com"]}, "hosts must be a list of host names"),
]
OF_SAVE: list[tuple[dict[str, Any], str]] = [
    ({"resume": 1}, "resume must be True or False, not int"),
    ({"checksum": 7}, "checksum must be a plain function"),
    ({"checksum": coroutine}, "checksum must be a plain function"),
]


@pytest.mark.parametrize(("options", "message"), WRONG + OF_SAVE)
async def test_a_wrong_option_is_refused_before_anything_is_sent(
    tmp_path: Path, options: dict[str, Any], message: str
) -> None:
    async with fault_server(response(b"x")) as server, server.client() as platform:
        download = platform.organization().attachments.download("uuid", "name")
        for way in (save,) if options.keys() & {"resume", "checksum"} else (save, read, stream):
            with pytest.raises(InvalidArgumentError, match=message):
                await way(download, tmp_path / "x", options)
        assert server.requests == []
    assert list(tmp_path.iterdir()) == []


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
            assert await way(download, tmp_path / "copy", {"max_bytes": most, "timeout": 60}) == size
        else:
            with pytest.raises(FileTooLargeError, match=f"a file of more than {most} bytes; .*max_bytes=") as caught:
                await way(download, tmp_path / "copy", {"max_bytes": most})
            assert caught.value.response is not None
            assert list(tmp_path.iterdir()) == []
        assert platform.rate_limiter.stats().in_flight == 0


async def test_read_is_bounded_by_max_body_unless_it_says_otherwise() -> None:
    async with fault_server(response(b"x" * 2000)) as server, server.client(max_body=1000) as platform:
        download = platform.organization().attachments.download("uuid", "name")
        with pytest.raises(FileTooLargeError, match="a file of more than 1000 bytes; save"):
            await download.read()
        assert len(await download.read(max_bytes=None)) == 2000


@pytest.mark.parametrize("way", ["save", "stream"])
async def test_what_is_saved_or_streamed_has_at_most_10_gib_by_default(way: str) -> None:
    async with fault_server(response(b"")) as server, server.client() as platform:
        download = platform.organization().attachments.download("uuid", "name")
    for each in (download, Download):
        assert inspect.signature(getattr(each, way)).parameters["max_bytes"].default == MAX_DOWNLOAD == 10 * 1024**3


# They become less than a hundredth: more would be refused.
ZEROS = b"".join(bytes(4000) + os.urandom(30) for _ in range(1000)) * 100

SLOW = {
    "a byte now and then": drip(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"),
    "no response": silence,
}


@all_ways
@pytest.mark.parametrize("slow", SLOW.values(), ids=SLOW)
async def test_the_timeout_is_for_the_whole_file(transport: Any, way: Way, slow: Any, tmp_path: Path) -> None:
    async with fault_server(slow) as server, server.client(transport, timeout=20) as platform:
        download = platform.organization().attachments.download("uuid", "name")
        with pytest.raises(DeadlineExceededError, match=r"the file was not complete within 0.2 s"):
            await way(download, tmp_path / "copy", {"timeout": 0.2})
    assert list(tmp_path.iterdir()) == []


async def test_the_timeout_ends_a_decompression_that_never_waits(tmp_path: Path) -> None:
    zeros = response(gzip.compress(ZEROS, 1), "200 OK", "Content-Encoding: gzip")
    async with fault_server(zeros) as server, server.client() as platform:
        download = platform.organization().attachments.download("uuid", "name")
        with pytest.raises(DeadlineExceededError):
            await stream(download, tmp_path, {"timeout": 0.05})
