"""Organizations, and the queue of their sessions."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform_sandbox import Sandbox

from sandbox_tests.resources.items import ids


@pytest.mark.parametrize(
    ("queued", "status"), [(0, "normal"), (9, "normal"), (10, "elevated"), (99, "elevated"), (100, "high")]
)
async def test_the_queue_counts_queued_sessions(sandbox: Sandbox, enterprise: Any, queued: int, status: str) -> None:
    sandbox.add_session()
    for number in range(queued):
        sandbox.add_session("org-globex" if number % 2 else "org-acme", status="queued")
    queue = await enterprise.queue.get()
    assert (queue.status, queue.unknown_fields["total"]) == (status, queued)


async def test_the_organizations_of_this_sandbox_are_listed(sandbox: Sandbox, enterprise: Any) -> None:
    sandbox.add_organization("org-new")
    assert ids(await enterprise.organizations.list(), "org_id") == ["org-acme", "org-globex", "org-new"]


async def test_organizations_without_access_are_not_listed(sandbox: Sandbox) -> None:
    sandbox.require("enterprise.organizations.list", level="organization")
    async with sandbox.client(sandbox.add_credential("svc_globex", organizations={"org-globex"})) as platform:
        assert ids(await platform.enterprise.organizations.list(), "org_id") == ["org-globex"]
