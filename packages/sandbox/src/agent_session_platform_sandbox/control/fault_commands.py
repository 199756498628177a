"""Commands for faults and the rate limit."""

from __future__ import annotations

import time
from typing import Final

import attrs

from ..application import Application
from ..contract import UnknownOperationError
from ..http import Fault, RateLimit
from ..redaction import redact_secrets
from ..validation import FLAG, Node, closed_object
from .command import Command, ControlRequest

# The clock of a rate limit. OTHER is a clock that was set in Python.
REAL: Final = "real"
SANDBOX: Final = "sandbox"
OTHER: Final = "other"

# Every request is compared with each.
MAX_FAULTS: Final = 1000

NUMBER: Final[Node] = {"type": "number"}
COUNT: Final[Node] = {"type": "integer"}
FAULT: Final = closed_object(
    operation={"type": ["string", "null"]},
    status={"type": ["integer", "null"]},
    body={"type": ["object", "null"]},
    retry_after={"type": ["number", "string", "null"]},
    latency=NUMBER,
    drop=FLAG,
    lose=FLAG,
    truncate=FLAG,
    html=FLAG,
    times={"type": ["integer", "null"]},
    every=COUNT,
)
LIMIT: Final = closed_object(
    ("per_second",),
    per_second=NUMBER,
    burst=COUNT,
    retry_after={"type": ["string", "null"]},
    clock={"enum": [REAL, SANDBOX]},
)


def faults(app: Application, request: ControlRequest) -> Node:
    """Return the faults, each with the number of requests that it was applied to."""
    return {"faults": [_fault(each) for each in app.faults]}


def _fault(fault: Fault) -> Node:
    settings = attrs.asdict(fault, recurse=False, filter=lambda attribute, value: not attribute.name.startswith("_"))
    return {**settings, "body": redact_secrets(fault.body), "unused": fault.unused}


def _add_fault(app: Application, request: ControlRequest) -> Node:
    if len([*app.faults]) >= MAX_FAULTS:
        raise ValueError(f"there are {MAX_FAULTS} faults; remove them with DELETE /_sandbox/faults")
    try:
        return _fault(app.faults.add(**request.body))
    except UnknownOperationError as error:
        raise ValueError(f"the body.operation: {error}") from None


def _clear_faults(app: Application, request: ControlRequest) -> Node:
    app.faults.clear()
    return faults(app, request)


def rate_limit(app: Application, request: ControlRequest) -> Node:
    """Return the rate limit, or null."""
    limit = app.rate_limit
    if limit is None:
        return {"rate_limit": None}
    settings = {name: getattr(limit, name) for name in ("per_second", "burst", "retry_after", "refused")}
    clock = SANDBOX if limit.clock is app.clock else REAL if limit.clock is time.monotonic else OTHER
    return {"rate_limit": {**settings, "clock": clock}}


def _set_rate_limit(app: Application, request: ControlRequest) -> Node:
    settings = {name: value for name, value in request.body.items() if name != "clock"}
    if request.body.get("clock") == SANDBOX:
        settings["clock"] = app.clock
    app.rate_limit = RateLimit(**settings)
    return rate_limit(app, request)


def _remove_rate_limit(app: Application, request: ControlRequest) -> Node:
    app.rate_limit = None
    return rate_limit(app, request)


FAULT_COMMANDS: Final = (
    Command("GET", "/_sandbox/faults", "lists the faults, each with the number of requests that met it", faults),
    Command("POST", "/_sandbox/faults", f"adds one: {', '.join(FAULT['properties'])}", _add_fault, body=FAULT),
    Command("DELETE", "/_sandbox/faults", "removes all faults", _clear_faults),
    Command("GET", "/_sandbox/rate-limit", "shows the rate limit, null for none", rate_limit),
    Command(
        "PUT",
        "/_sandbox/rate-limit",
        'sets it: {"per_second": 50, "burst": 10, "retry_after": "seconds", "clock": "real" or "sandbox"}',
        _set_rate_limit,
        body=LIMIT,
    ),
    Command("DELETE", "/_sandbox/rate-limit", "switches it off", _remove_rate_limit),
)
