"""The gate that processes share, on a real Redis."""

from __future__ import annotations

import asyncio
import json
import logging
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from agent_session_platform import AgentPlatform, ConfigurationError, RateLimiter, RedisRateLimiter
from agent_session_platform.rate_limit.adaptive_rate import FIRST_WINDOW, Pace
from agent_session_platform.rate_limit.interface import Permit
from agent_session_platform.rate_limit.redis_state import CONSTANTS, read
from agent_session_platform.sandbox import RateLimit, Sandbox
from redis.asyncio import Redis

from tests.servers.fault_server import fault_server
from tests.servers.redis_server import SERVER, RedisServer
from tests.servers.scripts import silence

needs_redis = pytest.mark.skipif(SERVER is None, reason="there is no redis-server on this machine")
SCOPE = "scope"
NEVER = 1e9


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
async def opened(url: str, limit: int = 100, timeout: float = 1.0) -> AsyncIterator[RedisRateLimiter]:
    gate = RedisRateLimiter(url, timeout=timeout)
    gate.open(limit, SCOPE)
    try:
        yield gate
    finally:
        gate.dismiss()
        await gate.aclose()


class Script:
    """The script of the gate, called with a time of one's own."""

    def __init__(self, redis: Redis) -> None:
        from importlib.resources import files

        self._script = redis.register_script(
            files("agent_session_platform.rate_limit").joinpath("gate.lua").read_text(encoding="utf-8")
        )

    async def __call__(
        self,
        now: float,
        wanted: int,
        under_way: int = 0,
        events: list[Any] | None = None,
        luck: float = 0.5,
        **who: str,
    ) -> Any:
        arguments = [json.dumps(events or []), wanted, who.get("member", "a"), under_way, luck, CONSTANTS, repr(now)]
        return read(await self._script(keys=["key"], args=arguments))


@pytest.fixture
async def script(server: RedisServer) -> AsyncIterator[Script]:
    async with Redis.from_url(server.url) as redis:
        yield Script(redis)


@needs_redis
@pytest.mark.parametrize("seed", range(12))
async def test_the_script_decides_as_the_pace_does(script: Script, seed: int) -> None:
    """Any history: grants, answers of now and of before, 429s with and without a hint, silence."""
    chance, now, luck = random.Random(seed), 1000.0, 0.5
    pace = Pace(lambda low, high: low + luck * (high - low))
    pace.round = (await script(now, 0)).round
    pace._forget(now)
    permits: list[Permit] = []
    for _ in range(400):
        now += chance.choice([0.0, 0.001, 0.02, 0.3, 2.0, 70.0 if chance.random() < 0.02 else 0.01])
        luck = chance.random()
        events: list[Any] = []
        if permits and chance.random() < 0.6:
            permit = permits.pop(chance.randrange(len(permits)))
            if chance.random() < 0.85:
                pace.accepted(permit)
                events.append(("accepted", permit.round, 1))
            else:
                seconds = chance.choice([None, 0.0, 0.02, 1.0, 5.0])
                pace.limited(now, seconds, permit)
                events.append(("limited", permit.round, permit.at, False if seconds is None else seconds))
        wanted = chance.randrange(4)
        under_way = len(permits)
        reply = await script(now, wanted, under_way, events, luck)
        granted: list[Permit] = []
        while len(granted) < wanted and (permit := pace.grant(now, under_way + len(granted))):
            granted.append(permit)
        assert granted == [Permit(reply.round, reply.now)] * reply.granted
        permits += granted
        assert reply.round == pace.round
        assert reply.window == pytest.approx(pace.window)
        assert (reply.rate or 0) == pytest.approx(pace.rate or 0)
        assert reply.closed_for == pytest.approx(max(0.0, pace.closed_until - now), abs=1e-6)


@needs_redis
async def test_the_first_burst_is_shared(server: RedisServer) -> None:
    async with opened(server.url) as one, opened(server.url) as other:
        waiting = [asyncio.create_task(gate.enter(NEVER)) for gate in (one, other) for _ in range(FIRST_WINDOW)]
        while sum(task.done() for task in waiting) < FIRST_WINDOW:
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.1)
        assert sum(task.done() for task in waiting) == FIRST_WINDOW
        for task in waiting:
            task.cancel()


@needs_redis
async def test_one_429_closes_the_gate_of_every_process(server: RedisServer) -> None:
    async with opened(server.url) as one, opened(server.url) as other:
        one.limited(await one.enter(NEVER), 30)
        one.leave()
        with pytest.raises(TimeoutError):
            await other.enter(asyncio.get_running_loop().time() + 0.1)
        assert other.stats().closed_for > 25


@needs_redis
async def test_a_passage_of_before_the_429_waits_behind_it(server: RedisServer) -> None:
    async with opened(server.url, limit=1) as gate:
        permit = await gate.enter(NEVER)
        waiting = asyncio.create_task(gate.enter(NEVER))
        await asyncio.sleep(0.02)
        gate.limited(permit, 30)
        gate.leave()
        await asyncio.sleep(0.1)
        assert (waiting.done(), gate.stats().in_flight) == (False, 0)
        waiting.cancel()


@needs_redis
async def test_a_cancelled_waiter_gives_its_passage_back(server: RedisServer) -> None:
    async with opened(server.url, limit=2) as gate:
        for _ in range(30):
            waiting = asyncio.create_task(gate.enter(NEVER))
            await asyncio.sleep(random.uniform(0, 0.001))
            waiting.cancel()
            [outcome] = await asyncio.gather(waiting, return_exceptions=True)
            if isinstance(outcome, Permit):
                gate.leave()
        while gate.stats().in_flight:
            await asyncio.sleep(0.001)
        await gate.enter(NEVER)


@needs_redis
async def test_the_requests_of_a_process_that_vanished_are_forgotten(script: Script) -> None:
    assert (await script(1000.0, FIRST_WINDOW, member="a")).granted == FIRST_WINDOW
    assert (await script(1005.0, 1, member="b")).granted == 0
    assert (await script(1011.0, 1, member="b")).granted == 1


@needs_redis
async def test_what_lies_in_redis_goes_by_itself_and_tells_no_credential(server: RedisServer) -> None:
    sandbox = Sandbox()
    async with (
        sandbox.client(rate_limiter=RedisRateLimiter(server.url)) as platform,
        Redis.from_url(server.url) as redis,
    ):
        await platform.enterprise.blueprints.list()
        [key] = await redis.keys()
        assert key.startswith(b"agent-platform:gate:")
        assert 0 < await redis.ttl(key) <= 600
        assert sandbox.token.encode() not in key + (await redis.get(key))


@needs_redis
async def test_a_client_of_the_users_own_is_used_and_left_open(server: RedisServer) -> None:
    async with Redis.from_url(server.url, decode_responses=True) as redis:
        async with Sandbox().client(rate_limiter=RedisRateLimiter(redis)) as platform:
            await platform.enterprise.blueprints.list()
        assert await redis.ping()


@needs_redis
async def test_clients_that_share_a_limit_live_with_it(server: RedisServer) -> None:
    sandbox = Sandbox()
    sandbox.rate_limit = RateLimit(200, burst=5, retry_after="fraction")

    async def run(platform: AgentPlatform) -> None:
        async with platform:
            await asyncio.gather(*(platform.enterprise.blueprints.list() for _ in range(30)))

    await asyncio.gather(*(run(sandbox.client(rate_limiter=RedisRateLimiter(server.url))) for _ in range(3)))
    assert 0 < sandbox.rate_limit.refused < 30


@needs_redis
async def test_without_redis_the_gate_goes_on_by_itself_and_comes_back(
    server: RedisServer, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agent_session_platform.rate_limit.redis.RETRY_SECONDS", 0.02)
    caplog.set_level(logging.INFO, "agent_session_platform")
    async with opened(server.url) as gate:
        await gate.enter(NEVER)
        gate.leave()
        server.stop()
        for _ in range(5):
            permit = await gate.enter(NEVER)
            gate.accepted(permit)
            gate.leave()
        assert [record.levelname for record in caplog.records] == ["WARNING"]
        assert "Redis is away (ConnectionError): the gate goes on by itself until it is back" in caplog.text
        server.start()
        while "Redis is back" not in caplog.text:
            await asyncio.sleep(0.01)
        assert (await gate.enter(NEVER)).round > 0


@needs_redis
async def test_a_closure_holds_also_when_redis_goes(server: RedisServer) -> None:
    async with opened(server.url) as gate:
        gate.limited(await gate.enter(NEVER), 30)
        server.stop()
        with pytest.raises(TimeoutError):
            await gate.enter(asyncio.get_running_loop().time() + 0.1)


@needs_redis
async def test_a_429_whose_report_was_lost_is_told_again(server: RedisServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else Redis would stay in a round of which nothing is taken here any more."""
    monkeypatch.setattr("agent_session_platform.rate_limit.redis.RETRY_SECONDS", 0.02)
    async with opened(server.url) as gate, Redis.from_url(server.url) as redis:
        permit = await gate.enter(NEVER)
        gate._timeout = gate._shared._timeout = 0.05
        await redis.client_pause(200)
        gate.limited(permit, 0.01)
        gate.leave()
        while gate._own is None:
            await asyncio.sleep(0.01)
        while gate._own is not None:
            await asyncio.sleep(0.01)
        async with asyncio.timeout(5):
            assert (await gate.enter(NEVER)).round > permit.round


@needs_redis
async def test_numbers_that_fall_lock_nobody_out(server: RedisServer) -> None:
    """As when another Redis, whose clock is behind, has taken over."""
    async with opened(server.url) as gate:
        permit = await gate.enter(NEVER)
        gate.limited(permit._replace(round=permit.round + 10**6), 0.0)
        gate.leave()
        async with asyncio.timeout(5):
            await gate.enter(NEVER)


@needs_redis
@pytest.mark.parametrize("lost", ["the state", "the server"])
async def test_a_closure_outlives_redis(server: RedisServer, lost: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agent_session_platform.rate_limit.redis.RETRY_SECONDS", 0.02)
    async with opened(server.url) as gate, opened(server.url) as other:
        permit = await gate.enter(NEVER)
        if lost == "the server":
            server.stop()
        gate.limited(permit, 30)
        gate.leave()
        await asyncio.sleep(0.05)
        if lost == "the server":
            server.start()
        else:
            server.flush()
        for each in (gate, other):
            with pytest.raises(TimeoutError):
                await each.enter(asyncio.get_running_loop().time() + 0.3)


@needs_redis
async def test_a_probe_that_ends_without_an_answer_makes_room_for_another_process(server: RedisServer) -> None:
    async with opened(server.url) as one, opened(server.url) as other:
        one.limited(await one.enter(NEVER), 0.0)
        one.leave()
        await one.enter(NEVER)
        waiting = asyncio.create_task(other.enter(NEVER))
        await asyncio.sleep(0.1)
        assert not waiting.done()
        one.leave()
        async with asyncio.timeout(3):
            await waiting


@needs_redis
async def test_requests_that_take_long_are_told_of_again(server: RedisServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agent_session_platform.rate_limit.redis.RENEW_SECONDS", 0.01)
    async with opened(server.url) as gate:
        await gate.enter(NEVER)
        told_at = gate._shared.told_at
        async with asyncio.timeout(3):
            while gate._shared.told_at <= told_at + 0.05:
                await asyncio.sleep(0.01)


@needs_redis
async def test_a_clock_that_goes_back_closes_nothing(script: Script) -> None:
    round_ = (await script(5000.0, 1)).round
    await script(5000.1, 0, 0, [("limited", round_, 5000.0, 1.0)])
    reply = await script(1400.0, 1)
    assert reply.closed_for < 1.2
    assert (await script(1402.0, 1)).granted == 1


@needs_redis
async def test_nothing_goes_on_after_closing(server: RedisServer) -> None:
    async with opened(server.url) as gate:
        permit = await gate.enter(NEVER)
    gate.accepted(permit)
    gate.limited(permit, 1.0)
    gate.leave()
    assert [task for task in asyncio.all_tasks() if task is not asyncio.current_task()] == []


@pytest.mark.parametrize("url", ["redis://:S3cret/pw@host", "redis://:S3cret#pw@host:99999999"])
async def test_a_url_that_is_none_shows_no_password(url: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        RedisRateLimiter(url).open(1, SCOPE)
    assert "S3cret" not in str(caught.value)


async def test_a_redis_that_says_nothing_is_away() -> None:
    async with fault_server(silence) as server:
        address = server.base_url.replace("http", "redis")
        async with opened(address, timeout=0.05) as gate:
            for _ in range(4):
                gate.accepted(await gate.enter(NEVER))
                gate.leave()
            assert (gate.stats().in_flight, gate.stats().window) == (0, FIRST_WINDOW + 1)


async def test_a_limit_is_learned_without_redis_too() -> None:
    """Nobody listens there: the whole client goes on as with a LocalRateLimiter."""
    sandbox = Sandbox()
    sandbox.rate_limit = RateLimit(200, burst=5, retry_after="fraction")
    async with sandbox.client(rate_limiter=RedisRateLimiter("redis://127.0.0.1:1/0")) as platform:
        await asyncio.gather(*(platform.enterprise.blueprints.list() for _ in range(30)))
        assert platform.rate_limiter.stats().pace is not None


async def test_closing_sends_away_who_waits_for_redis() -> None:
    async with fault_server(silence) as server:
        platform = Sandbox().client(rate_limiter=RedisRateLimiter(server.base_url.replace("http", "redis"), timeout=30))
        waiting = asyncio.create_task(platform.enterprise.blueprints.list())
        await asyncio.sleep(0.02)
        await platform.aclose()
        with pytest.raises(ConfigurationError, match="closed"):
            await waiting


def test_the_redis_gate_keeps_the_protocol() -> None:
    assert isinstance(RedisRateLimiter("redis://127.0.0.1:1/0"), RateLimiter)


@pytest.mark.parametrize(
    ("redis", "message"), [(7, "not int"), ("http://host", "redis must be a URL such as redis://")]
)
async def test_what_is_no_redis_is_told(redis: Any, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        RedisRateLimiter(redis).open(1, SCOPE)


async def test_the_gate_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "redis.asyncio", None)
    with pytest.raises(ConfigurationError, match=r"pip install 'agent-session-platform\[redis\]'"):
        RedisRateLimiter("redis://127.0.0.1:1/0").open(1, SCOPE)


async def test_a_shared_gate_belongs_to_one_client_too() -> None:
    async with opened("redis://127.0.0.1:1/0") as gate:
        with pytest.raises(ConfigurationError, match="a gate belongs to one client"):
            gate.open(1, SCOPE)
