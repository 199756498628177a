"""What programs outside see of a call: the line of the log, the record of `on_exchange`, and the span.

To show something more, add it here: to one of them, or to all three.
"""

from __future__ import annotations

import logging
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from ._api import Operation, ReceivedResponse
from .catalogue import operations
from .configuration import VERSION
from .request.prepare import PreparedRequest
from .response.exchange import Exchange, ExchangeRecord, Failure, Response, header_text
from .text import truncate
from .transport.sender import Attempt

logger = logging.getLogger("agent_session_platform")


def log_response(prepared: PreparedRequest, attempt: Attempt, response: Response, seconds: float) -> None:
    """Log the response of an attempt, at the level `debug`.

    Args:
        prepared: The request.
        attempt: The attempt.
        response: The response.
        seconds: How long the attempt took.
    """
    request_id = response.to_received().request_id
    logger.debug(
        "%s %s %d in %.3f s (%s, attempt %d, request id %s)",
        attempt.operation.method,
        response.redact(prepared.path),
        response.status,
        seconds,
        response.redact(str(attempt.operation)),
        attempt.number,
        truncate(request_id or "unknown"),
        extra={"request_id": request_id},
    )


def record_exchange(
    prepared: PreparedRequest, attempt: Attempt, exchange: Exchange, response: Response | None, seconds: float
) -> ExchangeRecord:
    """Return what `on_exchange` gets of an attempt.

    Args:
        prepared: The request.
        attempt: The attempt.
        exchange: What came of it.
        response: The response, if one came.
        seconds: How long the attempt took.
    """
    status = None
    headers: list[tuple[str, str]] = []
    if response is not None:
        status = response.status
        headers = [(name.decode("latin-1"), header_text(value)) for name, value in response.headers]
    return ExchangeRecord(
        operation=attempt.operation,
        path=prepared.path,
        attempt=attempt.number,
        credential=attempt.credential.kind,
        query={name: value for name, value in prepared.query.items() if value is not None},
        request_body=prepared.body.content,
        request_type=prepared.body.media_type,
        status=status,
        headers=tuple(headers),
        content=exchange.content if isinstance(exchange, Response) else None,
        seconds=seconds,
        error=exchange.error if isinstance(exchange, Failure) else None,
    )


@contextmanager
def call_span(operation: Operation, base_url: str) -> Generator[Any]:
    """Open a span of OpenTelemetry for a call and make it current; its attributes have the names of its conventions.

    Args:
        operation: The operation that is called.
        base_url: The address of the server.
    """
    from opentelemetry import trace  # OpenTelemetry may be missing

    tracer = trace.get_tracer("agent_session_platform", VERSION)
    # The path of a raw request has ids, and names of spans must be few: only operations of the contract have a name.
    name = operation.method
    if operation.id in operations:
        name = operation.name
    attributes = {
        "agent_platform.operation": name,
        "http.request.method": operation.method,
        "server.address": urlsplit(base_url).hostname or "",
    }
    with tracer.start_as_current_span(
        name,
        kind=trace.SpanKind.CLIENT,
        attributes=attributes,
        record_exception=False,
        set_status_on_exception=False,
    ) as span:
        try:
            yield span
        except BaseException as error:
            # Record only the class of the error: its message may have text of the server, which must not be in a trace.
            span.set_status(trace.Status(trace.StatusCode.ERROR))
            span.set_attribute("error.type", type(error).__name__)
            raise


def complete_span(span: Any, received: ReceivedResponse | None, attempts: int, waited: float) -> None:
    """Add to a span how its call has ended.

    Args:
        span: The span.
        received: The response of the last attempt, if one came.
        attempts: How many attempts were begun.
        waited: Seconds spent waiting, for a permit or between attempts.
    """
    if received is not None:
        span.set_attribute("http.response.status_code", received.status)
        if received.request_id is not None:
            span.set_attribute("agent_platform.request_id", received.request_id)
    span.set_attribute("agent_platform.attempts", attempts)
    span.set_attribute("agent_platform.waited", round(waited, 6))
