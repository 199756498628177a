"""Service users, their credentials and roles."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform import (
    AgentPlatform,
    AuthenticationError,
    Operation,
    PermissionDeniedError,
    ProblemError,
    RequestOptions,
    RetryPolicy,
    UnprocessableContentError,
)
from agent_session_platform.catalogue import Catalogue
from agent_session_platform_sandbox import Sandbox

from tests.contract.every_operation import call

once = RequestOptions(retry=RetryPolicy.none())


async def refusal(platform: AgentPlatform, operation: Operation) -> str:
    """Return the detail with which an operation is refused, or an empty string."""
    async with platform:
        try:
            await call(platform, operation, options=once)
        except PermissionDeniedError as error:
            return str(error)
        except ProblemError:
            pass
    return ""


async def test_the_credential_of_a_new_service_user_works(sandbox: Sandbox, enterprise: Any) -> None:
    """Rule service-user-role-subset."""
    sandbox.add_role("role-viewer", {"ViewOrgSessions"})
    session_id = sandbox.add_session()
    made = await enterprise.service_users.create(name="Nightly", role_id="role-viewer")
    assert (made["name"], made["role_id"]) == ("Nightly", "role-viewer")
    assert made["token"].startswith("svc_")
    async with sandbox.client(made["token"]) as platform:
        assert [each.session_id async for each in platform.organization().sessions.list()] == [session_id]
        with pytest.raises(PermissionDeniedError, match="lacks ManageEnterpriseSettings"):
            await platform.enterprise.ip_access_list.get()


async def test_each_service_user_has_a_credential_of_its_own(sandbox: Sandbox, enterprise: Any, org: Any) -> None:
    body = {"name": "Nightly", "role_id": sandbox.add_role("role-viewer", {"ViewOrgSessions"})}
    made = [await scope.service_users.create(body=body) for scope in (enterprise, org, org)]
    assert len({each["token"] for each in made}) == len({each["service_user_id"] for each in made}) == 3


async def test_a_credential_is_unknown_before_its_service_user_is_created(sandbox: Sandbox, enterprise: Any) -> None:
    body = {"name": "Nightly", "role_id": sandbox.add_role("role-viewer", {"ViewOrgSessions"})}
    token = (await enterprise.service_users.create(body=body))["token"]
    async with Sandbox().client(token) as elsewhere:
        with pytest.raises(AuthenticationError):
            await elsewhere.organization().sessions.list().first_page()


async def test_a_service_user_of_an_organization_has_no_access_to_another(sandbox: Sandbox, org: Any) -> None:
    body = {"name": "Nightly", "role_id": sandbox.add_role("role-viewer", {"ViewOrgSessions"})}
    made = await org.service_users.create(body=body)
    async with sandbox.client(made["token"]) as platform:
        assert await platform.organization("org-acme").sessions.list().collect() == []
        with pytest.raises(PermissionDeniedError, match="does not belong to org-globex"):
            await platform.organization("org-globex").sessions.list().first_page()


async def test_a_service_user_has_access_only_to_the_organizations_of_its_creator(sandbox: Sandbox) -> None:
    body = {"name": "Nightly", "role_id": sandbox.add_role("role-viewer", {"ViewOrgSessions"})}
    sandbox.require("enterprise.service_users.create", level="organization")
    creator = sandbox.add_credential("svc_creator", organizations={"org-acme"})
    async with sandbox.client(creator) as platform:
        made = await platform.enterprise.service_users.create(body=body)
    async with sandbox.client(made["token"]) as platform:
        with pytest.raises(PermissionDeniedError, match="does not belong to org-globex"):
            await platform.organization("org-globex").sessions.list().first_page()


@pytest.mark.parametrize("scope", ["enterprise", "organization"])
async def test_a_role_may_not_have_more_permissions_than_the_caller(sandbox: Sandbox, scope: str) -> None:
    """Rule service-user-role-subset."""
    sandbox.add_role("role-viewer", {"ViewOrgSessions"})
    sandbox.add_role("role-manager", {"ViewOrgSessions", "ManageOrgSchedules", "ManageOrgSecrets"})
    own = {"ViewOrgSessions", "ManageOrgSecrets", "ManageAccountServiceUsers", "ManageOrgServiceUsers"}
    async with sandbox.client(sandbox.add_credential("svc_creator", permissions=own)) as platform:
        users: Any = (platform.enterprise if scope == "enterprise" else platform.organization()).service_users
        with pytest.raises(PermissionDeniedError, match="role-manager has ManageOrgSchedules, which the caller"):
            await users.create(body={"name": "n", "role_id": "role-manager"})
        assert "token" in await users.create(body={"name": "n", "role_id": "role-viewer"})


@pytest.mark.parametrize("scope", ["enterprise", "organization"])
@pytest.mark.parametrize("permission", ["ManageServiceUsers", "ManageAccountServiceUsers", "ManageOrgServiceUsers"])
async def test_managing_service_users_is_never_granted(
    sandbox: Sandbox, platform: AgentPlatform, scope: str, permission: str
) -> None:
    """Rule service-user-role-subset: not even by a caller who holds every permission."""
    sandbox.add_role("role-admin", {"ViewOrgSessions", permission})
    users: Any = (platform.enterprise if scope == "enterprise" else platform.organization()).service_users
    with pytest.raises(PermissionDeniedError, match=f"role-admin has {permission}, which can never be granted"):
        await users.create(body={"name": "n", "role_id": "role-admin"})


async def test_a_service_user_with_an_unknown_role_is_refused(enterprise: Any) -> None:
    with pytest.raises(UnprocessableContentError, match="body.role_id: there is no role role-9"):
        await enterprise.service_users.create(name="n", role_id="role-9")


@pytest.mark.parametrize("role_type", ["enterprise", "org"])
async def test_the_type_of_the_role_decides_about_access_to_the_enterprise(
    sandbox: Sandbox, platform: AgentPlatform, role_type: str
) -> None:
    sandbox.add_role("role-1", {"ManageBilling", "ViewOrgSessions"}, role_type=role_type)
    made = await platform.enterprise.service_users.create(name="n", role_id="role-1")
    limits = Catalogue()["enterprise.acu_limits.get"]
    detail = await refusal(sandbox.client(made["token"]), limits)
    assert ("ManageBilling at enterprise level" in detail) == (role_type == "org")
    async with sandbox.client(made["token"]) as mine:
        assert await mine.organization("org-globex").sessions.list().collect() == []


async def test_a_role_gives_a_service_user_of_an_organization_no_access_to_the_enterprise(
    sandbox: Sandbox, org: Any
) -> None:
    sandbox.add_role("role-1", {"ManageBilling"}, role_type="enterprise")
    made = await org.service_users.create(name="n", role_id="role-1")
    detail = await refusal(sandbox.client(made["token"]), Catalogue()["enterprise.acu_limits.get"])
    assert "the credential belongs to org-acme" in detail
