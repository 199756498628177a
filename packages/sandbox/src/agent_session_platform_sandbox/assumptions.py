"""Assumptions: the behaviour of the sandbox where the API's description is silent, and the gaps that it leaves open.

Assumptions about one resource are in its module in `resources`. Here are those about the API as a whole, and those that
follow from the end of a gap's id, such as `-permission` (see CONTRIBUTING.md): they list the assumptions about an
operation that is new in the contract without further code.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterator, Mapping
from typing import Final, TypeAlias

import attrs
from agent_session_platform import Catalogue, Operation
from agent_session_platform import gaps as all_gaps
from agent_session_platform.request.credentials import describe_kinds

HANDLE: Final = "sandbox.handle(operation, function)"

# For query parameters that the contract does not show, and that are therefore refused.
ACCEPT: Final = f"sandbox.accept(operation, *names) passes parameters to {HANDLE}."


@attrs.frozen
class Assumption:
    """A behaviour that is the sandbox's own, because the API's description does not show it.

    Attributes:
        gap: Id of the gap in the description.
        assumed: What the sandbox does.
        change: How to change it. In `sandbox.assumptions`, `operation` is replaced by the name of the operation.
    """

    gap: str
    assumed: str
    change: str = f"{HANDLE} lets the operation do something else."


# By the id of the gap: what the sandbox does, or a pair of that and of how to change it.
Assumptions: TypeAlias = Mapping[str, str | tuple[str, str]]


@attrs.frozen
class OpenGap:
    """A gap of the description that the sandbox leaves open.

    Attributes:
        gap: Id of the gap.
        why: Why nothing is assumed.
    """

    gap: str
    why: str


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

# The ids of the gaps by the reason.
REASONS: Final[dict[str, tuple[str, ...]]] = {
    "The sandbox sends none by itself; a value that was added is returned.": (
        "session-category-values",
        "session-is-advanced-type",
        "session-pr-state-values",
        "session-pull-request-required-fields",
        "session-security-profile-required-fields",
        "session-security-profile-selection-values",
        "session-status-detail-values",
    ),
    "No response has it, because deleted records are never shown.": ("blueprint-deleted-state",),
    "The sandbox sends none.": ("events",),
    "No legacy path is served.": ("organization-messages-legacy", "session-message-legacy"),
    "The contract encodes it so, and SDK and sandbox follow.": ("session-list-origins-encoding",),
}

OPEN_GAPS: Final = tuple(OpenGap(gap, why) for why, gaps in REASONS.items() for gap in gaps)

PATH: Final = re.compile(r"#/paths/(?P<path>[^/]+)/(?P<method>\w+)(?:/.*)?")

# What is assumed about an operation, and how to change it; the names in braces are those of `by_convention`.
Convention = tuple[str, str]
LEVEL: Final[Convention] = (
    "{permission} at {level} level, of {credentials} and no other kind.",
    "sandbox.require({name!r}, level=..., kinds=...) requires something else.",
)
ERRORS: Final[Convention] = (
    "As `error-status-mapping` says, and no other.",
    "sandbox.faults.add({name!r}, status=...) responds with another.",
)
PLACE: Final[Convention] = (
    "The operation exists: {method} {path}.",
    "sandbox.handle({name!r}, function) may refuse it: raise RefusedError(404).",
)
HANDLE_IT: Final = "sandbox.handle({name!r}, function) lets the operation do something else."
UNUSED_VALUES: Final[Convention] = ("Any value that the contract allows is accepted, and changes nothing.", HANDLE_IT)

# By the end of the gap's id.
CONVENTIONS: Final[dict[str, Convention]] = {
    "-permission": (
        "Any permission of {credentials} is enough, at {level} level.",
        "sandbox.require({name!r}, permissions={{...}}, level=..., kinds=...) requires something else.",
    ),
    "-level": LEVEL,
    "-credential": LEVEL,
    "-errors": ERRORS,
    "-error-statuses": ERRORS,
    "-method": PLACE,
    "-path": PLACE,
    "-parameters": (
        "Parameters that the contract does not have are refused with 422.",
        "sandbox.accept({name!r}, *names) accepts more parameters.",
    ),
}
# For operations that no resource handles.
GENERIC_CONVENTIONS: Final[dict[str, Convention]] = {
    "-request": ("Any object; it is kept as it is.", HANDLE_IT),
    "-response": ("200 with what was kept, one record or all of them; `null` after a deletion.", HANDLE_IT),
    "-values": UNUSED_VALUES,
    "-filters": UNUSED_VALUES,
}

# What is said about an assumption whose gap an Overlay has closed.
OBSERVED: Final = " What this build's contract states, as it was observed, comes first."

# The ends of the ids of gaps about a field.
FIELD_ENDINGS: Final = ("-values", "-transitions", "-unit", "-type", "-required-fields", "-members")
FIELD_ASSUMPTION: Final = (
    "A value that was added is returned; the sandbox invents nothing beyond the contract's example.",
    "sandbox.handle(operation, function) lets an operation respond with something else.",
)


def list_assumptions(particular: Collection[Assumption], handled: Container[str]) -> tuple[Assumption, ...]:
    """Return all assumptions of a sandbox.

    Args:
        particular: The assumptions about resources and the API as a whole. Those about gaps that the contract has
            closed are left out.
        handled: The ids of the operations that resources handle.
    """
    operations = dict(operations_with_gaps())
    gaps = {gap.id for gap in all_gaps}
    # Where an Overlay has closed a gap, the contract has the fact, which the sandbox follows by itself.
    closed = {gap.id for gap in all_gaps if gap.closed}
    decided = {each.gap for each in particular} | {each.gap for each in OPEN_GAPS} | closed
    known = [_with_operation(each, operations.get(each.gap)) for each in particular if each.gap in gaps]
    known = [attrs.evolve(each, assumed=each.assumed + OBSERVED) if each.gap in closed else each for each in known]
    conventional = [by_convention(gap, each, handled) for gap, each in operations.items() if gap not in decided]
    fields = sorted(each for each in gaps - decided - operations.keys() if each.endswith(FIELD_ENDINGS))
    return (*known, *filter(None, conventional), *(Assumption(gap, *FIELD_ASSUMPTION) for gap in fields))


def list_open_gaps() -> tuple[OpenGap, ...]:
    """Return the open gaps, without those that the contract has closed."""
    gaps = {gap.id for gap in all_gaps if not gap.closed}
    return tuple(each for each in OPEN_GAPS if each.gap in gaps)


def parse_assumptions(written: Assumptions) -> Iterator[Assumption]:
    """Yield the assumptions that are written down in a mapping."""
    for gap, text in written.items():
        yield Assumption(gap, text) if isinstance(text, str) else Assumption(gap, *text)


def by_convention(gap: str, operation: Operation, handled: Container[str]) -> Assumption | None:
    """Return the assumption about a gap of an operation, or None if no convention covers it."""
    conventions = CONVENTIONS if operation.id in handled else CONVENTIONS | GENERIC_CONVENTIONS
    words = {
        "name": operation.name,
        "method": operation.method,
        "path": operation.path,
        "permission": operation.permission,
        "level": operation.level or operation.scope,
        "credentials": describe_kinds(operation.credentials),
    }
    found = (convention for ending, convention in conventions.items() if gap.endswith(ending))
    return next((Assumption(gap, *(text.format(**words) for text in convention)) for convention in found), None)


def operations_with_gaps() -> Iterator[tuple[str, Operation]]:
    """Yield the ids of gaps that are about an operation, with the operation."""
    by_place = {(operation.path, operation.method.lower()): operation for operation in Catalogue()}
    for gap in all_gaps:
        if match := PATH.fullmatch(gap.place):
            yield gap.id, by_place[match["path"].replace("~1", "/").replace("~0", "~"), match["method"]]


def _with_operation(assumption: Assumption, operation: Operation | None) -> Assumption:
    if operation is None:
        return assumption
    change = assumption.change.replace("(operation,", f"({operation.name!r},")
    return attrs.evolve(assumption, change=change)
