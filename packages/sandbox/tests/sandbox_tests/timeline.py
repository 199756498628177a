"""Schedules and automations, and the sessions that they start as time passes."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

# The clock of a sandbox starts here.
SUNDAY = datetime(2026, 11, 1, tzinfo=UTC)
HOURLY = {"type": "schedule:recurring", "rrule": "FREQ=HOURLY"}
START_SESSION = {"type": "start_session", "prompt": "Triage"}


def at(text: str) -> datetime:
    """Return a time in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


async def schedule(org: Any, **fields: Any) -> str:
    """Create a schedule, hourly by default, and return its id."""
    made = await org.schedules.create(**{"name": "n", "prompt": "p", "frequency": "0 * * * *", **fields})
    assert isinstance(made.scheduled_session_id, str)
    return made.scheduled_session_id


async def titles(org: Any) -> list[str]:
    """Return the titles of all sessions."""
    return [session.title async for session in org.sessions.list()]


async def hours(org: Any) -> list[float]:
    """Return when the sessions were started, in hours since the beginning."""
    return [(session.created_at - SUNDAY.timestamp()) / 3600 async for session in org.sessions.list()]
