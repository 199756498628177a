"""The retry quota: what a server that is down costs, and what one costs that fails now and then."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import pytest
from agent_session_platform import AgentPlatform, AgentPlatformError
from agent_session_platform.rate_limit.interface import MOST_TOKENS, RetryQuota

from tests.fixtures import all_transports
from tests.servers.fault_server import Script, client, fault_server
from tests.servers.scripts import EMPTY_LIST, response, then_reset

FAILED = response({}, "500 Internal Server Error")
CALLS = 100


async def outcomes(platform: AgentPlatform, calls: int = CALLS) -> list[Any]:
    lists = (platform.enterprise.blueprints.list() for _ in range(calls))
    return await asyncio.gather(*lists, return_exceptions=True)


@all_transports
@pytest.mark.parametrize("script", [FAILED, then_reset()], ids=["500", "reset"])
async def test_a_hundred_calls_to_a_server_that_is_down_make_two_hundred_requests(
    transport: Any, script: Script
) -> None:
    """Without the quota there would be five hundred."""
    async with fault_server(script) as server, server.client(transport) as platform:
        errors = await outcomes(platform)
        assert len(server.requests) == 2 * CALLS
        assert platform.rate_limiter.stats().retry_quota == 0
    assert all(isinstance(error, AgentPlatformError) for error in errors)
    assert any("its retry quota is used up" in str(error) for error in errors)


async def test_connections_that_are_refused_use_the_quota() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        async with client(f"http://127.0.0.1:{unused.getsockname()[1]}") as platform:
            errors = await outcomes(platform)
    attempts = sum(2 if "2 attempts" in str(error) else 1 for error in errors)
    assert attempts <= 2 * CALLS


@pytest.mark.parametrize("failures", range(1, 5))
async def test_a_success_gives_back_what_its_retries_took(failures: int) -> None:
    async with fault_server(*[FAILED] * failures, EMPTY_LIST) as server, server.client() as platform:
        await platform.enterprise.blueprints.list()
        assert platform.rate_limiter.stats().retry_quota == MOST_TOKENS
        assert len(server.requests) == failures + 1


async def test_a_success_without_a_retry_gives_back_one_token() -> None:
    async with fault_server(*[FAILED] * 5, EMPTY_LIST) as server, server.client() as platform:
        with pytest.raises(AgentPlatformError):
            await platform.enterprise.blueprints.list()
        for number in range(1, 4):
            await platform.enterprise.blueprints.list()
            assert platform.rate_limiter.stats().retry_quota == MOST_TOKENS - 20 + number


async def test_429s_do_not_use_the_quota() -> None:
    busy = response({}, "429 Too Many Requests", "Retry-After: 0")
    async with fault_server(busy, busy, EMPTY_LIST) as server, server.client() as platform:
        await platform.enterprise.blueprints.list()
        assert platform.rate_limiter.retry_quota.used == 0


def test_there_are_never_more_tokens_than_at_first_nor_less_than_none() -> None:
    quota = RetryQuota()
    quota.give_back(0)
    assert quota.tokens == MOST_TOKENS
    quota.take(2 * MOST_TOKENS)
    assert quota.tokens == 0
