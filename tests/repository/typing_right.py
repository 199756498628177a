"""Calls as users write them: both type checkers accept every line, and infer what is asserted.

The shapes of models are in tests/codegen/shapes/use.py. The programs of docs/ and examples/ are checked as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, assert_type

from agent_session_platform import (
    AgentPlatform,
    AgentPlatformError,
    OpenList,
    OpenModel,
    Operation,
    Page,
    Pager,
    PolledChange,
    RequestOptions,
    RetryPolicy,
    changed,
)
from agent_session_platform.models import Schedule, Session, SessionOrigin, SessionPullRequest


async def lists(platform: AgentPlatform) -> None:
    org = platform.organization("org-acme")
    async for session in org.sessions.list():
        assert_type(session, Session)
    origins: list[SessionOrigin] = ["api", "slack"]
    pager = org.sessions.list(first=200, after=None, origins=origins)
    assert_type(pager, Pager[Session])
    async for page in pager.pages():
        assert_type(page, Page[Session])
        assert_type(page.items, Sequence[Session])
        assert_type(page.end_cursor, str | None)
    assert_type(await pager.collect(limit=10), list[Session])
    assert_type(await pager.first_page(), Page[Session])
    first_page = await pager
    assert_type(first_page, Page[Session])
    assert_type(first_page["items"], Any)


async def open_lists(platform: AgentPlatform) -> None:
    playbooks = platform.organization("org-acme").playbooks
    assert_type(playbooks.list(), OpenList[OpenModel])
    assert_type(await playbooks.list(), OpenModel)
    async for playbook in playbooks.list():
        assert_type(playbook, Any)
    async for page in playbooks.list().pages():
        assert_type(page, Page[Any])
    assert_type(await playbooks.list().resume("cursor"), OpenModel)


async def calls(platform: AgentPlatform) -> None:
    org = platform.organization()
    options = RequestOptions(timeout=5.0, retry=RetryPolicy.none(), extra_query={"a": 1}, extra_headers={"X-A": "b"})
    await org.sessions.create(assistant_mode="fast", prompt=["any", 7], extra_body={"option": 1}, options=options)
    await org.sessions.terminate("assistant-1", archive=True)
    await org.schedules.create(name="n", prompt="p", scheduled_at=datetime.now(UTC), tags=["a"], platform=None)
    attachment = await org.attachments.upload(file="report.pdf")
    assert_type(attachment, OpenModel)
    assert_type(attachment.uuid, Any)
    assert_type(attachment["uuid"], Any)
    async for chunk in org.attachments.download("uuid", "report.pdf").stream(max_bytes=10**6, resume=True):
        assert_type(chunk, bytes)
    await org.automations.update("automation-1", body={"enabled": False})
    assert_type(await org.automations.update("automation-1", enabled=False, note=None), OpenModel)
    for operation in platform.operations:
        assert_type(operation, Operation)


async def on_change(observation: PolledChange[Session]) -> None:
    assert_type(observation.before, Session | None)
    assert_type(observation.after, Session)


async def waits(platform: AgentPlatform) -> None:
    org = platform.organization()
    outcome = await org.sessions.wait("assistant-1", until={"status": {"ready", "failed"}}, on_change=on_change)
    assert_type(outcome.session, Session | None)
    assert_type(outcome.last, Session | None)
    assert_type(outcome.error, AgentPlatformError | None)
    assert_type(outcome.reason, Literal["matched", "unexpected", "gone", "stalled", "deadline"])
    await org.sessions.wait("assistant-1", until=lambda session: session.is_archived is True, on_change=print)
    await platform.enterprise.sessions.wait("assistant-1", until=changed("status", "title"), stalled_after=60)
    run = await org.schedules.wait("schedule-1", until=changed("last_executed_at", since=None))
    assert_type(run.schedule, Schedule | None)


def models() -> None:
    session = Session(session_id="assistant-1", origin="api", pull_requests=[SessionPullRequest(pr_url="u")])
    assert_type(session.to_dict(), dict[str, Any])
    assert_type(dict(session), dict[str, Any])
    assert_type(session.__replace__(title="Fix it"), Session)
    # An open set: a known value is completed by the editor, any other is no error.
    if session.origin == "fax" or session.origin == "api":
        print(session.unknown_fields)


def credentials() -> None:
    AgentPlatform("https://e.example", token_file=Path("/run/secrets/token"))
