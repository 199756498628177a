"""Groups of the identity provider."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform import (
    ConflictError,
    NotFoundError,
    UnprocessableContentError,
)
from agent_session_platform_sandbox import Sandbox, User

from sandbox_tests.resources.items import ids

MEMBER = {"role_id": "role-member", "role_name": "Member", "role_type": "org"}
IN_ACME = {"role": MEMBER, "org_id": "org-acme"}


async def test_up_to_100_groups_are_registered_in_a_call(enterprise: Any) -> None:
    """Rule idp-groups-bulk-limit."""
    names = [f"team-{number}" for number in range(101)]
    with pytest.raises(UnprocessableContentError, match="at most 100 groups are registered per call, not 101"):
        await enterprise.idp_groups.create(idp_group_names=names)
    assert (await enterprise.idp_groups.list())["items"] == []
    await enterprise.idp_groups.create(idp_group_names=names[:100])
    await enterprise.idp_groups.create(idp_group_names=names[100:])
    assert ids(await enterprise.idp_groups.list(), "idp_group_name") == names


async def test_a_group_that_is_registered_again_stays_as_it_is(sandbox: Sandbox, enterprise: Any) -> None:
    sandbox.add_idp_group("engineering", [IN_ACME])
    response = await enterprise.idp_groups.create(idp_group_names=["engineering", "design", "design"])
    assert ids(response, "role_assignments") == [[IN_ACME], [], []]
    assert ids(await enterprise.idp_groups.list(), "idp_group_name") == ["engineering", "design"]


async def test_a_group_without_assignments_and_memberships_is_deleted(enterprise: Any) -> None:
    """Rule idp-group-delete-refused."""
    await enterprise.idp_groups.create(idp_group_names=["engineering", "design"])
    await enterprise.idp_groups.delete("engineering")
    assert ids(await enterprise.idp_groups.list(), "idp_group_name") == ["design"]
    with pytest.raises(NotFoundError, match="no IDP group engineering"):
        await enterprise.idp_groups.delete("engineering")


async def test_a_group_with_role_assignments_is_not_deleted(sandbox: Sandbox, enterprise: Any) -> None:
    """Rule idp-group-delete-refused."""
    sandbox.add_idp_group("engineering", [IN_ACME])
    with pytest.raises(ConflictError, match="engineering has role assignments"):
        await enterprise.idp_groups.delete("engineering")
    assert ids(await enterprise.idp_groups.list(), "idp_group_name") == ["engineering"]


async def test_a_group_with_user_memberships_is_not_deleted(sandbox: Sandbox, enterprise: Any) -> None:
    """Rule idp-group-delete-refused."""
    sandbox.add_idp_user(User("user-1"), [sandbox.add_idp_group("engineering")])
    with pytest.raises(ConflictError, match="engineering has user memberships"):
        await enterprise.idp_groups.delete("engineering")
    assert ids(await enterprise.idp_groups.list(), "idp_group_name") == ["engineering"]


async def test_a_deleted_group_can_be_registered_again(enterprise: Any) -> None:
    for _ in range(2):
        await enterprise.idp_groups.create(idp_group_names=["engineering", "design"])
        await enterprise.idp_groups.delete("engineering")
    await enterprise.idp_groups.create(idp_group_names=["engineering"])
    assert ids(await enterprise.idp_groups.list(), "idp_group_name") == ["design", "engineering"]


@pytest.mark.parametrize("name", ["acme/engineering", "a b", "50%", "Zürich", "?", "#", "a%2Fb"])
async def test_a_group_of_any_name_can_be_deleted(sandbox: Sandbox, enterprise: Any, name: str) -> None:
    await enterprise.idp_groups.create(idp_group_names=[name])
    await enterprise.idp_groups.delete(name)
    assert (await enterprise.idp_groups.list())["items"] == []
    assert [entry.operation for entry in sandbox.journal][1] == "enterprise.idp_groups.delete"
