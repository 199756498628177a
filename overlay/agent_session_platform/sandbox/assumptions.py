"""What the sandbox does where the API's description is silent: assumptions, each with the gap that it fills.

Those of one family stand in its module, those that go for any operation in `conventions`, and what the sandbox decides
nothing about in `undecided`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

HANDLE: Final = "sandbox.handle(operation, function)"


@dataclass(frozen=True, slots=True)
class Assumption:
    """A behaviour that is the sandbox's own: the id of the gap, what is assumed, and how to change it.

    In `sandbox.assumptions` the change names the operation that the gap is about, where here it says `operation`.
    """

    gap: str
    assumed: str
    change: str = f"{HANDLE} lets the operation do something else."


# For a parameter that the contract does not show, and that is refused therefore.
ACCEPTED: Final = f"sandbox.accept(operation, *names) lets parameters through, to {HANDLE}."


GENERAL: tuple[Assumption, ...] = (
    Assumption(
        "rate-limits",
        "Off unless `rate_limit` is set: a token bucket for all callers, with Retry-After, in real time.",
        "sandbox.rate_limit = RateLimit(per_second, burst, retry_after, clock=sandbox.clock) keeps to the sandbox's "
        "time; sandbox.faults.add(status=429) refuses what one wants.",
    ),
    Assumption("error-code-values", "`error_code` is the title in snake_case, such as `forbidden`."),
    Assumption(
        "error-status-mapping",
        "404 for a path that there is not, 405 for a method that it does not have; 401 without a known credential; 403 "
        "for one of the wrong kind, without the permission or its level, or of another organization; 404 for an "
        "organization that does not exist; 422 for a query that is not valid; 400 for a body that is not taken, 415 "
        "for one that does not claim to be JSON, 400 for one that is none, 422 for one that is not valid; 403 for what "
        "has to be enabled first and is not; 404 for anything else that does not exist. Checked in this order.",
        "Sandbox(strict=False) asks nobody; sandbox.faults.add(operation, status=...) answers with another status.",
    ),
    Assumption(
        "personal-access-token-format",
        "The sandbox's own begin with `pat-`.",
        "sandbox.add_credential(token, kind='personalAccessToken') takes any.",
    ),
    Assumption("problem-errors-members", "`loc`, `msg` and `type`, as in the schedule's form."),
    Assumption("validation-issue-required-fields", "`loc`, `msg` and `type` are always there."),
    Assumption(
        "base-address",
        "`http://sandbox.invalid` in process, on a port that of the loopback interface; `url` of a session is below "
        "`https://platform.invalid`.",
        "AgentPlatform(base_url, token, transport=sandbox.transport()) takes any; sandbox.serve(port) and "
        "sandbox.add_session(url=...), too.",
    ),
    Assumption("size-limits", "There are none.", f"{HANDLE} may refuse what is too long; raise RefusedError."),
    Assumption(
        "credential-lifetime",
        "A credential is good as long as the sandbox knows it.",
        "sandbox.remove_credential(token), and sandbox.add_credential(token) for its successor.",
    ),
    Assumption(
        "permission-levels",
        "A permission at enterprise level holds in every organization. One of a credential that is bound to "
        "organizations, or of a service user whose role is of type `org`, holds nowhere else.",
        "sandbox.require(operation, level=...), sandbox.add_credential(token, level=..., organizations=...) and "
        "sandbox.add_role(role_id, permissions, role_type=...).",
    ),
    Assumption("list-order", "In the order of creation, the oldest first; a cursor names the last item of its page."),
)
