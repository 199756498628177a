"""The headers that requests have, and those of responses that are read.

The headers that a caller must not set are in `validators`.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence

from ..response.compression import ACCEPTED_CODINGS
from ..version import VERSION

# The number of the attempt within its call, from 1: for readers of a server's log.
ATTEMPT_HEADER = "x-agent-platform-attempt"

# From these of a streamed response a download is followed or resumed.
STREAM_HEADERS = (
    b"content-encoding", b"content-length", b"content-range", b"date", b"etag", b"last-modified", b"location"
)  # fmt: skip

PYTHON = ".".join(map(str, sys.version_info[:3]))


def user_agent(library: str) -> str:
    """Return the User-Agent header.

    Args:
        library: Name and version of the HTTP library.
    """
    return f"agent-session-platform/{VERSION} python/{PYTHON} {library}"


def sdk_headers(library: str, attempt: int, accept: str, media_type: str | None) -> dict[str, str]:
    """Return the headers of a request, but for host and credential.

    Args:
        library: Name and version of the HTTP library, for User-Agent.
        attempt: Number of the attempt within its call, from 1.
        accept: The Accept header.
        media_type: The Content-Type header; None without a body.
    """
    headers = {
        "user-agent": user_agent(library),
        "accept-encoding": ACCEPTED_CODINGS,
        ATTEMPT_HEADER: str(attempt),
        "accept": accept,
    }
    return headers if media_type is None else {**headers, "content-type": media_type}


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
