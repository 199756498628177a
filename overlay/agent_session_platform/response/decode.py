"""Decode the body of a success into the result of its operation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from .._api import decode_any, decode_nothing, decode_text
from ..errors import DecodeError
from ..text import begin_body, charset_of, quote_body, truncate
from .bounds import MAX_DEPTH, MAX_NON_OBJECTS, TextPieces, TooManyValuesError, check_depth, check_members
from .json_parser import LARGE, parse_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from .._api import Request
    from .response import Response

T = TypeVar("T")


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
            return decode_json(await decode_all(content, charset_of(content, response.content_type)))
        if not content:
            return decode_json(None)
        check_media_type(response.content_type)
        value = await parse(content)
        if len(content) > 2 * MAX_NON_OBJECTS and request.operation.verb and decode_json is not decode_any:
            # Models are made of it.
            check_members(value)
        return decode_json(value)
    except (TypeError, UnexpectedBodyError, TooManyValuesError) as error:
        why = redact(str(error))
    except RecursionError:
        why = "JSON that is nested too deeply"
    except ValueError as error:
        # JSONDecodeError, UnicodeDecodeError, and the plain one of an integer with thousands of digits.
        why = f"a body that is not JSON ({truncate(str(error))})"
    quoted = f"beginning {quote_body(content, response.content_type, redact)}" if content else "with an empty body"
    # Imported here, because it would add to the start-up of every program.
    from .received import describe_response

    failed = DecodeError(
        f"{response.status} with {why}, {quoted}",
        operation=request.operation,
        status=response.status,
        body=begin_body(content, response.content_type, redact),
    )
    failed.response = describe_response(response, request.operation, redact)
    raise failed


async def parse(content: bytes) -> Any:
    """Parse JSON that may be large.

    Raises:
        ValueError: It is not JSON, or has too many values.
        RecursionError: It is nested too deeply.
    """
    if len(content) > LARGE:
        # Imported with the first large body, because it would add to the start-up of every program.
        from .stepwise import parse_stepwise

        return await parse_stepwise(content)
    value = parse_json(content)
    if len(content) > 2 * MAX_DEPTH:
        check_depth(value)
    return value


async def decode_all(content: bytes, charset: str) -> str:
    """Decode a text that may be large."""
    if len(content) <= LARGE:
        return content.decode(charset, "replace")
    from .stepwise import decode_pieces

    pieces = TextPieces()
    async for piece in decode_pieces(content, charset, "replace"):
        pieces.add(piece)
    return pieces.join()


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
