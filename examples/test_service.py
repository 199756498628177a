"""Tests of service.py, with the fixtures of the sandbox."""

from collections.abc import Callable, Generator
from typing import Any

import pytest
from agent_session_platform import AgentPlatform, PermissionDeniedError, RetryPolicy
from agent_session_platform_sandbox import Sandbox
from fastapi.testclient import TestClient
from service import make_app

PR = "https://git.example.com/acme/shop/pull/7"
Factory = Callable[..., AgentPlatform]


@pytest.fixture
def service(agent_platform_factory: Factory) -> Generator[TestClient]:
    with TestClient(make_app(agent_platform_factory)) as client:  # `with` runs the lifespan
        yield client


def test_work_is_listed(service: TestClient, agent_platform_sandbox: Sandbox) -> None:
    agent_platform_sandbox.add_session(title="Fix the flaky test")
    agent_platform_sandbox.add_session(title="Done", is_archived=True)
    assert [each["title"] for each in service.get("/work").json()] == ["Fix the flaky test"]


def test_work_is_started(service: TestClient, agent_platform_sandbox: Sandbox) -> None:
    response = service.post("/work", json={"prompt": "Fix the flaky test"})
    assert (response.status_code, response.json()["status"]) == (201, "running")
    agent_platform_sandbox.journal.expect("organization.sessions.create", times=1, prompt="Fix the flaky test")


def test_a_review_is_requested(service: TestClient, agent_platform_sandbox: Sandbox) -> None:
    response = service.post("/reviews", json={"pr_url": PR})
    assert (response.status_code, response.json()["status"]) == (202, "pending")
    agent_platform_sandbox.journal.expect("enterprise.reviews.create", times=1, pr_url=PR)


def test_an_unknown_session_is_not_found(service: TestClient) -> None:
    response = service.get("/work/assistant-9")
    assert (response.status_code, response.json()) == (404, {"error": "no session assistant-9"})


def test_an_id_of_something_else_is_a_bad_request(service: TestClient) -> None:
    response = service.get("/work/org-acme")
    assert (response.status_code, "which is an org_id" in response.json()["error"]) == (400, True)


def test_an_invalid_url_is_refused(service: TestClient) -> None:
    response = service.post("/reviews", json={"pr_url": "nonsense"})
    assert (response.status_code, "pr_url" in response.json()["error"]) == (422, True)


def test_a_long_rate_limit_makes_the_service_busy(service: TestClient, agent_platform_sandbox: Sandbox) -> None:
    agent_platform_sandbox.faults.add("enterprise.reviews.create", status=429, retry_after=3600)
    response = service.post("/reviews", json={"pr_url": PR})
    assert (response.status_code, response.headers["Retry-After"]) == (503, "3600")


def test_a_lost_response_is_reported_as_such(service: TestClient, agent_platform_sandbox: Sandbox) -> None:
    agent_platform_sandbox.faults.add("organization.sessions.create", lose=True)
    assert service.post("/work", json={"prompt": "Fix it"}).status_code == 504
    assert len(service.get("/work").json()) == 1  # it was started


@pytest.mark.parametrize("fault", [{"status": 503}, {"html": True}])
def test_a_response_that_does_not_tell_what_was_done_is_reported_as_such(
    service: TestClient, agent_platform_sandbox: Sandbox, fault: dict[str, Any]
) -> None:
    agent_platform_sandbox.faults.add("enterprise.reviews.create", **fault)
    assert service.post("/reviews", json={"pr_url": PR}).status_code == 504
    agent_platform_sandbox.journal.expect("enterprise.reviews.create", times=1)


def test_a_page_in_place_of_a_list_is_a_bad_gateway(service: TestClient, agent_platform_sandbox: Sandbox) -> None:
    agent_platform_sandbox.faults.add("organization.sessions.list", html=True)
    assert service.get("/work").status_code == 502


def test_a_single_failure_is_retried(service: TestClient, agent_platform_sandbox: Sandbox) -> None:
    agent_platform_sandbox.faults.add("organization.sessions.list", status=503)
    assert service.get("/work").status_code == 200


def test_a_platform_that_is_down_is_a_bad_gateway(
    agent_platform_factory: Factory, agent_platform_sandbox: Sandbox
) -> None:
    agent_platform_sandbox.faults.add("organization.sessions.list", status=503)
    with TestClient(make_app(lambda: agent_platform_factory(retry=RetryPolicy.none()))) as service:
        assert service.get("/work").status_code == 502


def test_a_service_without_a_credential_is_unavailable(agent_platform_factory: Factory) -> None:
    def sealed() -> str:
        raise ConnectionError("the vault is sealed")

    with TestClient(make_app(lambda: agent_platform_factory(token=sealed))) as service:
        assert service.get("/work").status_code == 503


def test_a_missing_permission_is_an_error_of_the_service(
    agent_platform_factory: Factory, agent_platform_sandbox: Sandbox
) -> None:
    viewer = agent_platform_sandbox.viewer_token
    with (
        TestClient(make_app(lambda: agent_platform_factory(token=viewer))) as service,
        pytest.raises(PermissionDeniedError, match="UseReviewManual"),
    ):
        service.post("/reviews", json={"pr_url": PR})


def test_nightly_work_is_listed(service: TestClient, agent_platform_sandbox: Sandbox) -> None:
    daily = {"type": "schedule:recurring", "rrule": "FREQ=DAILY"}
    agent_platform_sandbox.add_automation(name="Nightly", trigger=daily, action={"type": "start_session"})
    agent_platform_sandbox.clock.advance(days=2)
    assert [each["title"] for each in service.get("/work").json()] == ["Nightly", "Nightly"]
