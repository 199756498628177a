"""A sandbox whose sessions change by a plan, and jobs for them in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, TypeVar

import attrs
from agent_session_platform import AgentPlatform, OrganizationScope, RetryPolicy
from agent_session_platform_sandbox import Reply, Sandbox

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


def run_job(
    sandbox: Sandbox,
    job: Callable[[OrganizationScope], Awaitable[T]],
    plan: Mapping[float, Callable[[], object]] | None = None,
) -> T:
    """Run a job with an organization of a client without retries; the functions of *plan* are called at their time."""
    return run_planned(lambda: sandbox.client(retry=RetryPolicy.none()), job, plan)


def run_planned(
    make_client: Callable[[], AgentPlatform],
    job: Callable[[OrganizationScope], Awaitable[T]],
    plan: Mapping[float, Callable[[], object]] | None = None,
) -> T:
    """Run a job with an organization of a client, in virtual time; the functions of *plan* are called at their time."""

    async def main() -> T:
        for at, function in (plan or {}).items():
            asyncio.get_running_loop().call_at(at, function)
        async with make_client() as platform:
            return await job(platform.organization("org-acme"))

    return run(main())


@attrs.define
class Watched:
    """A session of the sandbox, what happens to it and when, and the wait for it."""

    sandbox: Sandbox
    session_id: str
    plan: dict[float, Callable[[], object]] = attrs.Factory(dict)

    def change(self, at: float, **fields: Any) -> None:
        """Let fields of the session change at a time."""
        self.plan[at] = partial(change, self.sandbox, self.session_id, **fields)

    def fail(self, at: float | None, **fault: Any) -> None:
        """Let reading the session fail from a time on, or from the beginning."""
        add = partial(self.sandbox.faults.add, GET, times=None, **fault)
        if at is None:
            add()
        else:
            self.plan[at] = add

    def show(self, *objects: dict[str, Any]) -> None:
        """Let each poll read the next object; the last object stays."""
        states = list(objects)
        self.sandbox.handle(GET, lambda call: Reply(states.pop(0) if len(states) > 1 else states[0]))

    def wait(self, **settings: Any) -> Any:
        """Wait for the session, and return the outcome."""
        settings = {"until": {"status": {"ready", "failed"}}, **settings}
        return run_job(self.sandbox, lambda org: org.sessions.wait(self.session_id, **settings), self.plan)
