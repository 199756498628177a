"""A deployment of another contract than this one, and traffic through the SDK."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
from agent_session_platform import AgentPlatform, ProblemError, RetryPolicy
from agent_session_platform_observe import Observations, read_observations
from agent_session_platform_observe.shape import Tally
from agent_session_platform_sandbox import Sandbox
from agent_session_platform_sandbox.handlers import Call, Reply

STATUSES = ("working", "blocked", "finished")
BETA = "/v3beta1/enterprise/guardrail-violations"


@asynccontextmanager
async def observing(
    sandbox: Sandbox, observations: Observations, respond: Callable[[httpx.Request], httpx.Response] | None = None
) -> AsyncIterator[AgentPlatform]:
    """Yield an observed client of the sandbox or of a function; at the end, write the observations."""
    settings: dict[str, Any] = {}
    if respond is not None:
        settings = {"transport": httpx.MockTransport(respond), "retry": RetryPolicy.none(), "preflight": False}
    async with sandbox.client(on_exchange=observations, **settings) as platform:
        yield platform
    observations.save()


def roles(path: Path) -> int:
    """Return how many responses of a list of roles a file counts."""
    return read_observations([path])["list_enterprise_roles"].below["200"].counts["count"]


def session(number: int) -> dict[str, Any]:
    """Return a session with a member that the contract does not show, and a flag whose type it does not."""
    return {
        "session_id": f"assistant-{number}",
        "org_id": "org-acme",
        "title": "A text about Ada",
        "status": STATUSES[number % 3],
        "created_at": 1_760_000_000_000 + number,
        "is_advanced": number % 2 == 0,
        "priority": number % 5,
    }


def note(number: int) -> dict[str, Any]:
    """Return a note; the contract shows none of its members."""
    return {"note_id": f"note-{number}", "body": "A text", "written_at": "2026-11-20T09:00:00Z", "pinned": None}


def user(number: int) -> dict[str, Any]:
    """Return a user that contradicts the contract: some have no name, an email address that is a number, a new type."""
    role = {"role_id": "role-1", "role_name": "Admin", "role_type": "auditor" if number == 3 else "org"}
    return {
        "user_id": f"user-{number}",
        "email": 7 if number == 2 else "ada@example.com",
        "role_assignments": [{"role": role, "org_id": None}],
        **({} if number == 1 else {"name": "Ada"}),
    }


def page(items: list[Any]) -> dict[str, Any]:
    return {"items": items, "end_cursor": None, "has_next_page": False, "total": len(items)}


def get_session(call: Call) -> Reply:
    if call.path["assistant_id"] == "assistant-gone":
        return Reply({"title": "Gone", "status": 410, "detail": "secret text"}, 410)
    return Reply(session(1))


def list_users(call: Call) -> Reply:
    if call.query.get("email"):
        return Reply({"title": "Teapot", "status": 418}, 418)
    return Reply(page([user(each) for each in range(4)]))


def deployment() -> Sandbox:
    """Return a sandbox of another contract, in which the guardrail violations are gone."""
    sandbox, number = Sandbox(), itertools.count()
    sandbox.handle("organization.sessions.create", lambda _: Reply(session(next(number)), 201))
    sandbox.handle("organization.sessions.get", get_session)
    sandbox.handle("organization.sessions.list", lambda _: Reply(page([session(each) for each in range(10)])))
    sandbox.handle("organization.knowledge_notes.list", lambda _: Reply([note(each) for each in range(5)]))
    sandbox.handle("enterprise.members.list_users", list_users)
    sandbox.handle("enterprise.roles.list", lambda _: Reply({"items": []}, 203))
    sandbox.handle("enterprise.guardrail_violations.list", lambda _: Reply({"title": "Gone", "status": 404}, 404))
    sandbox.accept("organization.sessions.list", "updated_after")
    return sandbox


async def traffic(path: Path) -> dict[str, Tally]:
    """Let a program use the deployment, and return what was observed."""
    observations = Observations(path)
    async with deployment().client(retry=RetryPolicy.none(), on_exchange=observations) as platform:
        org = platform.organization("org-acme")
        for _ in range(25):
            await org.sessions.create(prompt="Fix it")
        await org.sessions.get("assistant-1")
        for call in (
            org.sessions.get("assistant-gone"),
            platform.request("GET", BETA),
            platform.enterprise.members.list_users(email="ada@example.com").first_page(),
        ):
            try:
                await call
            except ProblemError:
                continue
        for _ in range(3):
            await platform.request("GET", "/v3/organizations/org-acme/sessions", query={"updated_after": "2026"})
        await org.knowledge_notes.list()
        await platform.enterprise.members.list_users().collect()
        await platform.enterprise.roles.list()
    observations.close()
    return read_observations([path])
