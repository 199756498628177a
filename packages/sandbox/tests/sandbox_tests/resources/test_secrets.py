"""Secrets."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform import (
    AgentPlatform,
    NotFoundError,
    PermissionDeniedError,
    UnprocessableContentError,
)
from agent_session_platform_sandbox import Sandbox


@pytest.mark.parametrize("type_", ["cookie", "key-value", "totp", "dictionary"])
async def test_a_secret_is_of_a_known_type(org: Any, type_: str) -> None:
    """Rule secret-type-dictionary: deprecated for creation is not removed."""
    made = await org.secrets.create(name="TOKEN", type=type_, value="hush")
    assert (made["name"], made["type"]) == ("TOKEN", type_)


@pytest.mark.parametrize("type_", ["vault", None, ["totp"]])
async def test_an_unknown_type_of_secret_is_refused_with_the_known_ones(org: Any, type_: Any) -> None:
    """Rule secret-type-dictionary."""
    with pytest.raises(UnprocessableContentError, match="body.type: unknown type; use cookie, key-value, totp"):
        await org.secrets.create(name="TOKEN", type=type_)
    assert (await org.secrets.list())["items"] == []


async def test_the_value_of_a_secret_is_never_returned(org: Any) -> None:
    made = await org.secrets.create(name="TOKEN", type="key-value", value="hush", seed="hush")
    listed = await org.secrets.list()
    assert listed == {"items": [made]}
    assert "hush" not in str(listed)


async def test_a_deleted_secret_is_gone(platform: AgentPlatform, org: Any) -> None:
    kept, gone = [await org.secrets.create(name=name) for name in ("KEPT", "GONE")]
    await org.secrets.delete(gone["secret_id"])
    assert (await org.secrets.list())["items"] == [kept]
    for secrets in (org.secrets, platform.organization("org-globex").secrets):
        with pytest.raises(NotFoundError, match="no secret secret-2"):
            await secrets.delete(gone["secret_id"])


async def test_secrets_require_a_permission(sandbox: Sandbox) -> None:
    """Rule auth-permission-missing."""
    async with sandbox.client(sandbox.viewer_token) as platform:
        with pytest.raises(PermissionDeniedError, match="lacks ManageOrgSecrets"):
            await platform.organization().secrets.list()


async def test_the_secrets_of_a_session_are_no_secrets_of_its_organization(org: Any) -> None:
    """Rule session-secrets-temporary."""
    made = await org.sessions.create(session_secrets=[{"name": "TOKEN", "value": "hush"}])
    assert (await org.secrets.list())["items"] == []
    assert "hush" not in str((await org.sessions.get(made.session_id)).to_dict())
