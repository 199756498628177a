"""From the answer of a success to what its operation answers with."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from .errors import DecodeError
from .excerpt import excerpt

if TYPE_CHECKING:
    from ._api import Operation, Request
    from .transport import Answer

T = TypeVar("T")


def decode(request: Request[T], answer: Answer) -> T:
    """Decode the body of a success; raises DecodeError when it is not what the operation answers with."""
    operation = request.operation
    payload = parse(answer, operation)
    try:
        return request.decode(payload)
    except TypeError as error:
        _fail(str(error), answer, operation)


def parse(answer: Answer, operation: Operation) -> Any:
    """Parse the body as JSON; an empty one is None."""
    if not 200 <= answer.status < 300:
        where = f" to {excerpt(answer.location)}" if answer.location else ""
        _fail(
            f"a redirect{where}, which is not followed" if answer.status >= 300 else "no final answer",
            answer,
            operation,
        )
    if not answer.content:
        return None
    # Without a Content-Type the body speaks for itself.
    media_type = answer.content_type.partition(";")[0].strip().lower()
    if media_type and media_type != "application/json" and not media_type.endswith("+json"):
        _fail(f"{excerpt(media_type)} where JSON should have come", answer, operation)
    try:
        return json.loads(answer.content)
    except RecursionError:
        _fail("JSON that is nested too deeply", answer, operation)
    except ValueError as error:
        # JSONDecodeError, UnicodeDecodeError, and the plain one of an integer with thousands of digits.
        _fail(f"a body that is no JSON ({excerpt(str(error))})", answer, operation)


def _fail(what: str, answer: Answer, operation: Operation) -> NoReturn:
    body = f", beginning {excerpt(answer.content)!r}" if answer.content else ", with an empty body"
    raise DecodeError(f"{answer.status} with {what}{body}", operation=operation, status=answer.status) from None
