"""The values of a response in JSON Lines come one by one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from agent_session_platform import ClientClosedError, ConnectionFailedError, DecodeError
from agent_session_platform._api import JsonLines, Operation, ReceivedResponse, Request
from agent_session_platform.response.decode import ResponseLines
from agent_session_platform.response.outcome import StreamedResponse

from tests.servers.fault_server import fault_server
from tests.servers.scripts import then_silence

OPERATION = Operation(
    id="watch", method="GET", path="/", scope="organization", resource="things", verb="watch", streamed=True
)

RECEIVED = ReceivedResponse(OPERATION, 200, {}, 1, 0.0)


def lines(*chunks: bytes | Exception, max_line: int = 1000) -> tuple[ResponseLines[Any], list[StreamedResponse]]:
    opened: list[StreamedResponse] = []

    async def iterate() -> AsyncIterator[bytes]:
        for chunk in chunks:
            if isinstance(chunk, Exception):
                raise chunk
            yield chunk

    async def close() -> None:
        pass

    async def fetch() -> StreamedResponse:
        opened.append(StreamedResponse(200, iterate(), close, RECEIVED))
        return opened[-1]

    return ResponseLines(OPERATION, fetch, lambda value: value, max_line, str), opened


async def pour(values: JsonLines[Any], into: list[Any]) -> None:
    """Append the values one by one, so that those before an error are kept."""
    async for value in values:
        into.append(value)  # noqa: PERF401


@pytest.mark.parametrize(
    "chunks",
    [
        (b'{"a":1}\n[2]\n3\n',),
        (b'{"a":1}\n[2]\n3',),
        (b'{"a"', b":1}\n[", b"2]\n", b"3\n"),
        (b'{"a":1}\r\n\r\n[2]\r\n3\r\n',),
        (b'\x1e{"a":1}\n\x1e[2]\n\x1e3\n',),
    ],
    ids=["lines", "no last line break", "any pieces", "CRLF and empty lines", "RFC 7464"],
)
async def test_each_line_is_a_value(chunks: tuple[bytes, ...]) -> None:
    found, _ = lines(*chunks)
    assert [value async for value in found] == [{"a": 1}, [2], 3]


async def test_each_iteration_fetches_again() -> None:
    found, opened = lines(b"1\n")
    assert [value async for value in found] == [value async for value in found] == [1]
    assert len(opened) == 2


async def test_what_came_before_a_broken_connection_is_delivered() -> None:
    found, _ = lines(b"1\n2\n", ConnectionFailedError("broken off"))
    seen: list[Any] = []
    with pytest.raises(ConnectionFailedError):
        await pour(found, seen)
    assert seen == [1, 2]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'not "json"\n', "that is not JSON"),
        (b"[" * 101 + b"] " * 101 + b"\n", "that is nested too deeply"),
        (b"x" * 1001, "of more than 1000 bytes"),
        (b"x" * 1001 + b"\n", "of more than 1000 bytes"),
    ],
)
async def test_a_line_that_cannot_be_read_is_an_error_with_its_number_and_beginning(line: bytes, reason: str) -> None:
    found, _ = lines(b"1\n\n", line)
    seen: list[Any] = []
    with pytest.raises(DecodeError, match=rf"200 with a line {reason} \(line 3\), beginning '") as caught:
        await pour(found, seen)
    assert seen == [1]
    assert caught.value.body == line.decode().strip()


async def test_closing_the_client_ends_the_values() -> None:
    begun = then_silence(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n1\n")
    async with fault_server(begun) as server:
        platform = server.client()
        values = aiter(platform._client.stream(Request(OPERATION, lambda value: value, {}, {})))
        assert await anext(values) == 1
        second = asyncio.ensure_future(anext(values))
        await asyncio.sleep(0)
        await platform.aclose()
        with pytest.raises(ClientClosedError):
            await second
