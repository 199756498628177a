"""What a call ends with, by method, failure and transport: the error, its doubt, and how often it was sent."""

from __future__ import annotations

import asyncio
import io
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from agent_session_platform import AgentPlatform, RetryPolicy, errors
from agent_session_platform._api import Request
from h2.connection import H2Connection
from h2.errors import ErrorCodes
from h2.events import DataReceived, RequestReceived, StreamEnded

from tests.fixtures import OWN, PASSED, make_operation
from tests.servers.fault_server import Connection, client, fault_server
from tests.servers.scripts import HEAD, response, then_close
from tests.transport.test_http2 import http2

pytestmark = pytest.mark.usefixtures("trust")

TWO_ATTEMPTS = RetryPolicy(attempts=2, backoff_base=0.0)
LENGTH = re.compile(rb"(?i)content-length: (\d+)")
# More than the buffers of both sockets.
LARGE = 8_000_000


class Outcome(NamedTuple):
    """What a call ends with: the error, whether the outcome is unknown, and how many requests were begun."""

    error: type[Exception]
    unknown: bool
    requests: int


class Case(NamedTuple):
    """A failure: its status, if a response comes, and the outcomes of GET, PUT and POST."""

    status: int | None
    get: Outcome
    put: Outcome
    post: Outcome


def everywhere(error: type[Exception], requests: int, status: int | None = None) -> Case:
    """Make the case of a failure after which nothing is in doubt, whatever the method is."""
    outcome = Outcome(error, False, requests)
    return Case(status, outcome, outcome, outcome)


# The response was lost.
LOST = Case(
    None,
    Outcome(errors.ConnectionFailedError, False, 2),
    Outcome(errors.OutcomeUnknownError, True, 2),
    Outcome(errors.OutcomeUnknownError, True, 1),
)
CASES: dict[str, Case] = {
    "refused": everywhere(errors.ConnectionFailedError, 0),
    "reset before the head": LOST,
    "reset in the body": LOST._replace(status=200),
    "timeout": LOST,
    "413 before the body": everywhere(errors.ProblemError, 1, 413),
    "500": Case(
        500,
        Outcome(errors.ServerError, False, 2),
        Outcome(errors.ServerError, True, 2),
        Outcome(errors.ServerError, True, 1),
    ),
    "401": everywhere(errors.AuthenticationError, 1, 401),
    "429": everywhere(errors.RateLimitedError, 2, 429),
    "bad body": Case(
        200,
        Outcome(errors.DecodeError, False, 1),
        Outcome(errors.DecodeError, True, 1),
        Outcome(errors.DecodeError, True, 1),
    ),
    "the file raises": everywhere(KeyError, 1),
}
# Over HTTP/2 the libraries do not see a response while they wait to send more (see SECURITY.md).
EARLY_OVER_HTTP2 = LOST
# These need a body, which a GET has not.
OF_A_BODY = ("413 before the body", "the file raises")


class Broken(io.BytesIO):
    """A file that cannot be read to its end."""

    def read(self, size: int | None = -1, /) -> bytes:
        if self.tell() >= LARGE // 2:
            raise KeyError("my own")
        return super().read(size)


class Server:
    """A server that fails in one way, over HTTP/1.1 or HTTP/2.

    Attributes:
        requests: How many requests were begun.
    """

    def __init__(self, case: str) -> None:
        self.case = case
        self.status = CASES[case].status
        self.content = b"<html>" if case == "bad body" else b'{"title": "x"}'
        self.requests = 0

    async def serve(self, connection: Connection) -> None:
        """Speak HTTP/1.1."""
        while True:
            head = await connection.reader.readuntil(b"\r\n\r\n")
            self.requests += 1
            if self.case == "413 before the body":
                await connection.send(response(self.content, "413 X", "Connection: close"))
                await connection.reader.read()
                return
            length = LENGTH.search(head)
            await connection.reader.readexactly(int(length[1]) if length else 0)
            match self.case:
                case "reset before the head":
                    connection.reset()
                case "reset in the body":
                    await connection.send(HEAD + b"Content-Length: 100\r\n\r\n{")
                    # Wait, because the reset would overtake the bytes that were sent.
                    await asyncio.sleep(0.02)
                    connection.reset()
                case "timeout":
                    await connection.reader.read()
                case _:
                    await connection.send(response(self.content, f"{self.status} X", "Retry-After: 0"))

    def handle(self, connection: H2Connection, event: Any) -> None:
        """Speak HTTP/2: handle what has come."""
        early = self.case == "413 before the body"
        if isinstance(event, RequestReceived):
            self.requests += 1
            if early:
                self.respond(connection, event.stream_id, self.content)
                connection.reset_stream(event.stream_id, ErrorCodes.NO_ERROR)
        if isinstance(event, DataReceived) and not early:
            connection.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        if isinstance(event, StreamEnded) and not early:
            match self.case:
                case "reset before the head":
                    connection.reset_stream(event.stream_id, ErrorCodes.INTERNAL_ERROR)
                case "reset in the body":
                    self.respond(connection, event.stream_id, b"{", end_stream=False)
                    connection.reset_stream(event.stream_id, ErrorCodes.INTERNAL_ERROR)
                case "timeout":
                    pass
                case _:
                    self.respond(connection, event.stream_id, self.content)

    def respond(self, connection: H2Connection, stream: int, content: bytes, *, end_stream: bool = True) -> None:
        """Send a response over HTTP/2."""
        fields = [(":status", str(self.status)), ("content-type", "application/json"), ("retry-after", "0")]
        connection.send_headers(stream, fields)
        connection.send_data(stream, content, end_stream=end_stream)


@asynccontextmanager
async def failing(case: str, transport: str, protocol: str) -> AsyncIterator[tuple[Server, AgentPlatform]]:
    """Yield a server that fails, and a client of it."""
    server = Server(case)
    ends_in_silence = case == "timeout" or (case, protocol) == ("413 before the body", "HTTP/2")
    settings: dict[str, Any] = {"retry": TWO_ATTEMPTS, "timeout": 0.6 if ends_in_silence else 10}
    if case == "refused":
        address = "https://127.0.0.1:1" if protocol == "HTTP/2" else "http://127.0.0.1:1"
        async with client(address, transport, **settings) as platform:
            yield server, platform
    elif protocol == "HTTP/2":
        async with http2(transport, server.handle, **settings) as (_, _, platform):
            yield server, platform
    else:
        async with fault_server(on_connect=server.serve) as served, served.client(transport, **settings) as platform:
            yield server, platform


async def call(platform: AgentPlatform, method: str, case: str) -> Any:
    """Make the call that fails."""
    if case not in OF_A_BODY:
        return await platform.request(method, "/v3/x", body=None if method == "GET" else {})
    file = Broken(bytes(LARGE)) if case == "the file raises" else io.BytesIO(bytes(LARGE))
    operation = make_operation(method=method, media_type="multipart/form-data")
    return await platform._client.send(Request(operation, dict, {}, {}, {}, files={"file": ("a.bin", file)}))


TRANSPORTS = [
    *((transport, "HTTP/1.1") for transport in [*OWN, *PASSED]),
    *((library, "HTTP/2") for library in ("httpx", "httpx2")),
]


@pytest.mark.parametrize(("transport", "protocol"), TRANSPORTS, ids=[" ".join(each) for each in TRANSPORTS])
@pytest.mark.parametrize(
    ("method", "case"),
    [(method, case) for case in CASES for method in ("GET", "PUT", "POST") if method != "GET" or case not in OF_A_BODY],
)
async def test_the_outcome_of_a_failure(transport: str, protocol: str, method: str, case: str) -> None:
    lost = (case, protocol) == ("413 before the body", "HTTP/2")
    expected: Outcome = getattr(EARLY_OVER_HTTP2 if lost else CASES[case], method.lower())
    async with failing(case, transport, protocol) as (server, platform):
        with pytest.raises((errors.AgentPlatformError, KeyError)) as caught:
            await call(platform, method, case)
    error: Any = caught.value
    found = Outcome(type(error), getattr(error, "outcome_unknown", False), server.requests)
    assert found == expected


@pytest.mark.parametrize("transport", [*OWN, *PASSED])
@pytest.mark.parametrize("method", ["PUT", "DELETE"])
@pytest.mark.parametrize(("status", "error"), [(404, errors.NotFoundError), (409, errors.ConflictError)])
async def test_a_refusal_after_a_lost_response_is_in_doubt(
    transport: str, method: str, status: int, error: type[errors.ProblemError]
) -> None:
    """The first attempt may have been carried out: then the second one finds what the first one has done."""
    refused = response({}, f"{status} X")
    async with (
        fault_server(refused, then_close(), refused) as server,
        server.client(transport, retry=TWO_ATTEMPTS) as platform,
    ):
        with pytest.raises(error) as refusal:
            await platform.request(method, "/v3/x", body={})
        assert not refusal.value.outcome_unknown
        with pytest.raises(error) as doubtful:
            await platform.request(method, "/v3/x", body={})
        assert doubtful.value.outcome_unknown
    assert len(server.requests) == 3


# A response that comes before the request is sent.


async def stop_reading(connection: Connection) -> None:
    """Respond to the head, and read nothing more."""
    await connection.reader.readuntil(b"\r\n\r\n")
    connection.reader._transport.pause_reading()  # type: ignore[attr-defined]  # asyncio reads ahead
    await connection.send(response({"detail": "at most 1 MB"}, "413 X", "Connection: close"))


async def stop_reading_and_stay(connection: Connection) -> None:
    """Respond to the head, read nothing more, and leave the connection open."""
    await stop_reading(connection)
    await asyncio.sleep(60)


async def stop_reading_and_close(connection: Connection) -> None:
    """Respond to the head, read nothing more, and close the connection, so that it is reset."""
    await stop_reading(connection)
    connection.close()


@pytest.mark.parametrize("transport", ["aiohttp", "http_client aiohttp"])
@pytest.mark.parametrize("on_connect", [stop_reading_and_stay, stop_reading_and_close])
async def test_a_413_counts_though_the_server_stops_reading(transport: str, on_connect: Any, tmp_path: Path) -> None:
    """Httpx and httpx2 lose it (see SECURITY.md)."""
    path = tmp_path / "file"
    path.write_bytes(bytes(LARGE))
    async with fault_server(on_connect=on_connect) as server, server.client(transport, timeout=10) as platform:
        with pytest.raises(errors.ProblemError, match="at most 1 MB") as caught:
            await platform.organization().attachments.upload(file=path)
    assert (caught.value.status, caught.value.outcome_unknown, server.connections) == (413, False, 1)


@pytest.mark.parametrize("transport", [*OWN, *PASSED])
@pytest.mark.parametrize("kind", ["path", "open", "bytes"])
async def test_a_file_is_sent_to_its_end_after_the_head_of_the_response(
    transport: str, kind: str, tmp_path: Path
) -> None:
    path = tmp_path / "file"
    path.write_bytes(bytes(LARGE))
    lengths: list[int] = []

    async def respond_early(connection: Connection) -> None:
        head = await connection.reader.readuntil(b"\r\n\r\n")
        await connection.send(HEAD + b"Content-Length: 13\r\n\r\n")
        length = LENGTH.search(head)
        assert length is not None
        lengths.append(len(await connection.reader.readexactly(int(length[1]))))
        await connection.send(b'{"uuid": "u"}')

    async with fault_server(on_connect=respond_early) as server, server.client(transport, timeout=5) as platform:
        with path.open("rb") as opened:
            file: Any = {"path": path, "open": opened, "bytes": bytes(LARGE)}[kind]
            made = await platform.organization().attachments.upload(file=file)
    assert made["uuid"] == "u"
    assert lengths[0] > LARGE
