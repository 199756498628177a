"""The retry quota: what a server that is down costs, and what one costs that fails now and then."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from agent_session_platform import AgentPlatformError, ExchangeRecord
from agent_session_platform.retry import MOST_TOKENS

from tests.fixtures import all_transports
from tests.servers.fault_server import Script, client, fault_server
from tests.servers.scripts import EMPTY_LIST, response, then_reset

FAILED = response({}, "500 Internal Server Error")
CALLS = 100


@all_transports
@pytest.mark.parametrize("script", [FAILED, then_reset(), None], ids=["500", "reset", "refused"])
async def test_a_hundred_calls_to_a_server_that_is_down_make_two_hundred_requests(
    transport: Any, script: Script | None
) -> None:
    """Without the quota there would be five hundred."""
    records: list[ExchangeRecord] = []
    async with fault_server(script or b"") as server:
        address = server.base_url if script else "http://127.0.0.1:1"
        platform = client(address, transport, on_exchange=records.append)
        calls = (platform.enterprise.blueprints.list() for _ in range(CALLS))
        errors = await asyncio.gather(*calls, return_exceptions=True)
        assert len(records) == 2 * CALLS
        assert platform.rate_limiter.stats().retry_quota == 0
        await platform.aclose()
    assert all(isinstance(error, AgentPlatformError) for error in errors)
    assert any("its retry quota is used up" in str(error) for error in errors)


@pytest.mark.parametrize("failures", range(5))
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
