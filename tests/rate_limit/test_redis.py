"""RedisRateLimiter: processes that share a limit, on a real Redis, and its settings."""

from __future__ import annotations

import asyncio
import logging
import random
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import redis
from agent_session_platform import AgentPlatform, RedisRateLimiter, errors
from agent_session_platform.rate_limit.adaptive_rate import FIRST_REQUESTS
from agent_session_platform_sandbox import RateLimit, Sandbox
from redis.asyncio import Redis

from tests.fixtures import until
from tests.rate_limit.places import LIST, OTHER, Call, permitted, refuse, settle
from tests.servers.fault_server import fault_server
from tests.servers.redis_server import SERVER, RedisServer
from tests.servers.scripts import silence


@pytest.fixture(autouse=True)
def quick_recovery(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """Try every 20 ms whether Redis is there again, and record all that is logged."""
    monkeypatch.setattr("agent_session_platform.rate_limit.redis.RECOVERY_SECONDS", 0.02)
    caplog.set_level(logging.DEBUG, "agent_session_platform")


@pytest.fixture(scope="module")
def running() -> Iterator[RedisServer]:
    if SERVER is None:
        pytest.skip("there is no redis-server on this machine")
    server = RedisServer()
    server.start()
    yield server
    server.close()


@pytest.fixture
def server(running: RedisServer) -> RedisServer:
    running.start()
    running.flush()
    return running


@asynccontextmanager
async def opened(url: str, max_connections: int = 100, timeout: float = 1.0) -> AsyncIterator[RedisRateLimiter]:
    limiter = RedisRateLimiter(url, timeout=timeout)
    limiter.open(max_connections, "key")
    try:
        yield limiter
    finally:
        await limiter.aclose()


@pytest.fixture
async def limiter(server: RedisServer) -> AsyncIterator[RedisRateLimiter]:
    async with opened(server.url) as limiter:
        yield limiter


@pytest.fixture
async def other(server: RedisServer) -> AsyncIterator[RedisRateLimiter]:
    """The limiter of another process."""
    async with opened(server.url) as limiter:
        yield limiter


@pytest.fixture
async def stored(server: RedisServer) -> AsyncIterator[Redis]:
    async with Redis.from_url(server.url) as client:
        yield client


async def test_processes_share_the_initial_window(limiter: RedisRateLimiter, other: RedisRateLimiter) -> None:
    waiting = [asyncio.create_task(permitted(each)) for each in (limiter, other) for _ in range(FIRST_REQUESTS)]
    await until(lambda: sum(task.done() for task in waiting) >= FIRST_REQUESTS)
    # Some more go without a response; without a shared state all would go at once.
    await asyncio.sleep(0.05)
    assert sum(task.done() for task in waiting) < FIRST_REQUESTS + 8
    for task in waiting:
        task.cancel()


async def test_a_429_closes_the_operation_in_every_process(limiter: RedisRateLimiter, other: RedisRateLimiter) -> None:
    await refuse(limiter, 30)
    # The 429 is on its way to Redis.
    await until(lambda: not any(limit._events for limit in limiter._limits.by_key.values()))
    with pytest.raises(TimeoutError):
        await permitted(other, LIST, 0.1)
    assert other.stats().closed_for > 25
    await permitted(other, OTHER, 1.0)


async def test_a_429_is_reported_at_once(limiter: RedisRateLimiter, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a few steps of the event loop, without any timer."""
    call = await permitted(limiter)
    states: list[str] = []

    async def script(keys: list[str], args: list[str]) -> list[Any]:
        states.append(args[1])
        return [1, args[1], time.time(), 0]

    monkeypatch.setattr(limiter._limits, "script", script)
    call.refused(30)
    await settle()
    assert '"closures": 1' in states[-1]


async def test_a_closure_that_is_longer_than_a_call_waits_for_is_known_to_every_process(
    limiter: RedisRateLimiter, other: RedisRateLimiter, stored: Redis
) -> None:
    """It outlives the minute after which a limit is forgotten; one request asks again, whatever the process is."""
    await refuse(limiter, 3600)
    call = await permitted(other)
    closed_for = None
    async with asyncio.timeout(20):
        while closed_for is None:
            closed_for = await call.again()
    assert closed_for == pytest.approx(3600, abs=1)
    assert max([await stored.ttl(key) for key in await stored.keys()]) > 3600


async def test_a_long_closure_is_tested_by_one_probe_of_all_processes(
    limiter: RedisRateLimiter, other: RedisRateLimiter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agent_session_platform.rate_limit.adaptive_rate.MIN_TEST_SECONDS", 0.02)
    await refuse(limiter, 3600)
    calls = [Call(each, patience=0.0) for each in (limiter, other)]
    for call in calls:
        call.place = await call._context.__aenter__()
    async with asyncio.timeout(20):
        while await calls[0].again() is not None:
            await asyncio.sleep(0)
    calls[0].refused(3600)
    # The other process has not sent anything for longer, but Redis knows of the probe.
    monkeypatch.setattr("agent_session_platform.rate_limit.adaptive_rate.MIN_TEST_SECONDS", 1000.0)
    assert await calls[1].again() == pytest.approx(3600, abs=1)


@pytest.mark.parametrize("steps", range(8))
async def test_a_permit_from_before_a_429_waits_until_the_limit_opens(limiter: RedisRateLimiter, steps: int) -> None:
    """Redis grants the permit while the response with the 429 comes, after any number of steps of the event loop."""
    first = await permitted(limiter)
    waiting = asyncio.create_task(permitted(limiter))
    for _ in range(steps):
        await asyncio.sleep(0)
    was_done = waiting.done()
    first.refused(30)
    await asyncio.sleep(0.03)
    assert waiting.done() is was_done
    waiting.cancel()


async def test_a_cancelled_waiter_gives_its_permit_back(server: RedisServer) -> None:
    async with opened(server.url, max_connections=2) as limiter:
        for _ in range(30):
            waiting = asyncio.create_task(permitted(limiter))
            await asyncio.sleep(random.uniform(0, 0.001))
            waiting.cancel()
            [outcome] = await asyncio.gather(waiting, return_exceptions=True)
            if isinstance(outcome, Call):
                await outcome.end(accepted=False)
        await until(lambda: limiter.stats().in_flight == 0)
        await permitted(limiter)


async def test_a_call_that_waits_for_a_connection_asks_redis_a_few_times_a_second(
    server: RedisServer, stored: Redis
) -> None:
    async with opened(server.url, max_connections=1) as limiter:
        held = await permitted(limiter)
        waiting = asyncio.create_task(permitted(limiter))
        await asyncio.sleep(0.05)
        await stored.config_resetstat()
        await asyncio.sleep(0.3)
        commands: Any = await stored.info("commandstats")
        assert commands.get("cmdstat_evalsha", {"calls": 0})["calls"] <= 10
        await held.end()
        await waiting


async def test_the_state_in_redis_expires_and_contains_no_credential(server: RedisServer, stored: Redis) -> None:
    sandbox = Sandbox()
    async with sandbox.client(rate_limiter=RedisRateLimiter(server.url)) as platform:
        await platform.enterprise.blueprints.list()
        keys = await stored.keys()
        assert len(keys) == 1
        for key in keys:
            assert key.startswith(b"agent-session-platform:rate-limiter:")
            assert 0 < await stored.ttl(key) <= 600
            assert sandbox.token.encode() not in key + (await stored.get(key))


async def test_a_client_of_the_users_own_is_used_and_left_open(server: RedisServer) -> None:
    async with Redis.from_url(server.url, decode_responses=True) as own:
        async with Sandbox().client(rate_limiter=RedisRateLimiter(own)) as platform:
            await platform.enterprise.blueprints.list()
        assert len(await own.keys()) == 1


async def test_clients_that_share_a_limit_have_few_requests_refused(server: RedisServer) -> None:
    sandbox = Sandbox()
    sandbox.rate_limit = RateLimit(120, burst=5, retry_after="fraction")

    async def work(platform: AgentPlatform) -> None:
        async with platform:
            await asyncio.gather(*(platform.enterprise.blueprints.list() for _ in range(30)))

    await asyncio.gather(*(work(sandbox.client(rate_limiter=RedisRateLimiter(server.url))) for _ in range(3)))
    assert 0 < sandbox.rate_limit.refused < 30


async def test_without_redis_each_process_limits_itself_until_redis_recovers(
    server: RedisServer, limiter: RedisRateLimiter, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "agent_session_platform")
    await (await permitted(limiter)).end()
    server.stop()
    for _ in range(5):
        await (await permitted(limiter)).end()
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "Redis is unavailable (ConnectionError); limiting in this process only until it recovers" in caplog.text
    server.start()
    await until(lambda: "Redis has recovered" in caplog.text)
    await permitted(limiter)


async def test_a_lost_429_is_told_again(
    server: RedisServer, stored: Redis, other: RedisRateLimiter, caplog: pytest.LogCaptureFixture
) -> None:
    """Otherwise the other processes would not learn of it."""
    async with opened(server.url, timeout=0.2) as limiter:
        call = await permitted(limiter)
        await stored.client_pause(400)
        call.refused(30)
        await until(lambda: "Redis has recovered" in caplog.text)
        with pytest.raises(TimeoutError):
            await permitted(other, LIST, 0.2)


@pytest.mark.parametrize("lost", ["the state", "the server"])
async def test_a_closure_outlives_redis(server: RedisServer, lost: str, limiter: RedisRateLimiter, other: Any) -> None:
    call = await permitted(limiter)
    if lost == "the server":
        server.stop()
    call.refused(30)
    await asyncio.sleep(0.05)
    server.start()
    server.flush()
    for each in (limiter, other):
        with pytest.raises(TimeoutError):
            await permitted(each, LIST, 0.2)


async def test_a_probe_without_a_response_makes_room(limiter: RedisRateLimiter, other: RedisRateLimiter) -> None:
    await refuse(limiter, 0.0)
    probe = await permitted(limiter)
    waiting = asyncio.create_task(permitted(other))
    await asyncio.sleep(0.1)
    assert not waiting.done()
    await probe.end(accepted=False)
    async with asyncio.timeout(20):
        await waiting


async def test_a_state_that_cannot_be_read_counts_as_lost(limiter: RedisRateLimiter, stored: Redis) -> None:
    await permitted(limiter)
    for text in ('{"changed_at":1,"rate":{},"leases":{}}', "no JSON", "[]"):
        for key in await stored.keys():
            await stored.set(key, text)
        await permitted(limiter)


async def test_hanging_requests_hold_no_other_process_back(limiter: RedisRateLimiter, other: RedisRateLimiter) -> None:
    for _ in range(FIRST_REQUESTS):
        await permitted(limiter)
    await permitted(other, LIST, 2.0)


async def test_closing_raises_in_calls_that_wait_for_redis() -> None:
    async with fault_server(silence) as server:
        platform = Sandbox().client(rate_limiter=RedisRateLimiter(server.base_url.replace("http", "redis"), timeout=30))
        waiting = asyncio.create_task(platform.enterprise.blueprints.list())
        await asyncio.sleep(0.02)
        await platform.aclose()
        with pytest.raises(errors.ConfigurationError, match="closed"):
            await waiting


@pytest.mark.parametrize(
    "rules", [["~*", "+@all", "-@scripting"], ["~other:*", "+@all"], ["resetpass", ">another", "~*", "+@all"]]
)
async def test_an_error_that_does_not_pass_is_logged_once_by_its_class(
    server: RedisServer, stored: Redis, rules: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    """The message of the error may contain the password."""
    await stored.execute_command("ACL", "SETUSER", "limited", "reset", "on", ">S3cret", *rules)
    async with opened(server.url.replace("unix://", "unix://limited:S3cret@")) as limiter:
        for _ in range(3):
            await (await permitted(limiter)).end()
            await asyncio.sleep(0.05)
    [record] = caplog.records
    assert record.levelname == "WARNING"
    assert "Error" in record.getMessage()
    assert "S3cret" not in caplog.text


async def test_a_defect_is_logged_once_with_its_traceback_and_keeps_no_call_waiting(
    limiter: RedisRateLimiter, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("agent_session_platform.rate_limit.redis.next_state", lambda *_: 1 / 0)
    for operation in (LIST, OTHER, LIST):
        await (await permitted(limiter, operation, 1.0)).end()
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.parametrize("listens", [False, True])
async def test_a_limit_is_learned_without_redis(listens: bool) -> None:
    """If no Redis listens or responds, the whole client works as with a LocalRateLimiter."""
    sandbox = Sandbox()
    sandbox.rate_limit = RateLimit(50, burst=5, retry_after="fraction")
    async with fault_server(silence) as server:
        address = server.base_url.replace("http", "redis") if listens else "redis://127.0.0.1:1/0"
        async with sandbox.client(rate_limiter=RedisRateLimiter(address, timeout=0.05)) as platform:
            await asyncio.gather(*(platform.enterprise.blueprints.list() for _ in range(30)))
            assert platform.rate_limiter.stats().rate is not None


# The settings of a RedisRateLimiter: refused at construction, without a Redis.


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"redis": "redis://:S3cret/pw@host"}, "redis"),
        ({"redis": "redis://:S3cret#pw@host:99999999"}, "redis"),
        ({"redis": 7}, "redis must be a URL"),
        ({"redis": "http://host"}, "redis must be a URL such as redis://"),
        ({"redis": redis.Redis()}, "a redis.Redis would block"),
        *(({"timeout": value}, "timeout must be a positive") for value in (None, 0, -1, float("nan"), "1", True)),
    ],
)
def test_a_setting_that_cannot_be_used_is_refused_at_construction(settings: dict[str, Any], message: str) -> None:
    with pytest.raises((errors.ConfigurationError, errors.InvalidArgumentError), match=message) as caught:
        RedisRateLimiter(**{"redis": "redis://127.0.0.1:1/0", **settings})
    assert "S3cret" not in str(caught.value)


def test_a_missing_library_is_named_at_construction(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "redis.asyncio", None)
    with pytest.raises(errors.ConfigurationError, match="needs redis: pip install 'redis>=5.0.1,<9'$"):
        RedisRateLimiter("redis://127.0.0.1:1/0")
