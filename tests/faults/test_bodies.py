"""Bodies that are not what a success promises: a DecodeError names the operation and the status."""

from __future__ import annotations

import asyncio
import gzip
import tracemalloc
import zlib
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform import AgentPlatformError, ConnectionFailedError, DecodeError

from tests.faults.exposure import exposed
from tests.fixtures import ONE_ATTEMPT, all_clients, all_transports
from tests.servers.fault_server import TOKEN, Connection, Request, Script, fault_server
from tests.servers.scripts import HEAD, gzip_response, response, then_close

GOOD = b'{"data": []}'
HTML = b"<!doctype html><title>Welcome</title>"
MIB = 1024 * 1024
FILE = "/v3/organizations/org-acme/attachments/11111111-1111-4111-8111-111111111111/a.bin"


def encoded(body: bytes, encoding: str, status: str = "200 OK") -> bytes:
    return response(body, status, f"Content-Encoding: {encoding}")


def nested(depth: int) -> bytes:
    return b"[" * depth + b"]" * depth


def bomb(size: int, layers: int = 1) -> bytes:
    packer = zlib.compressobj(9, wbits=31)
    packed = b"".join(packer.compress(bytes(MIB)) for _ in range(size // MIB)) + packer.flush()
    for _ in range(layers - 1):
        packed = gzip.compress(packed)
    return encoded(packed, ", ".join(["gzip"] * layers))


async def failure(script: Script, transport: Any, **settings: Any) -> AgentPlatformError:
    async with fault_server(script) as server, server.client(transport, retry=ONE_ATTEMPT, **settings) as platform:
        with pytest.raises(AgentPlatformError) as caught:
            await platform.enterprise.blueprints.list()
    return caught.value


@pytest.mark.parametrize(
    ("script", "status", "message"),
    [
        (response(HTML, media_type="text/html"), 200, "text/html where JSON should have come, beginning '<!doctype"),
        (response(HTML), 200, "a body that is not JSON (Expecting value"),
        (response(HTML, media_type=None), 200, "a body that is not JSON (Expecting value"),
        (response(HTML, "203 Non-Authoritative", media_type="TEXT/HTML; charset=UTF-8"), 203, "text/html where JSON"),
        (response(GOOD, media_type="text/plain"), 200, "text/plain where JSON should have come"),
        (response(GOOD, media_type="application/octet-stream"), 200, "application/octet-stream where JSON"),
        (response(GOOD, media_type="multipart/form-data; boundary=x"), 200, "multipart/form-data where JSON"),
        (
            then_close(b"HTTP/1.1 200 OK\r\nContent-Type: \xff\xfe\r\nContent-Length: 2\r\n\r\n{}"),
            200,
            "where JSON should",
        ),
        (response(b""), 200, "with an empty body"),
        (response(b"", media_type=None), 200, "with an empty body"),
        (response(b"  \r\n"), 200, "a body that is not JSON"),
        (b"HTTP/1.1 204 No Content\r\n\r\n", 204, "with an empty body"),
        (response(b"", "205 Reset Content"), 205, "with an empty body"),
        (
            response(b'{"data": [}'),
            200,
            "not JSON (Expecting value: line 1 column 11 (char 10)), beginning '{\"data\": [}'",
        ),
        (response(GOOD + GOOD), 200, "not JSON (Extra data"),
        (response(b"{'data': []}"), 200, "not JSON (Expecting property name"),
        (response(b'{"data": ["a\x01"]}'), 200, "not JSON (Invalid control character"),
        (response(bytes(50)), 200, "a body that is not JSON"),
        (response(b'{"data": ' + b"9" * 5000 + b"}"), 200, "a body that is not JSON (Exceeds the limit"),
        (response('{"name": "é"}'.encode("latin-1")), 200, "not JSON ('utf-8' codec can't decode byte 0xe9"),
        (response('{"n": "é"}'.encode("latin-1"), media_type="application/json; charset=iso-8859-1"), 200, "not JSON"),
        (response(GOOD.decode().encode("utf-16")[:-1]), 200, "a body that is not JSON"),
        (response(b"\xff\xfe\xfd"), 200, "a body that is not JSON"),
        (response(b"[]"), 200, "an array where an object"),
        (response(b"null"), 200, "null where an object should have come, beginning 'null'"),
        (response(b'"text"'), 200, "text where an object"),
        (response(b"7"), 200, "where an object"),
        (response(nested(100_000)), 200, "JSON that is nested too deeply, beginning '[[["),
        (
            encoded(b"\x8b\x05\x80{}\x03", "br"),
            200,
            "a body that does not fit its Content-Encoding (br: only one of gzip, deflate was accepted)",
        ),
        (gzip_response(GOOD, keep=14), 200, ""),
        (gzip_response(GOOD, keep=10), 200, ""),
        (encoded(b"", "gzip"), 200, "with an empty body"),
    ],
)
async def test_an_invalid_success_is_a_decode_error_with_operation_status_and_excerpt(
    transport: Any, script: Script, status: int, message: str
) -> None:
    error = await failure(script, transport)
    assert type(error) is DecodeError
    assert error.status == status
    assert error.operation is not None
    assert str(error).startswith(f"enterprise.blueprints.list: {status} with ")
    assert message in str(error)
    assert len(str(error)) < 500
    assert TOKEN not in exposed(error)


@all_transports
@pytest.mark.parametrize(
    "script",
    [
        response(GOOD),
        response(b"\xef\xbb\xbf" + GOOD),
        response(GOOD.decode().encode("utf-16")),
        response(GOOD.decode().encode("utf-32-be")),
        response(GOOD, media_type=None),
        response(GOOD, media_type=""),
        response(GOOD, media_type="application/json; charset=klingon"),
        response(GOOD, media_type="Application/JSON;charset=UTF-16"),
        response(GOOD, media_type="application/vnd.acme+json"),
        response(GOOD + b"\n" * 1000),
        response(GOOD, "299 Whatever"),
        gzip_response(GOOD),
        encoded(zlib.compress(GOOD), "deflate"),
        encoded(zlib.compress(GOOD)[2:-4], "deflate"),
        encoded(GOOD, "identity"),
        b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + response(GOOD),
        b"HTTP/1.1 100 Continue\r\n\r\n" * 50 + response(GOOD),
        response(GOOD, "200 OK", "X-Odd: \xe9"),
        response(GOOD, "200 OK", "Set-Cookie: ;;;=;\x7f"),
        b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6;x=y\r\n{"data\r\n6\r\n": []}\r\n0\r\nX: y\r\n\r\n',
        then_close(b"HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n" + GOOD),
        b"HTTP/1.1 200 OK\nContent-Type: application/json\nContent-Length: 12\n\n" + GOOD,
    ],
)
async def test_an_odd_but_valid_response_is_accepted(transport: Any, script: Script) -> None:
    async with fault_server(script) as server, server.client(transport, retry=ONE_ATTEMPT) as platform:
        assert (await platform.enterprise.blueprints.list()).data == []


@pytest.mark.parametrize(
    "script",
    [
        encoded(b"no gzip at all", "gzip"),
        encoded(gzip.compress(GOOD)[:-8] + bytes(8), "gzip"),
        encoded(gzip.compress(GOOD)[:12] + b"\xff" * 20, "gzip"),
        encoded(b"no deflate", "deflate"),
        encoded(gzip.compress(GOOD), "gzip, gzip"),
        encoded(gzip.compress(gzip.compress(GOOD)), "gzip, gzip"),
        encoded(gzip.compress(zlib.compress(GOOD)), "deflate, gzip"),
    ],
)
async def test_a_body_that_does_not_fit_its_encoding_is_a_decode_error_with_its_status(
    transport: Any, script: bytes
) -> None:
    error = await failure(script, transport)
    assert type(error) is DecodeError
    assert error.status == 200
    assert str(error).startswith("enterprise.blueprints.list: 200 with ")
    assert "not fit its Content-Encoding" in str(error)


@pytest.mark.parametrize("keep", [-8, -4, -1])
async def test_a_gzip_body_cut_off_after_its_json_is_a_decode_error(transport: Any, keep: int) -> None:
    assert type(await failure(gzip_response(GOOD, keep=keep), transport)) is DecodeError


@all_clients
async def test_a_gzip_body_cut_off_after_its_head_is_not_an_empty_response(transport: Any) -> None:
    async with (
        fault_server(gzip_response(GOOD, keep=10)) as server,
        server.client(transport, retry=ONE_ATTEMPT) as platform,
    ):
        with pytest.raises(AgentPlatformError):
            await platform.request("DELETE", "/v3/x")


@all_clients
async def test_a_gzip_body_followed_by_garbage_is_a_decode_error(transport: Any) -> None:
    assert type(await failure(encoded(gzip.compress(GOOD) + b"garbage", "gzip"), transport)) is DecodeError


@all_clients
async def test_a_gzip_body_of_two_members_is_read_completely(transport: Any) -> None:
    """RFC 1952, section 2.2: a file has a series of members."""
    script = encoded(gzip.compress(GOOD[:5]) + gzip.compress(GOOD[5:]), "gzip")
    async with fault_server(script) as server, server.client(transport, retry=ONE_ATTEMPT) as platform:
        assert (await platform.enterprise.blueprints.list()).data == []


@all_clients
async def test_a_download_with_cut_off_gzip_is_an_error_and_leaves_no_file(transport: Any, tmp_path: Path) -> None:
    async with (
        fault_server(gzip_response(bytes(range(256)) * 100, keep=-8)) as server,
        server.client(transport) as platform,
    ):
        download = platform.organization().attachments.download(*FILE.split("/")[-2:])
        with pytest.raises(AgentPlatformError):
            await download.save(tmp_path / "a.bin")
    assert list(tmp_path.iterdir()) == []


@all_clients
async def test_an_endless_body_is_an_error_at_the_limit_and_not_read_on(transport: Any) -> None:
    sent = 0

    async def endless(request: Request, connection: Connection) -> None:
        nonlocal sent
        await connection.send(
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9999999999\r\n\r\n"
        )
        while True:
            await connection.send(b" " * 65536)
            sent += 65536

    error = await failure(endless, transport, max_body=100_000)
    assert isinstance(error, DecodeError)
    assert str(error).startswith("enterprise.blueprints.list: 200 with a body of more than 100000 bytes")
    # What the kernel holds of it on its way comes on top.
    assert sent < 50 * MIB


@all_clients
async def test_a_body_of_exactly_the_limit_is_read(transport: Any) -> None:
    async with fault_server(response(GOOD)) as server, server.client(transport, max_body=len(GOOD)) as platform:
        assert (await platform.enterprise.blueprints.list()).data == []
    assert isinstance(await failure(response(GOOD), transport, max_body=len(GOOD) - 1), DecodeError)


@all_transports
async def test_the_default_limit_is_16_mib(transport: Any) -> None:
    error = await failure(response(bytes(17 * MIB)), transport)
    assert type(error) is DecodeError
    assert "200 with a body of more than 16777216 bytes" in str(error)


@all_transports
@pytest.mark.parametrize("layers", [1, 2])
async def test_a_gzip_bomb_takes_no_more_memory_than_the_limit_allows(transport: Any, layers: int) -> None:
    script = bomb(32 * MIB, layers)
    tracemalloc.start()
    try:
        error = await failure(script, transport, max_body=MIB)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert type(error) is DecodeError
    assert peak < 16 * MIB


@all_transports
async def test_a_broken_chunk_after_a_good_head_is_no_endless_wait(transport: Any) -> None:
    """After bytes of a body that it cannot parse, aiohttp leaves its reader waiting, whatever its timeouts are."""
    script = then_close(HEAD + b"Transfer-Encoding: chunked\r\n\r\n10{")
    async with asyncio.timeout(10):
        assert type(await failure(script, transport)) is ConnectionFailedError
