"""The headers of requests with one credential, which are the same for many requests."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import httpx

from .headers import sdk_headers

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..request.credentials import Credential

# How many are kept: of each combination of attempt, Accept and Content-Type.
CACHED_HEADERS = 32


def cache_headers(
    library: str, address: str, credential: Credential
) -> Callable[[int, str, str | None], httpx.Headers]:
    """Return a function that returns the headers of a request, for as long as the credential stays the same.

    Args:
        library: Name and version of the HTTP library, for User-Agent.
        address: The Host header.
        credential: The credential.

    Returns:
        A function of the number of the attempt, the Accept header and the Content-Type header.
    """
    # A method, in whose attributes no error reporter finds the credential.
    copy = httpx.Headers([("host", address), ("authorization", credential.header)]).copy

    def write(attempt: int, accept: str, media_type: str | None) -> httpx.Headers:
        headers = copy()
        headers.update(sdk_headers(library, attempt, accept, media_type))
        return headers

    return functools.lru_cache(CACHED_HEADERS)(write)
