"""Resources: the behaviour of the operations, in a module for each domain. `handlers.generic` handles the rest.

Each module has `HANDLERS` by the id of the operation and, where the description is silent, `ASSUMPTIONS`. A domain
with records that run by themselves also has `RUNS`, and plans them with `state.plan` when they are added or changed.
"""

from __future__ import annotations

from ..assumptions import Assumption, parse_assumptions
from ..handlers import Handler
from ..state import RecurringRuns
from . import (
    assistant,
    automations,
    enterprise,
    knowledge,
    members,
    organizations,
    repositories,
    reviews,
    schedules,
    sessions,
)

RESOURCES = (automations, enterprise, knowledge, members, organizations, repositories, reviews, schedules, sessions)

HANDLERS: dict[str, Handler] = {id_: handler for each in RESOURCES for id_, handler in each.HANDLERS.items()}
"""The handler of an operation, by its id."""

RUNS: tuple[RecurringRuns, ...] = (assistant.RUNS, automations.RUNS, schedules.RUNS)
"""The resources with records that run by themselves."""

ASSUMPTIONS: tuple[Assumption, ...] = tuple(
    assumption for each in RESOURCES for assumption in parse_assumptions(each.ASSUMPTIONS)
)
"""The assumptions about resources."""
