"""Files are streamed to the server, and read anew for each attempt."""

from __future__ import annotations

import gzip
import io
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform import AgentPlatform, InvalidArgumentError, RateLimitedError, RequestOptions
from agent_session_platform._api import Request
from agent_session_platform_sandbox import Sandbox
from pytest_httpx import HTTPXMock

from tests.faults.exposure import leaks
from tests.fixtures import all_clients, all_transports, make_operation
from tests.servers.fault_server import TOKEN, Connection, Request as HttpRequest, fault_server
from tests.servers.scripts import BUSY, response

CONTENT = bytes(range(256)) * 1200


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "report.pdf"
    path.write_bytes(CONTENT)
    return path


# Ways to upload a file or its content, with the resulting name and media type.
SOURCES: dict[str, tuple[Callable[[Path], Any], str, str]] = {
    "path": (lambda file: file, "report.pdf", "application/pdf"),
    "text": (str, "report.pdf", "application/pdf"),
    "bytes": (lambda file: CONTENT, "file", "application/octet-stream"),
    "in memory": (lambda file: io.BytesIO(CONTENT), "file", "application/octet-stream"),
    "named bytes": (lambda file: ("a b.txt", CONTENT), "a b.txt", "text/plain"),
    "named with a type": (lambda file: ("é.bin", bytearray(CONTENT), "text/x-own"), "é.bin", "text/x-own"),
}


@all_clients
@pytest.mark.parametrize(("make", "name", "media_type"), SOURCES.values(), ids=SOURCES)
async def test_each_attempt_sends_the_file(transport: Any, file: Path, make: Any, name: str, media_type: str) -> None:
    async with fault_server(BUSY, response({})) as server, server.client(transport) as platform:
        await platform.organization().attachments.upload(file=make(file))
    assert len(server.requests) == 2
    for request in server.requests:
        assert CONTENT in request.body
        assert int(request.headers["content-length"]) == len(request.body)
        assert f'filename="{name}"'.encode() in request.body
        assert f"\r\nContent-Type: {media_type}\r\n".encode() in request.body


@all_transports
@pytest.mark.parametrize("files", [{}, {"file": b"content"}], ids=["no file", "file"])
async def test_a_form_has_texts_and_objects(transport: Any, files: Any) -> None:
    """The form is multipart even without a file, and an object is sent as JSON with its media type."""
    operation = make_operation(method="POST", media_type="multipart/form-data")
    members = {"name": "Zoë", "tags": ["x", 7], "meta": {"a": [1]}}
    async with fault_server(response({})) as server, server.client(transport) as platform:
        options = RequestOptions(extra_headers={"Content-Type": "text/plain"})
        await platform._client.send(Request(operation, dict, {}, {}, members, files=files, options=options))
    [request] = server.requests
    media_type, _, boundary = request.headers["content-type"].partition("; boundary=")
    parts = [part.partition(b"\r\n\r\n") for part in request.body.split(f"--{boundary}".encode())[1:-1]]
    assert media_type == "multipart/form-data"
    texts = ["Zoë", "x", "7", '{"a":[1]}', *(["content"] if files else [])]
    assert [body.strip().decode() for _, _, body in parts] == texts
    assert b"Content-Type: application/json" in parts[3][0]
    assert [b"filename" in head for head, _, _ in parts] == [text == "content" for text in texts]


@all_transports
async def test_names_in_a_form_are_written_as_browsers_write_them(transport: Any) -> None:
    """HTML Living Standard, "multipart form data": a quotation mark becomes %22."""
    async with fault_server(response({})) as server, server.client(transport) as platform:
        members = {'a"; x="y': "text", "b\\": "text", "ö": {"c": 1}}
        await platform.organization().attachments.upload(file=('c"d.txt', b"content"), extra_body=members)
    body = server.requests[0].body.decode()
    named = re.findall("Content-Disposition: (.*)\r\n", body)
    assert named == [
        'form-data; name="a%22; x=%22y"',
        'form-data; name="b\\\\"',
        'form-data; name="ö"',
        'form-data; name="file"; filename="c%22d.txt"',
    ]


@all_clients
@pytest.mark.parametrize("name", ["a\r\nX-Evil: 1\r\n\r\nb", "a\nb", "a\rb", "a\0b", "a\x1bb", "a\x7fb", "a\u2028b"])
async def test_a_name_that_a_form_cannot_carry_is_refused(transport: Any, name: str) -> None:
    """It would end the header that it stands in."""
    async with fault_server(response({})) as server, server.client(transport) as platform:
        with pytest.raises(InvalidArgumentError, match=r"the name '.*' has characters that a form cannot carry"):
            await platform.organization().attachments.upload(file=b"content", extra_body={name: "text"})
    assert server.requests == []


@pytest.mark.parametrize("value", [None, ["a", None]])
async def test_a_form_has_no_null(org: Any, value: Any) -> None:
    with pytest.raises(InvalidArgumentError, match="note must not have None: a form has no null; leave it out"):
        await org.attachments.upload(file=b"content", extra_body={"note": value})


async def test_a_null_inside_an_object_of_a_form_is_json(httpx_mock: HTTPXMock) -> None:
    httpx_mock.add_response(json={})
    async with AgentPlatform("https://platform.example.com", TOKEN, organization="org-acme") as platform:
        await platform.organization().attachments.upload(file=b"content", extra_body={"notes": [{"a": None}, {"b": 1}]})
    [request] = httpx_mock.get_requests()
    body = request.read()
    assert body.count(b"Content-Type: application/json") == 2
    assert b'\r\n\r\n{"a":null}\r\n' in body


class Pipe(io.BytesIO):
    """A file of unknown length that cannot be rewound."""

    def seekable(self) -> bool:
        return False


@all_clients
async def test_a_file_of_unknown_length_is_sent_in_chunks_and_only_once(transport: Any) -> None:
    async with fault_server(BUSY) as server, server.client(transport) as platform:
        with pytest.raises(RateLimitedError, match="given up after 1 attempt"):
            await platform.organization().attachments.upload(file=Pipe(CONTENT))
    [request] = server.requests
    assert CONTENT in request.body
    assert request.headers["transfer-encoding"] == "chunked"


CLOSED = io.BytesIO(CONTENT)
CLOSED.close()


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("/no/such/file", "file: no such file: '/no/such/file'"),
        (io.StringIO("text"), "file must be open in binary mode"),
        (7, r"file must be a path, bytes, an open file, or \(file name, .*\), not int"),
        (("a.txt", "/path"), r"file must be a path, bytes, an open file, or \(file name, .*\), not str"),
        (("a.txt",), r"file must be a path, bytes, an open file, or \(file name, .*\), not tuple"),
        (("a.txt", io.StringIO("text")), "file must be open in binary mode"),
        (("a\r\nX: y", b"x"), "file has a file name or a media type with characters that cannot be sent"),
        (("a", b"x", "a/b\r\nX: y"), "file has a file name or a media type with characters that cannot be sent"),
        (CLOSED, "I/O operation on closed file"),
    ],
)
async def test_an_invalid_file_is_refused(org: Any, source: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        await org.attachments.upload(file=source)


@all_clients
async def test_a_file_that_cannot_be_read_again_is_an_invalid_argument(transport: Any, file: Path) -> None:
    """After the error, the only connection is free again."""

    async def refuse(request: HttpRequest, connection: Connection) -> None:
        file.unlink()
        await connection.send(BUSY)

    async with fault_server(refuse, response({})) as server, server.client(transport, max_connections=1) as platform:
        with pytest.raises(InvalidArgumentError, match="file cannot be read: .* No such file"):
            await platform.organization().attachments.upload(file=file)
        assert await platform.organization().secrets.list() == {}
    assert [request.method for request in server.requests] == ["POST", "GET"]


class Other:
    """An open file that is no `io.IOBase`, such as the one of `tempfile.NamedTemporaryFile`."""

    def __init__(self, content: bytes) -> None:
        file = io.BytesIO(content)
        self.read, self.seek, self.tell, self.seekable = file.read, file.seek, file.tell, file.seekable


@all_clients
@pytest.mark.parametrize("kind", ["in memory", "on disk", "other"])
async def test_an_open_file_is_sent_whole_and_left_open(transport: Any, kind: str, file: Path) -> None:
    content = b"all of it"
    file.write_bytes(content)
    with io.BytesIO(content) if kind == "in memory" else file.open("rb") as opened:
        source: Any = Other(content) if kind == "other" else opened
        source.seek(7)
        async with fault_server(BUSY, response({})) as server, server.client(transport) as platform:
            await platform.organization().attachments.upload(file=("a.txt", source))
        assert len(server.requests) == 2
        for request in server.requests:
            assert b"\r\n\r\nall of it\r\n" in request.body
        assert not opened.closed


class Broken(io.BytesIO):
    """A file of the caller that cannot be read to its end; it has 300,000 bytes if it can be rewound."""

    def __init__(self, error: Exception, *, rewinds: bool) -> None:
        super().__init__(bytes(300_000))
        self.error = error
        self.rewinds = rewinds
        self.reads = 0

    def seekable(self) -> bool:
        return self.rewinds

    def read(self, size: int | None = -1, /) -> bytes:
        if size != 0 and self.tell() >= 100_000:
            self.reads += 1
            raise self.error
        return super().read(size)


@all_clients
@pytest.mark.parametrize("rewinds", [True, False], ids=["rewinds", "does not rewind"])
@pytest.mark.parametrize(
    "error",
    [KeyError("my own"), OSError(5, "Input/output error"), TimeoutError("my own")],
    ids=lambda error: type(error).__name__,
)
@pytest.mark.parametrize("method", ["POST", "PUT"])
async def test_an_error_of_the_callers_file_stays_what_it_is(
    transport: Any, method: str, error: Exception, rewinds: bool
) -> None:
    """It is raised at once, without the frames of the HTTP library."""
    operation = make_operation(method=method, media_type="multipart/form-data")
    async with fault_server(response({})) as server, server.client(transport, max_connections=1) as platform:
        file = Broken(error, rewinds=rewinds)
        with pytest.raises(type(error)) as caught:
            await platform._client.send(Request(operation, dict, {}, {}, {}, files={"file": ("a.txt", file)}))
        assert caught.value is error
        assert (file.reads, file.closed, server.requests) == (1, False, [])
        assert [frame.path.name for frame in caught.traceback[-2:]] == ["body.py", "test_upload.py"]
        assert leaks(error, TOKEN) == []
        assert await platform.organization().secrets.list() == {}


@all_clients
async def test_the_length_of_a_compressed_file_is_that_of_its_content(transport: Any, tmp_path: Path) -> None:
    path = tmp_path / "file.gz"
    path.write_bytes(gzip.compress(CONTENT))
    async with fault_server(BUSY, response({})) as server, server.client(transport) as platform:
        with gzip.open(path) as file:
            await platform.organization().attachments.upload(file=("a.txt", file))
    assert [CONTENT in request.body for request in server.requests] == [True, True]
    assert "content-length" in server.requests[1].headers


async def kept(sandbox: Sandbox, transport: Any, file: Any) -> bytes:
    """Upload a file, and return what the server has kept."""
    with sandbox.serve() as url:
        async with AgentPlatform(url, sandbox.token, organization="org-acme", transport=transport) as platform:
            attachments = platform.organization().attachments
            uploaded = await attachments.upload(file=file)
            uuid, name = uploaded.url.split("/")[-2:]
            return await attachments.download(uuid, name).read()


# Linux says that such a file has no bytes, or 4,096.
NO_LENGTH = ["/proc/version", "/proc/kallsyms", "/sys/kernel/mm/transparent_hugepage/enabled"]


@all_transports
@pytest.mark.parametrize("path", NO_LENGTH)
async def test_a_file_that_has_another_length_than_it_says_is_refused(
    sandbox: Sandbox, transport: Any, path: str
) -> None:
    if not Path(path).exists():
        pytest.skip("not on this system")
    with pytest.raises((InvalidArgumentError, OSError), match="cannot be read|it ended after .* of 4096 bytes"):
        await kept(sandbox, transport, path)
    assert await kept(sandbox, transport, Path(path).read_bytes()) == Path(path).read_bytes()


@all_transports
async def test_what_a_file_gains_while_it_is_sent_is_not_sent(sandbox: Sandbox, transport: Any, tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(CONTENT)

    class Growing(io.FileIO):
        def read(self, size: int | None = -1, /) -> bytes:
            with path.open("ab") as end:
                end.write(b"more" if size else b"")
            return super().read(size) or b""

    with Growing(path) as file:
        assert await kept(sandbox, transport, ("log", file)) == CONTENT


@all_transports
async def test_a_file_that_becomes_shorter_while_it_is_sent_is_an_error(transport: Any) -> None:
    class Shrinking(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            return super().read(size) if self.tell() < len(CONTENT) // 2 else b""

    upload = make_operation(method="POST", media_type="multipart/form-data")
    async with fault_server(response(b"{}")) as server, server.client(transport, timeout=5) as platform:
        with pytest.raises(OSError, match=f"it ended after .* of {len(CONTENT)} bytes while it was sent"):
            await platform._client.send(Request(upload, dict, {}, {}, files={"file": ("x", Shrinking(CONTENT))}))


@pytest.mark.parametrize("is_device", [False, True])
async def test_a_file_without_an_end_is_refused(org: Any, tmp_path: Path, is_device: bool) -> None:
    path = Path("/dev/zero") if is_device else tmp_path / "pipe"
    if not is_device:
        os.mkfifo(path)
    with pytest.raises(InvalidArgumentError, match="file: no such file: .*; pass anything else open"):
        await org.attachments.upload(file=path)


async def test_the_path_of_an_upload_does_not_change_with_the_current_directory(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(file.parent)
    (tmp_path / "elsewhere").mkdir()

    async def move() -> None:
        monkeypatch.chdir(tmp_path / "elsewhere")

    options = RequestOptions(on_send=move)
    async with fault_server(BUSY, response({})) as server, server.client(None) as platform:
        await platform.organization().attachments.upload(file=file.name, options=options)
    assert [CONTENT in request.body for request in server.requests] == [True, True]


class AsyncFile:
    """A file of aiofiles, or an `UploadFile` of FastAPI."""

    async def read(self, size: int = -1) -> bytes:
        return b""


async def test_an_asynchronous_file_is_refused_with_what_to_write(org: Any) -> None:
    message = "file must not be an asynchronous file: pass what `await file.read\\(\\)` returns"
    for file in (AsyncFile(), ("name", AsyncFile())):
        with pytest.raises(InvalidArgumentError, match=message):
            await org.attachments.upload(file=file)
