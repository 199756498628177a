"""Sessions, messages, tags and insights, in both scopes."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform import AgentPlatform, errors
from agent_session_platform_sandbox import Sandbox, User

from sandbox_tests.plain_http import SESSIONS, send
from sandbox_tests.timeline import HOURLY, START_SESSION

SESSION = f"{SESSIONS}/assistant-1"
ENTERPRISE_SESSION = "/v3/enterprise/sessions/assistant-1"
both_scopes = pytest.mark.parametrize("scope", ["organization", "enterprise"])


async def test_both_scopes_show_the_same_session(platform: AgentPlatform) -> None:
    made = await platform.enterprise.sessions.create(org_id="org-globex", title="Fix", prompt="Do")
    session_id, sessions = made.session_id or "", platform.organization("org-globex").sessions
    assert await sessions.get(session_id) == await platform.enterprise.sessions.get(session_id) == made
    assert [message.message async for message in sessions.list_messages(session_id)] == ["Do"]


@pytest.mark.parametrize(
    ("members", "place"),
    [
        ({"org_id": 7}, "body.org_id"),
        ({"assistant_mode": "turbo"}, "body.assistant_mode"),
        ({"create_as_user_id": ["user-1"]}, "body.create_as_user_id"),
        ({"tags": [1]}, "body.tags"),
    ],
)
async def test_invalid_members_of_a_session_are_refused(platform: AgentPlatform, members: Any, place: str) -> None:
    with pytest.raises(errors.UnprocessableContentError, match=place):
        await platform.enterprise.sessions.create(body={"org_id": "org-acme"} | members)


async def test_sessions_of_an_unknown_organization_are_refused(sandbox: Sandbox, platform: AgentPlatform) -> None:
    with pytest.raises(errors.NotFoundError, match="no organization org-nowhere"):
        await platform.enterprise.sessions.create(org_id="org-nowhere")
    with pytest.raises(errors.NotFoundError, match="no organization org-nowhere"):
        await platform.enterprise.sessions.list(org_ids=["org-nowhere"]).first_page()
    # An organization does not see the sessions of another one.
    with pytest.raises(errors.NotFoundError):
        await platform.organization("org-acme").sessions.get(sandbox.add_session("org-globex"))


async def test_an_enterprise_session_is_created_as_a_member_only(sandbox: Sandbox, platform: AgentPlatform) -> None:
    """Rule session-impersonation."""
    sandbox.add_user(User("user-1", organizations=frozenset({"org-acme"})))
    made = await platform.enterprise.sessions.create(body={"org_id": "org-acme", "create_as_user_id": "user-1"})
    assert made.user_id == "user-1"
    with pytest.raises(errors.PermissionDeniedError, match="user-1 is not a member of org-globex"):
        await platform.enterprise.sessions.create(body={"org_id": "org-globex", "create_as_user_id": "user-1"})


@pytest.mark.parametrize(
    ("org_ids", "found"), [(["org-globex"], [1, 3]), (["org-acme"] * 2, [0, 2]), (None, [0, 1, 2, 3])]
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
        for call in (
            sessions.get(other),
            sessions.list(org_ids=["org-globex"]).first_page(),
            sessions.create(body={"org_id": "org-globex"}),
        ):
            with pytest.raises(errors.PermissionDeniedError, match="does not belong to org-globex"):
                await call


async def test_an_organization_sees_what_the_enterprise_does(sandbox: Sandbox, scopes: dict[str, Any]) -> None:
    """Rule session-message-resumes."""
    session_id, own = sandbox.add_session(), scopes["organization"]
    sandbox.suspend_session(session_id)
    await scopes["enterprise"].send_message(session_id, body={"message": "Go on"})
    await scopes["enterprise"].archive(session_id)
    seen = await own.get(session_id)
    assert (seen.status, seen.is_archived) == ("running", True)
    await scopes["enterprise"].terminate(session_id)
    with pytest.raises(errors.ConflictError, match="is terminated"):
        await own.send_message(session_id, body={"message": "Hello?"})


@pytest.mark.parametrize("verb", ["get", "archive", "terminate", "send_message", "list_tags", "generate_insights"])
@both_scopes
async def test_an_unknown_session_is_reported(scopes: dict[str, Any], scope: str, verb: str) -> None:
    with pytest.raises(errors.NotFoundError, match="no session assistant-9"):
        await getattr(scopes[scope], verb)("assistant-9")


@both_scopes
async def test_tags_are_replaced_as_a_whole(sandbox: Sandbox, scopes: dict[str, Any], scope: str) -> None:
    session_id = sandbox.add_session(tags=["old", "kept"])
    for invalid in ({}, {"tags": "one"}, {"tags": ["one", 2]}, {"tags": None}):
        with pytest.raises(errors.UnprocessableContentError, match="body.tags: "):
            await scopes[scope].replace_tags(session_id, body=invalid)
    assert await scopes[scope].list_tags(session_id) == {"tags": ["old", "kept"]}
    assert await scopes[scope].replace_tags(session_id, body={"tags": ["kept", "new"]}) == {"tags": ["kept", "new"]}
    for sessions in scopes.values():
        assert await sessions.list_tags(session_id) == {"tags": ["kept", "new"]}
        assert (await sessions.get(session_id)).tags == ["kept", "new"]


async def test_new_sessions_get_the_default_tags(platform: AgentPlatform, org: Any) -> None:
    before = await org.sessions.create()
    await org.default_session_tags.replace(tags=["team-a"])
    with pytest.raises(errors.UnprocessableContentError, match="body.tags: "):
        await org.default_session_tags.replace(tags={"a": 1})
    session = await org.sessions.create()
    assert session.tags == ["team-a"]
    await org.sessions.replace_tags(session.session_id, tags=["b"])
    assert await org.default_session_tags.list() == {"tags": ["team-a"]}
    assert (await org.sessions.create(tags=["own"])).tags == ["own"]
    assert (await org.sessions.get(before.session_id)).tags == []
    assert (await platform.organization("org-globex").sessions.create()).tags == []


@both_scopes
async def test_insights_are_generated_once_and_then_read(sandbox: Sandbox, scopes: dict[str, Any], scope: str) -> None:
    """Rule insights-generate-status."""
    session_id, sessions = sandbox.add_session(), scopes[scope]
    await scopes["enterprise"].send_message(session_id, body={"message": "Please"})
    with pytest.raises(errors.NotFoundError, match=f"no insights of session {session_id}"):
        await sessions.get_insights(session_id)
    assert (await sessions.generate_insights(session_id)).status == "started"
    for each in scopes.values():
        assert (await each.generate_insights(session_id)).status == "already_exists"
        insights = await each.get_insights(session_id)
        assert (insights["session_id"], insights["message_count"]) == (session_id, 2)


async def test_sessions_are_filtered_by_origin(sandbox: Sandbox, org: Any) -> None:
    for origin in ("api", "slack", "jira"):
        sandbox.add_session(origin=origin)
    assert {session.origin async for session in org.sessions.list(origins=["api", "jira"])} == {"api", "jira"}


@pytest.mark.parametrize("archive", [True, False])
async def test_only_terminating_with_archive_also_archives(sandbox: Sandbox, org: Any, archive: bool) -> None:
    session_id = sandbox.add_session()
    await org.sessions.terminate(session_id, archive=archive)
    assert (await org.sessions.get(session_id)).is_archived is archive


@pytest.mark.parametrize(
    "path", [f"{ENTERPRISE_SESSION}?archive=true", *(f"{SESSION}?archive={each}" for each in ("1", "True", "", "fals"))]
)
async def test_an_invalid_archive_is_refused_and_nothing_is_terminated(sandbox: Sandbox, path: str) -> None:
    sandbox.add_session()
    refused = await send(sandbox, "DELETE", path)
    assert (refused.status_code, refused.json()["errors"][0]["loc"]) == (422, ["query", "archive"])
    assert (await send(sandbox, "GET", SESSION)).json()["status"] == "running"


@pytest.mark.parametrize("path", [SESSION, ENTERPRISE_SESSION])
@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "body.message: must be text"),
        (b'{"mesage": "Hello"}', "body.message: must be text; the body has 'mesage', did you mean 'message'?"),
        (b'"Hello"', "body: must be an object"),
    ],
)
async def test_a_message_without_text_is_refused(sandbox: Sandbox, path: str, body: bytes, message: str) -> None:
    sandbox.add_session()
    refused = await send(sandbox, "POST", f"{path}/messages", content=body)
    assert (refused.status_code, refused.json()["detail"]) == (422, message)
    assert (await send(sandbox, "GET", f"{SESSION}/messages")).json()["items"] == []


async def create(sandbox: Sandbox, path: str = SESSIONS) -> tuple[int, str | None]:
    """Create a session, and return the status and the Retry-After of the response."""
    made = await send(sandbox, "POST", path, json={"org_id": "org-acme"} if "enterprise" in path else {})
    return made.status_code, made.headers.get("Retry-After")


@pytest.mark.parametrize(("seconds", "header"), [(30, "30"), (1.5, "1.5"), (0, "0"), (None, None)])
async def test_a_session_beyond_the_capacity_is_refused(sandbox: Sandbox, org: Any, seconds: Any, header: Any) -> None:
    sandbox.session_capacity, sandbox.capacity_retry_after = 1, seconds
    globex = SESSIONS.replace("acme", "globex")
    paths = [SESSIONS, SESSIONS, globex, globex, "/v3/enterprise/sessions"]
    refused = (429, header)
    assert [await create(sandbox, path) for path in paths] == [(200, None), refused, (200, None), refused, refused]
    detail = (await send(sandbox, "POST", SESSIONS, json={})).json()["detail"]
    assert "org-acme has 1 open sessions, and capacity for 1: this is a limit of capacity" in detail
    assert len(await org.sessions.list().collect()) == 1


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", f"{SESSION}/archive", {}, 200),
        ("DELETE", SESSION, None, 200),
        ("DELETE", "/_sandbox/sessions/assistant-1", None, 200),
        ("PATCH", "/_sandbox/sessions/assistant-1", {"status": "suspended"}, 429),
    ],
)
async def test_an_ended_session_frees_a_place(sandbox: Sandbox, method: str, path: str, body: Any, status: int) -> None:
    sandbox.session_capacity = 1
    await create(sandbox)
    assert (await send(sandbox, method, path, json=body)).is_success
    assert (await create(sandbox))[0] == status


async def test_a_session_of_an_automation_is_started_beyond_the_capacity(sandbox: Sandbox, org: Any) -> None:
    sandbox.session_capacity = 0
    sandbox.add_automation(trigger=HOURLY, action=START_SESSION)
    sandbox.clock.advance(hours=1)
    assert len(await org.sessions.list().collect()) == 1


async def test_a_session_keeps_what_its_request_gives(org: Any) -> None:
    given = {"playbook_id": "playbook-1", "parent_session_id": "assistant-9", "category": "bug"}
    made = await org.sessions.create(prompt="Fix it", **given, security_profile={"selection": "none"})
    shown = (await org.sessions.get(made.session_id)).to_dict()
    assert {name: shown[name] for name in given} == given
    assert shown["security_profile"] == {"selection": "none"}
    with pytest.raises(errors.UnprocessableContentError, match="body.playbook_id: 5 is not of type 'string'"):
        await org.sessions.create(playbook_id=5)
