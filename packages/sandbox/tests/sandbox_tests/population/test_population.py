"""Content that is added without a request: sessions that tests change, and seeds."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import pytest
from agent_session_platform import InvalidArgumentError
from agent_session_platform_sandbox import RefusedError, Sandbox

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
        ({"sessions": [{}, {"titel": "Fix it"}]}, "sessions[1]: there is no 'titel'; did you mean 'title'?"),
        ({"sessions": [{"session_id": "mine"}]}, "sessions[0].session_id: is set by the sandbox; leave it out"),
        ({"sessions": [{"org_id": "org-acmee"}]}, "sessions[0]: no organization org-acmee"),
        ({"users": [{"email": "ada@example.com"}]}, "users[0]: 'user_id' is missing"),
        ({"idp_users": [{"user_id": "u", "group_names": ["staff"]}]}, "idp_users[0]: no IDP group staff"),
        ({"automations": [BROKEN]}, "automations[0]: body.trigger.rrule: not an iCalendar RRULE"),
        ({"credentials": [{"token": "svc_x", "kind": "user"}]}, 'credentials[0].kind: must be one of "serviceUser"'),
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
    with pytest.raises(ValueError, match=r"credentials\[0\].token: must be of type string$"):
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
