"""Git permissions and repositories of connections."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform import (
    NotFoundError,
)
from agent_session_platform_sandbox import Sandbox


async def test_a_git_permission_is_updated(sandbox: Sandbox, enterprise: Any) -> None:
    permission_id = sandbox.add_git_permission(scope="acme/*")
    changed = await enterprise.git_permissions.update(
        "org-acme", permission_id, read_only=True, extra_body={"org_id": 1}
    )
    expected = {"git_permission_id": permission_id, "org_id": "org-acme", "read_only": True, "scope": "acme/*"}
    assert changed == expected
    with pytest.raises(NotFoundError, match="no git permission git-permission-1"):
        await enterprise.git_permissions.update("org-globex", permission_id, body={})


async def test_the_repositories_of_a_git_connection_are_found_by_a_part_of_their_name(
    sandbox: Sandbox, enterprise: Any
) -> None:
    for name in ("acme/shop", "acme/website", "acme/Shop-Admin"):
        sandbox.add_git_repository("connection-1", name)
    found = enterprise.git_connections.list_repositories("connection-1", filter_name="shop", first=1)
    assert [each["name"] async for each in found] == ["acme/shop", "acme/Shop-Admin"]
    with pytest.raises(NotFoundError, match="no git connection connection-2"):
        await enterprise.git_connections.list_repositories("connection-2").first_page()
