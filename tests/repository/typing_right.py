"""Calls as users write them: both type checkers accept every line, and infer what is asserted."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal, assert_type

from agent_session_platform import (
    AgentPlatform,
    AgentPlatformError,
    Credential,
    Download,
    OpenModel,
    Operation,
    Page,
    Pager,
    PolledChange,
    RequestOptions,
    RetryPolicy,
    changed,
    to_json,
)
from agent_session_platform.models import (
    BlueprintList,
    EnterpriseUser,
    RepositoryIndexStatus,
    Review,
    ReviewStatus,
    RoleAssignment,
    Schedule,
    ScheduleAgent,
    ScheduleNotifyOn,
    SchedulePlaybook,
    ScheduleType,
    Session,
    SessionMessage,
    SessionOrigin,
    SessionPullRequest,
)
from fastapi import FastAPI
from pydantic import BaseModel


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
    session = await org.sessions.create(
        assistant_mode="fast", prompt="Fix it", extra_body={"option": 1}, options=options
    )
    assert_type(session, Session)
    assert_type(await org.sessions.get(session.session_id), Session)
    await org.sessions.send_message(session.session_id, message="Hi")
    await org.sessions.archive("assistant-1")
    await org.sessions.terminate("assistant-1", archive=True)
    assert_type(await platform.enterprise.reviews.create(pr_url="https://e.example/pull/7"), Review)
    schedule = await org.schedules.create(
        name="n", prompt="p", schedule_type="one_time", scheduled_at=datetime.now(UTC), tags=["a"], platform=None
    )
    assert_type(schedule, Schedule)
    attachment = await org.attachments.upload(file="report.pdf")
    assert_type(attachment, OpenModel)
    assert_type(attachment.uuid, Any)
    assert_type(attachment["uuid"], Any)
    download = org.attachments.download("uuid", "report.pdf")
    assert_type(download, Download)
    assert_type(await download.save("copy", timeout=9, resume=True, checksum=hashlib.sha256().update), int)
    assert_type(await download.read(max_bytes=None, follow=True, hosts=["files.example.com"]), bytes)
    async for chunk in download.stream(max_bytes=10**6):
        assert_type(chunk, bytes)
    await org.automations.update("automation-1", body={"enabled": False})
    assert_type(await org.automations.update("automation-1", enabled=False, note=None), OpenModel)
    assert_type(await platform.enterprise.roles.list(), OpenModel)
    raw = await platform.request("GET", "/v3/enterprise/whatever", query={"first": 1})
    print(raw["items"])
    for operation in platform.operations:
        assert_type(operation, Operation)


def is_ready(session: Session) -> bool:
    return session.status == "ready"


async def tell(observation: PolledChange[Session]) -> None:
    assert_type(observation.before, Session | None)
    assert_type(observation.after, Session)
    assert_type(observation.first_seen, Mapping[str, Any])


async def waits(platform: AgentPlatform) -> None:
    org = platform.organization()
    outcome = await org.sessions.wait("assistant-1", until={"status": {"ready", "failed"}}, on_change=tell)
    assert_type(outcome.session, Session | None)
    assert_type(outcome.last, Session | None)
    assert_type(outcome.error, AgentPlatformError | None)
    assert_type(outcome.reason, Literal["matched", "unexpected", "gone", "stalled", "deadline"])
    await org.sessions.wait("assistant-1", until=is_ready, unexpected={"status": "failed"}, timeout=60, every=1)
    await org.sessions.wait("assistant-1", until=lambda session: session.is_archived is True, on_change=print)
    await platform.enterprise.sessions.wait("assistant-1", until=changed("status", "title"), stalled_after=60)
    run = await org.schedules.wait("schedule-1", until=changed("last_executed_at", since=None))
    assert_type(run.schedule, Schedule | None)


def required_fields(session: Session, user: EnterpriseUser, schedule: Schedule) -> None:
    """A field that the contract calls required is None only where the contract calls it nullable."""
    assert_type(session.session_id, str)
    assert_type(user.email, str | None)
    assert_type(user.role_assignments, Sequence[RoleAssignment])
    assert_type(schedule.agent, ScheduleAgent | str)
    assert_type(schedule.consecutive_failures, int)
    assert_type(schedule.created_at, datetime)
    assert_type(schedule.frequency, str | None)
    assert_type(schedule.last_error_at, datetime | None)
    assert_type(schedule.notify_on, ScheduleNotifyOn | str)
    assert_type(schedule.playbook, SchedulePlaybook | None)


def other_fields(session: Session, schedule: Schedule, review: Review) -> None:
    assert_type(session.title, str | None)
    assert_type(schedule.bypass_approval, bool | None)
    assert_type(schedule.schedule_type, ScheduleType | str | None)
    assert_type(schedule.scheduled_at, datetime | None)
    assert_type(schedule.tags, Sequence[str] | None)
    assert_type(review.commit_sha, str | None)
    assert_type(review.pr_number, int | None)
    assert_type(review.status, ReviewStatus | str | None)


class Ticket(BaseModel):
    """A model of pydantic with a model of the SDK in it."""

    session: Session
    earlier: list[Session] = []


def models() -> None:
    session = Session(session_id="assistant-1", origin="api", pull_requests=[SessionPullRequest(pr_url="u")])
    assert_type(session.to_dict(), dict[str, Any])
    # An open set: a known value is completed by the editor, any other is no error.
    if session.origin == "fax" or session.origin == "api":
        print(session.title)
    match session:
        case Session(session_id=session_id, title=str() as title):
            assert_type(session_id, str)
            assert_type(title, str)
        case _:
            print(session.unknown_fields)
    assert_type(dict(session), dict[str, Any])
    assert_type(json.dumps([session], default=to_json), str)
    assert_type(session.__replace__(title="Fix it"), Session)
    assert_type(Ticket(session=session).session.session_id, str)
    assert_type(Ticket.model_validate({"session": {"session_id": "assistant-1"}}).earlier, list[Session])


async def fetch_token() -> str:
    return "svc_x"


async def fetch_credential() -> Credential:
    return Credential("svc_x", expires_at=datetime.now(UTC) + timedelta(hours=1))


def read_token() -> str | Credential:
    return "svc_x"


def credentials() -> None:
    AgentPlatform("https://e.example", fetch_token)
    AgentPlatform("https://e.example", token=fetch_credential)
    AgentPlatform("https://e.example", token=read_token)
    AgentPlatform("https://e.example", token=lambda: "svc_x")
    AgentPlatform("https://e.example", token_file=Path("/run/secrets/token"))
    assert_type(Credential("svc_x").expires_at, datetime | None)


app = FastAPI()
client = AgentPlatform("https://e.example", "svc_x", organization="org-acme")


@app.get("/sessions", response_model=list[Session])
async def list_sessions() -> Any:
    return await client.organization().sessions.list().collect(limit=10)


@app.get("/sessions/first", response_model=Session)
async def get_first_session() -> Any:
    return (await client.organization().sessions.list().first_page()).items[0]


@app.get("/sessions/all")
async def list_all_sessions() -> list[Session]:
    return await client.organization().sessions.list().collect()


@app.get("/sessions/{session_id}")
async def get_session(session_id: str) -> Session:
    return await client.organization().sessions.get(session_id)
