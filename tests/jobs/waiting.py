"""A sandbox whose sessions change by a plan, and waits for them in virtual time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from agent_session_platform import AgentPlatform, OrganizationScope, RetryPolicy
from agent_session_platform.sandbox import Sandbox
from virtual_time import run

T = TypeVar("T")

GET, LIST = "organization.sessions.get", "organization.sessions.list"


def change(sandbox: Sandbox, session_id: str, **fields: Any) -> None:
    """Change fields of a session; None removes one."""
    record = sandbox.state.collection("sessions", "org-acme")[session_id]
    for name, value in fields.items():
        if value is None:
            record.fields.pop(name, None)
        else:
            record.fields[name] = value


def in_virtual_time(
    sandbox: Sandbox, job: Callable[[OrganizationScope], Awaitable[T]], plan: Mapping[float, Callable[[], object]] = {}
) -> T:
    """Run a job with the organization of a client; the functions of *plan* are called at their seconds."""

    async def main() -> T:
        import asyncio

        loop = asyncio.get_running_loop()
        for at, function in plan.items():
            loop.call_at(at, function)
        platform: AgentPlatform = sandbox.client(retry=RetryPolicy.none())
        async with platform:
            return await job(platform.organization("org-acme"))

    return run(main())
