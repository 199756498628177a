"""The settings of a RedisRateLimiter: refused at construction, without a Redis."""

from __future__ import annotations

from typing import Any

import pytest
import redis
from agent_session_platform import ConfigurationError, InvalidArgumentError, RedisRateLimiter


@pytest.mark.parametrize("url", ["redis://:S3cret/pw@host", "redis://:S3cret#pw@host:99999999"])
def test_the_error_of_an_invalid_url_shows_no_password(url: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        RedisRateLimiter(url)
    assert "S3cret" not in str(caught.value)


@pytest.mark.parametrize(
    ("redis", "message"),
    [
        (7, "not int"),
        ("http://host", "redis must be a URL such as redis://"),
        (redis.Redis(), "not a redis.Redis, which would block"),
    ],
)
def test_an_argument_that_is_no_redis_is_refused_at_construction(redis: Any, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        RedisRateLimiter(redis)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        *(
            ({"timeout": value}, "timeout must be a positive number")
            for value in (None, 0, -1, float("nan"), "1", True)
        ),
        *(({"prefix": value}, "prefix must be a string") for value in (None, 7, b"prefix:")),
    ],
)
def test_an_invalid_setting_is_refused_at_construction(setting: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        RedisRateLimiter("redis://127.0.0.1:1/0", **setting)


def test_a_missing_library_is_named_at_construction(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "redis.asyncio", None)
    with pytest.raises(ConfigurationError, match="needs redis: pip install 'redis>=5.0.1,<9'$"):
        RedisRateLimiter("redis://127.0.0.1:1/0")
