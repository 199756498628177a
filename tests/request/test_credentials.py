"""A credential is known by its prefix, and refused early where an operation cannot accept it."""

from __future__ import annotations

import pickle
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from agent_session_platform import AgentPlatform, ConfigurationError, CredentialMismatchError, PermissionDeniedError
from agent_session_platform._api import Operation
from agent_session_platform.request.credentials import Credential, kind_of, preflight
from agent_session_platform_sandbox import Sandbox

from tests.faults.exposure import leaks

SECRET = "svc_never_show_this_9876543210"


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


def test_a_credential_says_until_when_it_may_be_used() -> None:
    expires_at = datetime.now(UTC) + timedelta(hours=1)
    assert Credential(SECRET, expires_at).expires_at is expires_at
    assert Credential(SECRET).expires_at is None


@pytest.mark.parametrize(
    ("expires_at", "message"),
    [
        (datetime(2030, 1, 1), "expires_at must have a time zone"),
        (1893456000, "expires_at must be a datetime with a time zone, not int"),
        ("2030-01-01T00:00:00Z", "expires_at must be a datetime with a time zone, not str"),
        (timedelta(hours=1), "expires_at must be a datetime with a time zone, not datetime.timedelta"),
    ],
)
def test_an_expiry_that_is_no_moment_is_refused(expires_at: Any, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message) as caught:
        Credential(SECRET, expires_at)
    assert leaks(caught.value, SECRET) == []


@pytest.mark.parametrize("token", ["", f"{SECRET}\n", f"Bearer {SECRET}", f"{SECRET} x", 5, None, SECRET.encode()])
def test_a_credential_of_a_malformed_token_is_refused_without_showing_it(token: Any) -> None:
    with pytest.raises(ConfigurationError, match=r"token .*; it is taken from Credential\(...\)") as caught:
        Credential(token)
    assert leaks(caught.value, SECRET) == []


def test_no_repr_and_no_pickle_of_a_credential_shows_it() -> None:
    credential = Credential(SECRET)
    assert repr(credential) == "Credential(serviceUser, [hidden])"
    with pytest.raises(TypeError, match="a credential cannot be pickled or copied"):
        pickle.dumps(credential)
