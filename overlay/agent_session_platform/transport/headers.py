"""The headers that requests have.

The headers that a caller must not set are in `validators`.
"""

from __future__ import annotations

import sys

from ..response.compression import ACCEPTED_CODINGS
from ..version import VERSION

# The number of the attempt within its call, from 1: for readers of a server's log.
ATTEMPT_HEADER = "x-agent-platform-attempt"

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
