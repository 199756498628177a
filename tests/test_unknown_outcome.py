"""A write whose outcome is unknown says when it was sent and what to read."""

from __future__ import annotations

import pickle
import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from agent_session_platform import AgentPlatform, OutcomeUnknownError


def reset(request: httpx.Request) -> httpx.Response:
    raise httpx.ReadError("reset", request=request)


async def outcome(write: Callable[[AgentPlatform], Awaitable[Any]]) -> OutcomeUnknownError:
    """The error of a write whose connection is reset after it was sent."""
    transport = httpx.MockTransport(reset)
    async with AgentPlatform("https://x.example.com", "svc_x", organization="org-a", transport=transport) as platform:
        with pytest.raises(OutcomeUnknownError) as caught:
            await write(platform)
    return caught.value


async def test_the_message_says_when_it_was_sent_and_what_to_read() -> None:
    error = await outcome(lambda platform: platform.organization().sessions.create(assistant_mode="fast"))
    assert re.fullmatch(
        r"organization\.sessions\.create: the exchange broke off \(ReadError: reset\); the write, sent at "
        r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ, may have been carried out and was not sent again: "
        r"read the state with organization\.sessions\.list before you repeat it",
        str(error),
    )
    assert timedelta() <= datetime.now(UTC) - error.sent_at < timedelta(minutes=1)


async def test_without_a_reader_the_message_says_what_to_look_for() -> None:
    error = await outcome(lambda platform: platform.enterprise.reviews.create(pr_url="https://g.example/a/b/pull/1"))
    assert "read the state of what it would have changed before you repeat it" in str(error)
    assert error.reader is None


async def test_the_error_pickles_with_its_reader() -> None:
    error = await outcome(lambda platform: platform.organization().sessions.create(assistant_mode="fast"))
    again = pickle.loads(pickle.dumps(error))
    assert again.reader == error.reader is not None
    assert (again.sent_at, str(again)) == (error.sent_at, str(error))
