"""After a 401 the credential is asked for again, once, and the request is sent once more with the new one."""

from __future__ import annotations

import asyncio
import io
from typing import Any

import pytest
from agent_session_platform import (
    AgentPlatform,
    AuthenticationError,
    RetryEvent,
    RetryPolicy,
    ServerError,
)

from tests.faults.exposure import leaks
from tests.fixtures import ONE_ATTEMPT, QUICK, all_transports, until
from tests.request.test_upload import Pipe
from tests.servers.fault_server import Connection, FaultServer, Request, fault_server
from tests.servers.scripts import response

OLD, NEW = "svc_never_show_this_old_1", "svc_never_show_this_new_2"
UNAUTHORIZED = response({"title": "Unauthorized"}, "401 Unauthorized")


class Rotation:
    """A function that gives one token after the other, the last one again and again."""

    def __init__(self, *tokens: str) -> None:
        self.tokens = tokens
        self.calls = 0

    async def __call__(self) -> str:
        self.calls += 1
        await asyncio.sleep(0)
        return self.tokens[min(self.calls, len(self.tokens)) - 1]


class Accept:
    """A script that refuses every other token, and a request to /v3/late only when it is let go."""

    def __init__(self, *tokens: str) -> None:
        self.tokens = set(tokens)
        self.let_go = asyncio.Event()

    async def __call__(self, request: Request, connection: Connection) -> None:
        if request.path == "/v3/late":
            await self.let_go.wait()
        is_known = request.headers["authorization"].removeprefix("Bearer ") in self.tokens
        await connection.send(response({"data": []}) if is_known else UNAUTHORIZED)


def client(server: FaultServer, token: Any, **settings: Any) -> AgentPlatform:
    return AgentPlatform(server.base_url, token, organization="org-acme", **{"retry": QUICK, **settings})


def sent(server: FaultServer) -> list[str]:
    return [request.headers["authorization"].removeprefix("Bearer ") for request in server.requests]


@all_transports
@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("retry", [QUICK, ONE_ATTEMPT], ids=["retries", "none"])
async def test_a_401_is_sent_again_with_the_new_token(transport: Any, method: str, retry: RetryPolicy) -> None:
    rotation = Rotation(OLD, NEW)
    async with (
        fault_server(Accept(NEW)) as server,
        client(server, rotation, transport=transport, retry=retry) as platform,
    ):
        await platform.request(method, "/v3/x", body=None if method == "GET" else {"a": 1})
    assert sent(server) == [OLD, NEW]
    assert server.requests[0].body == server.requests[1].body
    assert [request.headers["x-agent-platform-attempt"] for request in server.requests] == ["1", "2"]


@pytest.mark.parametrize("token", [OLD, Rotation(OLD)], ids=["fixed", "the same"])
async def test_the_same_token_is_not_sent_again(token: Any) -> None:
    async with fault_server(Accept()) as server, client(server, token) as platform:
        with pytest.raises(AuthenticationError) as caught:
            await platform.request("GET", "/v3/x")
    assert sent(server) == [OLD]
    assert leaks(caught.value, OLD) == []


async def test_a_call_is_sent_again_once_and_the_next_one_without_a_token_that_was_refused() -> None:
    async with fault_server(Accept("svc_3")) as server, client(server, Rotation("svc_1", "svc_2", "svc_3")) as platform:
        with pytest.raises(AuthenticationError):
            await platform.request("GET", "/v3/x")
        await platform.request("GET", "/v3/x")
    assert sent(server) == ["svc_1", "svc_2", "svc_3"]


async def test_100_refused_calls_ask_once() -> None:
    rotation, accept = Rotation(OLD, NEW), Accept(OLD)
    async with fault_server(accept) as server, client(server, rotation) as platform:
        await platform.request("GET", "/v3/x")
        accept.tokens = {NEW}
        await asyncio.gather(*(platform.request("POST", "/v3/x") for _ in range(100)))
    assert rotation.calls == 2
    assert sent(server).count(NEW) == 100


async def test_a_call_whose_token_was_replaced_meanwhile_asks_nobody() -> None:
    """Its 401 comes when another call has the new token already."""
    rotation, accept = Rotation(OLD, NEW), Accept(NEW)
    async with fault_server(accept) as server, client(server, rotation) as platform:
        task = asyncio.create_task(platform.request("GET", "/v3/late"))
        await until(lambda: server.requests)
        await platform.request("GET", "/v3/x")
        accept.let_go.set()
        await task
    assert rotation.calls == 2
    assert sent(server) == [OLD, OLD, NEW, NEW]


async def test_a_file_that_cannot_be_rewound_is_not_sent_again_but_the_token_is_replaced() -> None:
    async with fault_server(Accept(NEW)) as server, client(server, Rotation(OLD, NEW)) as platform:
        with pytest.raises(AuthenticationError):
            await platform.organization().attachments.upload(file=Pipe(b"once"))
        await platform.request("GET", "/v3/x")
    assert sent(server) == [OLD, NEW]


async def test_a_file_that_can_be_rewound_is_sent_again() -> None:
    async with fault_server(Accept(NEW)) as server, client(server, Rotation(OLD, NEW)) as platform:
        await platform.organization().attachments.upload(file=io.BytesIO(b"content"))
    assert [b"content" in request.body for request in server.requests] == [True, True]


async def test_the_request_after_a_401_is_none_of_the_attempts_of_the_policy() -> None:
    events: list[RetryEvent] = []
    failed = response(b"", "503 Service Unavailable")
    retry = RetryPolicy(attempts=2, backoff_base=0.0, on_retry=events.append)
    async with (
        fault_server(UNAUTHORIZED, failed, failed) as server,
        client(server, Rotation(OLD, NEW), retry=retry) as platform,
    ):
        with pytest.raises(ServerError, match="given up after 3 attempts"):
            await platform.request("GET", "/v3/x")
    assert sent(server) == [OLD, NEW, NEW]
    assert [(type(event.error), event.attempt) for event in events] == [(ServerError, 2)]
