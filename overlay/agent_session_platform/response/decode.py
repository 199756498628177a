"""Decode the body of a success into the result of its operation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from .._api import decode_nothing, decode_text
from ..errors import DecodeError
from ..text import decode_characters, quote_body, truncate
from .json_parser import LARGE, parse_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from .._api import Request
    from .response import Response

T = TypeVar("T")

# A value that is nested deeper can be parsed, but not copied, shown or pickled: it is refused.
MAX_DEPTH = 100

# Deep nesting usually ends in a run of closing brackets: a cheap test before the slow depth check.
CLOSING_RUNS = (b"]" * 64, b"}" * 64, b"]}" * 32)


class UnexpectedBodyError(Exception):
    """The body is not what the operation returns; never leaves this module."""


async def decode(request: Request[T], response: Response, redact: Callable[[str], str] = str) -> T:
    """Decode the body of a success; a large one is parsed in steps, between which the event loop runs.

    Args:
        request: The request; its `decode` makes the operation's result of the parsed JSON.
        response: The response; its status was judged.
        redact: Takes the credential out of a text of the server.

    Returns:
        The result of the operation.

    Raises:
        DecodeError: The body is not what the operation returns.
    """
    content = response.content
    decode_json = (
        request.decode if request.by_status is None else request.by_status.get(response.status, request.decode)
    )
    if decode_json is decode_nothing:
        return decode_json(None)
    try:
        if decode_json is decode_text:
            check_is_text(response.content_type)
            return decode_json(decode_characters(content, response.content_type))
        if not content:
            return decode_json(None)
        check_media_type(response.content_type)
        value = parse_json(content) if len(content) <= LARGE else await parse_large(content)
        for run in CLOSING_RUNS:
            if run in content:
                check_depth(value)
        return decode_json(value)
    except (TypeError, UnexpectedBodyError) as error:
        why = redact(str(error))
    except RecursionError:
        why = "JSON that is nested too deeply"
    except ValueError as error:
        # JSONDecodeError, UnicodeDecodeError, and the plain one of an integer with thousands of digits.
        why = f"a body that is not JSON ({truncate(str(error))})"
    body = f"beginning {quote_body(content, response.content_type, redact)}" if content else "with an empty body"
    raise DecodeError(f"{response.status} with {why}, {body}", operation=request.operation, status=response.status)


async def parse_large(content: bytes) -> Any:
    """Parse a body that is larger than LARGE."""
    # Imported with the first large body, because it would add to the start-up of every program.
    from .stepwise import is_large, parse_stepwise

    return await parse_stepwise(content) if is_large(content) else parse_json(content)


def check_media_type(content_type: str) -> None:
    """Raise UnexpectedBodyError unless a body is JSON; without a Content-Type the body decides."""
    if content_type in ("application/json", ""):
        return
    media_type = content_type.partition(";")[0].strip().lower()
    if media_type and media_type != "application/json" and not media_type.endswith("+json"):
        raise UnexpectedBodyError(f"{truncate(media_type)} where JSON should have come")


def check_is_text(content_type: str) -> None:
    """Raise UnexpectedBodyError for a page of HTML, which a proxy sends instead of text."""
    if content_type.partition(";")[0].strip().lower() == "text/html":
        raise UnexpectedBodyError("text/html where text should have come")


def check_depth(value: Any) -> None:
    """Raise RecursionError for a value that is nested more than MAX_DEPTH deep."""
    level: list[Any] = [value]
    for _ in range(MAX_DEPTH):
        members: list[Any] = []
        for each in level:
            members.extend(each.values() if isinstance(each, dict) else each)  # pyright: ignore[reportUnknownArgumentType]  # any JSON
        level = [member for member in members if isinstance(member, dict | list)]
        if not level:
            return
    raise RecursionError
