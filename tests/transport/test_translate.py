"""Errors of the libraries below: each becomes one of the tree, without their frames, which hold the credential."""

from __future__ import annotations

import traceback
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import aiohttp
import httpcore
import httpcore2
import httpx
import pytest
from agent_session_platform import (
    AgentPlatform,
    AgentPlatformError,
    ConfigurationError,
    ConnectionFailedError,
    OutcomeUnknownError,
)

from tests.fixtures import ONE_ATTEMPT, all_transports
from tests.servers.fault_server import TOKEN, client

KINDS: dict[str, Callable[[], Exception]] = {
    "ValueError": lambda: ValueError(f"bad {TOKEN}"),
    "TypeError": lambda: TypeError("bad"),
    "RuntimeError": lambda: RuntimeError("Session is closed"),
    "AssertionError": AssertionError,
    "KeyError": lambda: KeyError("host"),
    "AttributeError": lambda: AttributeError("'NoneType' object has no attribute 'write'"),
    "RecursionError": lambda: RecursionError("maximum recursion depth exceeded"),
    "MemoryError": MemoryError,
    "OSError": lambda: OSError(24, "Too many open files"),
    "EOFError": EOFError,
    "StopAsyncIteration": StopAsyncIteration,
    "an error of httpcore": lambda: httpcore.ConnectionNotAvailable(),
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


def chain_of(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and those that its traceback prints with it."""
    while error is not None:
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def shown_by(error: BaseException) -> str:
    """Return the messages of an error and of what it came from, and the traceback."""
    return "\n".join([*map(repr, chain_of(error)), *traceback.format_exception(error)])


def has_nothing_of_the_libraries(error: BaseException) -> bool:
    """Return whether an error, and what its traceback prints with it, is of the tree."""
    return all(isinstance(each, AgentPlatformError) for each in chain_of(error))


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
    assert has_nothing_of_the_libraries(caught.value)
    assert TOKEN not in shown_by(caught.value)


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
        assert has_nothing_of_the_libraries(caught.value)
        with pytest.raises(AgentPlatformError) as caught:
            async for _ in platform.organization().attachments.download("uuid", "name"):
                pass
        assert has_nothing_of_the_libraries(caught.value)


class FailingTransport(httpx.AsyncBaseTransport):
    def __init__(self, error: Exception) -> None:
        self._error = error

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        raise self._error


@pytest.mark.parametrize("passed", ["transport", "http_client"])
@pytest.mark.parametrize("kind", ["ValueError", "TypeError", "RuntimeError", "a class of its own"])
async def test_an_error_of_an_application_stays_what_it_is(passed: str, kind: str) -> None:
    error = KINDS[kind]()
    own: Any = FailingTransport(error)
    if passed == "http_client":
        own = httpx.AsyncClient(transport=own)
    async with AgentPlatform("https://x.example.com", TOKEN, retry=ONE_ATTEMPT, **{passed: own}) as platform:
        with pytest.raises(type(error)) as caught:
            await platform.request("GET", "/v3/x")
    assert caught.value is error


PROXY_PASSWORD = "hush-0123456789"
PROXIES = {
    "dead": f"http://user:{PROXY_PASSWORD}@127.0.0.1:1",
    "dead, with TLS": f"https://user:{PROXY_PASSWORD}@127.0.0.1:1",
    "of no host": f"http://user:{PROXY_PASSWORD}@",
    "of no port": f"http://user:{PROXY_PASSWORD}@127.0.0.1:x",
    "of a large port": f"http://user:{PROXY_PASSWORD}@127.0.0.1:99999",
    "of another scheme": f"ftp://user:{PROXY_PASSWORD}@127.0.0.1:1",
    "socks": f"socks5://user:{PROXY_PASSWORD}@127.0.0.1:1",
    "with a slash in it": f"http://user:{PROXY_PASSWORD}/x@127.0.0.1:1",
    "with a space in it": f"http://user:{PROXY_PASSWORD} x@127.0.0.1:1",
    "with a control character": f"http://user:{PROXY_PASSWORD}\x01@127.0.0.1:1",
    "with a question mark": f"http://user:{PROXY_PASSWORD}?@127.0.0.1:1",
    "of no scheme": f"user:{PROXY_PASSWORD}@127.0.0.1:1",
    "of a wrong IPv6 address": f"http://user:{PROXY_PASSWORD}@[::g]:1",
    "of a wrong IDN": f"http://user:{PROXY_PASSWORD}@☃.example:1",
}


@pytest.mark.parametrize("proxy", PROXIES.values(), ids=PROXIES)
@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_the_password_of_a_proxy_is_never_shown(
    proxy: str, scheme: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(f"{scheme.upper()}_PROXY", proxy)
    platform = client(f"{scheme}://platform.invalid", allow_http=True, retry=ONE_ATTEMPT, timeout=2)
    with caplog.at_level("DEBUG", "agent_session_platform"), pytest.raises(AgentPlatformError) as caught:
        await platform.request("GET", "/v3/x")
    monkeypatch.undo()
    assert PROXY_PASSWORD not in shown_by(caught.value) + repr(platform) + caplog.text
    if isinstance(caught.value, ConfigurationError):
        assert "HTTPS_PROXY" in str(caught.value)
    await platform.aclose()
