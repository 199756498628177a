"""The tests of service.py, with the fixtures that come with `pip install 'agent-session-platform[sandbox]'`."""

import httpx
import pytest
from service import make_app

PR = "https://git.example.com/acme/shop/pull/7"


@pytest.fixture
async def service(agent_platform):
    transport = httpx.ASGITransport(make_app(agent_platform))
    async with httpx.AsyncClient(transport=transport, base_url="http://service") as client:
        yield client


async def test_work_is_listed(service, agent_platform_sandbox):
    agent_platform_sandbox.add_session(title="Fix the flaky test")
    agent_platform_sandbox.add_session(title="Done", is_archived=True)
    assert (await service.get("/work")).json() == ["Fix the flaky test"]


async def test_a_review_is_asked_for(service, agent_platform_sandbox):
    answer = await service.post("/reviews", json={"pr_url": PR})
    assert (answer.status_code, answer.json()) == (202, {"status": "pending", "number": 7})
    agent_platform_sandbox.journal.expect("enterprise.reviews.create", times=1, pr_url=PR)


async def test_a_url_that_is_none_is_the_callers_fault(service):
    assert (await service.post("/reviews", json={"pr_url": "nonsense"})).status_code == 400


async def test_a_platform_that_is_busy_for_long_makes_the_service_busy(service, agent_platform_sandbox):
    agent_platform_sandbox.faults.add("enterprise.reviews.create", status=429, retry_after=3600)
    answer = await service.post("/reviews", json={"pr_url": PR})
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "3600")


async def test_a_platform_that_fails_once_is_not_noticed(service, agent_platform_sandbox):
    agent_platform_sandbox.faults.add("organization.sessions.list", status=503)
    assert (await service.get("/work")).status_code == 200


async def test_nightly_work_shows_up(service, agent_platform, agent_platform_sandbox):
    rule = {"trigger": {"type": "schedule:recurring", "rrule": "FREQ=DAILY"}, "action": {"type": "start_session"}}
    await agent_platform.organization().automations.create(body={"name": "Nightly", **rule})
    agent_platform_sandbox.clock.advance(days=2)
    assert (await service.get("/work")).json() == ["Nightly", "Nightly"]
