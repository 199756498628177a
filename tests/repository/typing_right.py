"""Calls as users write them: both type checkers accept every line, and infer what is asserted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, assert_type

from agent_session_platform import AgentPlatform, Download, Operation, Page, Pager, RequestOptions, RetryPolicy
from agent_session_platform.models import (
    BlueprintList,
    EnterpriseUser,
    RepositoryIndexStatus,
    Review,
    Schedule,
    Session,
    SessionMessage,
    SessionOrigin,
    SessionPullRequest,
)


async def lists(platform: AgentPlatform) -> None:
    org = platform.organization("org-acme")
    async for session in org.sessions.list():
        assert_type(session, Session)
        assert_type(session.session_id, str)
        assert_type(session.created_at, int | None)
        assert_type(session.is_archived, bool | None)
        assert_type(session.tags, Sequence[str] | None)
        assert_type(session.pull_requests, Sequence[SessionPullRequest] | None)
        assert_type(session.structured_output, Mapping[str, Any] | None)
    origins: list[SessionOrigin] = ["api", "slack"]
    pager = org.sessions.list(first=200, after=None, origins=origins)
    assert_type(pager, Pager[Session])
    async for page in pager.pages():
        assert_type(page, Page[Session])
        assert_type(page.items, Sequence[Session])
        assert_type(page.end_cursor, str | None)
        assert_type(page.has_next_page, bool)
        assert_type(page.total, int | None)
    assert_type(await pager.collect(limit=10), list[Session])
    assert_type(await pager.first_page(), Page[Session])
    assert_type(platform.enterprise.members.list_users(email="ada@example.com"), Pager[EnterpriseUser])
    assert_type(platform.enterprise.sessions.list_messages("assistant-1"), Pager[SessionMessage])
    assert_type(await platform.enterprise.blueprints.list(), BlueprintList)
    assert_type(await platform.enterprise.repositories.list_index_status("org-acme"), Sequence[RepositoryIndexStatus])


async def calls(platform: AgentPlatform) -> None:
    org = platform.organization()
    options = RequestOptions(timeout=5.0, retry=RetryPolicy.none(), extra_query={"a": 1}, extra_headers={"X-A": "b"})
    session = await org.sessions.create(assistant_mode="fast", extra_body={"prompt": "Fix it"}, options=options)
    assert_type(session, Session)
    assert_type(await org.sessions.get("assistant-1"), Session)
    assert_type(await org.sessions.send_message("assistant-1", body={"message": "Hi"}), Mapping[str, Any])
    await org.sessions.archive("assistant-1")
    await org.sessions.terminate("assistant-1", archive=True)
    assert_type(await platform.enterprise.reviews.create(pr_url="https://e.example/pull/7"), Review)
    schedule = await org.schedules.create(  # pyright: ignore[reportDeprecated]  # in favor of automations
        name="n", prompt="p", schedule_type="one_time", scheduled_at=datetime.now(UTC), tags=["a"], platform=None
    )
    assert_type(schedule, Schedule)
    assert_type(schedule.created_at, datetime)
    assert_type(schedule.last_error_at, datetime | None)
    attachment = await org.attachments.upload(file="report.pdf")
    assert_type(attachment, Mapping[str, Any])
    assert_type(org.attachments.download("uuid", "report.pdf"), Download)
    await org.automations.update("automation-1", body={"enabled": False})
    assert_type(await platform.enterprise.blueprints.delete("blueprint-1"), Mapping[str, Any])
    raw = await platform.request("GET", "/v3/enterprise/whatever", query={"first": 1})
    print(raw["items"])
    for operation in platform.operations:
        assert_type(operation, Operation)


def models() -> None:
    session = Session(session_id="assistant-1", origin="api", pull_requests=[SessionPullRequest(pr_url="u")])
    assert_type(session.to_dict(), dict[str, Any])
    # An open set: a known value is completed by the editor, any other is no error.
    if session.origin == "fax" or session.origin == "api":
        print(session.title)
