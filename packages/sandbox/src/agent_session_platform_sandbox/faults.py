"""Scripted faults and the rate limit, and the middleware that applies faults and keeps every request in the journal."""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

import attrs
from agent_session_platform import operations
from agent_session_platform.contract import Node
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from .clock import Clock
from .contract import operation_named
from .journal import Journal
from .problems import BrokenOffError, RefusedError, must, phrase
from .server import path_as_sent
from .validation import FLAG, check_json, closed_object

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

# The settings that decide what a client gets, and the pairs of them that may be combined.
KINDS: Final = ("status", "drop", "lose", "truncate", "html")
PAIRS: Final = (["status", "html"], ["lose", "truncate"])
# In seconds: no client waits longer than a day.
MAX_LATENCY: Final = 86_400
# In characters: a client may refuse a longer header.
MAX_HEADER: Final = 4096
FAULT: Final[Node] = closed_object(
    operation={"type": ["string", "null"]},
    status={"type": ["integer", "null"], "minimum": 400, "maximum": 599},
    body={"type": ["object", "null"]},
    # Invalid values are accepted, because real servers send them too.
    retry_after={"type": ["string", "number", "null"], "maxLength": MAX_HEADER, "pattern": r"^[ -~]*\Z"},
    latency={"type": "number", "minimum": 0, "maximum": MAX_LATENCY},
    drop=FLAG,
    lose=FLAG,
    truncate=FLAG,
    html=FLAG,
    times={"type": ["integer", "null"], "minimum": 1},
    every={"type": "integer", "minimum": 1},
)


@attrs.define
class Fault:
    """One fault: the client gets another response than the sandbox's own, a late response, or none at all.

    Args:
        operation: Name of the operation whose requests meet the fault; None for any.
        status: Respond with this status, 400 to 599, and a problem detail.
        body: Members that are added to the problem detail, or replace its own.
        retry_after: Retry-After header of that response.
        latency: Seconds by which the response is delayed.
        drop: Close the connection without a response; the request is not carried out.
        lose: Carry the request out, then close the connection without a response; with *truncate*, in the middle of the
            response.
        truncate: Close the connection in the middle of a response with status 200; the request is not carried out.
        html: Respond with an HTML page, as a proxy does, with *status* or 200.
        times: Number of requests that meet the fault; None for all.
        every: With N, only every Nth request of the operation meets the fault.

    Attributes:
        met: Number of requests that have met the fault.

    Raises:
        ValueError: A setting is out of range, or two settings exclude each other.
        TypeError: The body has a value that JSON does not have.

    Example:
        sandbox.faults.add("organization.sessions.create", lose=True)     # The session exists; nobody knows its id.
    """

    operation: str | None = None
    status: int | None = None
    body: Mapping[str, Any] | None = None
    retry_after: str | float | None = None
    latency: float = 0.0
    drop: bool = False
    lose: bool = False
    truncate: bool = False
    html: bool = False
    times: int | None = 1
    every: int = 1
    met: int = attrs.field(default=0, init=False)
    _seen: int = attrs.field(default=0, init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        settings = self._settings()
        check_json(FAULT, settings, "the fault")
        kinds = [name for name in KINDS if settings[name]]
        if len(kinds) > 1 and kinds not in PAIRS:
            raise ValueError(f"a fault has one of {', '.join(KINDS)}, not {' and '.join(kinds)}: add a fault for each")
        if not kinds and not self.latency:
            raise ValueError(f"a fault must have one of {', '.join(KINDS)}, or a latency")
        if self.status is None and not (self.body is None and self.retry_after is None):
            raise ValueError("body and retry_after need a status: without one they are not sent")
        if self.html and self.body is not None:
            raise ValueError("body must be left out with html: the sandbox makes the page")
        # Refuse a body that is not JSON now, and not when a request meets the fault.
        self.response("/")

    @property
    def unused(self) -> bool:
        """True if fewer than `times` requests have met the fault; with `times=None`, if no request has met it."""
        return self.met < (self.times or 1)

    def to_dict(self) -> dict[str, Any]:
        """Return the fault as JSON."""
        return {**self._settings(), "met": self.met, "unused": self.unused}

    def _settings(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in FAULT["properties"]}

    def meets(self, operation: str | None) -> bool:
        """Return whether the next request of an operation meets the fault, and count the request."""
        if self.operation not in (None, operation) or self.met == self.times:
            return False
        self._seen += 1
        is_met = self._seen % self.every == 0
        self.met += is_met
        return is_met

    def response(self, path: str) -> Response | None:
        """Return the response to a request with this path; None if the fault has no response of its own."""
        headers = {} if self.retry_after is None else {"Retry-After": str(self.retry_after)}
        if self.html:
            title = f"{self.status} {phrase(self.status)}" if self.status else "Please sign in"
            page = f"<!doctype html><title>{title}</title><h1>{title}</h1>"
            return Response(page, self.status or 200, headers, "text/html")
        if self.status is None:
            return None
        problem = {**RefusedError(self.status).body(path), **(self.body or {})}
        return JSONResponse(problem, self.status, headers, "application/problem+json")


class Faults:
    """The faults of a sandbox, in the order in which they were added. A request meets only the first that applies.

    Several threads may use this object.
    """

    def __init__(self) -> None:
        # The tuple is replaced as a whole, because other threads may be iterating over it.
        self._faults: tuple[Fault, ...] = ()
        self._lock = threading.Lock()

    def __iter__(self) -> Iterator[Fault]:
        return iter(self._faults)

    def __len__(self) -> int:
        return len(self._faults)

    def add(self, operation: str | None = None, **settings: Any) -> Fault:
        """Add a fault, and return it.

        Args:
            operation: Name or id of the operation; None for any.
            settings: The settings of `Fault`.

        Raises:
            UnknownOperationError: There is no such operation (a KeyError).
            ValueError: A setting is not valid.

        Example:
            sandbox.faults.add("organization.sessions.list", status=503, times=2)
        """
        fault = Fault(None if operation is None else operation_named(operation).name, **settings)
        with self._lock:
            self._faults = (*self._faults, fault)
        return fault

    def to_dict(self) -> dict[str, Any]:
        """List the faults, each with the number of requests that met it."""
        return {"faults": [fault.to_dict() for fault in self._faults]}

    def met_by(self, operation: str | None) -> Fault | None:
        """Return the fault that the next request of an operation meets, and count the request."""
        with self._lock:
            return next((fault for fault in self._faults if fault.meets(operation)), None)

    @property
    def unused(self) -> list[Fault]:
        """The faults that were met by fewer requests than their `times`."""
        return [fault for fault in self._faults if fault.unused]

    def clear(self) -> None:
        """Remove all faults."""
        self._faults = ()


# A rounding error must not cost a token.
TOLERANCE: Final = 1e-6
# In requests per second. Beyond these limits, a waiting time or a number of tokens could not be expressed.
SLOWEST: Final = 1e-6
FASTEST: Final = 1e9


@attrs.define
class RateLimit:
    """A token bucket that refuses requests beyond its rate with 429.

    Time is real by default, even if the sandbox's clock does not tick: a client waits for Retry-After in real time. The
    number of refused requests then depends on the machine. With `RateLimit(1, burst=2, clock=sandbox.clock)` the limit
    uses the sandbox's time, and a test is the same in every run: no more requests are admitted until
    `sandbox.clock.advance(seconds=1)`. The client still waits in real time, also in its rate limiter before the next
    call. After the attempts of its RetryPolicy it raises RateLimitedError. A high rate and `retry_after="fraction"`
    keep such a test short.

    Args:
        per_second: Requests per second in the long run; positive.
        burst: Requests that are admitted at once; at least 1.
        retry_after: Form of the Retry-After header: "seconds" (an integer), "fraction", or None for no header. A client
            that waits for this time, by *clock*, is admitted.
        clock: A function that returns the time, as seconds or as a date-time.

    Attributes:
        refused: Number of refused requests.

    Raises:
        ValueError: A setting is out of range.
    """

    per_second: float = attrs.field(
        validator=must(f"be between {SLOWEST:f} and {FASTEST:.0f}", lambda value: SLOWEST <= value <= FASTEST)
    )
    burst: int = attrs.field(
        default=1, validator=must(f"be between 1 and {FASTEST:.0f}", lambda value: 1 <= value <= FASTEST)
    )
    retry_after: str | None = attrs.field(
        default="seconds",
        validator=must("be 'seconds', 'fraction' or None", lambda value: value in ("seconds", "fraction", None)),
    )
    clock: Callable[[], float | datetime] = time.monotonic
    refused: int = attrs.field(default=0, init=False)
    _tokens: float = attrs.field(init=False)
    _filled_at: Any = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._tokens = float(self.burst)
        self._filled_at = self.clock()

    def admit(self) -> None:
        """Take a token.

        Raises:
            RefusedError: 429 if there is none.
        """
        now: Any = self.clock()
        passed: float | timedelta = now - self._filled_at
        seconds = passed.total_seconds() if isinstance(passed, timedelta) else passed
        # A clock that was set back removes no tokens.
        self._tokens = min(float(self.burst), self._tokens + max(0.0, seconds) * self.per_second)
        self._filled_at = now
        if self._tokens >= 1 - TOLERANCE:
            self._tokens -= 1
            return
        self.refused += 1
        wait = (1 - TOLERANCE - self._tokens) / self.per_second
        headers: dict[str, str] = {}
        if self.retry_after == "seconds":
            headers["Retry-After"] = str(math.ceil(wait))
        elif self.retry_after == "fraction":
            headers["Retry-After"] = f"{math.ceil(1000 * wait) / 1000:.3f}"
        raise RefusedError(429, "too many requests", headers=headers)


class JournalAndFaults:
    """Middleware around the application of the API. It also gives each response an X-Request-Id.

    Args:
        app: The application.
        clock: The clock of the sandbox.
        journal: The journal, which gets an entry for every request.
        faults: The scripted faults.
    """

    def __init__(self, app: ASGIApp, clock: Clock, journal: Journal, faults: Faults) -> None:
        self._app = app
        self._clock = clock
        self._journal = journal
        self._faults = faults

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to one request."""
        request = Request(scope, receive)
        # The operation of GET responds to HEAD, too.
        method = request.method
        if method == "HEAD":
            method = "GET"
        operation = operations.find(method, path_as_sent(scope))
        request_id = self._journal.new_request_id()
        status: int | None = None
        kept = False

        async def keep() -> None:
            nonlocal kept
            kept = True
            self._journal.add(self._clock(), operation, request, await request.body(), status, request_id)

        async def observe(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message = {**message, "headers": [*message["headers"], (b"x-request-id", request_id.encode())]}
                # Add the entry before sending the response, because a client in another thread may look into the
                # journal as soon as it has the response.
                if fault is None or not fault.truncate:
                    await keep()
            await send(message)

        fault = self._faults.met_by(operation.name if operation else None)
        try:
            await self._respond(fault, scope, receive, observe)
        except BrokenOffError:
            status = None
            raise
        finally:
            if not kept:
                await keep()

    async def _respond(self, fault: Fault | None, scope: Scope, receive: Receive, send: Send) -> None:
        if fault is None:
            await self._app(scope, receive, send)
            return
        await asyncio.sleep(fault.latency)
        if fault.drop:
            raise BrokenOffError
        if not fault.lose and not fault.truncate:
            own = fault.response(scope["path"])
            await (own or self._app)(scope, receive, send)
            return
        carried_out: ASGIApp = self._app if fault.lose else JSONResponse({"items": []})
        messages: list[Message] = []

        async def keep(message: Message) -> None:
            messages.append(message)

        await carried_out(scope, receive, keep)
        content = b"".join(message.get("body", b"") for message in messages)
        if fault.truncate and content:
            await send(messages[0])
            await send({"type": "http.response.body", "body": content[: len(content) // 2], "more_body": True})
        raise BrokenOffError
