"""A client belongs to one event loop, and is closed once."""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import os
import sys
import warnings
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import suppress
from typing import Any

import httpx
import pytest
from agent_session_platform import (
    AgentPlatform,
    ClientClosedError,
    EventLoopError,
    LocalRateLimiter,
)
from agent_session_platform_sandbox import RateLimit, Sandbox

from tests.fixtures import ONE_ATTEMPT, all_transports
from tests.servers.fault_server import fault_server
from tests.servers.scripts import response


async def test_a_client_that_was_used_before_can_be_entered(sandbox: Sandbox) -> None:
    platform = sandbox.client()
    await _list(platform)
    async with platform:
        await _list(platform)
    assert "closed" in repr(platform)


async def test_a_closed_client_cannot_be_used(sandbox: Sandbox) -> None:
    platform = sandbox.client()
    for _ in range(2):
        await platform.aclose()
    assert "closed" in repr(platform)
    sessions = platform.organization().sessions
    for use in (
        _list(platform),
        sessions.list().first_page(),
        sessions.wait("assistant-1", until={"status": "ready"}),
        platform.__aenter__(),
    ):
        with pytest.raises(ClientClosedError, match="the client is closed; make a new AgentPlatform"):
            await use


def test_a_client_cannot_be_used_in_another_event_loop(sandbox: Sandbox) -> None:
    platform = sandbox.client()
    asyncio.run(_list(platform))
    with pytest.raises(EventLoopError, match="make one AgentPlatform for each event loop"):
        asyncio.run(_list(platform))
    asyncio.run(platform.aclose())


async def _list(platform: AgentPlatform) -> None:
    await platform.enterprise.blueprints.list()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
@pytest.mark.parametrize("used_before", [False, True])
def test_a_client_made_before_a_fork_works_in_the_child(sandbox: Sandbox, used_before: bool) -> None:
    """If the parent has used the client, the child gets an error, because the connections belong to the parent."""
    platform = sandbox.client()
    if used_before:
        asyncio.run(_list(platform))

    def use() -> None:
        try:
            asyncio.run(_list(platform))
        except EventLoopError:
            sys.exit(3)

    child = multiprocessing.get_context("fork").Process(target=use)
    child.start()
    child.join(60)
    assert child.exitcode == (3 if used_before else 0)


@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
@all_transports
def test_a_typical_life_raises_no_warning_in_development_mode(
    sandbox: Sandbox, address: str, transport: Any, loop: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The log has no warning either. Pytest turns each warning into an error."""
    for _ in range(5):
        sandbox.add_session()
    sandbox.rate_limit = RateLimit(500, burst=3, retry_after="fraction")

    async def live() -> None:
        async with AgentPlatform(address, sandbox.token, transport=transport) as platform:
            sessions = platform.organization("org-acme").sessions
            assert len(await sessions.list(first=2).collect()) == 5
            calls = [asyncio.create_task(_list(platform)) for _ in range(20)]
            await asyncio.sleep(0.01)
            for task in calls[::2]:
                task.cancel()
            await asyncio.gather(*calls, return_exceptions=True)
            async for _ in sessions.list(first=2):
                break
            await _list(platform)

    with asyncio.Runner(debug=True, loop_factory=pytest.importorskip(loop).new_event_loop) as runner:
        runner.run(live())
    gc.collect()
    # Development mode reports slow steps too, which a slow machine has.
    assert [each for each in caplog.messages if not each.startswith("Executing <")] == []


class Closing(httpx.AsyncBaseTransport):
    """A transport that runs a function while it is closed, and notes that it was closed."""

    def __init__(self, close: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._close = close
        self.closed = False

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json={"data": []})

    async def aclose(self) -> None:
        await self._close()
        self.closed = True


async def test_closing_takes_a_bounded_time(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """The transport of this test ends no request, and does not close."""
    monkeypatch.setattr("agent_session_platform.runtime.CLOSING_SECONDS", 0.05)
    released = asyncio.Event()

    async def hang(request: httpx.Request | None = None) -> Any:
        while not released.is_set():
            with suppress(asyncio.CancelledError):
                await released.wait()

    transport = Closing(hang)
    monkeypatch.setattr(transport, "handle_async_request", hang)
    platform = AgentPlatform("https://example.com", "svc_x", transport=transport, retry=ONE_ATTEMPT)
    call = asyncio.create_task(_list(platform))
    await asyncio.sleep(0.01)
    await platform.aclose()
    released.set()
    with suppress(Exception):
        await call
    # Closing first waits for the requests, and then for the transport.
    assert caplog.text.count("closing takes longer than 0.05 s") == 2


async def test_an_error_while_closing_keeps_nothing_else_open(caplog: pytest.LogCaptureFixture) -> None:
    closed: list[str] = []

    async def fail() -> None:
        raise ValueError("svc_secret")

    class Watched(LocalRateLimiter):
        async def aclose(self) -> None:
            closed.append("rate limiter")

    async with AgentPlatform("https://a.example", "svc_x", transport=Closing(fail), rate_limiter=Watched()) as platform:
        await _list(platform)
    assert closed == ["rate limiter"]
    assert "closing failed (ValueError)" in caplog.text
    assert "svc_secret" not in caplog.text


async def test_a_client_that_is_never_closed_raises_a_warning() -> None:
    # The server ends the connection, so that the test leaves none open.
    async with fault_server(response({"data": []}, "200 OK", "Connection: close")) as server:
        dropped = [AgentPlatform(server.base_url, "svc_x")]
        await _list(dropped[0])
        with pytest.warns(ResourceWarning, match="an AgentPlatform was never closed; use `async with`"):
            dropped.clear()


async def test_no_warning_is_raised_where_the_transport_belongs_to_the_user(sandbox: Sandbox) -> None:
    dropped = [sandbox.client()]
    await _list(dropped[0])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        dropped.clear()
        gc.collect()
    assert [warning for warning in caught if issubclass(warning.category, ResourceWarning)] == []


@pytest.fixture
async def slow() -> AsyncIterator[AgentPlatform]:
    """Yield a client that was used before, and whose transport takes a moment to close."""
    transport = Closing(lambda: asyncio.sleep(0.05))
    platform = AgentPlatform("https://example.com", "svc_x", transport=transport)
    await _list(platform)
    yield platform
    await platform.aclose()
    assert transport.closed


async def test_cancelled_closing_goes_on(slow: AgentPlatform) -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await slow.aclose()


async def test_two_tasks_that_close_both_wait_for_the_end(slow: AgentPlatform) -> None:
    first = asyncio.create_task(slow.aclose())
    await asyncio.sleep(0)
    await slow.aclose()
    assert first.done()


async def test_a_client_is_closed_by_its_own_event_loop(slow: AgentPlatform) -> None:
    def elsewhere() -> None:
        with pytest.raises(EventLoopError, match="which must close it"):
            asyncio.run(slow.aclose())

    await asyncio.to_thread(elsewhere)


@pytest.mark.parametrize(
    "use",
    [
        lambda platform: platform.__aenter__(),
        lambda platform: aiter(platform.organization().sessions.list()).__anext__(),
        lambda platform: platform.organization().attachments.download("a", "b").read(),
        lambda platform: platform.organization().sessions.list().collect(),
        lambda platform: platform.organization().sessions.get("assistant-1"),
        lambda platform: platform.request("GET", "/v3/x"),
    ],
    ids=["async with", "list", "download", "collect", "call", "request"],
)
def test_without_asyncio_the_error_says_so(use: Callable[[AgentPlatform], Coroutine[Any, Any, Any]]) -> None:
    """Other event loops run a coroutine as this test does."""
    platform = AgentPlatform("https://x.example.com", "svc_x", organization="org-a")
    with pytest.raises(EventLoopError, match="the SDK runs on asyncio"):
        use(platform).send(None)


def test_without_asyncio_an_open_client_is_not_closed() -> None:
    transport = httpx.MockTransport(lambda request: httpx.Response(200, json={}))
    platform = AgentPlatform("https://x.example.com", "svc_x", transport=transport)
    with asyncio.Runner() as runner:
        runner.run(platform.request("GET", "/v3/x"))
        with pytest.raises(RuntimeError, match="no running event loop"):
            platform.aclose().send(None)
        runner.run(platform.aclose())
