"""Call every operation on a sandbox, and keep what it responds."""

from __future__ import annotations

import asyncio
import json
import warnings
from contextlib import suppress
from typing import Any, Final, NamedTuple, cast

import httpx
from agent_session_platform import Operation, ProblemError, RetryPolicy, operations
from agent_session_platform_sandbox import Sandbox

from tests.contract.every_operation import call
from tests.contract.prepared_sandbox import bodies, given, token_for

# A list is shown with so many items, and a payload with so many lines.
MOST_ITEMS: Final = 1
MOST_LINES: Final = 60
CUT: Final = "..."


class Payload(NamedTuple):
    """A response of the sandbox.

    Attributes:
        status: The HTTP status.
        media_type: The media type of the body; empty where there is no body.
        text: The body; JSON with indentation.
    """

    status: int
    media_type: str
    text: str


class Recorder(httpx.AsyncBaseTransport):
    """A transport that keeps the last response.

    Args:
        inner: The transport that sends.
    """

    def __init__(self, inner: httpx.AsyncBaseTransport) -> None:
        self._inner = inner
        self.last = httpx.Response(204)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request; see `httpx.AsyncBaseTransport`."""
        response = await self._inner.handle_async_request(request)
        body = await response.aread()
        self.last = httpx.Response(response.status_code, headers=response.headers, content=body)
        return httpx.Response(response.status_code, headers=response.headers, content=body)


def payloads() -> dict[str, Payload]:
    """Return the response to each operation, by its name."""
    return asyncio.run(_call_all())


async def _call_all() -> dict[str, Payload]:
    with warnings.catch_warnings():
        # Deprecated operations are in the reference as well.
        warnings.simplefilter("ignore", DeprecationWarning)
        return {each.name: await payload_of(each) for each in operations}


async def payload_of(operation: Operation) -> Payload:
    """Return the response to an operation, called with arguments that the contract allows."""
    sandbox = Sandbox()
    path = await given(sandbox, operation)
    recorder = Recorder(sandbox.transport())
    client = sandbox.client(token_for(sandbox, operation), retry=RetryPolicy.none(), transport=recorder)
    async with client as platform:
        # The page shows the refusal where there is nothing to read or to change.
        with suppress(ProblemError):
            await call(platform, operation, **path, **bodies(operation))
    media_type = recorder.last.headers.get("content-type", "").partition(";")[0]
    return Payload(recorder.last.status_code, media_type, text_of(recorder.last.content, media_type))


def text_of(body: bytes, media_type: str) -> str:
    """Return a body as text to show: of long lists the first item, of long payloads the first lines."""
    if not media_type.endswith("json"):
        return body.decode("utf-8", "replace")
    text = json.dumps(shortened(json.loads(body)), indent=2, ensure_ascii=False)
    # What stands for left-out items is no text of the payload.
    lines = text.replace(f'"{CUT}"', CUT).splitlines()
    return "\n".join(lines if len(lines) <= MOST_LINES else [*lines[:MOST_LINES], CUT])


def shortened(value: Any) -> Any:
    """Return a JSON value with the first items of each list, and a mark where others are left out."""
    if isinstance(value, list):
        items = cast("list[Any]", value)  # type: ignore[redundant-cast]  # pyright needs it
        is_long = len(items) > MOST_ITEMS and any(isinstance(each, dict | list) for each in items)
        return [*map(shortened, items[:MOST_ITEMS]), CUT] if is_long else [*map(shortened, items)]
    if isinstance(value, dict):
        return {name: shortened(each) for name, each in cast("dict[str, Any]", value).items()}
    return value
