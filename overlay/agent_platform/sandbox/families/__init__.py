"""What the operations do: one module a family. Those that no family handles are left to `generic`."""

from __future__ import annotations

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
