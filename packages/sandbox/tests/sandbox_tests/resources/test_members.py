"""Members, groups of the identity provider, roles and service users."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform import AgentPlatform, errors
from agent_session_platform_sandbox import Sandbox, User

from sandbox_tests.plain_http import ids

MEMBER = {"role_id": "role-member", "role_name": "Member", "role_type": "org"}
IN_ACME = {"role": MEMBER, "org_id": "org-acme"}
IN_GLOBEX = {"role": MEMBER, "org_id": "org-globex"}
BOTH = frozenset({"org-acme", "org-globex"})
both_scopes = pytest.mark.parametrize("scope", ["enterprise", "organization"])


async def test_an_organization_lists_its_direct_members_with_their_roles_there(sandbox: Sandbox, org: Any) -> None:
    for number, organizations in enumerate([BOTH, BOTH, {"org-globex"}]):
        sandbox.add_user(User(f"user-{number}", organizations=organizations))
    page = await org.members.list_users(first=1).first_page()
    assert (len(page.items), page.has_next_page, page.total) == (1, True, 2)
    users = await org.members.list_users(first=1).collect()
    assert [user["user_id"] for user in users] == ["user-0", "user-1"]
    assert users[0]["role_assignments"] == (await org.members.get_user("user-0"))["role_assignments"] == [IN_ACME]
    for stranger in ("user-2", "user-9"):
        with pytest.raises(errors.NotFoundError, match=f"no direct member of org-acme {stranger}"):
            await org.members.get_user(stranger)


async def test_members_by_groups_are_listed_separately(sandbox: Sandbox, enterprise: Any, org: Any) -> None:
    """Rules member-users-direct, member-users-email-exact and session-impersonation."""
    sandbox.add_idp_group("engineering", [IN_ACME, IN_GLOBEX])
    sandbox.add_idp_group("design", [IN_GLOBEX])
    sandbox.add_user(User("user-0", "grace@example.com", organizations=BOTH))
    sandbox.add_idp_user(User("user-1", "ada@example.com"), ["engineering", "design"])
    sandbox.add_idp_user(User("user-2"), ["design"])
    assert [user.user_id async for user in enterprise.members.list_users()] == ["user-0"]
    listed = (await enterprise.members.list_idp_users())["items"]
    given = {user["user_id"]: user["role_assignments"] for user in listed}
    assert given == {"user-1": [IN_ACME, IN_GLOBEX, IN_GLOBEX], "user-2": [IN_GLOBEX]}
    [user] = await org.members.list_idp_users().collect()
    assert (user["user_id"], user["role_assignments"]) == ("user-1", [IN_ACME])
    assert await org.members.list_idp_users(email="ada@example.com").collect() == [user]
    assert len(await enterprise.members.list_users(email="grace@example.com").collect()) == 1
    for listing in (enterprise.members.list_users, org.members.list_users, org.members.list_idp_users):
        for email in ("grace@example", "GRACE@example.com", "ada@example", "ADA@example.com"):
            assert await listing(email=email).collect() == []
    assert (await org.sessions.create(create_as_user_id="user-1")).user_id == "user-1"


async def test_up_to_100_groups_are_registered_in_a_call(enterprise: Any) -> None:
    """Rule idp-groups-bulk-limit."""
    names = [f"team-{number}" for number in range(101)]
    with pytest.raises(errors.UnprocessableContentError, match="at most 100 groups are registered per call, not 101"):
        await enterprise.idp_groups.create(idp_group_names=names)
    assert (await enterprise.idp_groups.list())["items"] == []
    await enterprise.idp_groups.create(idp_group_names=names[:100])
    assert ids(await enterprise.idp_groups.list(), "idp_group_name") == names[:100]


async def test_a_group_that_is_registered_again_stays_as_it_is(sandbox: Sandbox, enterprise: Any) -> None:
    sandbox.add_idp_group("engineering", [IN_ACME])
    response = await enterprise.idp_groups.create(idp_group_names=["engineering", "design", "design"])
    assert ids(response, "role_assignments") == [[IN_ACME], [], []]
    assert ids(await enterprise.idp_groups.list(), "idp_group_name") == ["engineering", "design"]


async def test_only_a_group_without_assignments_and_memberships_is_deleted(sandbox: Sandbox, enterprise: Any) -> None:
    """Rule idp-group-delete-refused."""
    sandbox.add_idp_group("engineering", [IN_ACME])
    sandbox.add_idp_user(User("user-1"), [sandbox.add_idp_group("design")])
    for name, reason in (("engineering", "role assignments"), ("design", "user memberships")):
        with pytest.raises(errors.ConflictError, match=f"{name} has {reason}"):
            await enterprise.idp_groups.delete(name)
    await enterprise.idp_groups.create(idp_group_names=["staff", "sales"])
    await enterprise.idp_groups.delete("staff")
    assert ids(await enterprise.idp_groups.list(), "idp_group_name") == ["engineering", "design", "sales"]
    with pytest.raises(errors.NotFoundError, match="no IDP group staff"):
        await enterprise.idp_groups.delete("staff")
    # It is registered again at the end of the list.
    await enterprise.idp_groups.create(idp_group_names=["staff"])
    assert ids(await enterprise.idp_groups.list(), "idp_group_name")[2:] == ["sales", "staff"]


@pytest.mark.parametrize("name", ["acme/engineering", "a b", "50%", "Zürich", "?", "#", "a%2Fb"])
async def test_a_group_of_any_name_can_be_deleted(sandbox: Sandbox, enterprise: Any, name: str) -> None:
    await enterprise.idp_groups.create(idp_group_names=[name])
    await enterprise.idp_groups.delete(name)
    assert (await enterprise.idp_groups.list())["items"] == []
    assert [entry.operation for entry in sandbox.journal][1] == "enterprise.idp_groups.delete"


async def test_roles_are_of_a_known_type(sandbox: Sandbox, enterprise: Any) -> None:
    sandbox.add_role("role-viewer", {"ViewOrgSessions"}, name="Viewer")
    with pytest.raises(ValueError, match="role_type must be one of enterprise, org, not 'galactic'"):
        sandbox.add_role("role-1", (), role_type="galactic")
    expected = {"role_id": "role-viewer", "role_name": "Viewer", "role_type": "org"}
    assert (await enterprise.roles.list())["items"] == [expected]


def users_of(platform: AgentPlatform, scope: str) -> Any:
    """Return the service users of a scope."""
    return (platform.enterprise if scope == "enterprise" else platform.organization()).service_users


@pytest.mark.parametrize(
    ("scope", "role_type", "belongs_to"),
    [
        ("enterprise", "enterprise", None),
        ("enterprise", "org", "organizations only"),
        ("organization", "enterprise", "org-acme"),
    ],
)
async def test_scope_and_type_of_the_role_decide_about_access_to_the_enterprise(
    sandbox: Sandbox, platform: AgentPlatform, scope: str, role_type: str, belongs_to: str | None
) -> None:
    sandbox.add_role("role-1", {"ManageBilling", "ViewOrgSessions"}, role_type=role_type)
    made = await users_of(platform, scope).create(name="n", role_id="role-1")
    async with sandbox.client(made["token"]) as mine:
        if belongs_to is None:
            assert (await mine.enterprise.acu_limits.get())["items"] == []
        else:
            with pytest.raises(errors.PermissionDeniedError, match=f"the credential belongs to {belongs_to}"):
                await mine.enterprise.acu_limits.get()


async def test_a_new_service_user_has_a_credential_of_its_sandbox(sandbox: Sandbox, enterprise: Any, org: Any) -> None:
    """Rule service-user-role-subset."""
    session_id, role_id = sandbox.add_session(), sandbox.add_role("role-1", {"ViewOrgSessions"})
    body = {"name": "Nightly", "role_id": role_id}
    made = [await scope.service_users.create(body=body) for scope in (enterprise, org, org)]
    assert [(each["name"], each["role_id"]) for each in made] == [("Nightly", "role-1")] * 3
    assert len({each["token"] for each in made}) == len({each["service_user_id"] for each in made}) == 3
    async with sandbox.client(made[0]["token"]) as platform:
        assert [each.session_id async for each in platform.organization().sessions.list()] == [session_id]
        with pytest.raises(errors.PermissionDeniedError, match="lacks ManageEnterpriseSettings"):
            await platform.enterprise.ip_access_list.get()
    async with Sandbox().client(made[0]["token"]) as elsewhere:
        with pytest.raises(errors.AuthenticationError):
            await elsewhere.organization().sessions.list().first_page()


@both_scopes
async def test_a_service_user_has_access_only_where_its_creator_has(sandbox: Sandbox, scope: str) -> None:
    sandbox.add_role("role-viewer", {"ViewOrgSessions"})
    sandbox.require("enterprise.service_users.create", level="organization")
    creator = sandbox.add_credential("svc_creator", organizations={"org-acme"})
    async with sandbox.client(creator if scope == "enterprise" else sandbox.token) as platform:
        made = await users_of(platform, scope).create(name="Nightly", role_id="role-viewer")
    async with sandbox.client(made["token"]) as platform:
        assert await platform.organization("org-acme").sessions.list().collect() == []
        with pytest.raises(errors.PermissionDeniedError, match="does not belong to org-globex"):
            await platform.organization("org-globex").sessions.list().first_page()


@both_scopes
@pytest.mark.parametrize(
    ("permission", "reason"),
    [
        ("ManageOrgSchedules", "which the caller does not have"),
        ("ManageServiceUsers", "which can never be granted"),
        ("ManageOrgServiceUsers", "which can never be granted"),
    ],
)
async def test_some_permissions_cannot_be_granted(sandbox: Sandbox, scope: str, permission: str, reason: str) -> None:
    """Rule service-user-role-subset: a caller who may manage service users cannot grant that."""
    sandbox.add_role("role-1", {"ViewOrgSessions", permission})
    own = {"ViewOrgSessions", "ManageServiceUsers", "ManageAccountServiceUsers", "ManageOrgServiceUsers"}
    async with sandbox.client(sandbox.add_credential("svc_creator", permissions=own)) as platform:
        with pytest.raises(errors.PermissionDeniedError, match=f"role-1 has {permission}, {reason}"):
            await users_of(platform, scope).create(name="n", role_id="role-1")
        with pytest.raises(errors.UnprocessableContentError, match="body.role_id: there is no role role-9"):
            await users_of(platform, scope).create(name="n", role_id="role-9")


@pytest.mark.parametrize("name", ["", ".", ".."])
async def test_a_group_that_no_path_can_name_is_refused(sandbox: Sandbox, enterprise: Any, name: str) -> None:
    with pytest.raises(errors.UnprocessableContentError, match="body.idp_group_names.1: must be a name"):
        await enterprise.idp_groups.create(idp_group_names=["staff", name])
    with pytest.raises(errors.InvalidArgumentError, match="name must be a name"):
        sandbox.add_idp_group(name)
    assert (await enterprise.idp_groups.list()).to_dict() == {"items": []}
