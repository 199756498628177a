"""Faults on demand: what goes wrong with which operation, how often, and which were never met."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

HTML = b"<!doctype html><title>Bad gateway</title><h1>502 Bad gateway</h1>"
KINDS = ("status", "drop", "truncate", "html")


@dataclass(slots=True)
class Fault:
    """One fault: an answer instead of the sandbox's own, or none at all.

    `operation` is the name of the operation that it meets, or None for any. It meets the next `times` requests (None:
    all), or every `every`th. `status` is answered with a problem detail of `body`, `retry_after` as its header.
    `latency` delays the answer by so many seconds. With `drop` the connection breaks off without an answer, with
    `truncate` in the middle of it; `html` is a page where JSON should come. `met` counts the requests that it met.
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
        asked = self._asked()
        if len(asked) > 1 or not (asked or self.latency):
            raise ValueError(f"a fault is one of {', '.join(KINDS)}, or a latency; not {', '.join(asked) or 'nothing'}")
        if self.status is not None and not 400 <= self.status <= 599:
            raise ValueError(f"status must be between 400 and 599, not {self.status}")
        if self.every < 1 or (self.times is not None and self.times < 1) or self.latency < 0:
            raise ValueError("every and times must be at least 1, and latency not negative")

    @property
    def unused(self) -> bool:
        """Whether it has met no request, or fewer than it was to."""
        return self.met < (self.times or 1)

    def _asked(self) -> list[str]:
        return [kind for kind in KINDS if getattr(self, kind)]

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
            return HTML
        status = self.status or 500
        title = HTTPStatus(status).phrase if status in set(HTTPStatus) else "Unknown status"
        problem: dict[str, Any] = {"type": "about:blank", "title": title, "status": status}
        return json.dumps({**problem, "instance": instance, **(self.body or {})}).encode()


class Faults:
    """The faults of a sandbox, in the order in which they were added; the first that meets a request has it."""

    def __init__(self) -> None:
        self._faults: list[Fault] = []

    def __iter__(self) -> Iterator[Fault]:
        return iter(self._faults)

    def add(self, operation: str | None = None, **settings: Any) -> Fault:
        """Add a fault; *settings* are the fields of Fault. Raises KeyError for an operation that there is not."""
        if operation is not None:
            from ..catalogue import Catalogue

            operation = Catalogue()[operation].name
        fault = Fault(operation, **settings)
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
