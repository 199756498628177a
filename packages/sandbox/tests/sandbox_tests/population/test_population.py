"""Content that is added without a request: sessions that tests change, and seeds."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import pytest
from agent_session_platform import AgentPlatform, InvalidArgumentError
from agent_session_platform_sandbox import RefusedError, Sandbox, User

from sandbox_tests.timeline import HOURLY, START_SESSION


async def test_an_added_message_has_any_source_and_members_and_is_not_answered(sandbox: Sandbox, org: Any) -> None:
    session_id = sandbox.add_session(updated_at=0)
    added = sandbox.add_message(session_id, "Which branch?", source="user", thread="t-1")
    assert (added["source"], added["thread"]) == ("user", "t-1")
    listed = await org.sessions.list_messages(session_id).collect()
    assert [each.to_dict() for each in listed] == [added]
    assert (await org.sessions.get(session_id)).updated_at == added["created_at"]
    assert sandbox.add_message(session_id, "Hello", created_at=5)["created_at"] == 5


async def test_an_update_sets_any_member_but_the_ids(sandbox: Sandbox, org: Any) -> None:
    session_id = sandbox.add_session(title="Before")
    sandbox.clock.advance(minutes=1)
    sandbox.update_session(session_id, status="finished", title=None, structured_output={"tests": 3})
    shown = (await org.sessions.get(session_id)).to_dict()
    assert (shown["status"], shown["title"], shown["structured_output"]) == ("finished", None, {"tests": 3})
    assert shown["updated_at"] == sandbox.clock().timestamp()
    assert sandbox.update_session(session_id, updated_at=5)["updated_at"] == 5
    with pytest.raises(InvalidArgumentError, match="org_id is set by the sandbox"):
        sandbox.update_session(session_id, org_id="org-globex")
    assert sandbox.update_session(sandbox.add_session("org-globex"), title="Found")["org_id"] == "org-globex"


BROKEN = {"trigger": {"type": "schedule:recurring", "rrule": "X"}, "action": {"type": "start_session"}}
SEED: dict[str, Any] = {
    "sessions": [{"title": "Fix it", "org_id": "org-new", "tags": ["nightly"]}, {"title": "Ship it"}],
    "users": [{"user_id": "user-1", "email": "ada@example.com", "organizations": ["org-new"]}],
    "idp_users": [{"user_id": "user-2", "group_names": ["staff"]}],
    "idp_groups": [{"name": "staff"}],
    "roles": [{"role_id": "role-1", "permissions": ["ViewOrgSessions"]}],
    "hypervisors": [{"status": "available"}],
    "blueprints": [{"repo_name": "acme/shop"}],
    "repositories": [{"name": "acme/shop"}],
    "automations": [{"trigger": {"type": "schedule:recurring", "rrule": "FREQ=DAILY"}}],
    "organizations": [{"org_id": "org-new", "platforms": ["Linux"]}],
    "guardrail_violations": [{"org_id": "org-new", "session_id": "assistant-1", "guardrail_id": "guardrail-1"}],
    "credentials": [{"token": "svc_seeded_one", "permissions": ["ViewOrgSessions"], "organizations": ["org-new"]}],
}


async def test_a_seed_adds_what_it_lists(sandbox: Sandbox) -> None:
    added = sandbox.seed(SEED)
    assert {name: len(ids) for name, ids in added.items()} == {name: len(items) for name, items in SEED.items()}
    assert (added["sessions"], added["repositories"]) == (["assistant-1", "assistant-2"], ["acme/shop"])
    async with sandbox.client("svc_seeded_one", organization="org-new") as platform:
        assert [each.title async for each in platform.organization().sessions.list()] == ["Fix it"]


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"sesions": []}, "the seed: there is no 'sesions'; did you mean 'sessions'?"),
        ({"sessions": {}}, "the seed.sessions: must be of type array, not {}"),
        ({"sessions": [{}, {"titel": "Fix it"}]}, "sessions[1]: a session has no 'titel'; did you mean 'title'?"),
        ({"sessions": [{"session_id": "mine"}]}, "sessions[0]: session_id is set by the sandbox; leave it out"),
        ({"sessions": [{"org_id": "org-acmee"}]}, "sessions[0]: no organization org-acmee"),
        (
            {"roles": [{"role_id": "r", "permissions": [], "nam": "R"}]},
            "roles[0]: there is no 'nam'; did you mean 'name'",
        ),
        ({"sessions": ["Fix it"]}, "sessions[0]: must be an object"),
        ({"users": [{"email": "ada@example.com"}]}, "users[0]: 'user_id' is missing"),
        ({"idp_users": [{"user_id": "u", "group_names": ["staff"]}]}, "idp_users[0]: no IDP group staff"),
        ({"automations": [BROKEN]}, "automations[0]: body.trigger.rrule: not an iCalendar RRULE"),
        ({"credentials": [{"token": "svc_x", "kind": "user"}]}, "credentials[0]: kind must be one of serviceUser"),
    ],
)
def test_an_invalid_seed_adds_nothing(sandbox: Sandbox, document: dict[str, Any], message: str) -> None:
    first = {"hypervisors": [{}], "organizations": [{"org_id": "org-new"}]}
    sandbox.snapshots.take()
    with pytest.raises(ValueError, match=re.escape(message)):
        sandbox.seed({**first, **document})
    assert sandbox.snapshots.diff() == {"added": [], "removed": [], "changed": []}
    assert "org-new" not in sandbox.state.organizations


def test_a_message_about_a_credential_does_not_show_it(sandbox: Sandbox) -> None:
    with pytest.raises(ValueError, match=r"credentials\[0\]: a credential must be text [^_]+$"):
        sandbox.seed({"credentials": [{"token": ["svc_hidden"]}]})


def test_a_seed_that_fails_uses_no_id(sandbox: Sandbox) -> None:
    automation = {"trigger": HOURLY, "action": START_SESSION}
    wrong = {**automation, "created_at": "2026-99-99T00:00:00Z"}
    with pytest.raises(ValueError, match=r"automations\[1\]: "):
        sandbox.seed({"automations": [automation, wrong]})
    assert sandbox.seed({"automations": [automation]}) == {"automations": ["automation-1"]}


def test_an_unknown_session_is_reported(sandbox: Sandbox) -> None:
    sandbox.add_session()
    uses = [sandbox.update_session, sandbox.remove_session, sandbox.suspend_session]
    uses += [partial(sandbox.plan_session, after=1, text="x"), lambda session_id: sandbox.add_message(session_id, "x")]
    for use in uses:
        with pytest.raises(RefusedError, match="there is no session 'assistant-11'; did you mean 'assistant-1'?"):
            use("assistant-11")


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("again", ["a", "b", "d"])
async def test_a_record_that_is_added_again_keeps_its_place(
    sandbox: Sandbox, platform: AgentPlatform, again: str, size: int
) -> None:
    for name in ["a", "b", "c", "d", again]:
        sandbox.add_git_repository("c", name)
        sandbox.add_user(User(name))
        sandbox.add_search(search_id=name)
        sandbox.add_guardrail_violation("org-acme", "assistant-1", "guardrail-1", violation_id=name)
    listed = [
        platform.enterprise.git_connections.list_repositories("c", first=size),
        platform.enterprise.members.list_users(first=size),
        platform.enterprise.searches.list(first=size),
        platform.enterprise.guardrail_violations.list(first=size),
    ]
    members = ["name", "user_id", "search_id", "violation_id"]
    for pager, member in zip(listed, members, strict=True):
        assert [each[member] async for each in pager] == ["a", "b", "c", "d"]


WRONG: list[tuple[Any, str]] = [
    (
        lambda sandbox: sandbox.add_session("Fix it"),
        "no organization Fix it; add_organization adds one; a title is title=...; known: org-acme, ",
    ),
    (lambda sandbox: sandbox.add_session("org-acmee"), "adds one; a title is title=...; did you mean 'org-acme'?"),
    (lambda sandbox: sandbox.add_repository("r", "org-x"), "no organization org-x"),
    (lambda sandbox: sandbox.add_automation("org-x"), "no organization org-x"),
    (lambda sandbox: sandbox.add_search("org-x"), "no organization org-x"),
    (lambda sandbox: sandbox.add_git_permission("org-x"), "no organization org-x"),
    (lambda sandbox: sandbox.add_guardrail_violation("org-x", "s", "g"), "no organization org-x"),
    (lambda sandbox: sandbox.add_user(User("u", organizations={"org-x"})), "no organization org-x"),
    (lambda sandbox: sandbox.add_idp_user(User("u", organizations={"org-x"}), []), "no organization org-x"),
    (lambda sandbox: sandbox.add_idp_group("g", [{"org_id": "org-x"}]), "no organization org-x"),
    (lambda sandbox: sandbox.add_credential("svc_x", organizations={"org-x"}), "no organization org-x"),
    (
        lambda sandbox: sandbox.add_session(session_id="assistant-mine"),
        "session_id is set by the sandbox; leave it out",
    ),
    (lambda sandbox: sandbox.add_session(titel="Fix it"), "a session has no 'titel'; did you mean 'title'?"),
    (lambda sandbox: sandbox.add_session(status=3), "status of a session: 3 is not of type 'string'"),
    (lambda sandbox: sandbox.add_session(tags="nightly"), "tags of a session: 'nightly' is not of type 'array'"),
    (lambda sandbox: sandbox.add_session(tags=[1]), "tags.0 of a session: 1 is not of type 'string'"),
    (lambda sandbox: sandbox.add_session(acus_consumed=float("nan")), "must be a mapping of names to JSON"),
    (lambda sandbox: sandbox.add_session(title="\ud800"), "it contains half of a surrogate pair"),
    (lambda sandbox: sandbox.update_session("assistant-1", statsu="x"), "a session has no 'statsu'; did you mean"),
    (
        lambda sandbox: sandbox.update_session("assistant-1", is_archived=7),
        "is_archived of a session: 7 is not of type",
    ),
    (lambda sandbox: sandbox.plan_session("assistant-1", after=1, status=3), "status of a session: 3 is not of type"),
    (lambda sandbox: sandbox.add_message("assistant-1", 5), "text must be text, not 5"),
    (lambda sandbox: sandbox.add_message("assistant-1", "x", source=None), "source must be text, not None"),
    (
        lambda sandbox: sandbox.add_message("assistant-1", "x", created_at="now"),
        "created_at of a message: 'now' is not",
    ),
    (
        lambda sandbox: sandbox.add_message("assistant-1", "x", create_at=1),
        "a message has no 'create_at'; did you mean",
    ),
    (lambda sandbox: sandbox.add_hypervisor(status=5), "status of a hypervisor: 5 is not of type 'string'"),
    (lambda sandbox: sandbox.add_hypervisor(statuss="x"), "a hypervisor has no 'statuss'; did you mean 'status'?"),
    (lambda sandbox: sandbox.add_hypervisor(hypervisor_id=None), "hypervisor_id of a hypervisor: None is not of type"),
    (lambda sandbox: sandbox.add_search(search_id=["x"]), "search_id of a search: ['x'] is not of type 'string'"),
    (lambda sandbox: sandbox.add_git_permission(git_permission_id=""), "git_permission_id of a git permission: ''"),
    (lambda sandbox: sandbox.add_git_permission(readonly=True), "a git permission has no 'readonly'; did you mean"),
    (lambda sandbox: sandbox.add_git_repository("c", 5), "name must be text, not 5"),
    (lambda sandbox: sandbox.add_blueprint(repo_nam="x"), "a blueprint has no 'repo_nam'; did you mean 'repo_name'?"),
    (lambda sandbox: sandbox.add_blueprint(created_at="x"), "created_at of a blueprint: 'x' is not of type"),
    (lambda sandbox: sandbox.add_repository("r", latest_index=5), "latest_index of a repository: 5"),
    (lambda sandbox: sandbox.add_repository(""), "name must be a name, not ''"),
    (lambda sandbox: sandbox.add_automation(enabled="yes"), "enabled of an automation: 'yes' is not of type 'boolean'"),
    (lambda sandbox: sandbox.add_automation(tigger={}), "an automation has no 'tigger'; did you mean 'trigger'?"),
    (lambda sandbox: sandbox.add_user(User("u"), email="x"), "email is set by the sandbox; leave it out"),
    (lambda sandbox: sandbox.add_user(User("u"), role_assignment=[]), "a user has no 'role_assignment'; did you mean"),
    (lambda sandbox: User(""), "user_id must be text that is not empty, not ''"),
    (lambda sandbox: User("u", email=5), "email must be text or None, not 5"),
    (lambda sandbox: User("u", organizations="org-acme"), "organizations must be a set of text, such as {'org-acme'}"),
    (lambda sandbox: User("u", permissions="Use"), "permissions must be a set of text, such as {'Use'}"),
    (lambda sandbox: sandbox.add_credential("svc_x", permissions="Use"), "permissions must be a set of text, such as"),
    (
        lambda sandbox: sandbox.add_credential("svc_x", permissions=[1]),
        "permissions must be a set of text, but it has 1",
    ),
    (lambda sandbox: sandbox.add_credential("svc_x", organizations="org-acme"), "organizations must be a set of text"),
    (lambda sandbox: sandbox.add_credential(""), "a credential must be text of visible ASCII characters"),
    (lambda sandbox: sandbox.add_credential("svc_x\n"), "a credential must be text of visible ASCII characters"),
    (lambda sandbox: sandbox.add_credential("svc x"), "a credential must be text of visible ASCII characters"),
    (lambda sandbox: sandbox.add_role("role-1", "ViewOrgSessions"), "permissions must be a set of text, such as"),
    (lambda sandbox: sandbox.add_role("role-1", 5), "permissions must be a set of text, not 5"),
    (lambda sandbox: sandbox.add_idp_user(User("u"), "staff"), "group_names must be a set of text, such as {'staff'}"),
    (
        lambda sandbox: sandbox.add_organization("org-x", platforms="Linux"),
        "platforms must be a list of text, not 'Linux'",
    ),
    (
        lambda sandbox: sandbox.add_organization("org-x", automations_enabled="no"),
        "automations_enabled must be True or",
    ),
    (lambda sandbox: sandbox.add_consumption("daily", acus=float("inf")), "must be a mapping of names to JSON"),
    (
        lambda sandbox: sandbox.require("organization.sessions.list", permissions="UseSessions"),
        "permissions must be a set of text, such as {'UseSessions'}, not 'UseSessions'",
    ),
    (
        lambda sandbox: sandbox.require("organization.sessions.list", kinds="serviceUser"),
        "kinds must be a set of text, such as {'serviceUser'}",
    ),
    (
        lambda sandbox: sandbox.accept("organization.sessions.list", ["x"]),
        "parameters must be a set of text, but it has ['x']",
    ),
]


@pytest.mark.parametrize(("add", "message"), WRONG)
def test_what_would_only_be_stored_is_refused_and_changes_nothing(sandbox: Sandbox, add: Any, message: str) -> None:
    sandbox.add_session()
    sandbox.snapshots.take()
    with pytest.raises(InvalidArgumentError, match=re.escape(message)):
        add(sandbox)
    assert sandbox.snapshots.diff() == {"added": [], "removed": [], "changed": []}
    assert sandbox.add_session() == "assistant-2"


def test_a_member_of_the_deployment_is_kept(sandbox: Sandbox) -> None:
    """The contract does not show all that a deployment sends."""
    session_id = sandbox.add_session(queue_position=3)
    assert sandbox.update_session(session_id, thread={"id": "t-1"})["queue_position"] == 3


def test_a_user_of_an_unknown_group_is_in_no_group(sandbox: Sandbox) -> None:
    sandbox.add_idp_group("staff")
    sandbox.snapshots.take()
    with pytest.raises(RefusedError, match="no IDP group others"):
        sandbox.add_idp_user(User("user-1"), ["staff", "others"])
    assert sandbox.snapshots.diff()["changed"] == []
