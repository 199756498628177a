"""Calls that are wrong: each line has an ignore, and both type checkers report one that they do not need."""

# pyright: reportUnnecessaryTypeIgnoreComment=true

from __future__ import annotations

from agent_session_platform import AgentPlatform, RequestOptions, changed
from agent_session_platform.models import EnterpriseUser, Review, Session


async def wrong(platform: AgentPlatform) -> None:
    org = platform.organization("org-acme")
    org.sessions.list(frist=5)  # type: ignore[arg-type]
    org.sessions.list(first="5")  # type: ignore[arg-type]
    org.sessions.list("cursor")  # type: ignore[arg-type, call-arg]
    org.sessions.list(origins=["fax"])  # type: ignore[list-item]
    org.sessions.list(order="asc")  # type: ignore[arg-type]
    await org.sessions.create(assistant_mode="slow")  # type: ignore[arg-type]
    await org.sessions.get(7)  # type: ignore[arg-type]
    await org.schedules.create(name="n")  # type: ignore[call-arg]
    await org.schedules.create(name="n", prompt="p", agent="advanced")  # type: ignore[arg-type]
    await org.schedules.create(name="n", prompt="p", interval_count=None)  # type: ignore[arg-type]
    await platform.enterprise.reviews.create("https://e.example/pull/7")  # type: ignore[call-arg]
    await org.sessions.get("assistant-1", options={"timeout": 5})  # type: ignore[arg-type]
    await org.sessions.wait("assistant-1")  # type: ignore[call-arg]
    await org.sessions.wait("assistant-1", {"status": "ready"})  # type: ignore[call-arg]
    await org.sessions.wait("assistant-1", until="ready")  # type: ignore[arg-type]
    await org.sessions.wait("assistant-1", until=lambda session: session.titel == "a")  # type: ignore[attr-defined]
    await org.sessions.wait("assistant-1", until={"status": "ready"}, on_change=len(()))  # type: ignore[arg-type]
    outcome = await org.sessions.wait("assistant-1", until={"status": "ready"})
    print(outcome.session.title)  # type: ignore[union-attr]
    print(outcome.schedule)  # type: ignore[attr-defined]
    changed(since=None, field="status")  # type: ignore[call-arg]
    async for session in org.sessions.list():
        print(session.titel)  # type: ignore[attr-defined]
        session.title = "x"  # type: ignore[misc]
    list(org.sessions.list().pages())  # type: ignore[call-overload]
    Session(sesion_id="x")  # type: ignore[call-arg]
    Session(session_id=7)  # type: ignore[arg-type]
    RequestOptions(timeout="5")  # type: ignore[arg-type]
    AgentPlatform("https://e.example", "svc_x", max_conections=5)  # type: ignore[call-arg]
    AgentPlatform("https://e.example", 5)  # type: ignore[arg-type]
    AgentPlatform("https://e.example", token=lambda: 5)  # type: ignore[arg-type, return-value]
    AgentPlatform("https://e.example", token_file=b"token")  # type: ignore[arg-type]
    platform.organisation("org-acme")  # type: ignore[attr-defined]


async def possibly_none(platform: AgentPlatform, session: Session, user: EnterpriseUser, review: Review) -> None:
    await platform.organization().sessions.send_message(session.parent_session_id, message="Hi")  # type: ignore[arg-type]
    print(session.title.upper())  # type: ignore[union-attr]
    print(user.email.lower())  # type: ignore[union-attr]
    print(review.status.upper())  # type: ignore[union-attr]
