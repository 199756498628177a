"""The sandbox of an organization: what it keeps beside schedules and automations, and its sessions in both scopes."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from agent_session_platform import (
    AgentPlatform,
    ConflictError,
    NotFoundError,
    PermissionDeniedError,
    UnprocessableContentError,
)
from agent_session_platform.sandbox import Sandbox, User

PR = "https://git.example.com/acme/shop/pull/7"
ENTERPRISE_SESSIONS = "/v3/enterprise/sessions"


@pytest.fixture
def scopes(platform: AgentPlatform, org: Any) -> dict[str, Any]:
    """The sessions of org-acme, as both scopes have them."""
    return {"organization": org.sessions, "enterprise": platform.enterprise.sessions}


both_scopes = pytest.mark.parametrize("scope", ["organization", "enterprise"])


@both_scopes
async def test_insights_begin_to_be_generated(sandbox: Sandbox, scopes: dict[str, Any], scope: str) -> None:
    """Rule insights-generate-status."""
    assert (await scopes[scope].generate_insights(sandbox.add_session())).status == "started"


@both_scopes
async def test_insights_that_exist_are_not_generated_again(
    sandbox: Sandbox, scopes: dict[str, Any], scope: str
) -> None:
    """Rule insights-generate-status."""
    session_id = sandbox.add_session()
    await scopes["organization"].generate_insights(session_id)
    assert (await scopes[scope].generate_insights(session_id)).status == "already_exists"


@both_scopes
async def test_insights_are_read_once_generated(sandbox: Sandbox, scopes: dict[str, Any], scope: str) -> None:
    """Rule insights-generate-status."""
    session_id = sandbox.add_session()
    await scopes["enterprise"].send_message(session_id, body={"message": "Please"})
    with pytest.raises(NotFoundError, match=f"no insights of session {session_id}"):
        await scopes[scope].get_insights(session_id)
    await scopes["enterprise"].generate_insights(session_id)
    insights = await scopes[scope].get_insights(session_id)
    assert (insights["session_id"], insights["message_count"]) == (session_id, 2)


@both_scopes
async def test_to_generate_insights_takes_a_permission(sandbox: Sandbox, scope: str) -> None:
    """Rule auth-permission-missing."""
    session_id = sandbox.add_session()
    async with sandbox.client(sandbox.viewer_token) as platform:
        sessions: Any = {"organization": platform.organization(), "enterprise": platform.enterprise}[scope].sessions
        with pytest.raises(PermissionDeniedError, match="lacks ManageOrgSessions"):
            await sessions.generate_insights(session_id)


@pytest.mark.parametrize("verb", ["get", "archive", "terminate", "send_message", "list_tags", "generate_insights"])
@both_scopes
async def test_a_session_that_is_not_there_is_told(scopes: dict[str, Any], scope: str, verb: str) -> None:
    with pytest.raises(NotFoundError, match="no session assistant-9"):
        await getattr(scopes[scope], verb)("assistant-9")


async def test_both_scopes_show_the_same_session(platform: AgentPlatform) -> None:
    made = await platform.enterprise.sessions.create(body={"org_id": "org-globex", "title": "Fix", "prompt": "Do"})
    assert made.session_id is not None
    assert await platform.organization("org-globex").sessions.get(made.session_id) == made
    assert await platform.enterprise.sessions.get(made.session_id) == made


async def test_the_prompt_of_an_enterprise_session_is_its_first_message(platform: AgentPlatform) -> None:
    made = await platform.enterprise.sessions.create(body={"org_id": "org-globex", "prompt": "Do"})
    pager = platform.organization("org-globex").sessions.list_messages(made.session_id or "")
    assert [message.message async for message in pager] == ["Do"]


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({}, "body.org_id"),
        ({"org_id": 7}, "body.org_id"),
        ({"org_id": "org-acme", "assistant_mode": "turbo"}, "body.assistant_mode"),
        ({"org_id": "org-acme", "create_as_user_id": ["user-1"]}, "body.create_as_user_id"),
    ],
)
async def test_an_enterprise_session_that_cannot_be_meant_is_refused(
    platform: AgentPlatform, body: dict[str, Any], place: str
) -> None:
    with pytest.raises(UnprocessableContentError, match=place):
        await platform.enterprise.sessions.create(body=body)


async def test_an_enterprise_session_of_no_known_organization_is_refused(platform: AgentPlatform) -> None:
    with pytest.raises(NotFoundError, match="no organization org-nowhere"):
        await platform.enterprise.sessions.create(body={"org_id": "org-nowhere"})


async def test_an_enterprise_session_is_created_as_a_member_only(sandbox: Sandbox, platform: AgentPlatform) -> None:
    """Rule session-impersonation."""
    sandbox.add_user(User("user-1", organizations=frozenset({"org-acme"})))
    made = await platform.enterprise.sessions.create(body={"org_id": "org-acme", "create_as_user_id": "user-1"})
    assert made.user_id == "user-1"
    with pytest.raises(PermissionDeniedError, match="user-1 is not a member of org-globex"):
        await platform.enterprise.sessions.create(body={"org_id": "org-globex", "create_as_user_id": "user-1"})


async def test_the_enterprise_lists_the_sessions_of_all_organizations_in_order(
    sandbox: Sandbox, platform: AgentPlatform
) -> None:
    made = [sandbox.add_session(org_id) for org_id in ("org-acme", "org-globex", "org-acme", "org-globex")]
    pager = platform.enterprise.sessions.list(first=1)
    assert [session.session_id async for session in pager] == made


@pytest.mark.parametrize(
    ("org_ids", "found"), [(["org-globex"], 2), (["org-acme", "org-globex"], 3), (["org-acme"] * 2, 1), (None, 3)]
)
async def test_the_enterprise_lists_the_sessions_of_some_organizations(
    sandbox: Sandbox, platform: AgentPlatform, org_ids: list[str] | None, found: int
) -> None:
    for org_id in ("org-acme", "org-globex", "org-globex"):
        sandbox.add_session(org_id)
    assert len(await platform.enterprise.sessions.list(org_ids=org_ids).collect()) == found


async def test_sessions_of_an_organization_that_is_not_there_are_not_listed(platform: AgentPlatform) -> None:
    with pytest.raises(NotFoundError, match="no organization org-nowhere"):
        await platform.enterprise.sessions.list(org_ids=["org-nowhere"]).first_page()


async def test_the_enterprise_scope_opens_no_other_organization(sandbox: Sandbox) -> None:
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


async def test_a_session_archived_by_the_enterprise_is_archived(sandbox: Sandbox, scopes: dict[str, Any]) -> None:
    session_id = sandbox.add_session()
    await scopes["enterprise"].archive(session_id)
    assert (await scopes["organization"].get(session_id)).is_archived


async def test_a_session_terminated_by_the_enterprise_is_terminated(sandbox: Sandbox, scopes: dict[str, Any]) -> None:
    session_id = sandbox.add_session()
    await scopes["enterprise"].terminate(session_id)
    with pytest.raises(ConflictError, match="is terminated"):
        await scopes["organization"].send_message(session_id, body={"message": "Hello?"})


async def test_the_enterprise_terminates_without_archiving(sandbox: Sandbox, platform: AgentPlatform) -> None:
    with pytest.raises(UnprocessableContentError, match="query.archive: unknown query parameter"):
        await platform.request("DELETE", f"{ENTERPRISE_SESSIONS}/{sandbox.add_session()}", query={"archive": "true"})


async def test_a_suspended_session_is_resumed_by_a_message_of_the_enterprise(
    sandbox: Sandbox, scopes: dict[str, Any]
) -> None:
    """Rule session-message-resumes."""
    session_id = sandbox.add_session()
    sandbox.suspend_session(session_id)
    await scopes["enterprise"].send_message(session_id, body={"message": "Go on"})
    assert (await scopes["organization"].get(session_id)).status == "running"


async def test_both_scopes_list_the_same_messages_in_order(sandbox: Sandbox, scopes: dict[str, Any]) -> None:
    """Rule messages-chronological."""
    session_id = sandbox.add_session()
    for scope in ("organization", "enterprise", "organization"):
        await scopes[scope].send_message(session_id, body={"message": scope})
    listed = [await sessions.list_messages(session_id, first=2).collect() for sessions in scopes.values()]
    assert listed[0] == listed[1]
    said = [message.message for message in listed[0] if message.source == "user"]
    assert said == ["organization", "enterprise", "organization"]


async def test_messages_of_another_organizations_session_are_not_listed(sandbox: Sandbox, org: Any) -> None:
    with pytest.raises(NotFoundError):
        await org.sessions.list_messages(sandbox.add_session("org-globex")).first_page()


@both_scopes
async def test_tags_are_replaced_as_a_whole(sandbox: Sandbox, scopes: dict[str, Any], scope: str) -> None:
    session_id = sandbox.add_session(tags=["old", "kept"])
    assert await scopes[scope].replace_tags(session_id, body={"tags": ["kept", "new"]}) == {"tags": ["kept", "new"]}
    for sessions in scopes.values():
        assert await sessions.list_tags(session_id) == {"tags": ["kept", "new"]}
        assert (await sessions.get(session_id)).tags == ["kept", "new"]


@pytest.mark.parametrize("body", [{}, {"tags": "one"}, {"tags": ["one", 2]}, {"tags": None}])
@both_scopes
async def test_tags_that_are_no_array_of_strings_are_refused(
    sandbox: Sandbox, scopes: dict[str, Any], scope: str, body: dict[str, Any]
) -> None:
    session_id = sandbox.add_session(tags=["old"])
    with pytest.raises(UnprocessableContentError, match="body.tags: "):
        await scopes[scope].replace_tags(session_id, body=body)
    assert await scopes[scope].list_tags(session_id) == {"tags": ["old"]}


async def test_new_sessions_get_the_default_tags(platform: AgentPlatform, org: Any) -> None:
    before = await org.sessions.create()
    await org.default_session_tags.replace(body={"tags": ["team-a"]})
    assert await org.default_session_tags.list() == {"tags": ["team-a"]}
    assert (await org.sessions.create()).tags == ["team-a"]
    assert (await org.sessions.create(extra_body={"tags": ["own"]})).tags == ["own"]
    assert (await org.sessions.get(before.session_id)).tags == []
    assert (await platform.organization("org-globex").sessions.create()).tags == []


async def test_tagging_a_session_leaves_the_default_tags_alone(org: Any) -> None:
    await org.default_session_tags.replace(body={"tags": ["team-a"]})
    session = await org.sessions.create()
    await org.sessions.replace_tags(session.session_id, body={"tags": ["b"]})
    assert await org.default_session_tags.list() == {"tags": ["team-a"]}


async def test_default_tags_that_are_no_array_of_strings_are_refused(org: Any) -> None:
    with pytest.raises(UnprocessableContentError, match="body.tags: "):
        await org.default_session_tags.replace(body={"tags": {"a": 1}})


@pytest.mark.parametrize("status", ["running", "completed", "errored", "cancelled"])
async def test_a_review_stays_pending_until_the_workers_are_told(
    sandbox: Sandbox, platform: AgentPlatform, status: str
) -> None:
    """Rules review-starts-pending and review-latest-commit: a record is created for a worker pool to pick up."""
    made = await platform.enterprise.reviews.create(pr_url=PR)
    [settled] = sandbox.settle_reviews(status)
    assert (made.status, settled["commit_sha"], settled["status"]) == ("pending", made.commit_sha, status)


async def test_a_running_review_ends_and_then_stays_as_it_is(sandbox: Sandbox, platform: AgentPlatform) -> None:
    await platform.enterprise.reviews.create(pr_url=PR)
    sandbox.settle_reviews("running")
    assert [review["status"] for review in sandbox.settle_reviews("errored")] == ["errored"]
    assert sandbox.settle_reviews() == []


@pytest.mark.parametrize("status", ["pending", "done"])
def test_no_review_is_brought_to_a_status_that_it_cannot_have(sandbox: Sandbox, status: str) -> None:
    with pytest.raises(ValueError, match="status must be one of running, completed, errored, cancelled"):
        sandbox.settle_reviews(status)


@pytest.mark.parametrize("type_", ["cookie", "key-value", "totp", "dictionary"])
async def test_a_secret_is_of_a_known_type(org: Any, type_: str) -> None:
    """Rule secret-type-dictionary: deprecated for creation is not removed."""
    made = await org.secrets.create(body={"name": "TOKEN", "type": type_, "value": "hush"})
    assert (made["name"], made["type"]) == ("TOKEN", type_)


@pytest.mark.parametrize("type_", ["vault", None, ["totp"]])
async def test_a_secret_of_an_unknown_type_is_refused_with_those_to_use(org: Any, type_: Any) -> None:
    """Rule secret-type-dictionary."""
    with pytest.raises(UnprocessableContentError, match="body.type: unknown type; use cookie, key-value, totp"):
        await org.secrets.create(body={"name": "TOKEN", "type": type_})
    assert (await org.secrets.list())["items"] == []


async def test_what_is_secret_is_never_given_back(org: Any) -> None:
    made = await org.secrets.create(body={"name": "TOKEN", "type": "key-value", "value": "hush", "seed": "hush"})
    listed = await org.secrets.list()
    assert listed == {"items": [made]}
    assert "hush" not in str(listed)


async def test_a_deleted_secret_is_gone(platform: AgentPlatform, org: Any) -> None:
    kept, gone = [await org.secrets.create(body={"name": name}) for name in ("KEPT", "GONE")]
    await org.secrets.delete(gone["secret_id"])
    assert (await org.secrets.list())["items"] == [kept]
    for secrets in (org.secrets, platform.organization("org-globex").secrets):
        with pytest.raises(NotFoundError, match="no secret secret-2"):
            await secrets.delete(gone["secret_id"])


async def test_secrets_take_a_permission(sandbox: Sandbox) -> None:
    """Rule auth-permission-missing."""
    async with sandbox.client(sandbox.viewer_token) as platform:
        with pytest.raises(PermissionDeniedError, match="lacks ManageOrgSecrets"):
            await platform.organization().secrets.list()


async def test_the_secrets_of_a_session_are_no_secrets_of_its_organization(org: Any) -> None:
    """Rule session-secrets-temporary."""
    made = await org.sessions.create(session_secrets=[{"name": "TOKEN", "value": "hush"}])
    assert (await org.secrets.list())["items"] == []
    assert "hush" not in str((await org.sessions.get(made.session_id)).to_dict())


@pytest.mark.parametrize(("group", "id_name"), [("knowledge_notes", "note_id"), ("playbooks", "playbook_id")])
class TestNotesAndPlaybooks:
    """What knowledge notes and playbooks have in common."""

    async def test_it_is_kept_as_sent_under_an_id_of_its_own(self, org: Any, group: str, id_name: str) -> None:
        things = getattr(org, group)
        made = [await things.create(body={"title": title, id_name: "mine"}) for title in "ab"]
        assert [thing["title"] for thing in made] == ["a", "b"]
        assert len({"mine", *(thing[id_name] for thing in made)}) == 3
        assert await things.list() == {"items": made}

    async def test_an_update_takes_the_place_of_all_but_the_id(self, org: Any, group: str, id_name: str) -> None:
        things = getattr(org, group)
        made = await things.create(body={"title": "a", "body": "b"})
        updated = await things.update(made[id_name], body={"title": "c", id_name: "mine"})
        assert updated == {"title": "c", id_name: made[id_name]}
        assert await things.list() == {"items": [updated]}

    async def test_deleted_it_is_gone(self, org: Any, group: str, id_name: str) -> None:
        things = getattr(org, group)
        made = await things.create(body={"title": "a"})
        await things.delete(made[id_name])
        assert await things.list() == {"items": []}
        with pytest.raises(NotFoundError):
            await things.update(made[id_name], body={})
        with pytest.raises(NotFoundError):
            await things.delete(made[id_name])

    async def test_no_other_organization_has_it(
        self, platform: AgentPlatform, org: Any, group: str, id_name: str
    ) -> None:
        made = await getattr(org, group).create(body={"title": "a"})
        things: Any = getattr(platform.organization("org-globex"), group)
        assert await things.list() == {"items": []}
        with pytest.raises(NotFoundError):
            await things.delete(made[id_name])


async def test_a_playbook_is_read_as_it_is(org: Any) -> None:
    made = await org.playbooks.create(body={"title": "Triage"})
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
        ("POST", "/v3/organizations/org-acme/sessions/assistant-1/messages"),
        ("PUT", "/v3/organizations/org-acme/sessions/assistant-1/tags"),
        ("PUT", "/v3/organizations/org-acme/default-session-tags"),
        ("POST", "/v3/organizations/org-acme/secrets"),
        ("POST", "/v3/organizations/org-acme/knowledge/notes"),
        ("POST", "/v3/organizations/org-acme/playbooks"),
    ],
)
async def test_a_body_that_is_no_object_is_refused(sandbox: Sandbox, method: str, path: str) -> None:
    sandbox.add_session()
    headers = {"Authorization": f"Bearer {sandbox.token}"}
    async with httpx.AsyncClient(transport=sandbox.transport(), base_url=sandbox.base_url, headers=headers) as client:
        refused = await client.request(method, path, json=["a"])
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["loc"] == ["body"]


async def test_searches_are_listed_in_both_scopes_and_there_are_none(platform: AgentPlatform, org: Any) -> None:
    assert await org.searches.list(first=5).collect() == []
    assert await platform.enterprise.searches.list().collect() == []


@pytest.mark.parametrize("name", ["a b.txt", "50%.txt", "Zürich.pdf", "a?b#c.txt", "a/b.txt"])
async def test_the_address_of_an_attachment_is_one_whatever_its_name(
    sandbox: Sandbox, platform: AgentPlatform, org: Any, name: str
) -> None:
    form = {"file": (name, b"content")}
    headers = {"Authorization": f"Bearer {sandbox.token}"}
    async with httpx.AsyncClient(transport=sandbox.transport(), base_url=sandbox.base_url, headers=headers) as client:
        made = (await client.post("/v3/organizations/org-acme/attachments", files=form)).json()
        assert (await client.get(made["url"])).content == b"content"
    assert made["name"] == name
    assert await org.attachments.download(made["uuid"], name).read() == b"content"
