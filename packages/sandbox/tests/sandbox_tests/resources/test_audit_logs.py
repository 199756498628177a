"""The audit log."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from agent_session_platform import (
    AgentPlatform,
    NotFoundError,
    UnprocessableContentError,
    to_json,
)
from agent_session_platform_sandbox import Sandbox

from sandbox_tests.resources.items import ids


async def test_successful_writes_are_in_the_audit_log(enterprise: Any, org: Any) -> None:
    session = await org.sessions.create()
    await org.sessions.archive(session.session_id)
    await enterprise.ip_access_list.delete()
    entries = (await enterprise.audit_logs.list(order="asc"))["items"]
    assert [(each["action"], each["org_id"], each["target"]) for each in entries] == [
        ("create_organization_session", "org-acme", {}),
        ("archive_organization_session", "org-acme", {"assistant_id": session.session_id}),
        ("delete_enterprise_ip_access_list", None, {}),
    ]


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


async def test_another_order_of_the_audit_log_is_refused(platform: AgentPlatform) -> None:
    with pytest.raises(UnprocessableContentError, match="query.order: 'random' is not one of"):
        await platform.request("GET", "/v3/enterprise/audit-logs", query={"order": "random"})


async def test_the_audit_log_of_an_organization_has_only_its_own_entries(platform: AgentPlatform) -> None:
    await platform.organization("org-globex").sessions.create()
    await platform.enterprise.ip_access_list.delete()
    assert (await platform.organization("org-acme").audit_logs.list())["items"] == []
    [entry] = (await platform.organization("org-globex").audit_logs.list())["items"]
    assert entry["action"] == "create_organization_session"


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


async def test_the_audit_log_is_the_same_in_every_run() -> None:
    logs: list[Any] = []
    for _ in range(2):
        sandbox = Sandbox(now=lambda: datetime(2026, 1, 1, tzinfo=UTC))
        async with sandbox.client() as platform:
            await platform.organization().sessions.create()
            logs.append(dict(await platform.enterprise.audit_logs.list()))
    assert logs[0] == logs[1]
    assert ids(logs[0], "created_at") == [1767225600]
