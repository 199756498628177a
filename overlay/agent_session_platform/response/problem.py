"""Make the error of a response: a typed error for each status of 400 or more, whatever the body is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from http.client import responses
from typing import Any

import attrs

from ..credentials import describe_kinds
from ..errors import (
    STATUS_ERRORS,
    AgentPlatformError,
    PermissionDeniedError,
    ProblemDetail,
    ProblemError,
    RateLimitedError,
    ServerError,
)
from ..text import media_type_of, truncate
from .body_limits import MAX_PARSED_ERROR_BODY
from .decode import UnusableBodyError, parse_json
from .exchange import Response

# Python before 3.13 has the phrase of an older RFC for 422.
PHRASES = {**responses, 422: "Unprocessable Content"}

NOT_MODIFIED = 304

MAX_DETAIL_TEXT = 300
MAX_LISTED_ERRORS = 5


def error_of(response: Response) -> AgentPlatformError:
    """Return the error of a response that is no success.

    Returns:
        A ProblemError for a status of 400 or more; a DecodeError for any other status. A redirect is not followed,
        because it would carry a write or the credential elsewhere.
    """
    if response.status >= 400:
        return make_problem(response)
    if response.status == NOT_MODIFIED:
        return response.make_decode_error(
            "Not Modified: there is no body, because a condition such as If-None-Match holds"
        )
    to = ""
    location = response.to_received().headers.get("location")
    if location:
        to = f" to {truncate(location)}"
    return response.make_decode_error(f"with a redirect{to}, which is not followed")


def make_problem(response: Response) -> ProblemError:
    """Make the error of a response with a status of 400 or more.

    Args:
        response: The response; its body may be anything.

    Returns:
        The error of the class that belongs to the status.
    """
    status, operation = response.status, response.operation
    cls = STATUS_ERRORS.get(status, ProblemError)
    if status >= 500:
        cls = ServerError
    body = decode_problem(response)
    problem = ProblemDetail.from_body(body)
    title = problem.title or PHRASES.get(status, "unknown status")
    message = f"{status} {truncate(title, MAX_DETAIL_TEXT)}"
    reason = describe_reason(problem)
    if reason:
        message += f": {reason}"
    retry_after = response.retry_after
    error = cls(
        message,
        status=status,
        problem=attrs.evolve(problem, title=title),
        body=body,
        operation=operation,
        retry_after=retry_after,
        response=response.to_received(),
    )
    if response.content:
        remark_on_body(error, response, has_reason=bool(problem.title or reason))
    if isinstance(error, PermissionDeniedError):
        error.permission = operation.permission
        error.level = operation.level
        error.credentials = operation.credentials
        remark_on_permission(error)
    if isinstance(error, RateLimitedError) and retry_after is not None:
        error.retry_at = datetime.now(UTC) + timedelta(seconds=retry_after)
    return error


def decode_problem(response: Response) -> Any:
    """Return the decoded body; its text if it is too large or is not usable JSON, and None if there is no body."""
    content = response.content
    if len(content) <= MAX_PARSED_ERROR_BODY:
        with suppress(UnusableBodyError):
            return redact_texts(parse_json(content, response.content_type), response.redact)
    return response.body_text(MAX_PARSED_ERROR_BODY)


def redact_texts(value: Any, redact: Callable[[str], str]) -> Any:
    """Copy a JSON value and redact its texts and names."""
    if isinstance(value, str):
        return redact(value)
    if value.__class__ is dict:
        return {redact(name): redact_texts(member, redact) for name, member in value.items()}
    if value.__class__ is list:
        return [redact_texts(item, redact) for item in value]
    return value


def describe_reason(problem: ProblemDetail) -> str:
    """Return the detail of a problem, or some of its field-level failures."""
    if problem.detail:
        return truncate(problem.detail, MAX_DETAIL_TEXT)
    failures = map(describe_failure, problem.errors[:MAX_LISTED_ERRORS])
    reasons = [truncate(failure, MAX_DETAIL_TEXT) for failure in failures]
    more = len(problem.errors) - MAX_LISTED_ERRORS
    if more > 0:
        reasons.append(f"and {more} more")
    return "; ".join(reasons)


def describe_failure(failure: Mapping[str, Any]) -> str:
    """Describe one failure. Only the {loc, msg, type} form is documented."""
    message = failure.get("msg")
    if not isinstance(message, str):
        return ", ".join(f"{name}: {value}" for name, value in failure.items() if isinstance(value, str | int | float))
    loc: Any = failure.get("loc")
    if loc.__class__ is list and loc:
        return f"{'.'.join(map(str, loc))}: {message}"
    return message


def remark_on_permission(error: PermissionDeniedError) -> None:
    """Say what the operation needs, as far as the API's description shows it."""
    if error.permission is None:
        return
    level = ""
    if error.level is not None:
        level = f" at {error.level} level"
    error.remark(f"the operation needs {error.permission}{level}, with {describe_kinds(error.credentials)}")


def remark_on_body(error: ProblemError, response: Response, *, has_reason: bool) -> None:
    """Quote a body that is no problem detail, or has no reason: perhaps a proxy or another server sent it."""
    media_type = media_type_of(response.redact(response.content_type))
    if "json" not in media_type:
        error.remark(f"the body is {truncate(media_type) or 'of no type'}, not a problem detail")
    if not has_reason:
        error.remark(f"a body beginning {response.quote_body()}")
