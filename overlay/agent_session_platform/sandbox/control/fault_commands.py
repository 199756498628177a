"""What can be asked over HTTP of what goes wrong in a sandbox: its faults and its rate limit."""

from __future__ import annotations

import time
from dataclasses import fields
from typing import TYPE_CHECKING, Final, cast

from ..http.faults import Fault
from ..http.limiter import RateLimit
from ..journal.redaction import without_secrets
from ..operations import UnknownOperationError
from ..shapes import FLAG, Node, check, closed
from .command import Asked, Command

if TYPE_CHECKING:
    from ..platform import Sandbox

# Whose time a rate limit keeps to; OTHER was given to it in Python.
REAL: Final = "real"
SANDBOX: Final = "sandbox"
OTHER: Final = "other"

NUMBER: Final[Node] = {"type": "number"}
COUNT: Final[Node] = {"type": "integer"}
FAULT: Final = closed(
    operation={"type": ["string", "null"]},
    status={"type": ["integer", "null"]},
    body={"type": ["object", "null"]},
    retry_after={"type": ["number", "string", "null"]},
    latency=NUMBER,
    drop=FLAG,
    truncate=FLAG,
    html=FLAG,
    times={"type": ["integer", "null"]},
    every=COUNT,
)
LIMIT: Final = closed(
    ("per_second",),
    per_second=NUMBER,
    burst=COUNT,
    retry_after={"type": ["string", "null"]},
    clock={"enum": [REAL, SANDBOX]},
)


def faults(sandbox: Sandbox, asked: Asked) -> Node:
    """What is to go wrong, and what of that has."""
    return {"faults": [fault_of(each) for each in sandbox.faults]}


def fault_of(fault: Fault) -> Node:
    """A fault as JSON."""
    shown = {field.name: getattr(fault, field.name) for field in fields(fault) if not field.name.startswith("_")}
    return {**shown, "body": without_secrets(fault.body), "unused": fault.unused}


def add_fault(sandbox: Sandbox, asked: Asked) -> Node:
    """Let something go wrong."""
    check(FAULT, asked.body, "the body")
    settings = cast("Node", asked.body)
    try:
        return fault_of(sandbox.faults.add(**settings))
    except UnknownOperationError as error:
        raise ValueError(f"the body.operation: {error}") from None


def clear_faults(sandbox: Sandbox, asked: Asked) -> Node:
    """Let all be well."""
    sandbox.faults.clear()
    return faults(sandbox, asked)


def rate_limit(sandbox: Sandbox, asked: Asked) -> Node:
    """The rate limit, or null."""
    limit = sandbox.rate_limit
    if limit is None:
        return {"rate_limit": None}
    shown = {name: getattr(limit, name) for name in ("per_second", "burst", "retry_after", "refused")}
    clock = SANDBOX if limit.clock is sandbox.clock else REAL if limit.clock is time.monotonic else OTHER
    return {"rate_limit": {**shown, "clock": clock}}


def set_rate_limit(sandbox: Sandbox, asked: Asked) -> Node:
    """Switch the rate limit on."""
    check(LIMIT, asked.body, "the body")
    settings = {name: value for name, value in asked.body.items() if name != "clock"}
    if asked.body.get("clock") == SANDBOX:
        settings["clock"] = sandbox.clock
    try:
        sandbox.rate_limit = RateLimit(**settings)
    except OverflowError:
        raise ValueError("the body: burst and per_second must be numbers that a float can hold") from None
    return rate_limit(sandbox, asked)


def lift_rate_limit(sandbox: Sandbox, asked: Asked) -> Node:
    """Switch the rate limit off."""
    sandbox.rate_limit = None
    return rate_limit(sandbox, asked)


FAULT_COMMANDS: Final = (
    Command("GET", "/_sandbox/faults", "lists the faults, with how many requests each met", faults),
    Command("POST", "/_sandbox/faults", f"adds one: {', '.join(FAULT['properties'])}", add_fault, takes_body=True),
    Command("DELETE", "/_sandbox/faults", "takes all faults away", clear_faults),
    Command("GET", "/_sandbox/rate-limit", "shows the rate limit, null for none", rate_limit),
    Command(
        "PUT",
        "/_sandbox/rate-limit",
        'sets it: {"per_second": 50, "burst": 10, "retry_after": "seconds", "clock": "real" or "sandbox"}',
        set_rate_limit,
        takes_body=True,
    ),
    Command("DELETE", "/_sandbox/rate-limit", "switches it off", lift_rate_limit),
)
