"""From an answer with a status of 400 or more to the typed error, whatever its body looks like."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, cast

from ..errors import STATUS_ERRORS, PermissionDeniedError, ProblemError, RateLimitedError, ServerError
from ..request.credentials import describe
from ..text import as_text, beginning, excerpt
from .retry_after import parse_retry_after

if TYPE_CHECKING:
    from collections.abc import Callable

    from .._api import Operation
    from .response import Answer

TEXT_LENGTH = 300
LISTED_ERRORS = 5
# What lies deeper in a body is left out.
DEEPEST = 50


def problem(answer: Answer, operation: Operation, redact: Callable[[str], str] = str) -> ProblemError:
    """Make the error of *answer*; a member of the body that is not what RFC 9457 says is left out, never fatal.

    *redact* takes the credential out of what the server says.
    """
    body = _decoded(answer)
    body = _redacted(body, redact)
    members: dict[str, Any] = cast("dict[str, Any]", body) if isinstance(body, dict) else {}
    title = _text(members.get("title")) or None
    detail = _text(members.get("detail"))
    errors = _field_errors(members)
    now = datetime.now(UTC)
    retry_after = parse_retry_after(answer.retry_after, now)
    cls = ServerError if answer.status >= 500 else STATUS_ERRORS.get(answer.status, ProblemError)
    error = cls(
        _message(answer, operation, title, detail, errors, cls, redact),
        status=answer.status,
        title=title or _phrase(answer.status),
        detail=detail,
        type=_text(members.get("type")) or "about:blank",
        instance=_text(members.get("instance")),
        errors=errors,
        error_code=_text(members.get("error_code")),
        body=body,
        operation=operation,
        retry_after=retry_after,
    )
    if isinstance(error, RateLimitedError) and retry_after is not None:
        error.at(_later(now, retry_after))
    return error


def _message(
    answer: Answer,
    operation: Operation,
    title: str | None,
    detail: str | None,
    errors: list[dict[str, Any]],
    cls: type[ProblemError],
    redact: Callable[[str], str],
) -> str:
    parts = [f"{answer.status} {excerpt(title or _phrase(answer.status), TEXT_LENGTH)}"]
    if detail:
        parts.append(excerpt(detail, TEXT_LENGTH))
    elif errors:
        listed = "; ".join(excerpt(_field_error(error), TEXT_LENGTH) for error in errors[:LISTED_ERRORS])
        parts.append(listed + (f"; and {len(errors) - LISTED_ERRORS} more" if len(errors) > LISTED_ERRORS else ""))
    message = ": ".join(parts)
    media_type = answer.content_type.partition(";")[0].strip().lower()
    about: list[str] = []
    if answer.content and "json" not in media_type:
        # A proxy, or a server that is not the platform at all.
        about.append(f"the body is {excerpt(media_type) or 'of no type'}, no problem detail")
    if answer.content and title is None and len(parts) == 1:
        about.append(f"beginning {beginning(answer.content, answer.content_type, redact)}")
    if about:
        message += f" ({', '.join(about)})"
    if cls is PermissionDeniedError and operation.permission:
        level = f" at {operation.level} level" if operation.level else ""
        message += f" (the operation needs {operation.permission}{level}, with {describe(operation.credentials)})"
    return message


def _field_errors(members: dict[str, Any]) -> list[dict[str, Any]]:
    """The failures of either validation form: `errors` of a problem detail, or `detail` as an array."""
    for name in ("errors", "detail"):
        if isinstance(members.get(name), list):
            failures: list[Any] = members[name]
            return [failure for failure in failures if isinstance(failure, dict)]
    return []


def _field_error(error: dict[str, Any]) -> str:
    """One failure in a few words: the members are shown for the schedule's form only, {loc, msg, type}."""
    if isinstance(error.get("msg"), str):
        loc: list[Any] = error["loc"] if isinstance(error.get("loc"), list) else []
        place = ".".join(str(part) for part in loc)
        return f"{place}: {error['msg']}" if place else str(error["msg"])
    return ", ".join(f"{name}: {value}" for name, value in error.items() if isinstance(value, str | int | float))


def _decoded(answer: Answer) -> Any:
    try:
        return json.loads(answer.content)
    except (ValueError, RecursionError):
        # json tells UTF-16 apart by itself.
        return as_text(answer.content, answer.content_type) if answer.content else None


def _redacted(value: Any, redact: Callable[[str], str], depth: int = DEEPEST) -> Any:
    if isinstance(value, str):
        return redact(value)
    if value.__class__ in (dict, list) and not depth:
        # Neither copy nor pickle would get through.
        return None
    if value.__class__ is dict:
        return {redact(name): _redacted(member, redact, depth - 1) for name, member in value.items()}
    if value.__class__ is list:
        return [_redacted(member, redact, depth - 1) for member in value]
    return value


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _phrase(status: int) -> str:
    if status == 422:
        # Python before 3.13 has the phrase of an older RFC.
        return "Unprocessable Content"
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "unknown status"


def _later(now: datetime, seconds: float) -> datetime | None:
    try:
        return now + timedelta(seconds=seconds)
    except OverflowError:
        return None
