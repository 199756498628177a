"""Resources: the behaviour of the operations, in a module for each domain. `generic` handles the rest.

The handler of an operation has the name of its id, and gets a `Call`. What it does where the description is silent is
listed in `../assumptions.toml`. Records that run by themselves are planned with `state.plan` when they are added or
changed.
"""

from __future__ import annotations

from typing import Final

from agent_session_platform.contract import load

from ..handlers import Handler
from ..state import RecurringRuns
from . import enterprise, members, repositories, schedules, sessions

RESOURCES = (enterprise, members, repositories, schedules, sessions)

HANDLERS: Final[dict[str, Handler]] = {
    name: handler for each in RESOURCES for name, handler in vars(each).items() if name in load().endpoints
}
"""The handler of an operation, by its id."""

RUNS: Final[tuple[RecurringRuns, ...]] = (sessions.RUNS, schedules.SCHEDULES, schedules.AUTOMATIONS)
"""The resources with records that run by themselves."""
