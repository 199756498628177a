"""Lists in responses of the API."""

from __future__ import annotations

from typing import Any


def ids(response: Any, name: str) -> list[Any]:
    """Return the member *name* of each item of a response."""
    return [item[name] for item in response["items"]]
