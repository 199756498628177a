"""RedisRateLimiter: processes that share a limit, on a real Redis, and its settings."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

import pytest
import redis
from agent_session_platform import (
    AgentPlatform,
    ConfigurationError,
    InvalidArgumentError,
    RateLimiter,
    RedisRateLimiter,
)
from agent_session_platform.rate_limit.adaptive_rate import INITIAL_WINDOW
from agent_session_platform.rate_limit.interface import Permit
from agent_session_platform.rate_limit.redis import SharedRate, read_state
from agent_session_platform.retry import RetryQuota
from agent_session_platform_sandbox import RateLimit, Sandbox
from redis.asyncio import Redis

from tests.servers.fault_server import fault_server
from tests.servers.redis_server import SERVER, RedisServer
from tests.servers.scripts import silence

needs_redis = pytest.mark.skipif(SERVER is None, reason="there is no redis-server on this machine")
KEY = "key"
NEVER = 1e9
TICKETS = count()


async def acquire(limiter: RateLimiter, deadline: float = NEVER) -> Permit:
    """Acquire a permit as the next call."""
    return await limiter.acquire(next(TICKETS), deadline)


async def refuse(limiter: RateLimiter, retry_after: float) -> None:
    """Send a request that gets a 429."""
    permit = await acquire(limiter)
    limiter.refused(permit, retry_after)
    limiter.release(permit)


@pytest.fixture(scope="module")
def running() -> Iterator[RedisServer]:
    server = RedisServer()
    server.start()
    yield server
    server.close()


@pytest.fixture
def server(running: RedisServer) -> RedisServer:
    running.ensure()
    running.flush()
    return running


@asynccontextmanager
async def opened(url: str, max_connections: int = 100, timeout: float = 1.0) -> AsyncIterator[RedisRateLimiter]:
    limiter = RedisRateLimiter(url, timeout=timeout)
    limiter.open(max_connections, KEY)
    try:
        yield limiter
    finally:
        limiter.shut()
        await limiter.aclose()


@needs_redis
async def test_processes_share_the_initial_window(server: RedisServer) -> None:
    async with opened(server.url) as one, opened(server.url) as other:
        waiting = [asyncio.create_task(acquire(limiter)) for limiter in (one, other) for _ in range(INITIAL_WINDOW)]
        while sum(task.done() for task in waiting) < INITIAL_WINDOW:
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.1)
        assert sum(task.done() for task in waiting) == INITIAL_WINDOW
        for task in waiting:
            task.cancel()


@needs_redis
async def test_one_429_closes_the_limiter_of_every_process(server: RedisServer) -> None:
    async with opened(server.url) as one, opened(server.url) as other:
        await refuse(one, 30)
        with pytest.raises(TimeoutError):
            await acquire(other, asyncio.get_running_loop().time() + 0.1)
        assert other.stats().closed_for > 25


@needs_redis
async def test_a_permit_from_before_a_429_waits_until_the_limiter_opens(server: RedisServer) -> None:
    async with opened(server.url, max_connections=1) as limiter:
        permit = await acquire(limiter)
        waiting = asyncio.create_task(acquire(limiter))
        await asyncio.sleep(0.02)
        limiter.refused(permit, 30)
        limiter.release(permit)
        await asyncio.sleep(0.1)
        assert (waiting.done(), limiter.stats().in_flight) == (False, 0)
        waiting.cancel()


@needs_redis
async def test_a_cancelled_waiter_gives_its_permit_back(server: RedisServer) -> None:
    async with opened(server.url, max_connections=2) as limiter:
        for _ in range(30):
            waiting = asyncio.create_task(acquire(limiter))
            await asyncio.sleep(random.uniform(0, 0.001))
            waiting.cancel()
            [outcome] = await asyncio.gather(waiting, return_exceptions=True)
            if isinstance(outcome, Permit):
                limiter.release(outcome)
        while limiter.stats().in_flight:
            await asyncio.sleep(0.001)
        await acquire(limiter)


@needs_redis
async def test_the_state_in_redis_expires_and_contains_no_credential(server: RedisServer) -> None:
    sandbox = Sandbox()
    async with (
        sandbox.client(rate_limiter=RedisRateLimiter(server.url)) as platform,
        Redis.from_url(server.url) as redis,
    ):
        await platform.enterprise.blueprints.list()
        [key] = await redis.keys()
        assert key.startswith(b"agent-session-platform:rate-limiter:")
        assert 0 < await redis.ttl(key) <= 600
        assert sandbox.token.encode() not in key + (await redis.get(key))


@needs_redis
async def test_a_client_of_the_users_own_is_used_and_left_open(server: RedisServer) -> None:
    async with Redis.from_url(server.url, decode_responses=True) as redis:
        async with Sandbox().client(rate_limiter=RedisRateLimiter(redis)) as platform:
            await platform.enterprise.blueprints.list()
        assert await redis.ping()


@needs_redis
async def test_clients_that_share_a_limit_have_few_requests_refused(server: RedisServer) -> None:
    sandbox = Sandbox()
    sandbox.rate_limit = RateLimit(60, burst=5, retry_after="fraction")

    async def run(platform: AgentPlatform) -> None:
        async with platform:
            await asyncio.gather(*(platform.enterprise.blueprints.list() for _ in range(30)))

    await asyncio.gather(*(run(sandbox.client(rate_limiter=RedisRateLimiter(server.url))) for _ in range(3)))
    assert 0 < sandbox.rate_limit.refused < 30


@needs_redis
async def test_without_redis_each_process_limits_itself_until_redis_recovers(
    server: RedisServer, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agent_session_platform.rate_limit.redis.RECOVERY_SECONDS", 0.02)
    caplog.set_level(logging.INFO, "agent_session_platform")
    async with opened(server.url) as limiter:
        limiter.release(await acquire(limiter))
        server.stop()
        for _ in range(5):
            permit = await acquire(limiter)
            limiter.release(permit, accepted=True)
        assert [record.levelname for record in caplog.records] == ["WARNING"]
        assert "Redis is unavailable (ConnectionError); limiting in this process only until it recovers" in caplog.text
        server.start()
        while "Redis has recovered" not in caplog.text:
            await asyncio.sleep(0.01)
        assert (await acquire(limiter)).round > 0


@needs_redis
async def test_a_429_whose_report_was_lost_is_reported_again(
    server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise Redis would stay in a round whose permits are not used here any more."""
    monkeypatch.setattr("agent_session_platform.rate_limit.redis.RECOVERY_SECONDS", 0.02)
    async with opened(server.url) as limiter, Redis.from_url(server.url) as redis:
        permit = await acquire(limiter)
        limiter._timeout = limiter._shared._timeout = 0.05
        await redis.client_pause(200)
        limiter.refused(permit, 0.01)
        limiter.release(permit)
        while not limiter._is_local:
            await asyncio.sleep(0.01)
        while limiter._is_local:
            await asyncio.sleep(0.01)
        async with asyncio.timeout(5):
            assert (await acquire(limiter)).round > permit.round


@needs_redis
async def test_rounds_whose_numbers_fall_lock_no_call_out(server: RedisServer) -> None:
    """As when another Redis, whose clock is behind, takes over."""
    async with opened(server.url) as limiter:
        permit = await acquire(limiter)
        limiter.refused(permit._replace(round=permit.round + 10**6), 0.0)
        limiter.release(permit)
        async with asyncio.timeout(5):
            await acquire(limiter)


@needs_redis
@pytest.mark.parametrize("lost", ["the state", "the server"])
async def test_a_closure_outlives_redis(server: RedisServer, lost: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agent_session_platform.rate_limit.redis.RECOVERY_SECONDS", 0.02)
    async with opened(server.url) as limiter, opened(server.url) as other:
        permit = await acquire(limiter)
        if lost == "the server":
            server.stop()
        limiter.refused(permit, 30)
        limiter.release(permit)
        await asyncio.sleep(0.05)
        if lost == "the server":
            server.start()
        else:
            server.flush()
        for each in (limiter, other):
            with pytest.raises(TimeoutError):
                await acquire(each, asyncio.get_running_loop().time() + 0.3)


@needs_redis
async def test_a_probe_without_a_response_makes_room_for_another_process(server: RedisServer) -> None:
    async with opened(server.url) as one, opened(server.url) as other:
        await refuse(one, 0.0)
        probe = await acquire(one)
        waiting = asyncio.create_task(acquire(other))
        await asyncio.sleep(0.1)
        assert not waiting.done()
        one.release(probe)
        async with asyncio.timeout(3):
            await waiting


@needs_redis
async def test_concurrent_changes_lose_no_event(server: RedisServer) -> None:
    """Eight processes report to one state at the same time: each loses races, and no report is lost."""
    reports, processes = 20, 8
    async with Redis.from_url(server.url) as redis:
        shared = [SharedRate(redis, "key", 30.0, RetryQuota()) for _ in range(processes)]
        [permit], _ = await shared[0].report(1, 0.0)

        async def report(rate: SharedRate) -> None:
            for _ in range(reports):
                rate.events.append(lambda state: state.accepted(permit, rate.now()))
                await rate.report(0, 0.0)

        await asyncio.gather(*(report(rate) for rate in shared))
        text = await redis.get("key")
    state, _ = read_state(text.decode(), shared[0].now())
    assert state.round.accepted_count == reports * processes


@needs_redis
async def test_the_state_of_another_version_counts_as_lost(server: RedisServer) -> None:
    async with Redis.from_url(server.url) as redis:
        for text in ('{"changed_at":1,"rate":{},"leases":{}}', "no JSON", "[]"):
            await redis.set("key", text)
            assert len((await SharedRate(redis, "key", 30.0, RetryQuota()).report(3, 0.0))[0]) == 3


@needs_redis
async def test_hanging_requests_of_one_process_hold_no_other_one_back(server: RedisServer) -> None:
    async with opened(server.url) as one, opened(server.url) as other:
        for _ in range(INITIAL_WINDOW):
            await acquire(one)
        async with asyncio.timeout(2):
            await acquire(other)


@needs_redis
async def test_processes_share_the_retry_quota(server: RedisServer) -> None:
    async with opened(server.url) as one, opened(server.url) as other:
        one.retry_quota.take(100)
        one.release(await acquire(one))
        while one._shared.has_news:
            await asyncio.sleep(0.001)
        other.release(await acquire(other))
        assert (one.stats().retry_quota, other.stats().retry_quota) == (400, 400)


@needs_redis
async def test_what_the_retry_quota_lost_during_an_outage_is_reported_after_it(
    server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agent_session_platform.rate_limit.redis.RECOVERY_SECONDS", 0.02)
    async with opened(server.url) as limiter:
        limiter.release(await acquire(limiter))
        server.stop()
        limiter.retry_quota.take(100)
        limiter.release(await acquire(limiter))
        assert limiter.stats().retry_quota == 400
        server.start()
        while limiter._is_local:
            await asyncio.sleep(0.01)
        assert limiter.stats().retry_quota == 400


async def test_closing_raises_in_calls_that_wait_for_redis() -> None:
    async with fault_server(silence) as server:
        platform = Sandbox().client(rate_limiter=RedisRateLimiter(server.base_url.replace("http", "redis"), timeout=30))
        waiting = asyncio.create_task(platform.enterprise.blueprints.list())
        await asyncio.sleep(0.02)
        await platform.aclose()
        with pytest.raises(ConfigurationError, match="closed"):
            await waiting


@needs_redis
@pytest.mark.parametrize(
    "rules", [["~*", "+@all", "-@scripting"], ["~other:*", "+@all"], ["resetpass", ">another", "~*", "+@all"]]
)
async def test_an_error_that_does_not_pass_is_logged_once_as_an_error(
    server: RedisServer, rules: list[str], caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By its class and with what to do, never by its message, which may have the password in it."""
    monkeypatch.setattr("agent_session_platform.rate_limit.redis.RECOVERY_SECONDS", 0.01)
    caplog.set_level(logging.DEBUG, "agent_session_platform")
    async with Redis.from_url(server.url) as admin:
        await admin.execute_command("ACL", "SETUSER", "limited", "reset", "on", ">S3cret", *rules)
    async with opened(server.url.replace("redis://", "redis://limited:S3cret@")) as limiter:
        limiter.release(await acquire(limiter), accepted=True)
        async with asyncio.timeout(10):
            while sum("still" in record.getMessage() for record in caplog.records) < 3:
                await asyncio.sleep(0.01)
    [record] = [record for record in caplog.records if record.levelno > logging.DEBUG]
    assert record.levelname == "ERROR"
    assert "EVALSHA" in record.getMessage()
    assert "S3cret" not in caplog.text


@pytest.mark.parametrize("listens", [False, True])
async def test_a_limit_is_learned_without_redis(listens: bool) -> None:
    """Nothing listens there, or nothing responds: the whole client works as with a LocalRateLimiter."""
    sandbox = Sandbox()
    sandbox.rate_limit = RateLimit(200, burst=5, retry_after="fraction")
    async with fault_server(silence) as server:
        address = server.base_url.replace("http", "redis") if listens else "redis://127.0.0.1:1/0"
        async with sandbox.client(rate_limiter=RedisRateLimiter(address, timeout=0.05)) as platform:
            await asyncio.gather(*(platform.enterprise.blueprints.list() for _ in range(30)))
            assert platform.rate_limiter.stats().rate is not None


# The settings of a RedisRateLimiter: refused at construction, without a Redis.


TIMEOUTS = (None, 0, -1, float("nan"), "1", True)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"redis": "redis://:S3cret/pw@host"}, "redis"),
        ({"redis": "redis://:S3cret#pw@host:99999999"}, "redis"),
        ({"redis": 7}, "not int"),
        ({"redis": "http://host"}, "redis must be a URL such as redis://"),
        ({"redis": redis.Redis()}, "not a redis.Redis, which would block"),
        *(({"timeout": value}, "timeout must be a positive number") for value in TIMEOUTS),
        *(({"prefix": value}, "prefix must be a string") for value in (None, 7, b"prefix:")),
    ],
)
def test_a_setting_that_cannot_be_used_is_refused_at_construction(settings: dict[str, Any], message: str) -> None:
    with pytest.raises((ConfigurationError, InvalidArgumentError), match=message) as caught:
        RedisRateLimiter(**{"redis": "redis://127.0.0.1:1/0", **settings})
    assert "S3cret" not in str(caught.value)


def test_a_missing_library_is_named_at_construction(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "redis.asyncio", None)
    with pytest.raises(ConfigurationError, match="needs redis: pip install 'redis>=5.0.1,<9'$"):
        RedisRateLimiter("redis://127.0.0.1:1/0")
