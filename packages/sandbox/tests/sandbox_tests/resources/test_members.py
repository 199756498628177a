"""Members of the enterprise and of organizations."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform import (
    NotFoundError,
)
from agent_session_platform_sandbox import Sandbox, User

MEMBER = {"role_id": "role-member", "role_name": "Member", "role_type": "org"}
IN_ACME = {"role": MEMBER, "org_id": "org-acme"}
IN_GLOBEX = {"role": MEMBER, "org_id": "org-globex"}
BOTH = frozenset({"org-acme", "org-globex"})


async def test_an_organization_lists_its_direct_members_with_their_roles_there(sandbox: Sandbox, org: Any) -> None:
    sandbox.add_user(User("user-1", "ada@example.com", organizations=BOTH))
    sandbox.add_user(User("user-2", "grace@example.com", organizations=frozenset({"org-globex"})))
    [user] = await org.members.list_users().collect()
    assert (user["user_id"], user["role_assignments"]) == ("user-1", [IN_ACME])


async def test_a_member_of_an_organization_is_found_by_id(sandbox: Sandbox, org: Any) -> None:
    sandbox.add_user(User("user-1", "ada@example.com", organizations=BOTH))
    sandbox.add_user(User("user-2", "grace@example.com", organizations=frozenset({"org-globex"})))
    assert (await org.members.get_user("user-1"))["email"] == "ada@example.com"
    for stranger in ("user-2", "user-9"):
        with pytest.raises(NotFoundError, match=f"no user {stranger} in org-acme"):
            await org.members.get_user(stranger)


@pytest.mark.parametrize("listing", ["list_users", "list_idp_users"])
async def test_members_of_an_organization_are_filtered_by_address(sandbox: Sandbox, org: Any, listing: str) -> None:
    group = sandbox.add_idp_group("engineering", [IN_ACME])
    for number, name in enumerate(("ada", "grace")):
        sandbox.add_user(User(f"user-{number}", f"{name}@example.com", organizations=BOTH))
        sandbox.add_idp_user(User(f"user-1{number}", f"{name}@example.com"), [group])
    pager = getattr(org.members, listing)(email="grace@example.com")
    assert [user["email"] for user in await pager.collect()] == ["grace@example.com"]
    assert await getattr(org.members, listing)(email="grace@example").collect() == []


async def test_members_of_an_organization_come_in_pages(sandbox: Sandbox, org: Any) -> None:
    for number in range(3):
        sandbox.add_user(User(f"user-{number}", organizations=BOTH))
    page = await org.members.list_users(first=2).first_page()
    assert (len(page.items), page.has_next_page, page.total) == (2, True, 3)
    assert len(await org.members.list_users(first=2).collect()) == 3


async def test_members_by_groups_are_listed_separately(sandbox: Sandbox, enterprise: Any) -> None:
    """Rule member-users-direct."""
    sandbox.add_user(User("user-1", organizations=BOTH))
    sandbox.add_idp_user(User("user-2"), [sandbox.add_idp_group("engineering", [IN_ACME])])
    assert [user.user_id async for user in enterprise.members.list_users()] == ["user-1"]
    [user] = (await enterprise.members.list_idp_users())["items"]
    assert (user["user_id"], user["role_assignments"]) == ("user-2", [IN_ACME])


async def test_an_organization_lists_its_members_by_groups(sandbox: Sandbox, org: Any) -> None:
    sandbox.add_idp_group("engineering", [IN_ACME, IN_GLOBEX])
    sandbox.add_idp_group("design", [IN_GLOBEX])
    sandbox.add_idp_user(User("user-1"), ["engineering", "design"])
    sandbox.add_idp_user(User("user-2"), ["design"])
    [user] = await org.members.list_idp_users().collect()
    assert (user["user_id"], user["role_assignments"]) == ("user-1", [IN_ACME])


async def test_a_member_by_a_group_can_be_impersonated(sandbox: Sandbox, org: Any) -> None:
    """Rule session-impersonation."""
    sandbox.add_idp_user(User("user-1"), [sandbox.add_idp_group("engineering", [IN_ACME])])
    assert (await org.sessions.create(create_as_user_id="user-1")).user_id == "user-1"
