"""Organizations, their limits, and the IP access list."""

from __future__ import annotations

import re
from ipaddress import ip_network
from typing import Final

from ..handlers import Call, Collection, Reply
from ..problems import RefusedError, invalid
from ..state import alive, find

QUEUED: Final = "queued"
# The statuses of the queue, with the least number of queued sessions.
STATUSES: Final = (("high", 100), ("elevated", 10), ("normal", 0))
PREFIX: Final = re.compile("0|[1-9][0-9]{0,2}")


def list_enterprise_organizations(call: Call) -> Reply:
    """List the organizations that the caller belongs to."""
    items = [{"org_id": org_id} for org_id in call.state.organizations if call.account.belongs_to(org_id)]
    return Reply({"items": items})


def get_enterprise_queue(call: Call) -> Reply:
    """Count the sessions that are queued."""
    sessions = [record for each in call.state.collections("sessions") for record in alive(each)]
    total = sum(record.fields["status"] == QUEUED for record in sessions)
    return Reply({"status": next(status for status, least in STATUSES if total >= least), "total": total})


def get_enterprise_org_group_limits(call: Call) -> Reply:
    """Return the limits of the groups as they were set, or set them (rule org-group-limits-enablement)."""
    if not call.state.org_group_limits_enabled:
        raise RefusedError(403, "organization group limits are not enabled; ask the account team")
    limits = call.state.collection("org-group-limits")
    if call.route.method == "PUT":
        call.state.add(limits, "groups", call.members())
    return Reply(limits["groups"].fields if limits else {})


def set_enterprise_acu_limit(call: Call) -> Reply:
    """Set the limit of an organization."""
    fields = {**call.members(), "org_id": call.org_id}
    return Reply(call.state.add(call.state.collection("acu-limits"), call.org_id, fields).fields)


def delete_enterprise_acu_limit(call: Call) -> Reply:
    """Delete the limit of an organization."""
    find(call.state.collection("acu-limits"), call.org_id, "compute-unit limit of").deleted = True
    return Reply(None)


def get_enterprise_ip_access_list(call: Call) -> Reply:
    """Return the list."""
    return Reply({"ip_ranges": [each.fields["range"] for each in alive(call.state.collection("ip-ranges"))]})


def append_enterprise_ip_access_list(call: Call) -> Reply:
    """Append ranges to the list (rule ip-access-list-append)."""
    for text in _ranges(call):
        call.state.add(call.state.collection("ip-ranges"), call.state.new_id("ip-range"), {"range": text})
    return get_enterprise_ip_access_list(call)


def replace_enterprise_ip_access_list(call: Call) -> Reply:
    """Replace the whole list (rule ip-access-list-replace)."""
    _ranges(call)
    delete_enterprise_ip_access_list(call)
    return append_enterprise_ip_access_list(call)


def delete_enterprise_ip_access_list(call: Call) -> Reply:
    """Empty the list."""
    call.state.collection("ip-ranges").clear()
    return Reply(None)


def _ranges(call: Call) -> list[str]:
    """Return the ranges of the body as written; refuse (422) other text than addresses and CIDR."""
    texts = call.texts("ip_ranges")
    message = "is neither an address nor CIDR, such as 10.0.0.0/8"
    failures = [
        (["body", "ip_ranges", str(position)], f"{text!r} {message}", "value_error")
        for position, text in enumerate(texts)
        if not _is_range(text)
    ]
    if failures:
        raise invalid(*failures)
    return texts


def _is_range(text: str) -> bool:
    """Return whether a text is an address or CIDR.

    Bits after the prefix may be set, because the description does not forbid it. A netmask (10.0.0.0/255.0.0.0) and the
    zone of an address (fe80::1%eth0) are refused.
    """
    _, slash, prefix = text.partition("/")
    if "%" in text or (slash and not PREFIX.fullmatch(prefix)):
        return False
    try:
        ip_network(text, strict=False)
    except ValueError:
        return False
    return True


get_enterprise_acu_limits = Collection("acu-limits", "limit").list
set_enterprise_org_group_limits = get_enterprise_org_group_limits
