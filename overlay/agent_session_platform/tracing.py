"""One OpenTelemetry span for each call; the instrumentation of the HTTP library adds those of its requests."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from opentelemetry import trace
from opentelemetry.trace import Status, StatusCode

from .errors import DecodeError, ProblemError
from .version import VERSION

if TYPE_CHECKING:
    from .call import Call


@contextmanager
def call_span(call: Call) -> Generator[None]:
    """Make the span of a call the current one; at its end it gets attempts, wait and the class of the error."""
    tracer = trace.get_tracer("agent_session_platform", VERSION)
    attributes = {"agent_platform.operation": call.operation.name}
    with tracer.start_as_current_span(
        str(call.operation), attributes=attributes, record_exception=False, set_status_on_exception=False
    ) as span:
        try:
            yield
        except BaseException as error:
            # The class only: a message of the server belongs in no trace.
            span.set_status(Status(StatusCode.ERROR))
            span.set_attribute("error.type", type(error).__name__)
            if isinstance(error, ProblemError | DecodeError) and error.status:
                span.set_attribute("http.response.status_code", error.status)
            raise
        finally:
            span.set_attribute("agent_platform.attempts", call.attempts)
            span.set_attribute("agent_platform.waited", round(call.waited, 6))
