"""After a 401 the credential is asked for again, once, and the request is sent once more with the new one."""

from __future__ import annotations

import asyncio
import io
from typing import Any

import httpx
import pytest
from agent_session_platform import AgentPlatform, AuthenticationError, RetryEvent, RetryPolicy, ServerError

from tests.faults.exposure import leaks
from tests.fixtures import ONE_ATTEMPT, QUICK, all_transports, until
from tests.request.test_tokens import NEW, OLD, Server, client_of
from tests.request.test_upload import Pipe
from tests.servers.fault_server import fault_server
from tests.servers.scripts import response


class Rotation:
    """A function that gives one token after the other, the last one again and again."""

    def __init__(self, *tokens: str) -> None:
        self.tokens = tokens
        self.calls = 0

    async def __call__(self) -> str:
        self.calls += 1
        await asyncio.sleep(0)
        return self.tokens[min(self.calls, len(self.tokens)) - 1]


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("retry", [QUICK, ONE_ATTEMPT], ids=["retries", "none"])
async def test_a_401_is_sent_again_with_the_new_token(method: str, retry: RetryPolicy) -> None:
    server = Server(OLD)
    async with client_of(Rotation(OLD, NEW), server, retry=retry) as platform:
        await platform.request(method, "/v3/x", body=None if method == "GET" else {"a": 1})
    first, second = server.requests
    assert server.sent == [OLD, NEW]
    assert first.content == second.content
    assert [request.headers["x-agent-platform-attempt"] for request in server.requests] == ["1", "2"]


@pytest.mark.parametrize("token", [OLD, Rotation(OLD)], ids=["fixed", "the same"])
async def test_the_same_token_is_not_sent_again(token: Any) -> None:
    server = Server(OLD)
    async with client_of(token, server) as platform:
        with pytest.raises(AuthenticationError) as caught:
            await platform.request("GET", "/v3/x")
    assert server.sent == [OLD]
    assert leaks(caught.value, OLD) == []


async def test_a_call_is_sent_again_once_and_the_next_one_without_a_token_that_was_refused() -> None:
    server = Server("svc_1", "svc_2")
    async with client_of(Rotation("svc_1", "svc_2", "svc_3"), server) as platform:
        with pytest.raises(AuthenticationError):
            await platform.request("GET", "/v3/x")
        await platform.request("GET", "/v3/x")
    assert server.sent == ["svc_1", "svc_2", "svc_3"]


async def test_100_refused_calls_ask_once() -> None:
    rotation, server = Rotation(OLD, NEW), Server()
    async with client_of(rotation, server) as platform:
        await platform.request("GET", "/v3/x")
        server.refused = {OLD}
        await asyncio.gather(*(platform.request("POST", "/v3/x") for _ in range(100)))
    assert rotation.calls == 2
    assert server.sent.count(NEW) == 100


async def test_a_call_whose_token_was_replaced_meanwhile_asks_nobody() -> None:
    """Its 401 comes when another call has the new token already."""
    rotation, server = Rotation(OLD, NEW), Server(OLD)
    async with client_of(rotation, server) as platform:
        task = asyncio.create_task(platform.request("GET", "/v3/late"))
        await until(lambda: server.requests)
        await platform.request("GET", "/v3/x")
        server.late.set()
        await task
    assert rotation.calls == 2
    assert server.sent == [OLD, OLD, NEW, NEW]


async def test_a_file_that_cannot_be_rewound_is_not_sent_again_but_the_token_is_replaced() -> None:
    server = Server(OLD)
    async with client_of(Rotation(OLD, NEW), server) as platform:
        with pytest.raises(AuthenticationError):
            await platform.organization("org-acme").attachments.upload(file=Pipe(b"once"))
        await platform.request("GET", "/v3/x")
    assert server.sent == [OLD, NEW]


@all_transports
async def test_a_file_that_can_be_rewound_is_sent_again(transport: Any) -> None:
    async with fault_server(response(b"", "401 Unauthorized"), response({})) as server:
        platform = AgentPlatform(server.base_url, Rotation(OLD, NEW), transport=transport)
        await platform.organization("org-acme").attachments.upload(file=io.BytesIO(b"content"))
        await platform.aclose()
    assert [request.headers["authorization"] for request in server.requests] == [f"Bearer {OLD}", f"Bearer {NEW}"]
    assert [b"content" in request.body for request in server.requests] == [True, True]


async def test_the_request_after_a_401_is_none_of_the_attempts_of_the_policy() -> None:
    events: list[RetryEvent] = []
    responses = iter([httpx.Response(401), httpx.Response(503), httpx.Response(503)])
    retry = RetryPolicy(attempts=2, backoff_base=0.0, on_retry=events.append)
    server = httpx.MockTransport(lambda request: next(responses))
    async with client_of(Rotation(OLD, NEW), server, retry=retry) as platform:
        with pytest.raises(ServerError, match="given up after 3 attempts"):
            await platform.request("GET", "/v3/x")
    assert [(type(event.error), event.attempt) for event in events] == [(ServerError, 2)]
