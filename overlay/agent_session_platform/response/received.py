"""Describe a response without its body: for errors, for `on_response`, and beside a result."""

from __future__ import annotations

from asyncio import Future
from collections.abc import Awaitable
from contextvars import ContextVar
from typing import TYPE_CHECKING

from ..errors import InvalidArgumentError
from ..text import type_name
from .judge import public_part
from .response import StreamedResponse

if TYPE_CHECKING:
    from collections.abc import Callable

    from .._api import Operation, ReceivedResponse
    from .response import Response

    Functions = tuple[Callable[[ReceivedResponse], None] | None, ...]

# Where `AgentPlatform.with_response` collects the responses of the calls that it awaits.
collected: ContextVar[list[ReceivedResponse] | None] = ContextVar("collected", default=None)

# It may carry a session.
HIDDEN = "set-cookie"


def check_call(call: object) -> None:
    """Refuse what is no call of a client, or runs by itself already."""
    if isinstance(call, Future):
        raise InvalidArgumentError("call must be the call itself, and not a task of it, which runs by itself")
    if not isinstance(call, Awaitable):
        raise InvalidArgumentError(f"call must be a call that was not awaited yet, not {type_name(call)}")


def describe_response(
    response: Response | StreamedResponse, operation: Operation, redact: Callable[[str], str]
) -> ReceivedResponse:
    """Describe a response.

    Args:
        response: The response.
        operation: The operation that was called.
        redact: Takes the credential out of a text of the server.
    """
    # Imported with the first response that is described, because it would add to the start-up of every program.
    from .._api import ReceivedResponse

    headers: dict[str, str] = {}
    for name, value in response.headers:
        key = name.decode("latin-1").lower()
        text = value.decode("utf-8", "replace")
        if key == "location":
            text = public_part(text)
        if key != HIDDEN:
            headers[key] = f"{headers[key]}, {redact(text)}" if key in headers else redact(text)
    return ReceivedResponse(operation, response.status, headers, response.attempts, response.elapsed)


async def report_success(
    response: Response | StreamedResponse,
    operation: Operation,
    redact: Callable[[str], str],
    functions: Functions,
) -> None:
    """Report a success; if a function of the caller raises, the stream is closed, because nobody else would.

    Args:
        response: The response.
        operation: The operation that was called.
        redact: Takes the credential out of a text of the server.
        functions: As for `report`.
    """
    try:
        report(describe_response(response, operation, redact), functions)
    except BaseException:
        if isinstance(response, StreamedResponse):
            await response.aclose()
        raise


def report(received: ReceivedResponse, functions: Functions) -> None:
    """Report the response that ends a call.

    Args:
        received: The response.
        functions: The `on_response` of the client, and that of the call.
    """
    for on_response in functions:
        if on_response is not None:
            on_response(received)
    responses = collected.get()
    if responses is not None:
        responses.append(received)
