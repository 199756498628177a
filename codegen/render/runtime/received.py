"""The response that ended a call, but for its body."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from .operation import Operation

# Names under which servers and gateways send the id that their logs have; the first that came is taken.
REQUEST_ID_HEADERS = (
    "x-request-id",
    "request-id",
    "x-correlation-id",
    "x-amzn-requestid",
    "x-amz-request-id",
    "x-amzn-trace-id",
    "x-cloud-trace-context",
    "x-trace-id",
    "cf-ray",
)


@attrs.frozen
class ReceivedResponse:
    """The response that ended a call, but for its body.

    Attributes:
        operation: The operation that was called.
        status: HTTP status code.
        headers: The headers by lower-case name; several of one name are joined by commas. Without Set-Cookie, the
            credential and the query of a Location.
        attempts: How many attempts the call made, the one of this response included.
        elapsed: Seconds from the beginning of the call to this response, waits and earlier attempts included.
    """

    operation: Operation = attrs.field(repr=str)
    status: int
    headers: Mapping[str, str] = attrs.field(repr=lambda headers: repr(sorted(headers)), hash=False)
    attempts: int
    elapsed: float

    @property
    def request_id(self) -> str | None:
        """The id under which the server, or a gateway before it, logs the request; None if it sent none."""
        return next((self.headers[name] for name in REQUEST_ID_HEADERS if self.headers.get(name)), None)
