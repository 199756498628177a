"""Accounts: kinds of credentials, permissions, levels and organizations."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform import AgentPlatform, Operation, RequestOptions, RetryPolicy, errors
from agent_session_platform.catalogue import Catalogue
from agent_session_platform_sandbox import Sandbox

from tests.contract.every_operation import call

OPERATIONS = [pytest.param(operation, id=operation.name) for operation in Catalogue()]
PERMITTED = [each for each in OPERATIONS if each.values[0].permission]  # type: ignore[union-attr]  # an Operation
OF_ENTERPRISE = [each for each in OPERATIONS if each.id and each.id.startswith("enterprise.")]
OF_ORGANIZATION = [each for each in OPERATIONS if each.id and each.id.startswith("organization.")]
once = RequestOptions(retry=RetryPolicy.none())


def holder(sandbox: Sandbox, operation: Operation, **settings: Any) -> AgentPlatform:
    """Return a client with a credential of a kind that the operation accepts."""
    token = sandbox.add_credential("of-mine", kind=operation.credentials[0], **settings)
    return sandbox.client(token, retry=RetryPolicy.none())


async def refusal(platform: AgentPlatform, operation: Operation) -> str:
    """Return the detail with which an operation is refused, or an empty string."""
    async with platform:
        try:
            await call(platform, operation, options=once)
        except errors.PermissionDeniedError as error:
            return str(error)
        except errors.ProblemError:
            pass
    return ""


@pytest.mark.parametrize("operation", OPERATIONS)
async def test_all_permissions_give_access_to_every_operation(sandbox: Sandbox, operation: Operation) -> None:
    assert await refusal(holder(sandbox, operation), operation) == ""


@pytest.mark.parametrize("operation", PERMITTED)
async def test_without_its_permission_an_operation_is_refused(sandbox: Sandbox, operation: Operation) -> None:
    """Rule auth-permission-missing."""
    detail = await refusal(holder(sandbox, operation, permissions={"SomethingElse"}), operation)
    assert f"the credential lacks {operation.permission}" in detail


@pytest.mark.parametrize(
    ("settings", "belongs_to"),
    [({"organizations": {"org-acme"}}, "org-acme"), ({"level": "organization"}, "organizations only")],
)
@pytest.mark.parametrize("operation", OF_ENTERPRISE)
async def test_a_credential_of_organizations_has_no_access_to_the_enterprise(
    sandbox: Sandbox, operation: Operation, settings: Any, belongs_to: str
) -> None:
    detail = await refusal(holder(sandbox, operation, **settings), operation)
    required = operation.permission or "a credential"
    assert f"requires {required} at enterprise level; the credential belongs to {belongs_to}" in detail


@pytest.mark.parametrize("operation", OF_ORGANIZATION)
async def test_a_credential_of_an_organization_has_no_access_to_another(sandbox: Sandbox, operation: Operation) -> None:
    assert await refusal(holder(sandbox, operation, organizations={"org-acme"}), operation) == ""
    detail = await refusal(holder(sandbox, operation, organizations={"org-globex"}), operation)
    assert "the credential does not belong to org-acme" in detail


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
        detail = await refusal(sandbox.client(token, preflight=False), operation)
        assert (f"a credential of kind {kind} is not accepted here" in detail) == (kind not in operation.credentials)


def test_an_unknown_level_or_kind_is_refused(sandbox: Sandbox) -> None:
    with pytest.raises(ValueError, match="level must be one of enterprise, organization, not '7'"):
        sandbox.require("enterprise.reviews.create", level="7")
    with pytest.raises(ValueError, match="kinds must be one of serviceUser, .*, not 'serviceuser'"):
        sandbox.require("enterprise.reviews.create", kinds=["serviceuser"])
    with pytest.raises(ValueError, match="level must be one of"):
        sandbox.add_credential("svc_mine", level="7")
    with pytest.raises(ValueError, match="kind must be one of"):
        sandbox.add_credential("svc_mine", kind="serviceuser")


async def test_a_credential_that_is_removed_is_no_longer_known(sandbox: Sandbox) -> None:
    sandbox.remove_credential(sandbox.viewer_token)
    async with sandbox.client(sandbox.viewer_token) as platform:
        with pytest.raises(errors.AuthenticationError):
            await platform.organization().sessions.list().first_page()
    with pytest.raises(KeyError) as caught:
        sandbox.remove_credential("svc_unheard_of")
    assert "svc_unheard_of" not in str(caught.value)
