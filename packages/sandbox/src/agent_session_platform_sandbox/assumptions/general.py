"""Assumptions about the API as a whole."""

from __future__ import annotations

from .assumption import ACCEPT, HANDLE, Assumptions

GENERAL: Assumptions = {
    "rate-limits": (
        "Off unless `rate_limit` is set: a token bucket for all callers, with Retry-After, in real time.",
        "sandbox.rate_limit = RateLimit(per_second, burst, retry_after, clock=sandbox.clock) uses the sandbox's time; "
        "sandbox.faults.add(status=429) refuses single requests.",
    ),
    "error-code-values": "`error_code` is the title in snake_case, such as `forbidden`.",
    "error-status-mapping": (
        "404 for an unknown path, 405 for an unknown method; 401 without a known credential; 403 for a credential of "
        "the wrong kind, without the permission or its level, or of another organization; 404 for an unknown "
        "organization; 422 for an invalid parameter; 400 for a body where none is accepted, 415 for another media type "
        "than the contract's, 400 for a body that cannot be parsed, 422 for an invalid one; 403 for a feature that is "
        "not enabled; 404 for anything else that does not exist. Checked in this order.",
        "Sandbox(strict=False) checks no credential; sandbox.faults.add(operation, status=...) responds with another.",
    ),
    "personal-access-token-format": (
        "The sandbox's own begin with `pat-`.",
        "sandbox.add_credential(token, kind='personalAccessToken') accepts any.",
    ),
    "problem-errors-members": "`loc`, `msg` and `type`, as in the schedule's form.",
    "validation-issue-required-fields": "`loc`, `msg` and `type` are always there.",
    "base-address": (
        "`https://sandbox.invalid` in process, the address of the loopback interface on a port; `url` of a session is "
        "below `https://platform.invalid`.",
        "AgentPlatform(base_url, token, transport=sandbox.transport()) accepts any; sandbox.serve(port) and "
        "sandbox.add_session(url=...), too.",
    ),
    "size-limits": ("There are none.", f"{HANDLE} may refuse long values: raise RefusedError."),
    "credential-lifetime": (
        "A credential is valid until it is removed.",
        "sandbox.remove_credential(token), and sandbox.add_credential(token) for its successor.",
    ),
    "permission-levels": (
        "A permission at enterprise level applies in every organization. The permissions of a credential that belongs "
        "to organizations, or of a service user whose role has type `org`, apply only there.",
        "sandbox.require(operation, level=...), sandbox.add_credential(token, level=..., organizations=...) and "
        "sandbox.add_role(role_id, permissions, role_type=...).",
    ),
    "list-order": "In the order of creation, the oldest first; a cursor names the last item of its page.",
    "list-pagination": (
        "A list that the contract does not paginate is returned as a whole, and refuses `first` and `after` with 422.",
        ACCEPT,
    ),
}
