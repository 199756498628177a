"""What the operations do: one module a family. Those that no family handles are left to `generic`.

A family has `HANDLERS`, by the id of the operation, and (where the description is silent) `ASSUMPTIONS`; where things
run by themselves, also `RUNS`, and it plans them in the agenda of the state when they come or change.
"""

from __future__ import annotations

from ..assumptions import GENERAL, Assumption
from ..http.call import Handler
from ..time.agenda import Runs
from . import (
    attachments,
    audit_logs,
    automations,
    blueprints,
    default_session_tags,
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

HANDLERS: dict[str, Handler] = {
    **attachments.HANDLERS,
    **audit_logs.HANDLERS,
    **automations.HANDLERS,
    **blueprints.HANDLERS,
    **default_session_tags.HANDLERS,
    **enterprise_sessions.HANDLERS,
    **git.HANDLERS,
    **guardrail_violations.HANDLERS,
    **hypervisors.HANDLERS,
    **idp_groups.HANDLERS,
    **insights.HANDLERS,
    **ip_access_list.HANDLERS,
    **knowledge_notes.HANDLERS,
    **limits.HANDLERS,
    **members.HANDLERS,
    **organizations.HANDLERS,
    **playbooks.HANDLERS,
    **repositories.HANDLERS,
    **reviews.HANDLERS,
    **roles.HANDLERS,
    **schedules.HANDLERS,
    **searches.HANDLERS,
    **secrets.HANDLERS,
    **service_users.HANDLERS,
    **session_tags.HANDLERS,
    **sessions.HANDLERS,
    **usage.HANDLERS,
}
"""The handler of an operation, by its id."""

RUNS: tuple[Runs, ...] = (automations.RUNS, schedules.RUNS)
"""What runs by itself when time passes."""

ASSUMPTIONS: tuple[Assumption, ...] = (
    *GENERAL,
    *attachments.ASSUMPTIONS,
    *audit_logs.ASSUMPTIONS,
    *automations.ASSUMPTIONS,
    *blueprints.ASSUMPTIONS,
    *default_session_tags.ASSUMPTIONS,
    *enterprise_sessions.ASSUMPTIONS,
    *git.ASSUMPTIONS,
    *guardrail_violations.ASSUMPTIONS,
    *hypervisors.ASSUMPTIONS,
    *idp_groups.ASSUMPTIONS,
    *insights.ASSUMPTIONS,
    *ip_access_list.ASSUMPTIONS,
    *knowledge_notes.ASSUMPTIONS,
    *limits.ASSUMPTIONS,
    *members.ASSUMPTIONS,
    *organizations.ASSUMPTIONS,
    *playbooks.ASSUMPTIONS,
    *repositories.ASSUMPTIONS,
    *reviews.ASSUMPTIONS,
    *roles.ASSUMPTIONS,
    *schedules.ASSUMPTIONS,
    *searches.ASSUMPTIONS,
    *secrets.ASSUMPTIONS,
    *service_users.ASSUMPTIONS,
    *session_tags.ASSUMPTIONS,
    *sessions.ASSUMPTIONS,
    *usage.ASSUMPTIONS,
)
"""What is particular to a family, or to none; `conventions` has what goes for any operation."""
