"""A stranger's server behind the address: whatever it says ends in the right exception, and none shows the token."""

from __future__ import annotations

import asyncio
import gzip

import pytest
from agent_session_platform import (
    AgentPlatform,
    AgentPlatformError,
    ConnectionFailedError,
    DecodeError,
    NotFoundError,
    RetryPolicy,
    ServerError,
)

from tests.servers.stranger import Script, hang_up, response, stranger

TOKEN = "svc_do_not_show_me"
HTML = b"<!doctype html><title>Welcome</title><p>Hello, stranger"


async def half_a_head(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Ty")
    await writer.drain()


async def nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Close the connection politely without a word."""


@pytest.mark.parametrize(
    ("script", "error", "message"),
    [
        (response(HTML, Content_Type="text/html"), DecodeError, "200 with text/html where JSON should have come"),
        (response(HTML, Content_Type="application/json"), DecodeError, "200 with a body that is no JSON"),
        (
            response(HTML, "404 Not Found", Content_Type="text/html"),
            NotFoundError,
            r"404 Not Found \(the body is text/html",
        ),
        (response(HTML, "502 Bad Gateway", Content_Type="text/html"), ServerError, "502 Bad Gateway"),
        (response(b""), DecodeError, "with an empty body"),
        (response(b"", "520 "), ServerError, "520 unknown status"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{", ConnectionFailedError, "the exchange broke off"),
        (
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{",
            ConnectionFailedError,
            "the exchange broke off",
        ),
        (b"SSH-2.0-OpenSSH_9.2\r\n", ConnectionFailedError, "the exchange broke off"),
        (b"", ConnectionFailedError, "the exchange broke off"),
        (nothing, ConnectionFailedError, "the exchange broke off"),
        (half_a_head, ConnectionFailedError, "the exchange broke off"),
        (hang_up, ConnectionFailedError, "the exchange broke off"),
        (response(b"not gzip", Content_Encoding="gzip"), DecodeError, "does not fit its Content-Encoding"),
        (response(f'{{"title": "{TOKEN}"}}'.encode(), "401 Unauthorized"), AgentPlatformError, r"401 \[credential\]"),
    ],
)
async def test_a_stranger_ends_in_the_right_exception(
    script: bytes | Script, error: type[AgentPlatformError], message: str
) -> None:
    async with stranger(script) as server, AgentPlatform(server.base_url, TOKEN, retry=RetryPolicy.none()) as platform:
        with pytest.raises(error, match=message) as caught:
            await platform.enterprise.blueprints.list()
    assert type(caught.value) is error or error is AgentPlatformError
    assert str(caught.value).startswith("enterprise.blueprints.list: ")
    assert TOKEN not in repr(caught.value)


async def test_a_compressed_answer_is_read() -> None:
    body = gzip.compress(b'{"data": [{"blueprint_id": "b"}]}')
    async with (
        stranger(response(body, Content_Encoding="gzip")) as server,
        AgentPlatform(server.base_url, TOKEN) as platform,
    ):
        blueprints = await platform.enterprise.blueprints.list()
    assert [blueprint.blueprint_id for blueprint in blueprints.data or ()] == ["b"]
