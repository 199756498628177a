"""Errors of the libraries below: each becomes one of the tree, without their frames, which hold the credential."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

import aiohttp
import httpcore
import httpcore2
import httpx
import pytest
from agent_session_platform import (
    AgentPlatformError,
    ConnectionFailedError,
    OutcomeUnknownError,
)

from tests.faults.exposure import chained, exposed
from tests.fixtures import ONE_ATTEMPT, all_transports
from tests.servers.fault_server import TOKEN, client

KINDS: dict[str, Callable[[], Exception]] = {
    "ValueError": lambda: ValueError(f"bad {TOKEN}"),
    "RuntimeError": lambda: RuntimeError("Session is closed"),
    "AttributeError": lambda: AttributeError("'NoneType' object has no attribute 'write'"),
    "MemoryError": MemoryError,
    "OSError": lambda: OSError(24, "Too many open files"),
    "an error of httpx": lambda: httpx.StreamClosed(),
    "an error of aiohttp": lambda: aiohttp.ClientPayloadError("x"),
    "several": lambda: ExceptionGroup("several", [OSError("a"), ValueError("b")]),
    "a class of its own": lambda: type("BusyResourceError", (Exception,), {})("x"),
}
kinds = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


def fail_below(monkeypatch: pytest.MonkeyPatch, kind: Callable[[], Exception]) -> None:
    """Let all libraries fail while they have the request, with the credential, in their locals."""

    async def fail(self: object, *arguments: Any, **settings: Any) -> Any:
        headers = f"Authorization: Bearer {TOKEN}"
        raise kind() from LookupError(headers)

    monkeypatch.setattr(httpcore.AsyncConnectionPool, "handle_async_request", fail)
    monkeypatch.setattr(httpcore2.AsyncConnectionPool, "handle_async_request", fail)
    monkeypatch.setattr(aiohttp.ClientSession, "_request", fail)


@all_transports
@kinds
@pytest.mark.parametrize(("method", "error"), [("GET", ConnectionFailedError), ("POST", OutcomeUnknownError)])
async def test_every_error_of_the_own_transports_is_one_of_the_tree(
    transport: Any,
    kind: Callable[[], Exception],
    method: str,
    error: type[AgentPlatformError],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fail_below(monkeypatch, kind)
    async with client("http://127.0.0.1:9", transport, retry=ONE_ATTEMPT) as platform:
        with pytest.raises(error) as caught:
            await platform.request(method, "/v3/x")
    assert all(isinstance(each, AgentPlatformError) for each in chained(caught.value))
    assert TOKEN not in exposed(caught.value)


class FailingBody(httpx.AsyncByteStream):
    def __init__(self, kind: Callable[[], Exception]) -> None:
        self._kind = kind

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield b"{"
        headers = f"Authorization: Bearer {TOKEN}"
        raise self._kind() from LookupError(headers)

    async def aclose(self) -> None:
        raise self._kind()


@kinds
async def test_every_error_of_a_body_is_one_of_the_tree(
    kind: Callable[[], Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def respond(self: object, request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, stream=FailingBody(kind))

    monkeypatch.setattr(httpx.AsyncHTTPTransport, "handle_async_request", respond)
    async with client("http://127.0.0.1:9", retry=ONE_ATTEMPT) as platform:
        with pytest.raises(AgentPlatformError) as caught:
            await platform.request("GET", "/v3/x")
        assert all(isinstance(each, AgentPlatformError) for each in chained(caught.value))
        with pytest.raises(AgentPlatformError) as caught:
            async for _ in platform.organization().attachments.download("uuid", "name"):
                pass
        assert all(isinstance(each, AgentPlatformError) for each in chained(caught.value))
