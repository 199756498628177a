"""The headers of a request: which of them a caller may set, and how they are joined."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import attrs

from .errors import InvalidArgumentError

ACCEPT = "application/json, application/problem+json"

# This header has the number of the attempt, for readers of a server's log.
ATTEMPT_HEADER = "x-agent-platform-attempt"

# Headers that a caller cannot set, in lower case: the SDK sets them, or they are about the connection, which the HTTP
# library manages. After an Expect, for example, a client waits for a response that may never come.
RESERVED_HEADERS = frozenset(
    {
        "accept-encoding",
        "authorization",
        "connection",
        "content-encoding",
        "content-length",
        "expect",
        "host",
        "keep-alive",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
        ATTEMPT_HEADER,
    }
)

# The pattern of header names (RFC 9110, section 5.6.2). It is compiled when the first header is checked.
HEADER_NAME = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"


def valid_headers(
    instance: object,
    attribute: attrs.Attribute[Any],
    headers: Mapping[Any, Any],
) -> None:
    """Refuse headers that cannot be sent, are given twice or are reserved; a message shows no value."""
    argument = attribute.name
    lower_names: set[str] = set()
    for name, value in headers.items():
        if not isinstance(name, str) or not re.fullmatch(HEADER_NAME, name):
            # If the name is "X-Key: secret", show only `X-Key`: the rest may be a secret value.
            beginning = str(name).partition(":")[0]
            raise InvalidArgumentError(f"{argument} has {beginning!r}, which is not a valid header name")
        lower_name = name.lower()
        if lower_name in RESERVED_HEADERS or lower_name.startswith("proxy-"):
            raise InvalidArgumentError(f"{argument} must not set {name}: the SDK or the HTTP library sets it")
        if lower_name in lower_names:
            raise InvalidArgumentError(f"{argument} has {name} twice: upper and lower case are the same header")
        if not isinstance(value, str) or not is_header_value(value):
            raise InvalidArgumentError(f"{argument}[{name!r}] must be a string of printable ASCII characters")
        lower_names.add(lower_name)


def is_header_value(text: str) -> bool:
    """Return whether a header can carry a text."""
    return text.isascii() and text.isprintable()


def normal_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Return headers by lower-case name."""
    return {name.lower(): value.strip() for name, value in headers.items()}
