"""Decode the body of a success into the result of its operation: JSON or text."""

from __future__ import annotations

import gc
import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from .._api import Request, UnexpectedTypeError, decode_nothing, decode_text
from ..text import JSON_TYPE, charset_of, media_type_of, truncate
from .body_limits import MAX_DEPTH
from .exchange import Response

parse: Callable[[bytes], Any] = json.loads
with suppress(ImportError):
    # The extra `speed` installs msgspec. Both make the same value: integers of any length stay integers.
    from msgspec.json import Decoder

    parse = Decoder().decode

T = TypeVar("T")

TOO_DEEP = "JSON that is nested too deeply"


class UnusableBodyError(Exception):
    """A body is not JSON or has another media type; this error never leaves the SDK."""


def decode(request: Request[T], response: Response) -> T:
    """Decode the body of a success.

    Args:
        request: The request; its `decode` converts the parsed JSON into the result of the operation.
        response: The response, which has a status of success.

    Returns:
        The result of the operation.

    Raises:
        DecodeError: The body is not what the operation returns.
    """
    content = response.content
    # Each status may have a decoder of its own. So the decoder says whether the body is text, or is not read.
    make_result = (request.by_status or {}).get(response.status, request.decode)
    if make_result is decode_nothing:
        return make_result(None)
    try:
        if make_result is decode_text:
            check_media_type(response, text=True)
            return make_result(content.decode(charset_of(content, response.content_type), "replace"))
        if not content:
            return make_result(None)
        if response.content_type != JSON_TYPE:
            check_media_type(response)
        return make_result(parse_json(content, response.content_type))
    except (UnusableBodyError, UnexpectedTypeError) as error:
        # Any other error comes from the function that converts the JSON, and not from the body.
        reason = str(error)
    beginning = "with an empty body"
    if response.content:
        beginning = f"beginning {response.quote_body()}"
    raise response.make_decode_error(f"with {reason}, {beginning}")


def check_media_type(response: Response, *, text: bool = False) -> None:
    """Check the media type of a body: for *text* it must not be HTML, otherwise it must be JSON or missing.

    Raises:
        UnusableBodyError: The body is something else, such as the page of a proxy.
    """
    media_type = media_type_of(response.content_type)
    expected = "JSON"
    fits = media_type in (JSON_TYPE, "") or media_type.endswith("+json")
    if text:
        expected = "text"
        fits = media_type != "text/html"
    if not fits:
        received = media_type_of(response.redact(response.content_type))
        raise UnusableBodyError(f"{truncate(received)} instead of {expected}")


def parse_json(content: bytes, content_type: str = "") -> Any:
    """Parse a body as `json.loads` does, and refuse deep nesting.

    Args:
        content: JSON in UTF-8, UTF-16 or UTF-32, or else in the charset that *content_type* declares.
        content_type: The Content-Type header.

    Returns:
        The value; it can be copied, compared, shown and pickled without a RecursionError.

    Raises:
        UnusableBodyError: The body is not JSON, or the value is nested more than MAX_DEPTH deep.
    """
    # The garbage collector looks again and again at the many objects of a large body, so 16 MiB of `[[],[],...]` take
    # five times as long as without it. It belongs to the program, so a library does not pause it.
    try:
        value = parse(content)
    except Exception:
        value = parse_again(content, content_type)
    # Each level needs two brackets, so a shorter body cannot be nested too deeply.
    if len(content) > 2 * MAX_DEPTH:
        check_depth(value)
    return value


def parse_again(content: bytes, content_type: str) -> Any:
    """Parse what was refused: msgspec knows UTF-8 only, and no NaN, and json does not know the declared charset."""
    charset = charset_of(content, content_type)
    try:
        if charset == "utf-8":
            return json.loads(content)
        return json.loads(content.decode(charset))
    except RecursionError:
        reason = TOO_DEEP
    except ValueError as error:
        # The error is a JSONDecodeError, a UnicodeDecodeError, or a plain ValueError for an integer of thousands of
        # digits.
        reason = f"text that is not JSON ({truncate(str(error))})"
    raise UnusableBodyError(reason)


def check_depth(value: Any) -> None:
    """Refuse a value that is nested more than MAX_DEPTH deep."""
    level = [value]
    for _ in range(MAX_DEPTH):
        # The members of all arrays and objects of a level, as the collector finds them: a loop of Python over a large
        # body would take longer than parsing it. Texts and numbers have no members.
        level = gc.get_referents(*level)
        if not level:
            return
    for member in level:
        if isinstance(member, dict | list):
            raise UnusableBodyError(TOO_DEEP)
