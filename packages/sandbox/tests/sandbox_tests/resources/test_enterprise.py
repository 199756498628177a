"""The enterprise: organizations, limits, access list, audit logs, usage, searches, violations and hypervisors."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform import AgentPlatform, errors
from agent_session_platform_sandbox import Sandbox

from sandbox_tests.plain_http import ids


async def test_successful_writes_are_in_the_audit_log(enterprise: Any, org: Any, platform: AgentPlatform) -> None:
    session = await org.sessions.create(title="Bodies are not recorded")
    await org.sessions.archive(session.session_id)
    await enterprise.ip_access_list.delete()
    # Reads and refusals are not in the log.
    await org.sessions.list().collect()
    with pytest.raises(errors.NotFoundError):
        await org.sessions.archive("assistant-9")
    entries = (await enterprise.audit_logs.list(order="asc"))["items"]
    shown = [
        ("audit-log-1", "create_organization_session", "org-acme", {}),
        ("audit-log-2", "archive_organization_session", "org-acme", {"assistant_id": session.session_id}),
        ("audit-log-3", "delete_enterprise_ip_access_list", None, {}),
    ]
    names = ("audit_log_id", "action", "org_id", "target", "created_at")
    assert entries == [dict(zip(names, (*each, session.created_at), strict=True)) for each in shown]
    assert len((await org.audit_logs.list())["items"]) == 2
    assert (await platform.organization("org-globex").audit_logs.list())["items"] == []


async def test_the_audit_log_has_the_latest_first_by_default(enterprise: Any, org: Any) -> None:
    for _ in range(2):
        await org.sessions.create()
    latest_first = ["audit-log-2", "audit-log-1"]
    for audit_logs in (enterprise.audit_logs, org.audit_logs):
        assert ids(await audit_logs.list(), "audit_log_id") == latest_first
        assert ids(await audit_logs.list(order="desc"), "audit_log_id") == latest_first
        assert ids(await audit_logs.list(order="asc"), "audit_log_id") == latest_first[::-1]


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
        ({"min_sessions": 2}, 1),
        ({"min_sessions": 1, "min_searches": 1}, 1),
        ({"org_ids": ["org-globex"]}, 1),
    ],
)
async def test_active_users_use_sessions_or_searches(sandbox: Sandbox, enterprise: Any, query: Any, users: int) -> None:
    for user_id in ("user-1", "user-1", "user-2", None):
        sandbox.add_session(user_id=user_id)
    sandbox.add_search(user_id="user-1")
    sandbox.add_search("org-globex", user_id="user-3")
    assert await enterprise.metrics.get_active_users(**query) == {"unique_users": users}


@pytest.mark.parametrize("given", ["many", "", "-1", "1.5", "\N{SUPERSCRIPT TWO}", "9" * 5000])
async def test_a_filter_that_is_not_a_whole_number_is_refused(enterprise: Any, given: str) -> None:
    """active-users-parameters: an assumption."""
    with pytest.raises(errors.UnprocessableContentError, match=f'must be a whole number, not "{given[:70]}') as caught:
        await enterprise.metrics.get_active_users(min_sessions=given)
    assert len(str(caught.value)) < 400


async def test_searches_are_paged_and_of_one_organization(sandbox: Sandbox, enterprise: Any, org: Any) -> None:
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
async def test_only_available_hypervisors_are_listed(sandbox: Sandbox, enterprise: Any, given: Any, found: Any) -> None:
    """Rules hypervisors-status-filter and hypervisors-utilization."""
    sandbox.add_hypervisor(utilization_percentage=62.5)
    sandbox.add_hypervisor(status="draining")
    assert ids(await enterprise.hypervisors.list(**given), "utilization_percentage") == found


@pytest.mark.parametrize(
    ("queued", "status"), [(0, "normal"), (9, "normal"), (10, "elevated"), (99, "elevated"), (100, "high")]
)
async def test_the_queue_counts_queued_sessions(sandbox: Sandbox, enterprise: Any, queued: int, status: str) -> None:
    sandbox.add_session()
    for number in range(queued):
        sandbox.add_session("org-globex" if number % 2 else "org-acme", status="queued")
    queue = await enterprise.queue.get()
    assert (queue.status, queue.unknown_fields["total"]) == (status, queued)


async def test_only_organizations_with_access_are_listed(sandbox: Sandbox, enterprise: Any) -> None:
    sandbox.add_organization("org-new")
    assert ids(await enterprise.organizations.list(), "org_id") == ["org-acme", "org-globex", "org-new"]
    sandbox.require("enterprise.organizations.list", level="organization")
    async with sandbox.client(sandbox.add_credential("svc_globex", organizations={"org-globex"})) as platform:
        assert ids(await platform.enterprise.organizations.list(), "org_id") == ["org-globex"]


async def test_group_limits_are_kept_where_they_are_enabled(sandbox: Sandbox, enterprise: Any) -> None:
    """Rule org-group-limits-enablement."""
    limits = {"groups": [{"org-acme": 100, "org-globex": None}]}
    assert await enterprise.org_group_limits.get() == {}
    await enterprise.org_group_limits.set(body=limits)
    assert await enterprise.org_group_limits.get() == limits
    sandbox.state.org_group_limits_enabled = False
    with pytest.raises(errors.PermissionDeniedError, match="not enabled"):
        await enterprise.org_group_limits.get()
    with pytest.raises(errors.PermissionDeniedError, match="not enabled"):
        await enterprise.org_group_limits.set(groups=[])


async def test_the_limit_of_an_organization_is_kept_until_it_is_deleted(enterprise: Any) -> None:
    for org_id, limit in (("org-acme", 5), ("org-globex", 7), ("org-acme", 6)):
        await enterprise.acu_limits.set(org_id, limit=limit)
    limits = {"org-acme": 6, "org-globex": 7}
    assert {each["org_id"]: each["limit"] for each in (await enterprise.acu_limits.get())["items"]} == limits
    await enterprise.acu_limits.delete("org-acme")
    assert ids(await enterprise.acu_limits.get(), "org_id") == ["org-globex"]
    with pytest.raises(errors.NotFoundError, match="no org org-acme"):
        await enterprise.acu_limits.delete("org-acme")
    with pytest.raises(errors.NotFoundError, match="no organization org-nowhere"):
        await enterprise.acu_limits.set("org-nowhere", limit=5)


NO_CIDR = ["10.0.0.0/255.0.0.0", "10.0.0.0/", "10.0.0.0/08", "10.0.0.0/+8", "fe80::1%eth0"]


async def test_ranges_are_appended_replaced_and_deleted(enterprise: Any) -> None:
    """Rules ip-access-list-append and ip-access-list-replace."""
    ranges = enterprise.ip_access_list
    given = ["10.0.0.0/8", "10.1.2.3/8", "10.1.2.3", "10.0.0.0/0", "2001:db8::/32", "::1"]
    await ranges.append(ip_ranges=given[:2])
    await ranges.append(ip_ranges=given[2:])
    assert await ranges.get() == {"ip_ranges": given}
    await ranges.replace(ip_ranges=["198.51.100.0/24"])
    assert await ranges.get() == {"ip_ranges": ["198.51.100.0/24"]}
    await ranges.delete()
    assert await ranges.get() == {"ip_ranges": []}


@pytest.mark.parametrize("verb", ["append", "replace"])
@pytest.mark.parametrize("wrong", ["example.com", "192.0.2.0/33", "192.0.2.256", "", 7, *NO_CIDR])
async def test_an_invalid_range_does_not_change_the_access_list(enterprise: Any, verb: str, wrong: Any) -> None:
    """Rules ip-access-list-append and ip-access-list-replace."""
    await enterprise.ip_access_list.append(ip_ranges=["192.0.2.7"])
    with pytest.raises(
        errors.UnprocessableContentError,
        match=r"body.ip_ranges(.1: .* is neither an address nor CIDR|: must be a list of text)",
    ):
        await getattr(enterprise.ip_access_list, verb)(body={"ip_ranges": ["192.0.2.9", wrong]})
    assert await enterprise.ip_access_list.get() == {"ip_ranges": ["192.0.2.7"]}
