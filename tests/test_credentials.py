"""A credential is known by its prefix, and refused early where an operation cannot accept it."""

from __future__ import annotations

import copy
import pickle
from datetime import UTC, datetime
from functools import partial
from typing import Any

import httpx
import pytest
from agent_session_platform import AgentPlatform, Credential, errors
from agent_session_platform.credentials import Hidden, check_kind, fixed_provider, kind_of
from agent_session_platform_sandbox import Sandbox

from tests.faults.exposure import exposed, leaks
from tests.fixtures import URL, make_operation

SECRET = "svc_never_show_this_9876543210"


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
    ("token", "accepted", "passes"),
    [
        ("svc_abc", ("serviceUser",), True),
        ("svc_abc", ("personalAccessToken", "serviceUser"), True),
        ("whatever", ("serviceUser",), True),
        ("svc_abc", ("enterpriseAdminApiKey",), False),
        ("apk_user_abc", ("serviceUser",), False),
        ("apk_abc", ("personalAccessToken",), False),
    ],
)
def test_a_credential_that_cannot_be_accepted_is_refused(token: str, accepted: tuple[str, ...], passes: bool) -> None:
    """Gap personal-access-token-format: a personal access token may have any prefix."""
    operation = make_operation(credentials=accepted)
    if passes:
        check_kind(Credential(token), operation)
    else:
        with pytest.raises(errors.CredentialMismatchError, match="accepts .* not .*; nothing was sent") as caught:
            check_kind(Credential(token), operation)
        assert caught.value.accepted == accepted


async def test_the_server_decides_about_a_path_that_the_contract_lacks(sandbox: Sandbox) -> None:
    async with sandbox.client("apk_user_of_nobody") as platform:
        with pytest.raises(errors.NotFoundError):
            await platform.request("GET", "/v3/enterprise/new")


async def test_without_preflight_the_server_decides(sandbox: Sandbox) -> None:
    async with sandbox.client(preflight=False) as platform:
        with pytest.raises(errors.PermissionDeniedError):
            await platform.enterprise.repositories.list_index_status("org-acme")


@pytest.mark.parametrize("expires_at", [datetime(2030, 1, 1), 1893456000])
def test_an_expiry_that_is_no_moment_is_refused(expires_at: Any) -> None:
    expected = "expires_at must be a datetime with a time zone, .*, not "
    with pytest.raises(errors.ConfigurationError, match=expected) as caught:
        Credential(SECRET, expires_at)
    assert leaks(caught.value, SECRET) == []


MALFORMED: list[tuple[Any, str]] = [
    ("", "token is empty"),
    (f"{SECRET}\n", "token begins or ends with white space or a line break; strip it"),
    (f"Bearer {SECRET}", "token must be given without the word Bearer"),
    (f"{SECRET} {SECRET}", "token has characters that no credential has"),
    (5, "token must be a string, not int"),
    (SECRET.encode(), "token must be a string, not bytes"),
]


@pytest.mark.parametrize(("token", "message"), MALFORMED)
def test_a_malformed_token_is_refused_without_showing_it(token: Any, message: str) -> None:
    for use in [Credential, partial(AgentPlatform, URL)] if isinstance(token, str) else [Credential]:
        with pytest.raises(errors.ConfigurationError, match=message) as caught:
            use(token)
        assert leaks(caught.value, SECRET) == []


def test_a_credential_shows_its_kind_and_cannot_be_copied() -> None:
    credential = Credential(SECRET)
    assert repr(credential) == "Credential(serviceUser, [hidden])"
    source = fixed_provider(credential)
    assert SECRET not in repr([credential, Hidden(SECRET), source, source.identity])
    for copied in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="a credential cannot be pickled or copied"):
            copied(credential)  # type: ignore[operator]  # three functions of one argument


@pytest.mark.parametrize(
    ("token", "text", "shown"),
    [
        ("svc_a/b+c=", "x svc_a%2Fb%2Bc%3D y svc_a/b+c= z", "x [credential] y [credential] z"),
        ("x0123abc", "x0123abcx0123abc", "[credential][credential]"),
        # A shorter token, and a part of a token, are not replaced, because that would corrupt other text.
        ("x0123ab", "x0123ab", "x0123ab"),
        ("x0123abc", "x0123ab", "x0123ab"),
    ],
)
def test_a_token_is_replaced_as_it_is_and_percent_encoded(token: str, text: str, shown: str) -> None:
    assert Credential(token).redact(text) == shown


@pytest.mark.parametrize("age", [0, 1, 3])
async def test_an_echoed_older_credential_is_not_shown(age: int) -> None:
    sent: list[str] = []

    def give() -> Credential:
        """Return an expired credential, so that each call gets another credential."""
        return Credential(f"svc_echoed_{len(sent):010d}_pzq", datetime.now(UTC))

    def echo(request: httpx.Request) -> httpx.Response:
        sent.append(request.headers["authorization"])
        oldest = sent[max(0, len(sent) - 1 - age)]
        return httpx.Response(400, json={"title": "No", "detail": f"{oldest} was refused"})

    async with AgentPlatform(URL, give, transport=httpx.MockTransport(echo)) as platform:
        for _ in range(age + 1):
            with pytest.raises(errors.BadRequestError, match=r"Bearer \[credential\] was refused") as caught:
                await platform.request("GET", "/v3/x")
            assert "pzq" not in exposed(caught.value)
    assert len(set(sent)) == age + 1
