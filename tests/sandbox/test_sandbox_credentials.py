"""Who may do what in the sandbox: kinds of credential, permissions, levels, organizations and roles."""

from __future__ import annotations

from typing import Any

import httpx
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
from agent_session_platform.sandbox import Call, Reply, Sandbox, User
from agent_session_platform.sandbox.contract import Contract, routes

from tests.contract.every_operation import call

PR = "https://git.example.com/acme/shop/pull/7"
OPERATIONS = [pytest.param(operation, id=operation.name) for operation in Catalogue()]
PERMITTED = [each for each in OPERATIONS if each.values[0].permission]  # type: ignore[union-attr]  # an Operation
OF_ENTERPRISE = [each for each in OPERATIONS if each.id and each.id.startswith("enterprise.")]
OF_ORGANIZATION = [each for each in OPERATIONS if each.id and each.id.startswith("organization.")]

once = RequestOptions(retry=RetryPolicy.none())


def holder(sandbox: Sandbox, operation: Operation, **settings: Any) -> AgentPlatform:
    """A client with a credential of the kind that the operation accepts."""
    token = sandbox.add_credential("of-mine", kind=operation.credentials[0], **settings)
    return sandbox.client(token, retry=RetryPolicy.none())


async def refusal(platform: AgentPlatform, operation: Operation) -> str:
    """Why an operation is refused for who asks; nothing when it is not."""
    async with platform:
        try:
            await call(platform, operation, options=once)
        except PermissionDeniedError as error:
            return str(error)
        except ProblemError:
            pass
    return ""


@pytest.mark.parametrize("operation", OPERATIONS)
async def test_who_holds_everything_may_do_everything(sandbox: Sandbox, operation: Operation) -> None:
    assert await refusal(holder(sandbox, operation), operation) == ""


@pytest.mark.parametrize("operation", PERMITTED)
async def test_who_lacks_the_permission_may_not(sandbox: Sandbox, operation: Operation) -> None:
    """Rule auth-permission-missing."""
    told = await refusal(holder(sandbox, operation, permissions={"SomethingElse"}), operation)
    assert f"the credential lacks {operation.permission}" in told


@pytest.mark.parametrize("operation", OF_ENTERPRISE)
async def test_who_belongs_to_an_organization_reaches_nothing_of_the_enterprise(
    sandbox: Sandbox, operation: Operation
) -> None:
    told = await refusal(holder(sandbox, operation, organizations={"org-acme"}), operation)
    asked = operation.permission or "a credential"
    assert f"requires {asked} at enterprise level; the credential belongs to org-acme" in told


@pytest.mark.parametrize("operation", OF_ENTERPRISE)
async def test_a_permission_at_organization_level_opens_nothing_of_the_enterprise(
    sandbox: Sandbox, operation: Operation
) -> None:
    told = await refusal(holder(sandbox, operation, level="organization"), operation)
    assert "at enterprise level; the credential belongs to organizations only" in told


@pytest.mark.parametrize("operation", OF_ORGANIZATION)
async def test_who_belongs_to_an_organization_reaches_no_other(sandbox: Sandbox, operation: Operation) -> None:
    assert await refusal(holder(sandbox, operation, organizations={"org-acme"}), operation) == ""
    told = await refusal(holder(sandbox, operation, organizations={"org-globex"}), operation)
    assert "the credential does not belong to org-acme" in told


@pytest.mark.parametrize("operation", OPERATIONS)
async def test_no_other_kind_of_credential_is_accepted(sandbox: Sandbox, operation: Operation) -> None:
    """Rule repository-index-credential, and the endpoints that also accept a personal access token."""
    tokens = {
        "serviceUser": sandbox.token,
        "personalAccessToken": sandbox.personal_token,
        "enterpriseAdminApiKey": sandbox.admin_key,
        "legacyApiKey": sandbox.add_credential("apk_mine", kind="legacyApiKey"),
    }
    for kind, token in tokens.items():
        told = await refusal(sandbox.client(token, preflight=False), operation)
        assert (f"a credential of kind {kind} is not accepted here" in told) == (kind not in operation.credentials)


def test_the_level_is_the_one_that_is_shown_or_else_that_of_the_path() -> None:
    levels = {route.operation_id: route.requirement.level for route in routes(Contract())}
    assert levels == {operation.id: operation.level or operation.scope for operation in Catalogue()}


async def test_an_operation_can_be_let_ask_for_something_else(sandbox: Sandbox) -> None:
    sandbox.require("enterprise.sessions.list", permissions={"ViewAccountSessions"}, kinds=["personalAccessToken"])
    async with sandbox.client(retry=RetryPolicy.none()) as platform:
        with pytest.raises(PermissionDeniedError, match="only personalAccessToken"):
            await platform.enterprise.sessions.list().first_page()
    token = sandbox.add_credential("pat-mine", kind="personalAccessToken", permissions={"ViewAccountSessions"})
    async with sandbox.client(token, preflight=False) as platform:
        assert await platform.enterprise.sessions.list().collect() == []


async def test_what_is_not_named_is_asked_for_as_before(sandbox: Sandbox) -> None:
    sandbox.require("enterprise.reviews.create", level="organization")
    bound = sandbox.add_credential("svc_acme", permissions={"UseReviewManual"}, organizations={"org-acme"})
    async with sandbox.client(bound) as platform:
        assert (await platform.enterprise.reviews.create(pr_url=PR)).status == "pending"
    async with sandbox.client(sandbox.viewer_token) as platform:
        with pytest.raises(PermissionDeniedError, match="lacks UseReviewManual"):
            await platform.enterprise.reviews.create(pr_url=PR)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"level": "7"}, "level: there is no '7'; known: enterprise, organization"),
        ({"kinds": ["serviceuser"]}, "kind: there is no 'serviceuser'; did you mean 'serviceUser'"),
    ],
)
def test_a_level_or_kind_that_there_is_not_is_told(sandbox: Sandbox, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sandbox.require("enterprise.reviews.create", **settings)
    named = {"kind" if name == "kinds" else name: value for name, value in settings.items()}
    with pytest.raises(ValueError, match="there is no"):
        sandbox.add_credential("svc_mine", **{name: "".join(value) for name, value in named.items()})


async def test_a_credential_that_is_removed_is_no_longer_known(sandbox: Sandbox) -> None:
    sandbox.remove_credential(sandbox.viewer_token)
    async with sandbox.client(sandbox.viewer_token) as platform:
        with pytest.raises(AuthenticationError):
            await platform.organization().sessions.list().first_page()
    with pytest.raises(KeyError) as caught:
        sandbox.remove_credential("svc_unheard_of")
    assert "svc_unheard_of" not in str(caught.value)


async def test_a_credential_of_another_organization_is_a_403(sandbox: Sandbox) -> None:
    token = sandbox.add_credential("svc_globex", organizations={"org-globex"})
    async with sandbox.client(token) as platform:
        with pytest.raises(PermissionDeniedError, match="does not belong to org-acme"):
            await platform.organization("org-acme").sessions.list().first_page()
        assert await platform.organization("org-globex").sessions.list().collect() == []


@pytest.mark.parametrize("role_type", ["enterprise", "org"])
async def test_the_type_of_its_role_tells_whether_a_service_user_reaches_the_enterprise(
    sandbox: Sandbox, platform: AgentPlatform, role_type: str
) -> None:
    sandbox.add_role("role-1", {"ManageBilling", "ViewOrgSessions"}, role_type=role_type)
    made = await platform.enterprise.service_users.create(body={"name": "n", "role_id": "role-1"})
    limits = Catalogue()["enterprise.acu_limits.get"]
    told = await refusal(sandbox.client(made["token"]), limits)
    assert ("ManageBilling at enterprise level" in told) == (role_type == "org")
    async with sandbox.client(made["token"]) as mine:
        assert await mine.organization("org-globex").sessions.list().collect() == []


async def test_a_service_user_of_an_organization_does_not_reach_the_enterprise_by_its_role(
    sandbox: Sandbox, org: Any
) -> None:
    sandbox.add_role("role-1", {"ManageBilling"}, role_type="enterprise")
    made = await org.service_users.create(body={"name": "n", "role_id": "role-1"})
    told = await refusal(sandbox.client(made["token"]), Catalogue()["enterprise.acu_limits.get"])
    assert "the credential belongs to org-acme" in told


def test_a_role_of_a_type_that_there_is_not_is_refused(sandbox: Sandbox) -> None:
    with pytest.raises(ValueError, match="role_type must be one of enterprise, org, not 'galactic'"):
        sandbox.add_role("role-1", (), role_type="galactic")


async def test_a_level_comes_back_with_a_snapshot(sandbox: Sandbox) -> None:
    token = sandbox.add_credential("svc_mine", level="organization")
    sandbox.snapshots.take("before")
    sandbox.remove_credential(token)
    sandbox.snapshots.restore("before")
    told = await refusal(sandbox.client(token), Catalogue()["enterprise.roles.list"])
    assert "at enterprise level" in told


def test_a_level_can_be_seeded(sandbox: Sandbox) -> None:
    sandbox.seed({"credentials": [{"token": "svc_mine", "level": "organization"}]})
    assert not sandbox.accounts.by_token["svc_mine"].has_enterprise_level
    with pytest.raises(ValueError, match=r"credentials\[0\].level: must be one of"):
        sandbox.seed({"credentials": [{"token": "svc_mine", "level": "galactic"}]})


async def test_without_strictness_nobody_is_asked_for_a_credential_or_a_permission() -> None:
    sandbox = Sandbox(strict=False)
    bound = sandbox.add_credential("svc_globex", permissions=(), organizations={"org-globex"})
    for token in ("svc_of_nobody", sandbox.viewer_token, "anything", bound, sandbox.admin_key):
        async with sandbox.client(token, preflight=False) as platform:
            assert (await platform.enterprise.reviews.create(pr_url=PR)).status == "pending"
            assert await platform.organization("org-acme").sessions.list().collect() == []


async def test_without_strictness_no_credential_at_all_will_do() -> None:
    sandbox = Sandbox(strict=False)
    async with httpx.AsyncClient(transport=sandbox.transport(), base_url=sandbox.base_url) as client:
        assert (await client.get("/v3/enterprise/roles")).status_code == 200


async def test_without_strictness_anybody_impersonates_anybody() -> None:
    sandbox = Sandbox(strict=False)
    sandbox.add_user(User("user-2", permissions=frozenset()))
    async with sandbox.client(sandbox.viewer_token) as platform:
        for user_id in ("user-1", "user-2"):
            session = await platform.organization().sessions.create(create_as_user_id=user_id)
            assert session.user_id == user_id


async def test_without_strictness_all_organizations_are_within_reach() -> None:
    sandbox = Sandbox(strict=False)
    token = sandbox.add_credential("svc_globex", organizations={"org-globex"})
    session_id = sandbox.add_session("org-acme")
    async with sandbox.client(token) as platform:
        enterprise: Any = platform.enterprise
        assert (await enterprise.sessions.get(session_id)).session_id == session_id
        assert [each.session_id async for each in enterprise.sessions.list()] == [session_id]
        assert len((await enterprise.organizations.list())["items"]) == 2


async def test_without_strictness_a_role_may_have_more_permissions_than_the_caller() -> None:
    sandbox = Sandbox(strict=False)
    sandbox.add_role("role-1", {"ManageBilling"})
    async with sandbox.client(sandbox.viewer_token) as platform:
        made: Any = await platform.enterprise.service_users.create(body={"name": "n", "role_id": "role-1"})
    assert made["token"].startswith("svc_")


async def test_without_strictness_what_is_not_valid_is_still_refused() -> None:
    async with Sandbox(strict=False).client() as platform:
        with pytest.raises(UnprocessableContentError):
            await platform.enterprise.reviews.create(pr_url="no URL")


async def test_without_strictness_a_handler_sees_the_kind_of_the_credential() -> None:
    sandbox = Sandbox(strict=False)

    def answer(asked: Call) -> Reply:
        return Reply({"kind": asked.account.kind})

    sandbox.handle("enterprise.roles.list", answer)
    async with sandbox.client(sandbox.personal_token, preflight=False) as platform:
        assert await platform.enterprise.roles.list() == {"kind": "personalAccessToken"}
