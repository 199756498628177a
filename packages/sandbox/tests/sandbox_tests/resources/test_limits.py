"""Compute-unit limits."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform import (
    NotFoundError,
    PermissionDeniedError,
)
from agent_session_platform_sandbox import Sandbox

from sandbox_tests.resources.items import ids


async def test_group_limits_are_read_as_they_were_written(enterprise: Any) -> None:
    limits = {"groups": [{"org-acme": 100, "org-globex": None}]}
    assert await enterprise.org_group_limits.get() == {}
    await enterprise.org_group_limits.set(body=limits)
    assert await enterprise.org_group_limits.get() == limits
    await enterprise.org_group_limits.set(groups=[])
    assert await enterprise.org_group_limits.get() == {"groups": []}


async def test_group_limits_require_enablement(sandbox: Sandbox, enterprise: Any) -> None:
    """Rule org-group-limits-enablement."""
    sandbox.state.org_group_limits_enabled = False
    with pytest.raises(PermissionDeniedError, match="not enabled"):
        await enterprise.org_group_limits.get()
    with pytest.raises(PermissionDeniedError, match="not enabled"):
        await enterprise.org_group_limits.set(groups=[])


async def test_the_limit_of_an_organization_is_kept_until_it_is_deleted(enterprise: Any) -> None:
    await enterprise.acu_limits.set("org-acme", limit=5)
    await enterprise.acu_limits.set("org-globex", limit=7)
    await enterprise.acu_limits.set("org-acme", limit=6)
    limits = {"org-acme": 6, "org-globex": 7}
    assert {each["org_id"]: each["limit"] for each in (await enterprise.acu_limits.get())["items"]} == limits
    await enterprise.acu_limits.delete("org-acme")
    assert ids(await enterprise.acu_limits.get(), "org_id") == ["org-globex"]
    with pytest.raises(NotFoundError, match="no compute-unit limit of org-acme"):
        await enterprise.acu_limits.delete("org-acme")


async def test_an_unknown_organization_gets_no_limit(enterprise: Any) -> None:
    with pytest.raises(NotFoundError, match="no organization org-nowhere"):
        await enterprise.acu_limits.set("org-nowhere", limit=5)
