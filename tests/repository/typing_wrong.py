"""Calls that are wrong: both type checkers refuse every line marked `# wrong`, and no other."""

from __future__ import annotations

from agent_session_platform import AgentPlatform, RequestOptions, changed
from agent_session_platform.models import EnterpriseUser, Review, Schedule, Session


async def wrong(platform: AgentPlatform) -> None:
    org = platform.organization("org-acme")
    org.sessions.list(frist=5)  # wrong
    org.sessions.list(first="5")  # wrong
    org.sessions.list("cursor")  # wrong
    org.sessions.list(origins=["fax"])  # wrong
    org.sessions.list(order="asc")  # wrong
    await org.sessions.create(assistant_mode="slow")  # wrong
    await org.sessions.get()  # wrong
    await org.sessions.get(7)  # wrong
    await org.schedules.create(name="n")  # wrong
    await org.schedules.create(name="n", prompt="p", agent="advanced")  # wrong
    await org.schedules.create(name="n", prompt="p", interval_count=None)  # wrong
    await org.schedules.create(name="n", prompt="p", extra_body={"a": 1})  # wrong
    await platform.enterprise.reviews.create("https://e.example/pull/7")  # wrong
    await platform.enterprise.blueprints.list(first=5)  # wrong
    await platform.enterprise.blueprints.create()  # wrong
    await org.sessions.list()  # wrong
    await org.sessions.get("assistant-1", options={"timeout": 5})  # wrong
    await org.sessions.wait("assistant-1")  # wrong
    await org.sessions.wait("assistant-1", {"status": "ready"})  # wrong
    await org.sessions.wait("assistant-1", until="ready")  # wrong
    await org.sessions.wait("assistant-1", until=lambda session: session.titel == "a")  # wrong
    await org.sessions.wait("assistant-1", until={"status": "ready"}, timeout="60")  # wrong
    await org.sessions.wait("assistant-1", until={"status": "ready"}, on_change=len(()))  # wrong
    outcome = await org.sessions.wait("assistant-1", until={"status": "ready"})
    print(outcome.session.title)  # wrong
    print(outcome.schedule)  # wrong
    changed(since=None, field="status")  # wrong
    async for session in org.sessions.list():
        print(session.titel)  # wrong
        session.title = "x"  # wrong
    list(org.sessions.list().pages())  # wrong
    Session(sesion_id="x")  # wrong
    Session(session_id=7)  # wrong
    RequestOptions(timeout="5")  # wrong
    AgentPlatform("https://e.example", "svc_x", max_conections=5)  # wrong
    AgentPlatform("https://e.example", 5)  # wrong
    AgentPlatform("https://e.example", token=lambda: 5)  # wrong
    AgentPlatform("https://e.example", token_file=b"token")  # wrong
    platform.organisation("org-acme")  # wrong


async def possibly_none(
    platform: AgentPlatform, session: Session, user: EnterpriseUser, schedule: Schedule, review: Review
) -> None:
    await platform.organization().sessions.send_message(session.parent_session_id, message="Hi")  # wrong
    print(session.title.upper())  # wrong
    print(user.email.lower())  # wrong
    print(schedule.frequency.split())  # wrong
    print(schedule.scheduled_at.isoformat())  # wrong
    print(review.status.upper())  # wrong
    print(review.pr_number + 1)  # wrong
