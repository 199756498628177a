"""Collections, secrets and attachments."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from agent_session_platform import AgentPlatform, NotFoundError, UnprocessableContentError
from agent_session_platform_sandbox import Sandbox

from sandbox_tests.plain_http import send


async def test_a_playbook_is_read_as_it_was_written(org: Any) -> None:
    made = await org.playbooks.create(title="Triage")
    assert await org.playbooks.get(made["playbook_id"]) == made
    await org.playbooks.delete(made["playbook_id"])
    with pytest.raises(NotFoundError, match=f"no playbook {made['playbook_id']}"):
        await org.playbooks.get(made["playbook_id"])


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/v3/enterprise/sessions"),
        ("POST", "/v3/enterprise/sessions/assistant-1/messages"),
        ("PUT", "/v3/enterprise/sessions/assistant-1/tags"),
        ("PUT", "/v3/organizations/org-acme/default-session-tags"),
        ("POST", "/v3/organizations/org-acme/secrets"),
        ("POST", "/v3/organizations/org-acme/knowledge/notes"),
        ("POST", "/v3/organizations/org-acme/playbooks"),
    ],
)
async def test_a_body_that_is_not_an_object_is_refused(sandbox: Sandbox, method: str, path: str) -> None:
    sandbox.add_session()
    refused = await send(sandbox, method, path, json=["a"])
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["loc"] == ["body"]


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


async def test_the_secrets_of_a_session_are_no_secrets_of_its_organization(org: Any) -> None:
    """Rule session-secrets-temporary."""
    made = await org.sessions.create(session_secrets=[{"name": "TOKEN", "value": "hush"}])
    assert (await org.secrets.list())["items"] == []
    assert "hush" not in str((await org.sessions.get(made.session_id)).to_dict())


@pytest.mark.parametrize("name", ["a b.txt", "50%.txt", "Zürich.pdf", "a?b#c.txt", "a/b.txt"])
async def test_an_attachment_of_any_name_is_downloaded(
    sandbox: Sandbox, platform: AgentPlatform, org: Any, name: str
) -> None:
    form = {"file": (name, b"content")}
    headers = {"Authorization": f"Bearer {sandbox.token}"}
    async with httpx.AsyncClient(transport=sandbox.transport(), base_url=sandbox.base_url, headers=headers) as client:
        made = (await client.post("/v3/organizations/org-acme/attachments", files=form)).json()
        assert (await client.get(made["url"])).content == b"content"
    assert made["name"] == name
    assert await org.attachments.download(made["uuid"], name).read() == b"content"
