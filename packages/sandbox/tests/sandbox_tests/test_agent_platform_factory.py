"""Applications get clients of their own: in any event loop and thread, of the same sandbox."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any

import pytest
from agent_session_platform import AgentPlatform, PermissionDeniedError
from agent_session_platform_sandbox import Sandbox
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

with warnings.catch_warnings():
    # Starlette prefers another HTTP library.
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

Factory = Callable[..., AgentPlatform]


async def respond(request: Request) -> JSONResponse:
    """Create a session if a title is given, and return the titles of all."""
    sessions = request.app.state.platform.organization().sessions
    if request.method == "POST":
        await sessions.create(extra_body={"title": request.query_params["title"]})
    return JSONResponse([each.title async for each in sessions.list()])


def make_app(make: Callable[[], AgentPlatform]) -> Starlette:
    """Return an application that opens and closes its client in its lifespan."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncGenerator[None]:
        async with make() as platform:
            app.state.platform = platform
            yield

    return Starlette(routes=[Route("/", respond, methods=["GET", "POST"])], lifespan=lifespan)


async def titles(platform: AgentPlatform) -> list[str | None]:
    return [each.title async for each in platform.organization().sessions.list()]


async def create(make: Factory) -> list[str | None]:
    """Create a session with a client of its own, and return the titles of all."""
    async with make() as platform:
        await platform.organization().sessions.create(title="Its")
        return await titles(platform)


async def test_all_applications_share_a_sandbox(agent_platform: AgentPlatform, agent_platform_factory: Factory) -> None:
    await agent_platform.organization().sessions.create(title="Mine")
    with TestClient(make_app(agent_platform_factory)) as one, TestClient(make_app(agent_platform_factory)) as two:
        one.post("/", params={"title": "One"})
        assert two.get("/").json() == ["Mine", "One"]
    assert await titles(agent_platform) == ["Mine", "One"]


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_an_application_runs_in_the_loop_of_anyio(agent_platform_factory: Factory, anyio_backend: str) -> None:
    assert await create(agent_platform_factory) == ["Its"]


def test_an_application_runs_in_one_loop_after_the_other(agent_platform_factory: Factory) -> None:
    assert [asyncio.run(create(agent_platform_factory)) for _ in range(2)] == [["Its"], ["Its", "Its"]]


async def test_arguments_replace_the_settings(agent_platform_factory: Factory, agent_platform_sandbox: Sandbox) -> None:
    token = agent_platform_sandbox.viewer_token
    async with agent_platform_factory(token=token, organization="org-globex") as platform:
        with pytest.raises(PermissionDeniedError, match="lacks"):
            await platform.enterprise.reviews.create(pr_url="https://git.example.com/acme/shop/pull/7")
        assert await titles(platform) == []
    assert agent_platform_sandbox.journal[1].path == "/v3/organizations/org-globex/sessions"


def test_a_client_that_is_never_opened_need_not_be_closed(agent_platform_factory: Factory) -> None:
    assert "new" in repr(agent_platform_factory())


def test_the_environment_leads_to_the_sandbox(agent_platform_environment: str, agent_platform_sandbox: Sandbox) -> None:
    agent_platform_sandbox.add_session(title="Before")
    with TestClient(make_app(AgentPlatform)) as client:
        assert client.get("/").json() == ["Before"]
    assert agent_platform_environment.startswith("http://127.0.0.1:")


@pytest.mark.parametrize("transport", ["aiohttp", None])
async def test_a_client_of_the_port_is_one_of_the_same_sandbox(
    agent_platform_factory: Factory, agent_platform_base_url: str, agent_platform_sandbox: Sandbox, transport: Any
) -> None:
    agent_platform_sandbox.add_session(title="Before")
    async with agent_platform_factory(base_url=agent_platform_base_url, transport=transport) as platform:
        assert await titles(platform) == ["Before"]


def test_threads_share_a_sandbox(agent_platform_factory: Factory, agent_platform_sandbox: Sandbox) -> None:
    async def work() -> None:
        async with agent_platform_factory() as platform:
            for _ in range(10):
                await platform.organization().sessions.create()
                await titles(platform)

    with ThreadPoolExecutor(6) as threads:
        working = [threads.submit(asyncio.run, work()) for _ in range(6)]
        for _ in range(100):
            agent_platform_sandbox.add_session()
            agent_platform_sandbox.clock.advance(seconds=1)
            agent_platform_sandbox.snapshots.take()
            agent_platform_sandbox.faults.add("enterprise.roles.list", status=503, times=None)
    for each in working:
        each.result()
    agent_platform_sandbox.faults.clear()
    sessions = agent_platform_sandbox.state.collection("sessions", "org-acme")
    created = agent_platform_sandbox.journal.expect("organization.sessions.create", times=60)
    assert len({each.number for each in created}) == 60
    assert len({record.number for record in sessions.values()}) == 160
