"""Tests of service.py, with the fixtures of `pip install 'agent-session-platform[sandbox]'`."""

from collections.abc import AsyncGenerator, Callable

import pytest
from agent_session_platform import AgentPlatform
from agent_session_platform.sandbox import Sandbox
from httpx import ASGITransport, AsyncClient
from service import make_app

URL = "http://service"
PR = "https://git.example.com/acme/shop/pull/7"


@pytest.fixture
async def service(agent_platform_factory: Callable[..., AgentPlatform]) -> AsyncGenerator[AsyncClient]:
    app = make_app(agent_platform_factory)
    # httpx does not run the lifespan of an application.
    async with app.router.lifespan_context(app), AsyncClient(transport=ASGITransport(app), base_url=URL) as client:
        yield client


async def test_work_is_listed(service: AsyncClient, agent_platform_sandbox: Sandbox) -> None:
    agent_platform_sandbox.add_session(title="Fix the flaky test")
    agent_platform_sandbox.add_session(title="Done", is_archived=True)
    assert (await service.get("/work")).json() == ["Fix the flaky test"]


async def test_a_review_is_requested(service: AsyncClient, agent_platform_sandbox: Sandbox) -> None:
    response = await service.post("/reviews", json={"pr_url": PR})
    assert (response.status_code, response.json()) == (202, {"status": "pending", "number": 7})
    agent_platform_sandbox.journal.expect("enterprise.reviews.create", times=1, pr_url=PR)


async def test_an_invalid_url_is_a_bad_request(service: AsyncClient) -> None:
    assert (await service.post("/reviews", json={"pr_url": "nonsense"})).status_code == 400


async def test_a_long_rate_limit_makes_the_service_busy(service: AsyncClient, agent_platform_sandbox: Sandbox) -> None:
    agent_platform_sandbox.faults.add("enterprise.reviews.create", status=429, retry_after=3600)
    response = await service.post("/reviews", json={"pr_url": PR})
    assert (response.status_code, response.headers["Retry-After"]) == (503, "3600")


async def test_a_single_failure_is_retried(service: AsyncClient, agent_platform_sandbox: Sandbox) -> None:
    agent_platform_sandbox.faults.add("organization.sessions.list", status=503)
    assert (await service.get("/work")).status_code == 200


async def test_nightly_work_is_listed(
    service: AsyncClient, agent_platform: AgentPlatform, agent_platform_sandbox: Sandbox
) -> None:
    rule = {"trigger": {"type": "schedule:recurring", "rrule": "FREQ=DAILY"}, "action": {"type": "start_session"}}
    await agent_platform.organization().automations.create(body={"name": "Nightly", **rule})
    agent_platform_sandbox.clock.advance(days=2)
    assert (await service.get("/work")).json() == ["Nightly", "Nightly"]
