"""From the answer of a success to what its operation answers with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import DecodeError
from ..text import beginning, excerpt
from .json_parser import parse_json
from .stepwise import is_large, parse_stepwise

if TYPE_CHECKING:
    from collections.abc import Callable

    from .._api import Request
    from .response import Answer

T = TypeVar("T")


async def decode(request: Request[T], answer: Answer, redact: Callable[[str], str] = str) -> T:
    """Decode the body of a success; raises DecodeError when it is not what the operation answers with.

    *redact* takes the credential out of what is shown of the body. A large body lets the event loop turn meanwhile.
    """
    operation = request.operation
    try:
        return request.decode(await parse(answer))
    except (TypeError, Unexpected) as error:
        told = str(error)
    begins = beginning(answer.content, answer.content_type, redact)
    body = f", beginning {begins}" if answer.content else ", with an empty body"
    raise DecodeError(f"{answer.status} with {told}{body}", operation=operation, status=answer.status)


# What is nested deeper than that can be parsed, but not copied, shown or pickled.
DEEPEST = 100

# What is nested so deeply ends like that somewhere, mostly. Looking for it is quick, the longer the quicker; walking
# through every body would not be.
CLOSINGS = (b"]" * 64, b"}" * 64, b"]}" * 32)


def check_depth(value: list[Any]) -> None:
    """Refuse what is nested too deeply; raises RecursionError."""
    level: list[Any] = value
    for _ in range(DEEPEST):
        members: list[Any] = []
        for each in level:
            members.extend(each.values() if isinstance(each, dict) else each)  # pyright: ignore[reportUnknownArgumentType]  # any JSON
        level = [member for member in members if isinstance(member, dict | list)]
        if not level:
            return
    raise RecursionError


class Unexpected(Exception):  # noqa: N818  # never leaves this module
    """The body is no JSON, or the status no success."""


async def parse(answer: Answer) -> Any:
    """Parse the body as JSON; an empty one is None."""
    if not 200 <= answer.status < 300:
        where = f" to {excerpt(answer.location)}" if answer.location else ""
        raise Unexpected(f"a redirect{where}, which is not followed" if answer.status >= 300 else "no final answer")
    if not answer.content:
        return None
    # Without a Content-Type the body speaks for itself.
    media_type = answer.content_type.partition(";")[0].strip().lower()
    if media_type and media_type != "application/json" and not media_type.endswith("+json"):
        raise Unexpected(f"{excerpt(media_type)} where JSON should have come")
    try:
        content = answer.content
        value = await parse_stepwise(content) if is_large(content) else parse_json(content)
        if any(closing in content for closing in CLOSINGS):
            check_depth([value])
        return value
    except RecursionError:
        raise Unexpected("JSON that is nested too deeply") from None
    except ValueError as error:
        # JSONDecodeError, UnicodeDecodeError, and the plain one of an integer with thousands of digits.
        raise Unexpected(f"a body that is no JSON ({excerpt(str(error))})") from None
