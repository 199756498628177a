"""What the operations do: one module a family. Those that no family handles are left to `generic`.

A family has `HANDLERS`, by the id of the operation, and (where the description is silent) `ASSUMPTIONS`.
"""

from __future__ import annotations

from ..assumptions import GENERAL, Assumption
from ..call import Handler
from . import attachments, automations, blueprints, members, repositories, reviews, schedules, sessions

HANDLERS: dict[str, Handler] = {
    **attachments.HANDLERS,
    **automations.HANDLERS,
    **blueprints.HANDLERS,
    **members.HANDLERS,
    **repositories.HANDLERS,
    **reviews.HANDLERS,
    **schedules.HANDLERS,
    **sessions.HANDLERS,
}
"""The handler of an operation, by its id."""

ASSUMPTIONS: tuple[Assumption, ...] = (
    *GENERAL,
    *attachments.ASSUMPTIONS,
    *automations.ASSUMPTIONS,
    *blueprints.ASSUMPTIONS,
    *reviews.ASSUMPTIONS,
    *schedules.ASSUMPTIONS,
    *sessions.ASSUMPTIONS,
)
"""Every behaviour that the API's description does not show, with the id of the gap."""
