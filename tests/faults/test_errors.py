"""Errors survive where errors travel, and are freed as soon as they are handled."""

from __future__ import annotations

import copy
import gc
import inspect
import json
import multiprocessing
import pickle
import weakref
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import httpx
import pytest
from agent_session_platform import AgentPlatform, AgentPlatformError, OrganizationScope, RetryPolicy, errors

from tests.fixtures import URL

CLASSES = [cls for cls in vars(errors).values() if inspect.isclass(cls) and issubclass(cls, AgentPlatformError)]
TEXT = "organization.sessions.get: 404 Not Found: no such session"
STATUSES = [400, 401, 403, 404, 409, 422, 429, 500]


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_every_error_can_be_made_again_from_its_text(cls: type[AgentPlatformError]) -> None:
    error = cls(TEXT)
    assert (str(error), error.args) == (TEXT, (TEXT,))
    assert str(cls(*json.loads(json.dumps(error.args)))) == TEXT


@pytest.mark.parametrize("status", STATUSES)
async def test_the_class_of_an_error_knows_its_status(status: int) -> None:
    error = await failed(status, lambda org: org.sessions.get("assistant-1"))
    assert type(error)(*error.args).status == status == error.status


@pytest.mark.parametrize("status", STATUSES)
async def test_the_args_of_an_error_are_all_of_its_text(status: int) -> None:
    error = await failed(status, lambda org: org.sessions.create(prompt="x"))
    assert error.args == (str(error),)
    assert str(type(error)(*error.args)) == str(error)


@pytest.mark.parametrize("copied", [lambda error: pickle.loads(pickle.dumps(error)), copy.copy, copy.deepcopy])
async def test_a_copy_has_the_args_of_the_error(copied: Callable[[Any], Any]) -> None:
    error = await failed(404, lambda org: org.sessions.get("assistant-1"))
    assert copied(error).args == error.args


async def test_an_error_comes_back_from_a_process_that_was_spawned() -> None:
    error = await failed(404, lambda org: org.sessions.get("assistant-1"))
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        back = pool.submit(raise_again, error).exception()
    assert isinstance(back, errors.NotFoundError)
    assert (str(back), back.args, back.status) == (str(error), error.args, 404)


def raise_again(error: Exception) -> None:
    """Raise an error, in another process."""
    raise error


def respond(kind: object) -> Callable[[httpx.Request], httpx.Response]:
    """Return a server that fails in one way."""

    def handle(request: httpx.Request) -> httpx.Response:
        if isinstance(kind, Exception):
            raise copy.copy(kind)
        if isinstance(kind, int):
            return httpx.Response(kind, json={"title": "x"}, headers={"location": "https://elsewhere.example.com"})
        return httpx.Response(200, content=str(kind), headers={"content-type": "application/json"})

    return handle


def platform_of(kind: object, attempts: int = 1) -> AgentPlatform:
    """Return a client of a server that fails in one way."""
    retry = RetryPolicy(attempts=attempts, backoff_base=0.0, backoff_cap=0.0)
    transport = httpx.MockTransport(respond(kind))
    return AgentPlatform(URL, "svc_token", organization="org-acme", transport=transport, retry=retry)


async def failed(kind: object, call: Callable[[OrganizationScope], Awaitable[object]], attempts: int = 1) -> Any:
    """Return the error of a call."""
    async with platform_of(kind, attempts) as platform:
        with pytest.raises(AgentPlatformError) as caught:
            await call(platform.organization())
    return caught.value


class Prompt(str):
    """A text of a request; a plain text has no weak references."""


@pytest.fixture
def no_collector() -> Iterator[None]:
    """Switch the cyclic garbage collector off for a test."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


FAILURES = [
    *(302, 400, 401, 404, 422, 429, 500),
    *("<html>", "{", "[]"),
    httpx.ConnectError("refused"),
    httpx.ReadError("reset"),
    httpx.ReadTimeout("silent"),
    httpx.PoolTimeout("full"),
]
CALLS: dict[str, Callable[[OrganizationScope], Awaitable[object]]] = {
    "create": lambda org: org.sessions.create(prompt="x"),
    "get": lambda org: org.sessions.get("assistant-1"),
    "collect": lambda org: org.sessions.list().collect(),
    "first_page": lambda org: org.sessions.list().first_page(),
    "wait": lambda org: org.sessions.wait("assistant-1", until={"status": "ready"}, timeout=0.02, every=0.01),
    "download": lambda org: org.attachments.download("uuid", "name").read(),
    "follow": lambda org: org.sessions.follow_messages("assistant-1").poll(),
}


@pytest.mark.parametrize("attempts", [1, 2])
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("kind", FAILURES, ids=repr)
@pytest.mark.usefixtures("no_collector")
async def test_an_error_is_freed_when_it_was_handled(kind: object, call: Any, attempts: int) -> None:
    freed = None
    async with platform_of(kind, attempts) as platform:
        try:
            await call(platform.organization())
        except AgentPlatformError as error:
            freed = weakref.ref(error)
    assert freed is None or freed() is None


@pytest.mark.parametrize("kind", FAILURES, ids=repr)
@pytest.mark.usefixtures("no_collector")
async def test_the_request_is_freed_with_the_error(kind: object) -> None:
    prompt = Prompt("a prompt of megabytes")
    freed = weakref.ref(prompt)
    async with platform_of(kind) as platform:
        with pytest.raises(AgentPlatformError) as caught:
            await platform.organization().sessions.create(prompt=prompt)
    del prompt, caught
    assert freed() is None
