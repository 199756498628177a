"""Errors of Redis: those that pass by themselves, and those that somebody has to correct, on a real Redis."""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import redis
from agent_session_platform import RedisRateLimiter
from agent_session_platform.rate_limit import redis_errors
from redis.asyncio import Redis
from redis.exceptions import (
    AuthenticationError,
    BusyLoadingError,
    InvalidResponse,
    NoPermissionError,
    ReadOnlyError,
    ResponseError,
)

from tests.servers.redis_server import SERVER, RedisServer

needs_redis = pytest.mark.skipif(SERVER is None, reason="there is no redis-server on this machine")
NEVER = 1e9


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (redis.ConnectionError("Error 111 connecting"), None),
        (redis.TimeoutError("Timeout"), None),
        (TimeoutError(), None),
        (BusyLoadingError("Redis is loading the dataset in memory"), None),
        (ResponseError("MISCONF Redis is configured to save RDB snapshots"), None),
        (AuthenticationError("invalid username-password pair or user is disabled."), redis_errors.PASSWORD),
        (ResponseError("NOAUTH Authentication required."), redis_errors.PASSWORD),
        (NoPermissionError("this user has no permissions to run the 'evalsha' command"), redis_errors.PERMISSION),
        (ResponseError("The user executing the script can't run this command"), redis_errors.PERMISSION),
        (ResponseError("unknown command 'EVALSHA', with args beginning with: "), redis_errors.NO_SCRIPTS),
        (ResponseError("ERR unknown command `SCRIPT`, with args beginning with: `LOAD`"), redis_errors.NO_SCRIPTS),
        (ResponseError("WRONGTYPE Operation against a key holding the wrong kind of value"), redis_errors.TYPE),
        (ReadOnlyError("You can't write against a read only replica."), redis_errors.REPLICA),
        (ResponseError("DB index is out of range"), redis_errors.DATABASE),
        (InvalidResponse("Protocol Error: b'HTTP/1.1 400 Bad Request'"), redis_errors.PROTOCOL),
    ],
    ids=repr,
)
def test_an_error_passes_or_says_what_to_do(error: Exception, reason: str | None) -> None:
    assert redis_errors.permanent_reason(error) == reason


def test_a_certificate_that_is_refused_does_not_pass() -> None:
    error = redis.ConnectionError("Error 1 connecting")
    error.__cause__ = ssl.SSLCertVerificationError("certificate verify failed")
    assert redis_errors.permanent_reason(error) == redis_errors.CERTIFICATE


def test_no_message_of_redis_is_shown() -> None:
    """The one about an unknown command has its arguments, such as a password."""
    message, _ = redis_errors.describe(ResponseError("unknown command `AUTH`, with args beginning with: `S3cret`"))
    assert "S3cret" not in message
    assert message.startswith("Redis cannot be used (ResponseError): ")


@pytest.fixture(scope="module")
def server() -> Iterator[RedisServer]:
    running = RedisServer()
    running.start()
    yield running
    running.close()


@asynccontextmanager
async def restricted(server: RedisServer, *rules: str) -> AsyncIterator[str]:
    """Make a user of Redis with these ACL rules, and return the URL."""
    server.flush()
    async with Redis.from_url(server.url) as admin:
        await admin.execute_command("ACL", "SETUSER", "limited", "reset", "on", ">S3cret", *rules)
    yield server.url.replace("redis://", "redis://limited:S3cret@")


async def log_of(url: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Use a limiter until it has asked Redis several times, and return the log."""
    monkeypatch.setattr("agent_session_platform.rate_limit.redis.RECOVERY_SECONDS", 0.01)
    caplog.set_level(logging.DEBUG, "agent_session_platform")
    limiter = RedisRateLimiter(url)
    limiter.open(10, "key")
    try:
        limiter.release(await limiter.acquire(0, NEVER), accepted=True)
        async with asyncio.timeout(10):
            while sum("still" in record.getMessage() for record in caplog.records) < 3:
                await asyncio.sleep(0.01)
    finally:
        limiter.shut()
        await limiter.aclose()
    return [record for record in caplog.records if record.levelno > logging.DEBUG]


@needs_redis
@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        (["~*", "+@all", "-@scripting"], redis_errors.PERMISSION),
        (["~*", "+@all", "-get"], redis_errors.PERMISSION),
        (["~other:*", "+@all"], redis_errors.PERMISSION),
        (["resetpass", ">another", "~*", "+@all"], redis_errors.PASSWORD),
    ],
    ids=["scripts", "a-command", "keys", "password"],
)
async def test_a_permanent_error_is_logged_once_with_what_to_do(
    server: RedisServer,
    rules: list[str],
    reason: str,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with restricted(server, *rules) as url:
        [record] = await log_of(url, caplog, monkeypatch)
    assert (record.levelname, reason in record.getMessage()) == ("ERROR", True)
    assert "the limit holds in this process only" in record.getMessage()
    assert "S3cret" not in caplog.text


@needs_redis
async def test_a_key_with_a_value_of_another_type_is_a_permanent_error(
    server: RedisServer, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.flush()
    async with Redis.from_url(server.url) as other:
        await other.lpush("agent-session-platform:rate-limiter:2:key", "value")
    [record] = await log_of(server.url, caplog, monkeypatch)
    assert redis_errors.TYPE in record.getMessage()


async def test_a_passing_error_is_logged_once_as_before(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    [record] = await log_of("redis://:S3cret@127.0.0.1:1/0", caplog, monkeypatch)
    assert (record.levelname, record.getMessage()) == (
        "WARNING",
        "Redis is unavailable (ConnectionError); limiting in this process only until it recovers",
    )
