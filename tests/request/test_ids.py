"""Ids in paths: the prefix that the contract states is added, and an id of another kind is refused."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from agent_session_platform import AgentPlatform, InvalidArgumentError

SENT: list[str] = []


@pytest.fixture
def platform() -> AgentPlatform:
    SENT.clear()

    def respond(request: httpx.Request) -> httpx.Response:
        SENT.append(request.url.path)
        return httpx.Response(200, json={"session_id": "assistant-1"})

    return AgentPlatform("https://platform.example.com", "svc_ids", transport=httpx.MockTransport(respond))


@pytest.mark.parametrize(
    ("given", "sent"), [("assistant-7", "assistant-7"), ("7", "assistant-7"), ("a-b", "assistant-a-b")]
)
async def test_a_session_id_without_its_prefix_gets_it(platform: AgentPlatform, given: str, sent: str) -> None:
    """Part Endpoints, Conventions: `assistant_id` is the session id with that prefix."""
    await platform.organization("org-acme").sessions.get(given)
    assert [f"/v3/organizations/org-acme/sessions/{sent}"] == SENT


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("org-acme", "assistant_id must be an id that begins with 'assistant-', not 'org-acme', which is an org_id"),
        ("", "assistant_id must be an id, not ''"),
    ],
)
async def test_an_id_of_another_kind_is_refused(platform: AgentPlatform, given: str, message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        await platform.organization("org-acme").sessions.get(given)
    assert SENT == []


async def test_an_organization_is_no_session(platform: AgentPlatform) -> None:
    with pytest.raises(InvalidArgumentError, match="org_id must be an id that begins with 'org-', not 'assistant-1'"):
        await platform.enterprise.repositories.list_index_status("assistant-1")


async def test_a_list_checks_its_ids_when_it_is_made(platform: AgentPlatform) -> None:
    lists: Any = platform.enterprise.sessions
    with pytest.raises(InvalidArgumentError, match="which is an org_id"):
        lists.list_messages("org-acme")
