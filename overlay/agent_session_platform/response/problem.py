"""Make the typed error of a response with a status of 400 or more, whatever its body looks like."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from itertools import islice
from typing import TYPE_CHECKING, Any

from ..errors import (
    AuthenticationError,
    BadRequestError,
    ConflictError,
    NotFoundError,
    PermissionDeniedError,
    ProblemError,
    RateLimitedError,
    ServerError,
    UnprocessableContentError,
)
from ..problem_detail import ProblemDetail
from ..request.credentials import describe
from ..text import QUOTED_BYTES, decode_characters, quote_body, truncate

if TYPE_CHECKING:
    from collections.abc import Callable

    from .._api import Operation
    from .response import Response

# 500 and above is a ServerError, any other status a plain ProblemError.
STATUS_ERRORS: dict[int, type[ProblemError]] = {
    400: BadRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    422: UnprocessableContentError,
    429: RateLimitedError,
}

TEXT_LENGTH = 300
LISTED_ERRORS = 5
# The deeper part of a body is left out: the error is raised all the same, and can be copied and pickled. The limit for
# a success (decode.py) is higher, because a deeper body is refused as a whole; that for a request (body.py) is the
# highest, because a request is only written.
MAX_DEPTH = 50

# Names, values, commas and brackets of a body that is decoded: redacting more would stop the event loop. A body with
# more is shown as text.
MAX_TOKENS = 10_000
TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[{,]', re.DOTALL)

# Characters of a body that is text.
MAX_TEXT = 64 * 1024


def make_problem(response: Response, operation: Operation, redact: Callable[[str], str] = str) -> ProblemError:
    """Make the error of a response with a status of 400 or more.

    Args:
        response: The response; its body may be anything.
        operation: The operation that failed.
        redact: Takes the credential out of a text of the server.

    Returns:
        The error of the class that belongs to the status.
    """
    body = _decode(response, redact)
    problem = ProblemDetail.from_body(body)
    cls = ServerError if response.status >= 500 else STATUS_ERRORS.get(response.status, ProblemError)
    error = cls(
        _message(response, operation, problem, cls, redact),
        status=response.status,
        title=problem.title or _phrase(response.status),
        detail=problem.detail,
        type=problem.type,
        instance=problem.instance,
        errors=problem.errors,
        error_code=problem.error_code,
        body=body,
        operation=operation,
        retry_after=response.retry_after,
    )
    if isinstance(error, RateLimitedError) and response.retry_after is not None:
        error.retry_at = _later(response.retry_after)
    return error


def _message(
    response: Response,
    operation: Operation,
    problem: ProblemDetail,
    cls: type[ProblemError],
    redact: Callable[[str], str],
) -> str:
    parts = [f"{response.status} {truncate(problem.title or _phrase(response.status), TEXT_LENGTH)}"]
    if problem.detail:
        parts.append(truncate(problem.detail, TEXT_LENGTH))
    elif problem.errors:
        listed = "; ".join(truncate(_describe(error), TEXT_LENGTH) for error in problem.errors[:LISTED_ERRORS])
        more = len(problem.errors) - LISTED_ERRORS
        parts.append(f"{listed}; and {more} more" if more > 0 else listed)
    message = ": ".join(parts)
    about: list[str] = []
    media_type = redact(response.content_type).partition(";")[0].strip().lower()
    if response.content and "json" not in media_type:
        # A proxy, or a server that is not the platform at all.
        about.append(f"the body is {truncate(media_type) or 'of no type'}, no problem detail")
    if response.content and problem.title is None and len(parts) == 1:
        about.append(f"beginning {quote_body(response.content, response.content_type, redact)}")
    if about:
        message += f" ({', '.join(about)})"
    if cls is PermissionDeniedError and operation.permission:
        level = f" at {operation.level} level" if operation.level else ""
        message += f" (the operation needs {operation.permission}{level}, with {describe(operation.credentials)})"
    return message


def _describe(error: Mapping[str, Any]) -> str:
    """Describe one failure. Only the {loc, msg, type} form is documented."""
    if isinstance(error.get("msg"), str):
        loc: list[Any] = error["loc"] if isinstance(error.get("loc"), list) else []
        place = ".".join(str(part) for part in loc)
        return f"{place}: {error['msg']}" if place else str(error["msg"])
    return ", ".join(f"{name}: {value}" for name, value in error.items() if isinstance(value, str | int | float))


def _decode(response: Response, redact: Callable[[str], str]) -> Any:
    content = response.content
    if not content:
        return None
    try:
        text = content.decode(json.detect_encoding(content), "surrogatepass")
        if _has_few_tokens(text):
            return _redact_all(json.loads(text), redact)
    except (ValueError, RecursionError):
        pass
    # Some more than is shown, so that a credential at the end is found as a whole.
    head = content[: 4 * (MAX_TEXT + QUOTED_BYTES)]
    return redact(decode_characters(head, response.content_type)[: MAX_TEXT + QUOTED_BYTES])[:MAX_TEXT]


def _has_few_tokens(text: str) -> bool:
    if len(text) <= MAX_TOKENS:
        return True
    return sum(1 for _ in islice(TOKEN.finditer(text), MAX_TOKENS + 1)) <= MAX_TOKENS


def _redact_all(value: Any, redact: Callable[[str], str]) -> Any:
    texts: list[str] = []

    def keep(text: str) -> str:
        texts.append(text)
        return text

    copy = _map_texts(value, keep)
    # Most servers echo no credential: looking through one text takes much less time than through thousands.
    whole = "\n".join(texts)
    return copy if redact(whole) == whole else _map_texts(copy, redact)


def _map_texts(value: Any, convert: Callable[[str], str], depth: int = MAX_DEPTH) -> Any:
    if isinstance(value, str):
        return convert(value)
    if value.__class__ in (dict, list) and not depth:
        return None
    if value.__class__ is dict:
        return {convert(name): _map_texts(member, convert, depth - 1) for name, member in value.items()}
    if value.__class__ is list:
        return [_map_texts(member, convert, depth - 1) for member in value]
    return value


def _phrase(status: int) -> str:
    if status == 422:
        # Python before 3.13 has the phrase of an older RFC.
        return "Unprocessable Content"
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "unknown status"


def _later(seconds: float) -> datetime | None:
    try:
        return datetime.now(UTC) + timedelta(seconds=seconds)
    except OverflowError:
        return None
