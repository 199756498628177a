"""Bodies that are meant to cost much: memory, time, or a stop of the event loop."""

from __future__ import annotations

import gzip
import tracemalloc
from typing import Any

import pytest
from agent_session_platform import DecodeError, ServerError

from tests.faults.exposure import exposed
from tests.faults.test_bodies import FILE, MIB, encoded, failure
from tests.fixtures import ONE_ATTEMPT, all_clients, all_transports
from tests.servers.fault_server import TOKEN, Connection, Request, fault_server
from tests.servers.scripts import response


@pytest.mark.parametrize("status", ["200 OK", "429 Too Many Requests"])
async def test_a_kilobyte_does_not_become_millions_of_values(transport: Any, status: str) -> None:
    packed = gzip.compress(b"[" + b"[]," * 22_000_000 + b"[]]")
    tracemalloc.start()
    try:
        for layers in (1, 2):
            script = encoded(packed if layers == 1 else gzip.compress(packed), ", ".join(["gzip"] * layers), status)
            await failure(script, transport)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 32 * MIB


@all_transports
async def test_a_download_that_expands_too_much_is_an_error(transport: Any) -> None:
    async with (
        fault_server(encoded(gzip.compress(bytes(64 * MIB)), "gzip")) as server,
        server.client(transport) as platform,
    ):
        download = platform.organization().attachments.download(*FILE.split("/")[-2:])
        tracemalloc.start()
        try:
            with pytest.raises(DecodeError, match="expands to more than 200 times its size"):
                await download.read()
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert peak < 64 * MIB


@pytest.mark.parametrize(
    ("body", "settings", "beginning"),
    [
        (b"[" * 200 + b"]" * 200, {}, "[[["),
        (b'"' + b"x" * 9000 + b'"', {}, '"xxx'),
        (b"x" * 9000, {"max_body": 5000}, "xxx"),
        ("\u00e9".encode("utf-16") * 9000, {}, "\u00e9"),
        (f"<p>{TOKEN}</p>".encode() * 200, {}, "<p>[credential]</p>"),
        (b" " * (4096 - 10) + TOKEN.encode(), {}, "   "),
    ],
)
async def test_the_body_of_a_decode_error_is_short_and_without_the_credential(
    transport: Any, body: bytes, settings: Any, beginning: str
) -> None:
    error = await failure(response(body), transport, **settings)
    assert isinstance(error, DecodeError)
    assert error.body is not None
    assert error.body.startswith(beginning)
    assert len(error.body) <= 4096
    assert TOKEN[:9] not in exposed(error)


@all_clients
async def test_an_error_body_is_read_to_a_mebibyte_and_its_connection_is_closed(transport: Any) -> None:
    sent = 0

    async def endless(request: Request, connection: Connection) -> None:
        nonlocal sent
        await connection.send(
            b"HTTP/1.1 500 Oops\r\nContent-Type: application/json\r\nContent-Length: 9999999999\r\n\r\n"
        )
        while True:
            await connection.send(b" " * 65536)
            sent += 65536

    error = await failure(endless, transport)
    assert isinstance(error, ServerError)
    assert len(error.body) == 65_536
    # What the kernel holds of it on its way comes on top.
    assert sent < 10 * MIB


@pytest.mark.parametrize("body", [b'{"data": [' + b"[ ] ," * 101 + b"1]}", b"[" * 100 + b"] \n" * 100])
async def test_many_brackets_that_are_not_nested_are_read(transport: Any, body: bytes) -> None:
    async with fault_server(response(body)) as server, server.client(transport, retry=ONE_ATTEMPT) as platform:
        assert await platform.request("GET", "/v3/x")


@pytest.mark.parametrize("between", [b" ", b"\n", b"\t\r\n", b",1", b',"x"', b",[]", b",{}", b' , "long text, and ]"'])
@pytest.mark.parametrize("depth", [101, 900])
async def test_deep_nesting_is_refused_whatever_is_between_the_brackets(
    transport: Any, depth: int, between: bytes
) -> None:
    body = b'{"data": [], "more": ' + b"[" * depth + b"0" + (between + b"]") * depth + b"}"
    error = await failure(response(body), transport)
    assert "200 with JSON that is nested too deeply" in str(error)
