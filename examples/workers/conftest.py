"""The Redis server of the tests of the workers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.servers.redis_server import RedisServer


@pytest.fixture
def redis() -> Iterator[RedisServer]:
    server = RedisServer()
    server.start()
    yield server
    server.close()
