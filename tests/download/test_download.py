"""Files are streamed from the server, within bounds, and saved whole or not at all."""

from __future__ import annotations

import asyncio
import errno
import gzip
import hashlib
import os
import stat
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from agent_session_platform import (
    AgentPlatform,
    AgentPlatformError,
    ExchangeRecord,
    RequestOptions,
    RetryEvent,
    RetryPolicy,
    errors,
)
from agent_session_platform.download import DownloadSettings
from agent_session_platform.retry import RETRY_QUOTA

from tests.faults.exposure import exposed
from tests.fixtures import URL, all_clients
from tests.servers.fault_server import TOKEN, Script, client, fault_server
from tests.servers.scripts import BUSY, HALF_A_FILE, FileScript, drip, gzip_response, response, silence, then_close

CONTENT = bytes(range(256)) * 1200


def download(platform: AgentPlatform) -> Any:
    """The download of an attachment."""
    return platform.organization().attachments.download("uuid", "name")


async def test_a_file_comes_in_pieces() -> None:
    async with fault_server(response(CONTENT)) as server, server.client() as platform:
        pieces = [piece async for piece in download(platform)]
    assert len(pieces) > 1
    assert b"".join(pieces) == CONTENT


HALF = len(CONTENT) // 2


def partial(content_range: str, body: bytes = CONTENT[HALF:], *fields: str) -> bytes:
    """Return a response with status 206 and a Content-Range."""
    return response(body, "206 Partial Content", f"Content-Range: {content_range}", *fields)


PART = partial("bytes 0-9/100", b"0123456789")
BROKEN: dict[str, tuple[Script, type[AgentPlatformError], str]] = {
    "broken off": (
        then_close(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf"),
        errors.ConnectionFailedError,
        "",
    ),
    "cut-off gzip": (gzip_response(CONTENT, keep=-8), errors.DecodeError, ""),
    "not found": (response({}, "404 Not Found"), errors.NotFoundError, ""),
    "a part": (PART, errors.DecodeError, "206 with a part of a file, which was not requested"),
}


async def test_the_error_of_a_download_that_cannot_go_on_names_its_request() -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\nX-Request-Id: r-1\r\n\r\n"
    async with fault_server(then_close(head + b"half")) as server, server.client() as platform:
        with pytest.raises(errors.ConnectionFailedError, match=r"\(request id r-1\)$") as caught:
            await download(platform).read()
    assert caught.value.response is not None


async def test_an_option_of_the_wrong_type_is_refused() -> None:
    platform = AgentPlatform(URL, TOKEN, organization="org-acme")
    with pytest.raises(errors.InvalidArgumentError, match="resume must be True or False, not str"):
        await download(platform).read(resume="no")


@all_clients
@pytest.mark.parametrize("resume", [True, False])
@pytest.mark.parametrize(("script", "error", "message"), BROKEN.values(), ids=BROKEN)
async def test_a_download_that_is_not_complete_leaves_no_file(
    transport: Any, script: Script, error: type[AgentPlatformError], message: str, resume: bool, tmp_path: Path
) -> None:
    async with fault_server(script) as server, server.client(transport) as platform:
        with pytest.raises(error, match=rf"organization\.attachments\.download: {message}"):
            await download(platform).save(tmp_path / "never", resume=resume)
    assert list(tmp_path.iterdir()) == []


@all_clients
async def test_a_file_that_is_refused_gives_its_connection_back(transport: Any) -> None:
    settings: Any = {"max_connections": 1, "timeout": 1}
    async with fault_server(PART, response({})) as server, server.client(transport, **settings) as platform:
        with pytest.raises(errors.DecodeError, match="206 with a part"):
            await download(platform).read()
        assert await platform.request("GET", "/v3/x") == {}


@all_clients
async def test_a_download_under_way_holds_up_no_other_call(transport: Any) -> None:
    """The request of the download has its response, and only the connection is still in use."""
    async with fault_server(HALF_A_FILE, BUSY, response({})) as server, server.client(transport) as platform:
        async for _ in download(platform):
            async with asyncio.timeout(5):
                assert await platform.request("GET", "/v3/x") == {}
            break


@all_clients
async def test_a_download_that_is_not_read_keeps_its_connection(transport: Any) -> None:
    async with (
        fault_server(HALF_A_FILE) as server,
        server.client(transport, max_connections=1, timeout=0.1) as platform,
    ):
        async for _ in download(platform):
            with pytest.raises(errors.PoolTimeoutError, match=r"^POST /v3/x: no connection became free within 0\.1 s$"):
                await platform.request("POST", "/v3/x", body={})
            break


# The options of a download are checked before anything is sent. They limit its bytes and seconds.

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


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"max_bytes": -1}, "max_bytes must be a whole number of at least 0, not -1"),
    ({"timeout": 0}, "timeout must be a positive number of seconds, not 0"),
    ({"timeout": float("nan")}, "timeout must be a positive number of seconds"),
    ({"checksum": 7}, "checksum must be a plain function"),
    ({"checksum": asyncio.sleep}, "checksum must be a plain function"),
]


@pytest.mark.parametrize(("options", "message"), WRONG)
async def test_a_wrong_option_is_refused_at_once(tmp_path: Path, options: dict[str, Any], message: str) -> None:
    async with fault_server(response(b"x")) as server, server.client() as platform:
        for way in (save, read, stream):
            with pytest.raises(errors.InvalidArgumentError, match=message):
                await way(download(platform), tmp_path / "x", options)
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
        if fits:
            assert await way(download(platform), tmp_path / "copy", {"max_bytes": most, "timeout": 60}) == size
        else:
            expected = f"a file of more than {most} bytes; .*max_bytes="
            with pytest.raises(errors.FileTooLargeError, match=expected) as caught:
                await way(download(platform), tmp_path / "copy", {"max_bytes": most})
            assert caught.value.response is not None
            assert list(tmp_path.iterdir()) == []
        assert platform.rate_limiter.stats().in_flight == 0


async def test_read_is_bounded_by_max_body_unless_it_says_otherwise() -> None:
    async with fault_server(response(b"x" * 2000)) as server, server.client(max_body=1000) as platform:
        with pytest.raises(errors.FileTooLargeError, match="a file of more than 1000 bytes; max_bytes="):
            await download(platform).read()
        assert len(await download(platform).read(max_bytes=None)) == 2000


def test_what_is_saved_or_streamed_has_at_most_10_gib_by_default() -> None:
    assert DownloadSettings().max_bytes == 10 * 1024**3


@all_ways
@pytest.mark.parametrize(
    "slow", [drip(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"), silence], ids=["bytes", "no response"]
)
async def test_the_timeout_is_for_the_whole_file(transport: Any, way: Way, slow: Any, tmp_path: Path) -> None:
    async with fault_server(slow) as server, server.client(transport, timeout=20) as platform:
        with pytest.raises(errors.DeadlineExceededError, match=r"the file was not complete within 0.05 s"):
            await way(download(platform), tmp_path / "copy", {"timeout": 0.05})
    assert list(tmp_path.iterdir()) == []


async def test_the_timeout_ends_a_decompression_that_never_waits(tmp_path: Path) -> None:
    # The random bytes keep the compression below the factor that is refused.
    zeros = b"".join(bytes(4000) + os.urandom(30) for _ in range(1000)) * 10
    async with fault_server(gzip_response(zeros)) as server, server.client() as platform:
        with pytest.raises(errors.DeadlineExceededError):
            await stream(download(platform), tmp_path, {"timeout": 0.01})


# A file is saved as a whole or not at all. Its path must have a regular file, or nothing yet.

SMALL = b"content"


async def save_to(path: Any, **options: Any) -> None:
    """Save the file."""
    async with fault_server(response(SMALL)) as server, server.client() as platform:
        try:
            await download(platform).save(path, **options)
        finally:
            assert platform.rate_limiter.stats().in_flight == 0


NO_FILES: dict[str, Callable[[Path], Any]] = {
    "FIFO": os.mkfifo,
    "directory": os.mkdir,
    "link to a file": lambda path: path.symlink_to(__file__),
    "dangling link": lambda path: path.symlink_to(path.with_name("nothing")),
    "link to a device": lambda path: path.symlink_to("/dev/null"),
}


@pytest.mark.parametrize("make", NO_FILES.values(), ids=NO_FILES)
async def test_only_a_regular_file_is_replaced(make: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    target = tmp_path / "target"
    make(target)
    before, names = os.lstat(target), set(tmp_path.iterdir())
    async with fault_server(response(SMALL)) as server, server.client() as platform:
        expected = "path must be a new or a regular file, and no link, not '.*target'"
        with pytest.raises(errors.InvalidArgumentError, match=expected):
            await download(platform).save(target)
        assert server.requests == []
    assert os.path.samestat(os.lstat(target), before)
    assert set(tmp_path.iterdir()) == names


@pytest.mark.parametrize("path", ["/dev/null", "", "a\0b", "half of a pair \ud800"])
async def test_a_path_of_no_file_is_a_value_error(path: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match="path must be|null byte|surrogates"):
        await save_to(path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["ä", "x" * 255], ids=["not ASCII", "the longest"])
@pytest.mark.parametrize("make", [Path, str, os.fsencode])
async def test_a_file_is_saved_without_leaving_another_file(make: Any, name: str, tmp_path: Path) -> None:
    await save_to(make(tmp_path / name))
    assert (tmp_path / name).read_bytes() == SMALL
    assert list(tmp_path.iterdir()) == [tmp_path / name]


@pytest.mark.parametrize("umask", [0o022, 0o077, 0o002])
async def test_a_new_file_has_the_permissions_that_open_would_give(umask: int, tmp_path: Path) -> None:
    before = os.umask(umask)
    try:
        await save_to(tmp_path / "new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o666 & ~umask


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755, 0o666, 0o400])
async def test_a_file_that_is_replaced_keeps_its_permissions(mode: int, tmp_path: Path) -> None:
    target = tmp_path / "old"
    target.write_bytes(b"old")
    target.chmod(mode)
    await save_to(target)
    assert target.read_bytes() == SMALL
    assert stat.S_IMODE(target.stat().st_mode) == mode


async def test_another_name_of_the_same_file_keeps_its_content(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"old")
    os.link(tmp_path / "x", tmp_path / "other")
    await save_to(tmp_path / "x", resume=True)
    assert ((tmp_path / "x").read_bytes(), (tmp_path / "other").read_bytes()) == (SMALL, b"old")


async def test_a_missing_directory_is_an_os_error_before_anything_is_sent(tmp_path: Path) -> None:
    async with fault_server(response(SMALL)) as server, server.client() as platform:
        with pytest.raises(FileNotFoundError):
            await download(platform).save(tmp_path / "no" / "x")
        assert server.requests == []


def full(*_: Any) -> None:
    """Fail as a full disk does."""
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("step", ["fsync", "replace"])
async def test_a_full_disk_leaves_the_old_file(step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x").write_bytes(b"old")
    monkeypatch.setattr(os, step, full)
    with pytest.raises(OSError, match="No space left"):
        await save_to(tmp_path / "x")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"old"]


async def test_a_file_is_on_the_disk_before_it_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[str] = []
    replace = os.replace

    def note_replace(source: Any, target: Any) -> None:
        steps.append(f"rename of {os.path.getsize(source)} bytes")
        replace(source, target)

    monkeypatch.setattr(os, "fsync", lambda descriptor: steps.append("sync"))
    monkeypatch.setattr(os, "replace", note_replace)
    await save_to(tmp_path / "x")
    assert steps == ["sync", f"rename of {len(SMALL)} bytes"]


async def test_an_error_of_the_checksum_leaves_nothing(tmp_path: Path) -> None:
    def fail(chunk: bytes) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await save_to(tmp_path / "x", checksum=fail)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("refused", [False, True], ids=["removed", "cannot be removed"])
async def test_a_failed_file_is_closed_before_it_is_removed(
    refused: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows removes no open file; and if it cannot be removed at all, the error of the download is still raised."""
    opened: list[Any] = []
    unlink = os.unlink

    def open_and_note(path: str, mode: str) -> Any:
        opened.append(open(path, mode))  # noqa: SIM115  # the download closes it
        return opened[-1]

    def unlink_closed(path: str) -> None:
        if refused or not all(file.closed for file in opened):
            raise PermissionError(errno.EACCES, "used by another process", path)
        unlink(path)

    def fail(chunk: bytes) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("agent_session_platform.download.open", open_and_note, raising=False)
    monkeypatch.setattr(os, "unlink", unlink_closed)
    with pytest.raises(ZeroDivisionError):
        await save_to(tmp_path / "x", checksum=fail)
    assert len(list(tmp_path.iterdir())) == refused


@pytest.mark.parametrize("name", ["n" * 234, "n" * 255])
async def test_a_name_may_be_as_long_as_the_system_allows(name: str, tmp_path: Path) -> None:
    await save_to(tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == [name]


async def test_a_name_that_is_too_long_is_an_error_before_anything_is_sent(tmp_path: Path) -> None:
    async with fault_server(response(SMALL)) as server, server.client() as platform:
        with pytest.raises(OSError, match="too long"):
            await download(platform).save(tmp_path / ("n" * 256))
    assert server.requests == []


async def test_the_folder_of_the_process_may_change_during_a_download(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other").mkdir()
    await save_to(Path("x"), checksum=lambda _: os.chdir("/"))
    assert (tmp_path / "x").read_bytes() == SMALL


async def test_two_downloads_to_one_path_do_not_disturb_each_other(tmp_path: Path) -> None:
    async with fault_server(response(SMALL)) as server, server.client() as platform:
        sizes = await asyncio.gather(*(download(platform).save(tmp_path / "x", resume=True) for _ in range(5)))
    assert sizes == [len(SMALL)] * 5
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [SMALL]


# A redirect of a download is an error, as that of any other call.


@all_clients
@pytest.mark.parametrize("status", ["301 X", "302 X", "303 X", "307 X", "308 X"])
async def test_a_redirect_of_a_download_is_an_error_that_names_its_target(
    transport: Any, status: str, tmp_path: Path
) -> None:
    async with fault_server(response(b"file")) as storage:
        redirect = response(b"", status, f"Location: {storage.base_url}/a%2Fb?X-Signature=s1gnature")
        async with fault_server(redirect) as server, server.client(transport) as platform:
            expected = rf"{status[:3]} with a redirect to {storage.base_url}/a%2Fb, which is not followed"
            with pytest.raises(errors.DecodeError, match=expected) as caught:
                await download(platform).save(tmp_path / "copy")
            assert platform.rate_limiter.stats().in_flight == 0
    assert (len(server.requests), storage.requests) == (1, [])
    assert caught.value.response is not None
    assert caught.value.response.headers["location"] == f"{storage.base_url}/a%2Fb"
    assert "s1gnature" not in exposed(caught.value)
    assert list(tmp_path.iterdir()) == []


# Downloads that break off are continued where the server can, and never joined from two versions.


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
    # When a connection breaks off, aiohttp drops bytes that it has received but not delivered.
    assert transport is not None or asked[1:] == ["bytes=1000-", "bytes=71000-", "bytes=71000-"]
    assert [path.name for path in tmp_path.iterdir()] == ["copy"]


class BrokenEnd(httpx.AsyncByteStream):
    """A body whose bytes all come, but not the end of its stream, as when a server resets a stream of HTTP/2."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield CONTENT
        raise httpx.RemoteProtocolError("<StreamReset>")


@pytest.mark.parametrize("headers", [{}, {"ETag": '"v1"'}, {"ETag": 'W/"v1"'}], ids=["no ETag", "strong", "weak"])
@pytest.mark.parametrize("options", [None, RequestOptions(extra_headers={"Range": "bytes=0-"})], ids=["all", "a range"])
async def test_a_file_is_complete_when_all_its_bytes_came(
    headers: dict[str, str], options: Any, tmp_path: Path
) -> None:
    """The connection breaks off after them: beyond the end there is nothing to request."""
    requests: list[httpx.Request] = []

    def send_all(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        fields = {"Content-Length": str(len(CONTENT)), **headers}
        return httpx.Response(200 if options is None else 206, headers=fields, stream=BrokenEnd())

    async with client(URL, httpx.MockTransport(send_all)) as platform:
        file = platform.organization().attachments.download("uuid", "name", options=options)
        assert await file.save(tmp_path / "file") == len(CONTENT)
    assert (tmp_path / "file").read_bytes() == CONTENT
    assert len(requests) == 1


@all_clients
async def test_read_and_iteration_are_continued_within_the_call(transport: Any) -> None:
    async with fault_server(FileScript(CONTENT, cuts=[1000])) as server, server.client(transport) as platform:
        assert await download(platform).read() == CONTENT
    async with fault_server(FileScript(CONTENT, cuts=[1000])) as server, server.client(transport) as platform:
        assert b"".join([chunk async for chunk in download(platform)]) == CONTENT


async def test_the_policy_says_how_often_a_break_without_progress_is_retried(tmp_path: Path) -> None:
    events: list[RetryEvent] = []
    retry = RetryPolicy(attempts=3, backoff_base=0.0, on_retry=events.append)
    script = FileScript(CONTENT, cuts=[10, 10, *([0] * 9)])
    async with fault_server(script) as server, server.client(retry=retry) as platform:
        with pytest.raises(errors.ConnectionFailedError, match="given up after 3 attempts"):
            await download(platform).save(tmp_path / "copy")
    assert [event.attempt for event in events] == [1, 1, 2]
    assert script.served == 4
    assert list(tmp_path.iterdir()) == []


async def test_a_download_goes_on_while_each_part_brings_bytes() -> None:
    async with fault_server(FileScript(CONTENT, cuts=[10_000] * 20)) as server, server.client() as platform:
        assert await download(platform).read() == CONTENT
    assert len(server.requests) == 21


async def test_a_file_that_is_complete_gives_back_what_its_breaks_took() -> None:
    async with fault_server(FileScript(CONTENT, cuts=[10] * 4)) as server, server.client() as platform:
        assert await download(platform).read() == CONTENT
        assert len(server.requests) == 5
        assert platform.rate_limiter.stats().retry_quota == RETRY_QUOTA


async def test_each_part_that_brings_bytes_gives_back_what_its_break_took() -> None:
    async with fault_server(FileScript(CONTENT, cuts=[10] * 9)) as server, server.client() as platform:
        async for _ in download(platform):
            assert platform.rate_limiter.stats().retry_quota == RETRY_QUOTA


async def test_a_download_gives_the_quota_back_as_one_success_however_many_chunks_it_has() -> None:
    script = [*[response(b"", "500 X")] * 5, response(CONTENT)]
    async with fault_server(*script) as server, server.client(retry=RetryPolicy(backoff_base=0.0)) as platform:
        with pytest.raises(errors.ServerError):
            await platform.request("GET", "/v3/x")
        chunks = [chunk async for chunk in download(platform)]
        assert len(chunks) > 1
        assert platform.rate_limiter.stats().retry_quota == RETRY_QUOTA - 20 + 1


async def test_all_connections_of_a_download_are_attempts_of_one_call() -> None:
    """A connection that fails and a part that brings nothing count together, and bytes begin the count again."""
    records: list[ExchangeRecord] = []
    settings: Any = {"retry": RetryPolicy(attempts=3, backoff_base=0.0), "on_exchange": records.append}
    busy = response(b"", "503 Busy")
    file = FileScript(CONTENT, cuts=[0, 10, 0])
    async with fault_server(file, busy, file, busy, file) as server, server.client(**settings) as platform:
        with pytest.raises(errors.ConnectionFailedError, match="given up after 3 attempts"):
            await download(platform).read()
    attempts = [(record.attempt, record.status) for record in records]
    assert attempts == [(1, 200), (2, 503), (3, 200), (2, 503), (3, 206)]


async def test_each_part_of_a_download_may_get_another_credential() -> None:
    """A long download outlives more than one credential, also where the credential does not say when it expires."""
    tokens = iter([f"{TOKEN}{number}" for number in range(3)])
    file = FileScript(CONTENT, cuts=[1000, 1000])
    refused = response({}, "401 Unauthorized")
    settings: Any = {"token": lambda: next(tokens), "organization": "org-acme"}
    async with (
        fault_server(file, refused, file, refused, file) as server,
        AgentPlatform(server.base_url, **settings) as platform,
    ):
        assert await download(platform).read() == CONTENT
    assert len(server.requests) == 5


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
        with pytest.raises(errors.ConnectionFailedError, match="the server did not send the rest of the file"):
            await download(platform).save(tmp_path / "copy")
    assert list(tmp_path.iterdir()) == []


@all_clients
async def test_resume_asks_for_no_compression_and_for_the_rest_by_its_etag(transport: Any, tmp_path: Path) -> None:
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


COMPRESSED = then_close(
    b'HTTP/1.1 200 OK\r\nETag: "v1"\r\nContent-Encoding: gzip\r\nContent-Length: 99999\r\n\r\n' + gzip.compress(CONTENT)
)
WITHOUT_VALIDATOR = [FileScript(CONTENT, etag=etag, cuts=[HALF]) for etag in ('W/"v1"', "v1", '"a" "b"', '"\x01"')]


@pytest.mark.parametrize("script", [*WITHOUT_VALIDATOR, COMPRESSED])
async def test_a_file_without_a_strong_etag_or_with_compression_is_not_continued(script: Any, tmp_path: Path) -> None:
    async with fault_server(script) as server, server.client() as platform:
        with pytest.raises(errors.ConnectionFailedError):
            await download(platform).save(tmp_path / "copy")
        assert len(server.requests) == 1


async def test_a_range_of_the_caller_is_the_file() -> None:
    options = RequestOptions(extra_headers={"Range": "bytes=0-9"})
    async with fault_server(PART) as server, server.client() as platform:
        attachments = platform.organization().attachments
        assert await attachments.download("uuid", "name", options=options).read() == b"0123456789"
