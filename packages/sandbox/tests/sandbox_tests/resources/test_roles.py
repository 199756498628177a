"""Roles."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform_sandbox import Sandbox


async def test_roles_are_listed(sandbox: Sandbox, enterprise: Any) -> None:
    sandbox.add_role("role-viewer", {"ViewOrgSessions"}, name="Viewer")
    expected = {"role_id": "role-viewer", "role_name": "Viewer", "role_type": "org"}
    assert (await enterprise.roles.list())["items"] == [expected]


def test_an_unknown_type_of_role_is_refused(sandbox: Sandbox) -> None:
    with pytest.raises(ValueError, match="role_type must be one of enterprise, org, not 'galactic'"):
        sandbox.add_role("role-1", (), role_type="galactic")
