"""What the enterprise reads: audit logs, usage, searches, guardrail violations and hypervisors."""

from __future__ import annotations

import json
from typing import Any

import pytest
from agent_session_platform import AgentPlatform, NotFoundError, UnprocessableContentError, to_json
from agent_session_platform_sandbox import Sandbox

from sandbox_tests.resources.items import ids


async def test_successful_writes_are_in_the_audit_log(enterprise: Any, org: Any, platform: AgentPlatform) -> None:
    session = await org.sessions.create()
    await org.sessions.archive(session.session_id)
    await enterprise.ip_access_list.delete()
    entries = (await enterprise.audit_logs.list(order="asc"))["items"]
    assert [(each["action"], each["org_id"], each["target"]) for each in entries] == [
        ("create_organization_session", "org-acme", {}),
        ("archive_organization_session", "org-acme", {"assistant_id": session.session_id}),
        ("delete_enterprise_ip_access_list", None, {}),
    ]
    assert len((await org.audit_logs.list())["items"]) == 2
    assert (await platform.organization("org-globex").audit_logs.list())["items"] == []


@pytest.mark.parametrize(
    ("order", "found"),
    [
        (None, ["audit-log-2", "audit-log-1"]),
        ("desc", ["audit-log-2", "audit-log-1"]),
        ("asc", ["audit-log-1", "audit-log-2"]),
    ],
)
async def test_the_audit_log_has_the_latest_first_by_default(
    enterprise: Any, org: Any, order: Any, found: list[str]
) -> None:
    for _ in range(2):
        await org.sessions.create()
    given = {} if order is None else {"order": order}
    assert ids(await enterprise.audit_logs.list(**given), "audit_log_id") == found
    assert ids(await org.audit_logs.list(**given), "audit_log_id") == found


async def test_neither_reads_nor_refusals_are_in_the_audit_log(enterprise: Any, org: Any) -> None:
    await org.sessions.list().collect()
    with pytest.raises(NotFoundError):
        await org.sessions.archive("assistant-9")
    with pytest.raises(UnprocessableContentError):
        await enterprise.ip_access_list.append(ip_ranges=["nowhere"])
    assert (await enterprise.audit_logs.list())["items"] == []


async def test_the_audit_log_has_neither_bodies_nor_credentials(sandbox: Sandbox, enterprise: Any, org: Any) -> None:
    body = {"name": "Nightly", "role_id": sandbox.add_role("role-viewer", {"ViewOrgSessions"})}
    made = await org.service_users.create(body=body)
    text = json.dumps(await enterprise.audit_logs.list(), default=to_json)
    assert "create_organization_service_user" in text
    assert not [secret for secret in (made["token"], sandbox.token, "Nightly") if secret in text]


async def test_consumption_and_metrics_are_what_was_added_for_a_sub_path(sandbox: Sandbox, enterprise: Any) -> None:
    sandbox.add_consumption("daily/2026-01-01", acus=12.5)
    sandbox.add_metrics("sessions", count=3)
    assert await enterprise.consumption.get("daily/2026-01-01") == {"acus": 12.5}
    assert await enterprise.consumption.get("daily/2026-01-02") == {}
    assert (await enterprise.metrics.get("sessions"), await enterprise.metrics.get("searches")) == ({"count": 3}, {})


@pytest.mark.parametrize(
    ("query", "users"),
    [
        ({}, 3),
        ({"min_sessions": 1}, 2),
        ({"min_sessions": 2}, 1),
        ({"min_searches": 1}, 2),
        ({"min_sessions": 1, "min_searches": 1}, 1),
        ({"org_ids": ["org-globex"]}, 1),
        ({"org_ids": ["org-acme", "org-globex"]}, 3),
    ],
)
async def test_active_users_are_those_of_sessions_and_searches(
    sandbox: Sandbox, enterprise: Any, query: dict[str, Any], users: int
) -> None:
    for user_id in ("user-1", "user-1", "user-2", None):
        sandbox.add_session(user_id=user_id)
    sandbox.add_search(user_id="user-1")
    sandbox.add_search("org-globex", user_id="user-3")
    assert await enterprise.metrics.get_active_users(**query) == {"unique_users": users}


@pytest.mark.parametrize("given", ["many", "", "-1", "1.5", "\N{SUPERSCRIPT TWO}", "9" * 5000])
async def test_a_filter_that_is_not_a_whole_number_is_refused(enterprise: Any, given: str) -> None:
    """active-users-parameters: an assumption."""
    with pytest.raises(UnprocessableContentError, match=f'must be a whole number, not "{given[:70]}') as caught:
        await enterprise.metrics.get_active_users(min_sessions=given)
    assert len(str(caught.value)) < 400


async def test_searches_are_paged_and_each_organization_has_its_own(
    sandbox: Sandbox, enterprise: Any, org: Any
) -> None:
    assert await org.searches.list(first=5).collect() == await enterprise.searches.list().collect() == []
    made = [sandbox.add_search(org_id) for org_id in ("org-acme", "org-globex", "org-acme")]
    assert [each["search_id"] async for each in enterprise.searches.list(first=1)] == made
    assert [each["search_id"] async for each in org.searches.list()] == [made[0], made[2]]


async def test_violations_are_filtered_by_session_guardrail_and_organization(sandbox: Sandbox, enterprise: Any) -> None:
    first = sandbox.add_guardrail_violation("org-acme", "assistant-1", "guardrail-1")
    second = sandbox.add_guardrail_violation("org-globex", "assistant-2", "guardrail-1")
    violations = enterprise.guardrail_violations

    async def found(**filters: str) -> list[str]:
        return [each["violation_id"] async for each in violations.list(first=1, **filters)]

    assert await found() == [first, second]
    assert await found(session_id="assistant-2") == [second]
    assert await found(guardrail_id="guardrail-1", session_id="assistant-1") == [first]
    assert await found(guardrail_id="guardrail-2") == []
    assert [each["violation_id"] async for each in violations.list_of_organization("org-globex")] == [second]


@pytest.mark.parametrize(
    ("given", "found"),
    [({}, [62.5]), ({"status": "available"}, [62.5]), ({"status": "all"}, [62.5, 0]), ({"status": "draining"}, [0])],
)
async def test_only_available_hypervisors_are_listed_by_default(
    sandbox: Sandbox, enterprise: Any, given: dict[str, str], found: list[float]
) -> None:
    """Rules hypervisors-status-filter and hypervisors-utilization."""
    sandbox.add_hypervisor(utilization_percentage=62.5)
    sandbox.add_hypervisor(status="draining")
    assert ids(await enterprise.hypervisors.list(**given), "utilization_percentage") == found
