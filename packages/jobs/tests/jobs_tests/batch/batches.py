"""Rows, a reader of markers and a wait, for the tests of batches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
from agent_session_platform import OrganizationScope, Outcome
from agent_session_platform_jobs import Batch, BatchItem
from agent_session_platform_sandbox import Sandbox

CREATE = "organization.sessions.create"


@attrs.frozen
class Row:
    """A row: its key, and the title by which its session is found again."""

    id: str
    prompt: str = "Fix it"


def rows(number: int) -> list[Row]:
    return [Row(f"row-{each}") for each in range(number)]


def arguments(row: Row) -> dict[str, Any]:
    return {"prompt": row.prompt, "title": row.id}


def key(row: Row) -> str:
    return row.id


async def run(batch: Batch, given: Any, **options: Any) -> dict[str, BatchItem]:
    """Run a batch to its end, and return its rows by key."""
    return {item.key: item async for item in batch.run(given, **{"key": key, "arguments": arguments, **options})}


def finder(org: OrganizationScope, absent: Any = None) -> Callable[[str], Any]:
    """Return a function that finds a row's session by its title. Without a session it returns or raises *absent*."""

    async def find(key: str) -> Any:
        async for session in org.sessions.list(first=200):
            if session.title == key:
                return session
        if isinstance(absent, Exception):
            raise absent
        return absent

    return find


def waiter(org: OrganizationScope) -> Callable[..., Any]:
    """Return a wait that reads the session once."""

    async def wait(id: str, *, until: Any, unexpected: Any, timeout: float, every: float) -> Outcome[Any]:
        return Outcome(reason="matched", last=await org.sessions.get(id), elapsed=0.0, polls=1)

    return wait


def titles(sandbox: Sandbox) -> list[str]:
    """Return the titles of the sessions of the sandbox."""
    return sorted(
        record.fields.get("title", "") for record in sandbox.state.collection("sessions", "org-acme").values()
    )
