"""What the sandbox does where the API's description is silent: assumptions, each with the gap that it fills.

Those of one family stand in its module.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Assumption:
    """A behaviour that is the sandbox's own: the id of the gap, what is assumed, and how to change it."""

    gap: str
    assumed: str
    change: str = "sandbox.handle(operation, function) lets the operation do something else."


GENERAL: tuple[Assumption, ...] = (
    Assumption(
        "rate-limits",
        "Off unless `rate_limit` is set: a token bucket for all callers, with Retry-After.",
        "sandbox.rate_limit = RateLimit(per_second, burst, retry_after), or sandbox.faults.add(status=429).",
    ),
    Assumption("error-code-values", "`error_code` is the title in snake_case, such as `forbidden`."),
    Assumption(
        "error-status-mapping",
        "401 without a known credential; 403 for one of the wrong kind, without the permission or of another "
        "organization; 404 for what does not exist; 422 for what is not valid. Checked in this order.",
        "Sandbox(strict=False) asks nobody; sandbox.faults.add(operation, status=...) answers with another status.",
    ),
    Assumption(
        "personal-access-token-format",
        "The sandbox's own begin with `pat-`.",
        "sandbox.add_credential(token, kind='personalAccessToken') takes any.",
    ),
    Assumption("problem-errors-members", "`loc`, `msg` and `type`, as in the schedule's form."),
)
