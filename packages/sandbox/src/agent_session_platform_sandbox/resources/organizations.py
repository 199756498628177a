"""The organizations of the enterprise, and the queue of their sessions."""

from __future__ import annotations

from ..assumptions import Assumptions
from ..handlers import Call, Handler, Reply
from ..state import alive

QUEUED = "queued"

# The statuses of the queue, with the least number of queued sessions.
STATUSES = (("high", 100), ("elevated", 10), ("normal", 0))


def list_organizations(call: Call) -> Reply:
    """List the organizations that the caller belongs to."""
    items = [{"org_id": org_id} for org_id in call.state.organizations if call.account.belongs_to(org_id)]
    return Reply({"items": items})


def get_queue(call: Call) -> Reply:
    """Count the sessions that are queued."""
    sessions = [record for each in call.state.collections("sessions") for record in alive(each)]
    total = sum(record.fields["status"] == QUEUED for record in sessions)
    return Reply({"status": next(status for status, least in STATUSES if total >= least), "total": total})


ASSUMPTIONS: Assumptions = {
    "organization-list-response": "200 with `items`, each with `org_id`: those that the caller belongs to.",
    "queue-total-name": "`total`: the sessions whose status is `queued`; only `add_session` makes them.",
    "queue-response": "200; `elevated` from 10 queued sessions, `high` from 100.",
    "queue-members": "`status` and `total`, always.",
}

HANDLERS: dict[str, Handler] = {"get_enterprise_queue": get_queue, "list_enterprise_organizations": list_organizations}
