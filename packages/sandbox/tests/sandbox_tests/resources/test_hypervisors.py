"""Hypervisors."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform_sandbox import Sandbox

from sandbox_tests.resources.items import ids


@pytest.mark.parametrize(
    ("status", "found"),
    [
        (None, ["hypervisor-1"]),
        ("available", ["hypervisor-1"]),
        ("all", ["hypervisor-1", "hypervisor-2"]),
        ("draining", ["hypervisor-2"]),
    ],
)
async def test_only_available_hypervisors_are_listed_by_default(
    sandbox: Sandbox, enterprise: Any, status: str | None, found: list[str]
) -> None:
    """Rule hypervisors-status-filter."""
    sandbox.add_hypervisor()
    sandbox.add_hypervisor(status="draining")
    given = {} if status is None else {"status": status}
    assert ids(await enterprise.hypervisors.list(**given), "hypervisor_id") == found


async def test_a_hypervisor_has_its_utilization(sandbox: Sandbox, enterprise: Any) -> None:
    """Rule hypervisors-utilization."""
    sandbox.add_hypervisor(utilization_percentage=62.5)
    assert ids(await enterprise.hypervisors.list(), "utilization_percentage") == [62.5]
