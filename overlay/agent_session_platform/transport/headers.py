"""The headers that requests have, and those that are read of responses.

The headers that a caller must not set are in `validators`.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from ..response.compression import ACCEPTED_CODINGS
from ..version import VERSION

if TYPE_CHECKING:
    from ..request.credentials import Credential
    from .interface import Headers, TransportResponse

# The number of the attempt within its call, from 1: for readers of a server's log.
ATTEMPT_HEADER = "x-agent-platform-attempt"

PYTHON = ".".join(map(str, sys.version_info[:3]))

# How many combinations of headers are kept: of each attempt, Accept and Content-Type.
CACHED_HEADERS = 32

READ_HEADERS = (b"content-type", b"content-encoding", b"retry-after", b"location")

# From these of a streamed response a download is followed or resumed.
STREAM_HEADERS = (
    b"content-encoding", b"content-length", b"content-range", b"date", b"etag", b"last-modified", b"location"
)  # fmt: skip


def user_agent(library: str, program: str | None = None) -> str:
    """Return the User-Agent header.

    Args:
        library: Name and version of the HTTP library.
        program: Name of the program that uses the SDK; None without.
    """
    own = f"agent-session-platform/{VERSION} python/{PYTHON} {library}"
    return own if program is None else f"{program} {own}"


def sdk_headers(agent: str, attempt: int, accept: str, media_type: str | None) -> dict[str, str]:
    """Return the headers of a request, but for host and credential.

    Args:
        agent: The User-Agent header.
        attempt: Number of the attempt within its call, from 1.
        accept: The Accept header.
        media_type: The Content-Type header; None without a body.
    """
    headers = {
        "user-agent": agent,
        "accept-encoding": ACCEPTED_CODINGS,
        ATTEMPT_HEADER: str(attempt),
        "accept": accept,
    }
    return headers if media_type is None else {**headers, "content-type": media_type}


def with_defaults(headers: dict[str, str], defaults: Mapping[str, str]) -> dict[str, str]:
    """Return headers with the caller's for every call, which win but for the media type of a body."""
    return {**headers, **defaults, **{name: headers[name] for name in headers.keys() & {"content-type"}}}


def cache_headers(agent: str, defaults: Mapping[str, str], credential: Credential) -> Any:
    """Return a function that returns the headers of a request, for as long as the credential stays the same.

    Args:
        agent: The User-Agent header.
        defaults: Headers of every call.
        credential: The credential.

    Returns:
        A function of the number of the attempt, the Accept header and the Content-Type header.
    """

    def write(attempt: int, accept: str, media_type: str | None) -> Headers:
        sent = with_defaults(sdk_headers(agent, attempt, accept, media_type), defaults)
        return (("authorization", credential.header), *sent.items())

    return functools.lru_cache(CACHED_HEADERS)(write)


def read_wait(response: TransportResponse) -> float | None:
    """Return the seconds that a response asks to wait; None when it does not."""
    # Imported with the first refusal, because it would add to the start-up of every program.
    from ..response.retry_after import WAIT_HEADERS, seconds_to_wait

    return seconds_to_wait(
        read_headers(response.headers, WAIT_HEADERS), datetime.now(UTC), hints=response.status == 429
    )


def read_headers(headers: Sequence[tuple[bytes, bytes]], names: Collection[bytes]) -> dict[bytes, list[str]]:
    """Return the values of the headers that are asked for, by lower-case name, each as often as it came."""
    found: dict[bytes, list[str]] = {}
    for name, value in headers:
        key = name.lower()
        if key in names:
            try:
                text = value.decode()
            except UnicodeDecodeError:
                text = value.decode("latin-1")
            found.setdefault(key, []).append(text)
    return found


def read_stream_headers(headers: Sequence[tuple[bytes, bytes]]) -> dict[str, str]:
    """Return the headers of a streamed response that are used; one that came with several values is left out."""
    found = read_headers(headers, STREAM_HEADERS)
    return {name.decode(): values[0] for name, values in found.items() if len(set(values)) == 1}
