"""Resources: the behaviour of the operations, in one module for each resource. `handlers.generic` handles the rest.

Each module has `HANDLERS` by the id of the operation and, where the description is silent, `ASSUMPTIONS`. A resource
with records that run by themselves also has `RUNS`, and plans them with `state.plan` when they are added or changed.
"""

from __future__ import annotations

from ..assumptions import Assumption, parse_assumptions
from ..handlers import Handler
from ..state import RecurringRuns
from . import (
    assistant,
    attachments,
    audit_logs,
    automations,
    blueprints,
    enterprise_sessions,
    git,
    guardrail_violations,
    hypervisors,
    idp_groups,
    insights,
    ip_access_list,
    knowledge_notes,
    limits,
    members,
    organizations,
    playbooks,
    repositories,
    reviews,
    roles,
    schedules,
    searches,
    secrets,
    service_users,
    session_tags,
    sessions,
    usage,
)

# One name per line would repeat the imports above.
RESOURCES = (
    attachments, audit_logs, automations, blueprints, enterprise_sessions, git, guardrail_violations, hypervisors,
    idp_groups, insights, ip_access_list, knowledge_notes, limits, members, organizations, playbooks, repositories,
    reviews, roles, schedules, searches, secrets, service_users, session_tags, sessions, usage,
)  # fmt: skip

HANDLERS: dict[str, Handler] = {id_: handler for each in RESOURCES for id_, handler in each.HANDLERS.items()}
"""The handler of an operation, by its id."""

RUNS: tuple[RecurringRuns, ...] = (assistant.RUNS, automations.RUNS, schedules.RUNS)
"""The resources with records that run by themselves."""

ASSUMPTIONS: tuple[Assumption, ...] = tuple(
    assumption for each in RESOURCES for assumption in parse_assumptions(each.ASSUMPTIONS)
)
"""The assumptions about resources."""
