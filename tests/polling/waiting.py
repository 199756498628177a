"""A sandbox whose sessions change by a plan, and jobs for them in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from agent_session_platform import OrganizationScope, RetryPolicy
from agent_session_platform_sandbox import Sandbox

from benchmarks.virtual_time import run

T = TypeVar("T")

GET, LIST = "organization.sessions.get", "organization.sessions.list"
NEVER = {"status": "never"}


def change(sandbox: Sandbox, session_id: str, **fields: Any) -> None:
    """Change fields of a session."""
    sandbox.state.collection("sessions", "org-acme")[session_id].fields.update(fields)


def requests(sandbox: Sandbox) -> tuple[int, int]:
    """Return how many sessions, and how many pages of the list, were requested."""
    return len(sandbox.journal.of(GET)), len(sandbox.journal.of(LIST))


def in_virtual_time(
    sandbox: Sandbox,
    job: Callable[[OrganizationScope], Awaitable[T]],
    plan: Mapping[float, Callable[[], object]] | None = None,
) -> T:
    """Run a job with an organization of a client without retries; the functions of *plan* are called at their time."""

    async def main() -> T:
        for at, function in (plan or {}).items():
            asyncio.get_running_loop().call_at(at, function)
        async with sandbox.client(retry=RetryPolicy.none()) as platform:
            return await job(platform.organization("org-acme"))

    return run(main())
