"""The headers that requests have.

The headers that a caller must not set are in `validators`.
"""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING, Any

from ..response.compression import ACCEPTED_CODINGS
from ..version import VERSION
from .interface import CACHED_HEADERS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..request.credentials import Credential
    from .interface import Headers


# The number of the attempt within its call, from 1: for readers of a server's log.
ATTEMPT_HEADER = "x-agent-platform-attempt"

PYTHON = ".".join(map(str, sys.version_info[:3]))


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
