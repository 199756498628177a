"""One OpenTelemetry span for each call, with its tries and waits; those of the single requests are httpx's own."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import DecodeError, ProblemError
from ..version import VERSION

if TYPE_CHECKING:
    from .._api import Operation


@dataclass(slots=True)
class Tally:
    """What a call took: how many tries, and how many seconds of waiting at the gate and between tries."""

    attempts: int = 0
    waited: float = 0.0


def is_traced() -> bool:
    """Whether somebody in this process uses opentelemetry-api: without, nothing is imported and nothing is spent."""
    return "opentelemetry.trace" in sys.modules


@contextmanager
def call_span(operation: Operation) -> Generator[Tally]:
    """Make the span of a call to *operation* the current one; what is put into the tally is told at its end."""
    from opentelemetry import trace
    from opentelemetry.trace import Status, StatusCode

    tally = Tally()
    tracer = trace.get_tracer("agent_session_platform", VERSION)
    attributes = {"agent_platform.operation": operation.name or operation.id}
    with tracer.start_as_current_span(
        str(operation), attributes=attributes, record_exception=False, set_status_on_exception=False
    ) as span:
        try:
            yield tally
        except BaseException as error:
            # The class, and no message: what a server says belongs into no trace.
            span.set_status(Status(StatusCode.ERROR))
            span.set_attribute("error.type", type(error).__name__)
            if isinstance(error, ProblemError | DecodeError) and error.status:
                span.set_attribute("http.response.status_code", error.status)
            raise
        finally:
            span.set_attribute("agent_platform.attempts", tally.attempts)
            span.set_attribute("agent_platform.waited", round(tally.waited, 6))
