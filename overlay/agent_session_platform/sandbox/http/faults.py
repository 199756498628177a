"""Faults on demand: what goes wrong with which operation, how often, and which were never met."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from ..operations import operation_named

WITHOUT_JSON = ("drop", "truncate", "html")
# What each of the settings needs beside it: alone it would be sent nowhere.
NEEDS_STATUS = ("body", "retry_after")


@dataclass(slots=True)
class Fault:
    """One fault: an answer instead of the sandbox's own, or none at all.

    `operation` is the name of the operation that it meets, or None for any. It meets the next `times` requests (None:
    all), or every `every`th. `status`, 400 to 599, is answered with a problem detail to which the members of `body` are
    added or put in its place, and with `retry_after` as its header. `latency` delays the answer by so many seconds.
    With `drop` the connection breaks off without an answer, with `truncate` in the middle of one of status 200; `html`
    is a page where JSON should come, such as a proxy's, of `status` or 200. `met` counts the requests that it met.
    Raises ValueError for what cannot be meant, such as a `body` without a `status`.
    """

    operation: str | None = None
    status: int | None = None
    body: Mapping[str, Any] | None = None
    retry_after: str | float | None = None
    latency: float = 0.0
    drop: bool = False
    truncate: bool = False
    html: bool = False
    times: int | None = 1
    every: int = 1
    met: int = 0
    _seen: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self._check_kinds()
        if self.status is not None and not (whole(self.status) and 400 <= self.status <= 599):
            raise ValueError(f"status must be between 400 and 599, not {self.status!r}")
        if self.times is not None and not (whole(self.times) and self.times >= 1):
            raise ValueError(f"times must be at least 1, or None for all, not {self.times!r}")
        if not (whole(self.every) and self.every >= 1):
            raise ValueError(f"every must be at least 1, not {self.every!r}")
        if not (number(self.latency) and 0 <= self.latency <= sys.float_info.max):
            raise ValueError(f"latency must be a number of seconds and not negative, not {self.latency!r}")
        if self.retry_after is not None:
            check_header(self.retry_after)
        if self.body is not None:
            check_body(self.body)

    def _check_kinds(self) -> None:
        wrong = [kind for kind in WITHOUT_JSON if not isinstance(getattr(self, kind), bool)]
        if wrong:
            raise ValueError(f"{wrong[0]} must be True or False, not {getattr(self, wrong[0])!r}")
        asked = self._asked()
        if not asked and not self.latency:
            raise ValueError("a fault is one of status, drop, truncate and html, or a latency; not nothing")
        # A page has a status, any other two kinds are two faults.
        if len(asked) > 1 and asked != ["status", "html"]:
            raise ValueError(
                f"a fault is one of status, drop, truncate and html; not {' and '.join(asked)}: add a fault for each"
            )
        alone = [name for name in NEEDS_STATUS if getattr(self, name) is not None and self.status is None]
        if alone:
            raise ValueError(f"{alone[0]} must be beside a status: without one it is not sent")
        if self.html and self.body is not None:
            raise ValueError("body must be left out where html is asked for: the page is the sandbox's own")

    @property
    def unused(self) -> bool:
        """Whether it has met no request, or fewer than it was to."""
        return self.met < (self.times or 1)

    def _asked(self) -> list[str]:
        given = {"status": self.status is not None, **{kind: getattr(self, kind) for kind in WITHOUT_JSON}}
        return [kind for kind, asked in given.items() if asked]

    @property
    def only_delays(self) -> bool:
        """Whether the answer is the sandbox's own, only later."""
        return not self._asked()

    def meets(self, operation: str | None) -> bool:
        """Whether the next request of *operation* meets this fault; counts it."""
        if self.operation not in (None, operation) or self.met == self.times:
            return False
        self._seen += 1
        if self._seen % self.every:
            return False
        self.met += 1
        return True

    def headers(self) -> dict[str, str]:
        """The headers of the answer."""
        media_type = "text/html" if self.html else "application/problem+json"
        hint = {} if self.retry_after is None else {"Retry-After": str(self.retry_after)}
        return {"Content-Type": media_type, **hint}

    def content(self, instance: str) -> bytes:
        """The body of the answer."""
        if self.html:
            title = f"{self.status} {phrase(self.status)}" if self.status else "Please sign in"
            return f"<!doctype html><title>{title}</title><h1>{title}</h1>".encode()
        status = self.status or 500
        problem: dict[str, Any] = {"type": "about:blank", "title": phrase(status), "status": status}
        return json.dumps({**problem, "instance": instance, **(self.body or {})}).encode()


class Faults:
    """The faults of a sandbox, in the order in which they were added; the first that meets a request has it."""

    def __init__(self) -> None:
        self._faults: list[Fault] = []

    def __iter__(self) -> Iterator[Fault]:
        return iter(self._faults)

    def add(self, operation: str | None = None, **settings: Any) -> Fault:
        """Add a fault; *settings* are the fields of Fault, and what they raise.

        Raises UnknownOperationError (a KeyError) for an operation that there is not.
        """
        fault = Fault(None if operation is None else operation_named(operation).name, **settings)
        self._faults.append(fault)
        return fault

    def met_by(self, operation: str | None) -> Fault | None:
        """The fault that the next request of *operation* meets, if any."""
        return next((fault for fault in self._faults if fault.meets(operation)), None)

    @property
    def unused(self) -> list[Fault]:
        """Those that have met no request, or fewer than they were to."""
        return [fault for fault in self._faults if fault.unused]

    def clear(self) -> None:
        """Take all away."""
        self._faults.clear()


def phrase(status: int) -> str:
    """The reason phrase of a status."""
    return HTTPStatus(status).phrase if status in set(HTTPStatus) else "Unknown status"


def whole(value: object) -> bool:
    """Whether it is a whole number; True and False are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def number(value: object) -> bool:
    """Whether it is a number; True and False are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def check_header(value: object) -> None:
    """Raise ValueError for what no header can hold; text that is no time is let through, for clients to bear."""
    if not (number(value) or isinstance(value, str)) or not (str(value).isascii() and str(value).isprintable()):
        raise ValueError(f"retry_after must be what a header can hold, a number or text, not {value!r}")


def check_body(value: object) -> None:
    """Raise ValueError for what is no object of JSON."""
    if not isinstance(value, Mapping):
        raise ValueError(f"body must be a mapping, the members of the problem detail, not {type(value).__name__}")
    try:
        json.dumps({**value}, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"body must be JSON: {error}") from None
