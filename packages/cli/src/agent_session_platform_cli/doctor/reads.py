"""Reads that show what the credential may do: every GET that needs nothing but the organization, and no write."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final
from urllib.parse import quote

import attrs
from agent_session_platform import (
    AgentPlatform,
    AgentPlatformError,
    Catalogue,
    Credential,
    Operation,
    ReceivedResponse,
    RequestOptions,
    RetryPolicy,
)

ORGANIZATION: Final = "org_id"
# The first read is sent once: it is to show how it fails.
ONCE: Final = RetryPolicy.none()
PATIENT: Final = RetryPolicy(attempts=3, deadline=30.0, max_retry_after=10.0)


@attrs.frozen
class Read:
    """The outcome of a read.

    Attributes:
        operation: The operation.
        status: The status of the response; None if none came.
        headers: Its headers, by name in small letters.
        received: When it came, by the clock of this machine, in seconds since 1970.
        error: Why it failed; None for a success.
    """

    operation: Operation
    status: int | None = None
    headers: Mapping[str, str] = attrs.field(factory=dict[str, str])
    received: float = 0.0
    error: AgentPlatformError | None = None

    @property
    def succeeded(self) -> bool:
        """True if the response is a success of the API."""
        return self.error is None and self.status is not None

    @property
    def is_problem(self) -> bool:
        """True if the response is an error in the form of the API."""
        return self.headers.get("content-type", "").lower().startswith("application/problem+json")


def reads_for(credential: Credential, organization: str | None) -> list[Operation]:
    """Return the reads to send, first those that most credentials can send.

    Args:
        credential: Its kind leaves out what cannot accept it.
        organization: The organization; None leaves out what needs one.
    """
    found = [each for each in reading(Catalogue()) if organization or ORGANIZATION not in placeholders(each)]
    accepting = [each for each in found if credential.kind is None or credential.kind in each.credentials]
    return sorted(accepting, key=lambda each: (-len(each.credentials), ORGANIZATION in placeholders(each), each.name))


def reading(operations: Iterable[Operation]) -> Iterator[Operation]:
    """Yield the operations that read, and need nothing but the organization."""
    for each in operations:
        required = [parameter for parameter in each.parameters if parameter.required and parameter.location != "path"]
        is_plain = each.method == "GET" and not (each.deprecated or each.streamed or required)
        if is_plain and placeholders(each) <= {ORGANIZATION}:
            yield each


def placeholders(operation: Operation) -> set[str]:
    """Return the parameters in the path of an operation."""
    return {each.name for each in operation.parameters if each.location == "path"}


async def read(
    platform: AgentPlatform, operation: Operation, organization: str | None, retry: RetryPolicy = PATIENT
) -> Read:
    """Send a read, of a list for one item.

    Args:
        platform: The client.
        operation: One of `reads_for`.
        organization: The organization, where its path has one.
        retry: How often it is attempted.
    """
    responses: list[tuple[ReceivedResponse, float]] = []
    options = RequestOptions(retry=retry, on_response=lambda response: responses.append((response, time.time())))
    path = operation.path.replace(f"{{{ORGANIZATION}}}", quote(organization or "", safe=""))
    query: dict[str, Any] = {"first": 1} if any(each.name == "first" for each in operation.parameters) else {}
    error = None
    try:
        await platform.request("GET", path, query=query, options=options)
    except AgentPlatformError as failure:
        error = failure
    if not responses:
        return Read(operation, error=error)
    response, received = responses[-1]
    return Read(operation, response.status, response.headers, received, error)


async def read_all(platform: AgentPlatform, operations: Iterable[Operation], organization: str | None) -> list[Read]:
    """Send reads, as many at once as the client has connections."""
    return await asyncio.gather(*(read(platform, each, organization) for each in operations))
