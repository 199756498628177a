"""Decide what the status of a response means; no other module does."""

from __future__ import annotations

from collections.abc import Callable

from .._api import Operation
from ..errors import AgentPlatformError, DecodeError
from ..text import begin_body, truncate
from .problem import make_problem
from .response import Response, public_part


def judge(response: Response, operation: Operation, redact: Callable[[str], str] = str) -> AgentPlatformError | None:
    """Return the error of a response, or None for a success.

    Args:
        response: The response.
        operation: The operation that failed, unless the response is a success.
        redact: Takes the credential out of a text of the server.

    Returns:
        A ProblemError for a status of 400 or more; a DecodeError for a redirect, which is not followed because it
        would carry a write or the credential elsewhere, and for an interim response; None for a success.
    """
    status = response.status
    if status >= 400:
        return make_problem(response, operation, redact)
    if status >= 300:
        to = f" to {truncate(redact(public_part(response.location)))}" if response.location else ""
        return DecodeError(
            f"{status} with a redirect{to}, which is not followed",
            operation=operation,
            status=status,
            body=begin_body(response.content, response.content_type, redact),
        )
    if status >= 200:
        return None
    return DecodeError(f"{status} with no final response", operation=operation, status=status)
