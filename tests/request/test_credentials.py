"""A credential is known by its prefix, and refused early where an operation cannot accept it."""

from __future__ import annotations

import pytest
from agent_session_platform import AgentPlatform, CredentialMismatchError, PermissionDeniedError
from agent_session_platform._api import Operation
from agent_session_platform.request.credentials import Credential, kind_of, preflight
from agent_session_platform.sandbox import Sandbox


def operation(*credentials: str) -> Operation:
    return Operation(id="do", method="GET", path="/", scope="", resource="", verb="", credentials=credentials)


@pytest.mark.parametrize(
    ("token", "kind"),
    [
        ("svc_abc", "serviceUser"),
        ("apk_user_abc", "enterpriseAdminApiKey"),
        ("apk_abc", "legacyApiKey"),
        ("whatever", None),
    ],
)
def test_the_prefix_tells_the_kind(token: str, kind: str | None) -> None:
    """Rule auth-legacy-keys: `apk_user_` and `apk_` are different kinds of legacy key."""
    assert kind_of(token) == kind


@pytest.mark.parametrize(
    ("token", "accepted"),
    [
        ("svc_abc", ("serviceUser",)),
        ("svc_abc", ("personalAccessToken", "serviceUser")),
        # personal-access-token-format: no prefix proves anything about one.
        ("whatever", ("serviceUser",)),
        ("svc_abc", ()),
    ],
)
def test_a_credential_that_may_be_accepted_passes(token: str, accepted: tuple[str, ...]) -> None:
    preflight(Credential(token), operation(*accepted))


@pytest.mark.parametrize(
    ("token", "accepted"),
    [("svc_abc", "enterpriseAdminApiKey"), ("apk_user_abc", "serviceUser"), ("apk_abc", "personalAccessToken")],
)
def test_a_credential_that_cannot_be_accepted_is_refused(token: str, accepted: str) -> None:
    with pytest.raises(CredentialMismatchError, match="accepts .* not .*; nothing was sent") as caught:
        preflight(Credential(token), operation(accepted))
    assert caught.value.accepted == (accepted,)


async def test_repository_indexing_accepts_an_administrators_key_only(sandbox: Sandbox) -> None:
    """Rule repository-index-credential."""
    sandbox.add_repository("acme/shop")
    async with sandbox.client() as platform:
        with pytest.raises(CredentialMismatchError, match="accepts a personal API key of an enterprise administrator"):
            await platform.enterprise.repositories.list_index_status("org-acme")
    async with sandbox.client(sandbox.admin_key) as platform:
        [status] = await platform.enterprise.repositories.list_index_status("org-acme")
    assert status.name == "acme/shop"


async def test_without_preflight_the_server_decides(sandbox: Sandbox) -> None:
    async with sandbox.client(preflight=False) as platform:
        with pytest.raises(PermissionDeniedError):
            await platform.enterprise.repositories.list_index_status("org-acme")


async def test_a_personal_access_token_lists_sessions(sandbox: Sandbox) -> None:
    async with sandbox.client(sandbox.personal_token) as platform:
        assert await platform.organization().sessions.list().collect() == []


def test_a_client_is_made_with_any_unknown_prefix() -> None:
    assert "unknown kind" in repr(AgentPlatform("https://platform.example.com", "whatever"))
