"""Sessions in the enterprise scope, and what is the same in both scopes: tags and insights."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform import (
    AgentPlatform,
    ConflictError,
    NotFoundError,
    PermissionDeniedError,
    UnprocessableContentError,
)
from agent_session_platform_sandbox import Sandbox, User

ENTERPRISE_SESSIONS = "/v3/enterprise/sessions"


both_scopes = pytest.mark.parametrize("scope", ["organization", "enterprise"])


async def test_both_scopes_show_the_same_session(platform: AgentPlatform) -> None:
    made = await platform.enterprise.sessions.create(org_id="org-globex", title="Fix", prompt="Do")
    session_id, sessions = made.session_id or "", platform.organization("org-globex").sessions
    assert await sessions.get(session_id) == await platform.enterprise.sessions.get(session_id) == made
    assert [message.message async for message in sessions.list_messages(session_id)] == ["Do"]


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({}, "body.org_id"),
        ({"org_id": 7}, "body.org_id"),
        ({"org_id": "org-acme", "assistant_mode": "turbo"}, "body.assistant_mode"),
        ({"org_id": "org-acme", "create_as_user_id": ["user-1"]}, "body.create_as_user_id"),
    ],
)
async def test_an_invalid_enterprise_session_is_refused(
    platform: AgentPlatform, body: dict[str, Any], place: str
) -> None:
    with pytest.raises(UnprocessableContentError, match=place):
        await platform.enterprise.sessions.create(body=body)


async def test_sessions_of_an_unknown_organization_are_refused(platform: AgentPlatform) -> None:
    with pytest.raises(NotFoundError, match="no organization org-nowhere"):
        await platform.enterprise.sessions.create(org_id="org-nowhere")
    with pytest.raises(NotFoundError, match="no organization org-nowhere"):
        await platform.enterprise.sessions.list(org_ids=["org-nowhere"]).first_page()


async def test_an_enterprise_session_is_created_as_a_member_only(sandbox: Sandbox, platform: AgentPlatform) -> None:
    """Rule session-impersonation."""
    sandbox.add_user(User("user-1", organizations=frozenset({"org-acme"})))
    made = await platform.enterprise.sessions.create(body={"org_id": "org-acme", "create_as_user_id": "user-1"})
    assert made.user_id == "user-1"
    with pytest.raises(PermissionDeniedError, match="user-1 is not a member of org-globex"):
        await platform.enterprise.sessions.create(body={"org_id": "org-globex", "create_as_user_id": "user-1"})


@pytest.mark.parametrize(
    ("org_ids", "found"),
    [
        (["org-globex"], [1, 3]),
        (["org-acme", "org-globex"], [0, 1, 2, 3]),
        (["org-acme"] * 2, [0, 2]),
        (None, [0, 1, 2, 3]),
    ],
)
async def test_the_enterprise_lists_the_sessions_of_some_organizations_in_order(
    sandbox: Sandbox, platform: AgentPlatform, org_ids: list[str] | None, found: list[int]
) -> None:
    made = [sandbox.add_session(org_id) for org_id in ("org-acme", "org-globex", "org-acme", "org-globex")]
    listed = [session.session_id async for session in platform.enterprise.sessions.list(org_ids=org_ids, first=1)]
    assert listed == [made[number] for number in found]


async def test_the_enterprise_scope_gives_no_access_to_other_organizations(sandbox: Sandbox) -> None:
    """Rule auth-permission-missing."""
    own, other = sandbox.add_session("org-acme"), sandbox.add_session("org-globex")
    for operation in ("list", "get", "create"):
        sandbox.require(f"enterprise.sessions.{operation}", level="organization")
    async with sandbox.client(sandbox.add_credential("svc_acme", organizations={"org-acme"})) as platform:
        sessions = platform.enterprise.sessions
        assert [session.session_id async for session in sessions.list()] == [own]
        with pytest.raises(PermissionDeniedError, match="does not belong to org-globex"):
            await sessions.get(other)
        with pytest.raises(PermissionDeniedError, match="does not belong to org-globex"):
            await sessions.list(org_ids=["org-globex"]).first_page()
        with pytest.raises(PermissionDeniedError, match="does not belong to org-globex"):
            await sessions.create(body={"org_id": "org-globex"})


async def test_an_organization_sees_what_the_enterprise_does(sandbox: Sandbox, scopes: dict[str, Any]) -> None:
    """Rule session-message-resumes."""
    session_id, own = sandbox.add_session(), scopes["organization"]
    sandbox.suspend_session(session_id)
    await scopes["enterprise"].send_message(session_id, body={"message": "Go on"})
    await scopes["enterprise"].archive(session_id)
    seen = await own.get(session_id)
    assert (seen.status, seen.is_archived) == ("running", True)
    await scopes["enterprise"].terminate(session_id)
    with pytest.raises(ConflictError, match="is terminated"):
        await own.send_message(session_id, body={"message": "Hello?"})


async def test_the_enterprise_terminates_without_archiving(sandbox: Sandbox, platform: AgentPlatform) -> None:
    with pytest.raises(UnprocessableContentError, match="query.archive: unknown query parameter"):
        await platform.request("DELETE", f"{ENTERPRISE_SESSIONS}/{sandbox.add_session()}", query={"archive": "true"})


async def test_both_scopes_list_the_same_messages_in_order(sandbox: Sandbox, scopes: dict[str, Any]) -> None:
    """Rule messages-chronological."""
    session_id = sandbox.add_session()
    for scope in ("organization", "enterprise", "organization"):
        await scopes[scope].send_message(session_id, body={"message": scope})
    listed = [await sessions.list_messages(session_id, first=2).collect() for sessions in scopes.values()]
    assert listed[0] == listed[1]
    messages = [message.message for message in listed[0] if message.source == "user"]
    assert messages == ["organization", "enterprise", "organization"]


@pytest.mark.parametrize("verb", ["get", "archive", "terminate", "send_message", "list_tags", "generate_insights"])
@both_scopes
async def test_an_unknown_session_is_reported(scopes: dict[str, Any], scope: str, verb: str) -> None:
    with pytest.raises(NotFoundError, match="no session assistant-9"):
        await getattr(scopes[scope], verb)("assistant-9")


@both_scopes
async def test_tags_are_replaced_as_a_whole(sandbox: Sandbox, scopes: dict[str, Any], scope: str) -> None:
    session_id = sandbox.add_session(tags=["old", "kept"])
    assert await scopes[scope].replace_tags(session_id, body={"tags": ["kept", "new"]}) == {"tags": ["kept", "new"]}
    for sessions in scopes.values():
        assert await sessions.list_tags(session_id) == {"tags": ["kept", "new"]}
        assert (await sessions.get(session_id)).tags == ["kept", "new"]


@pytest.mark.parametrize("body", [{}, {"tags": "one"}, {"tags": ["one", 2]}, {"tags": None}])
@both_scopes
async def test_invalid_tags_are_refused(
    sandbox: Sandbox, scopes: dict[str, Any], scope: str, body: dict[str, Any]
) -> None:
    session_id = sandbox.add_session(tags=["old"])
    with pytest.raises(UnprocessableContentError, match="body.tags: "):
        await scopes[scope].replace_tags(session_id, body=body)
    assert await scopes[scope].list_tags(session_id) == {"tags": ["old"]}


async def test_new_sessions_get_the_default_tags(platform: AgentPlatform, org: Any) -> None:
    before = await org.sessions.create()
    await org.default_session_tags.replace(tags=["team-a"])
    session = await org.sessions.create()
    assert session.tags == ["team-a"]
    await org.sessions.replace_tags(session.session_id, tags=["b"])
    assert await org.default_session_tags.list() == {"tags": ["team-a"]}
    assert (await org.sessions.create(tags=["own"])).tags == ["own"]
    assert (await org.sessions.get(before.session_id)).tags == []
    assert (await platform.organization("org-globex").sessions.create()).tags == []


async def test_invalid_default_tags_are_refused(org: Any) -> None:
    with pytest.raises(UnprocessableContentError, match="body.tags: "):
        await org.default_session_tags.replace(tags={"a": 1})


@both_scopes
async def test_insights_are_generated_once_and_then_read(sandbox: Sandbox, scopes: dict[str, Any], scope: str) -> None:
    """Rule insights-generate-status."""
    session_id, sessions = sandbox.add_session(), scopes[scope]
    await scopes["enterprise"].send_message(session_id, body={"message": "Please"})
    with pytest.raises(NotFoundError, match=f"no insights of session {session_id}"):
        await sessions.get_insights(session_id)
    assert (await sessions.generate_insights(session_id)).status == "started"
    for each in scopes.values():
        assert (await each.generate_insights(session_id)).status == "already_exists"
        insights = await each.get_insights(session_id)
        assert (insights["session_id"], insights["message_count"]) == (session_id, 2)
