"""Each gap of the description, and what the SDK does about it: it guesses nothing, and whatever comes passes."""

from __future__ import annotations

from typing import Any

import pytest
from agent_platform import AgentPlatform, ProblemError, RateLimitedError, RetryPolicy
from agent_platform import models as all_models
from agent_platform_api.gaps import GAPS
from pytest_httpx import HTTPXMock

URL = "https://platform.example.com"

NOT_TESTED = {
    "base-address": "every test names an address; there is none to fall back to (test_configuration)",
    "credential-lifetime": "the SDK takes a credential as it is",
    "events": "there is nothing to call",
    "size-limits": "nothing is measured before sending (test_arguments checks what is stated)",
    "personal-access-token-format": "shown in test_credentials",
    "rate-limits": "shown in test_pipeline: the client learns from what the server answers",
    "session-list-parameters": "shown in test_wire",
    "session-list-origins-encoding": "shown in test_wire",
    "automation-update-media-type": "shown in test_wire",
    "problem-errors-members": "shown in test_errors",
    "blueprint-list-parameters": "shown below with the other requests: the method takes none",
}

# An open set: a value that nobody knows yet is what the model gives.
VALUES = {
    "session-status-values": ("Session", "status"),
    "session-status-detail-values": ("Session", "status_detail"),
    "session-category-values": ("Session", "category"),
    "session-pr-state-values": ("SessionPullRequest", "pr_state"),
    "session-security-profile-selection-values": ("SessionSecurityProfile", "selection"),
    "message-source-values": ("SessionMessage", "source"),
    "blueprint-type-values": ("Blueprint", "type"),
    "blueprint-source-values": ("Blueprint", "source"),
    "repo-index-job-status-values": ("RepoIndexJob", "status"),
    "error-code-values": ("ProblemWithCode", "error_code"),
    "review-transitions": ("Review", "status"),
    "session-transitions": ("Session", "status"),
}

# A unit or a type that is not shown: the value is not touched.
UNTOUCHED = {
    "session-created-at-unit": ("Session", "created_at", 1760000000),
    "session-updated-at-unit": ("Session", "updated_at", 1760000000000),
    "message-created-at-unit": ("SessionMessage", "created_at", 1760000000),
    "blueprint-created-at-unit": ("Blueprint", "created_at", 1),
    "blueprint-updated-at-unit": ("Blueprint", "updated_at", 2),
    "enterprise-joined-at-unit": ("EnterpriseUser", "enterprise_joined_at", 3),
    "session-is-advanced-type": ("Session", "is_advanced", {"who": "knows"}),
}

# Which fields are always present: any may be absent.
REQUIRED = {
    "session-required-fields": "Session",
    "message-required-fields": "SessionMessage",
    "blueprint-required-fields": "Blueprint",
    "blueprint-list-required-fields": "BlueprintList",
    "review-required-fields": "Review",
    "schedule-playbook-required-fields": "SchedulePlaybook",
    "repo-index-job-required-fields": "RepoIndexJob",
    "schedule-validation-required-fields": "ValidationFailure",
}

# What is needed: the catalogue says that it is not known.
PERMISSIONS = {
    "session-create-permission": "organization.sessions.create",
    "session-get-permission": "organization.sessions.get",
    "session-terminate-permission": "organization.sessions.terminate",
    "session-message-permission": "organization.sessions.send_message",
    "session-archive-permission": "organization.sessions.archive",
    "repository-index-permission": "enterprise.repositories.list_index_status",
}
LEVELS = {
    "automation-update-level": "organization.automations.update",
    "schedule-create-credential": "organization.schedules.create",
}

# Payloads that are not shown: any mapping goes in.
REQUESTS = {
    "session-create-request": lambda org, body: org.sessions.create(extra_body=body),
    "session-create-parameter-types": lambda org, body: org.sessions.create(session_secrets=body, session_links=[body]),
    "session-message-request": lambda org, body: org.sessions.send_message("assistant-1", body=body),
    "session-archive-request": lambda org, body: org.sessions.archive("assistant-1", body=body),
    "automation-update-request": lambda org, body: org.automations.update("automation-1", body=body),
}

# Responses that are not shown: any success and any payload is one.
RESPONSES = {
    "session-message-response": lambda platform, org: org.sessions.send_message("assistant-1", body={}),
    "session-archive-response": lambda platform, org: org.sessions.archive("assistant-1"),
    "session-terminate-response": lambda platform, org: org.sessions.terminate("assistant-1"),
    "session-terminate-archive": lambda platform, org: org.sessions.terminate("assistant-1", archive="whatever"),
    "automation-update-response": lambda platform, org: org.automations.update("automation-1", body={}),
    "blueprint-delete-response": lambda platform, org: platform.enterprise.blueprints.delete("blueprint-1"),
}
SESSIONS = {
    "session-create-response": lambda platform, org: org.sessions.create(),
    "session-get-response": lambda platform, org: org.sessions.get("assistant-1"),
}

# Error statuses that are not shown: any is a typed error.
ERRORS = {
    "session-list-error-statuses": lambda platform, org: org.sessions.list().first_page(),
    "session-create-errors": lambda platform, org: org.sessions.create(),
    "session-get-errors": lambda platform, org: org.sessions.get("assistant-1"),
    "session-terminate-errors": lambda platform, org: org.sessions.terminate("assistant-1"),
    "session-message-errors": lambda platform, org: org.sessions.send_message("assistant-1"),
    "session-archive-errors": lambda platform, org: org.sessions.archive("assistant-1"),
    "schedule-create-errors": lambda platform, org: org.schedules.create(name="n", prompt="p"),
    "schedule-platform-labels": lambda platform, org: org.schedules.create(name="n", prompt="p", platform="x"),
    "automation-update-errors": lambda platform, org: org.automations.update("automation-1", body={}),
    "review-error-statuses": lambda platform, org: platform.enterprise.reviews.create(pr_url="u"),
    "messages-error-statuses": lambda platform, org: platform.enterprise.sessions.list_messages("a").first_page(),
    "blueprint-list-error-statuses": lambda platform, org: platform.enterprise.blueprints.list(),
    "blueprint-delete-error-statuses": lambda platform, org: platform.enterprise.blueprints.delete("b"),
    "repository-index-error-statuses": lambda platform, org: platform.enterprise.repositories.list_index_status(
        "org-a"
    ),
    "error-status-mapping": lambda platform, org: platform.enterprise.members.list_users().first_page(),
}

TABLES: tuple[dict[str, Any], ...] = (
    VALUES,
    UNTOUCHED,
    REQUIRED,
    PERMISSIONS,
    LEVELS,
    REQUESTS,
    RESPONSES,
    SESSIONS,
    ERRORS,
    NOT_TESTED,
)


def test_every_gap_has_a_test_or_says_why_not() -> None:
    listed = [gap for table in TABLES for gap in table]
    known = {gap.id for gap in GAPS}
    assert known - set(listed) == set(), "put these gaps into the table above that says what becomes of their kind"
    assert set(listed) - known == set(), "these gaps are no longer in the contract"
    assert len(listed) == len(set(listed))


def cases(table: dict[str, Any]) -> Any:
    return pytest.mark.parametrize("case", table.values(), ids=list(table))


@pytest.fixture
def client() -> AgentPlatform:
    return AgentPlatform(URL, "whatever", organization="org-acme", retry=RetryPolicy.none())


@cases(VALUES)
def test_an_unknown_value_passes(case: tuple[str, str]) -> None:
    model, field = case
    assert getattr(getattr(all_models, model).from_dict({field: "of next year"}), field) == "of next year"


@cases(UNTOUCHED)
def test_a_value_without_a_unit_or_type_is_not_touched(case: tuple[str, str, Any]) -> None:
    model, field, value = case
    assert getattr(getattr(all_models, model).from_dict({field: value}), field) == value


@cases(REQUIRED)
def test_any_field_may_be_absent(case: str) -> None:
    model = getattr(all_models, case)
    assert model.from_dict({}).to_dict() == {}


@cases(PERMISSIONS)
def test_a_permission_that_is_not_shown_is_none(client: AgentPlatform, case: str) -> None:
    operation = client.operations[case]
    assert (operation.permission, operation.level) == (None, None)


@cases(LEVELS)
def test_what_is_not_shown_of_the_access_is_a_gap_of_the_operation(
    client: AgentPlatform, case: str, request: pytest.FixtureRequest
) -> None:
    operation = client.operations[case]
    assert operation.permission is not None
    assert any(gap.id in request.node.name for gap in operation.gaps)


@cases(REQUESTS)
async def test_any_payload_goes_in(client: AgentPlatform, httpx_mock: HTTPXMock, case: Any) -> None:
    httpx_mock.add_response(json={})
    await case(client.organization(), {"any": ["thing", None]})
    assert b'{"any":["thing",null]}' in httpx_mock.get_requests()[0].content
    await client.aclose()


@cases(RESPONSES)
@pytest.mark.parametrize(("status", "payload"), [(200, {"a": 1}), (202, []), (204, None), (299, "text")])
async def test_any_success_comes_out(
    client: AgentPlatform, httpx_mock: HTTPXMock, case: Any, status: int, payload: Any
) -> None:
    if payload is None:
        httpx_mock.add_response(status)
    else:
        httpx_mock.add_response(status, json=payload)
    assert await case(client, client.organization()) == ({} if payload is None else payload)
    await client.aclose()


@cases(SESSIONS)
@pytest.mark.parametrize("status", [200, 201, 202])
async def test_a_session_is_inferred_and_any_object_is_one(
    client: AgentPlatform, httpx_mock: HTTPXMock, case: Any, status: int
) -> None:
    httpx_mock.add_response(status, json={"unheard": "of"})
    assert (await case(client, client.organization())).to_dict() == {"unheard": "of"}
    await client.aclose()


@cases(ERRORS)
@pytest.mark.parametrize("status", [400, 403, 404, 409, 422, 429, 500])
async def test_any_error_status_is_a_typed_error(
    client: AgentPlatform, httpx_mock: HTTPXMock, case: Any, status: int
) -> None:
    httpx_mock.add_response(status, json={"title": "No", "labels": ["Linux"]})
    with pytest.raises(ProblemError) as caught:
        await case(client, client.organization())
    assert (caught.value.status, caught.value.body["labels"]) == (status, ["Linux"])
    assert isinstance(caught.value, RateLimitedError) == (status == 429)
    await client.aclose()
