"""Resources: the rules of the description that operations follow, in a module for each domain.

An operation of the contract needs no code: `../generic.py` keeps, lists, changes and deletes the records of any path.
Code is for behaviour that a schema cannot express:

    sessions      sessions, messages, tags and insights; the assistant and its planned turns
    schedules     schedules and automations, and the sessions that they start
    repositories  repositories, reviews, blueprints, secrets and attachments
    members       users, groups of the identity provider and service users
    enterprise    organizations, limits, access lists, audit logs, usage, searches, violations, hypervisors

A resource that fits no domain goes into the most similar one; make a new module only for a new domain.

To follow a rule:

1. Write a function in the module of the domain, with the id of the operation in `openapi.yaml` as its name. It gets a
   `Call` and returns a `Reply`, or raises `RefusedError(409, ...)` or `invalid(...)` (422). Nothing else registers it;
   only a new module is added to `RESOURCES`. The docstring cites the rule: "(rule secret-type-dictionary)". The
   function replaces what `generic` does for the operation, so keep all members of the body. If the contract shows the
   body, it is checked already: read `call.body["name"]`. If not, read `call.text("name")`.
2. Keep the records where `generic` finds them for the other operations. The records of
   `/v3/organizations/{org_id}/knowledge/notes` are in `call.state.collection("knowledge/notes", call.org_id)`, and
   `call.state.create` adds one. `alive` leaves out deleted records.
3. Where the description is silent, write what the function does into `../assumptions.toml`. Write a test into
   `packages/sandbox/tests/sandbox_tests/resources/`, with "Rule secret-type-dictionary." in its docstring.

`create_organization_secret` is a short example: it refuses unknown types, and `generic` lists and deletes the secrets.
Records that run by themselves are planned with `state.plan` when they are added or changed, as in `schedules`.
"""

from __future__ import annotations

from typing import Final

from agent_session_platform.contract import load

from ..handlers import Handler
from ..state import RecurringRuns
from . import enterprise, members, repositories, schedules, sessions

RESOURCES = (enterprise, members, repositories, schedules, sessions)

# The handler of an operation, by its id.
HANDLERS: Final[dict[str, Handler]] = {
    name: handler for each in RESOURCES for name, handler in vars(each).items() if name in load().endpoints
}
# The resources with records that run by themselves.
RUNS: Final[tuple[RecurringRuns, ...]] = (sessions.RUNS, schedules.SCHEDULES, schedules.AUTOMATIONS)
