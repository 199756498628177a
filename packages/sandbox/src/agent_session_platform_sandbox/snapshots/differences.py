"""Differences between two states by name. Credentials appear as numbers, and no value is shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from .documents import Document

Key = tuple[str, ...]

CREDENTIALS: Final = "credentials"
CLOCK: Final = ("clock",)


def compare(before: Document, after: Document, *, ticks: bool) -> dict[str, list[str]]:
    """Return the names of the items that were added, removed and changed between two states.

    Args:
        before: The earlier state.
        after: The later state.
        ticks: True if the clock ticks; it is then not compared.
    """
    tokens = dict.fromkeys([*before.get("accounts", {}), *after.get("accounts", {})])
    numbers = {token: str(number) for number, token in enumerate(tokens, start=1)}
    # A document that was read over HTTP has no credentials.
    with_credentials = "accounts" in before and "accounts" in after

    def compared(key: Key) -> bool:
        return not (ticks and key == CLOCK) and (with_credentials or key[0] != CREDENTIALS)

    old = {key: item for key, item in _items(before) if compared(key)}
    new = {key: item for key, item in _items(after) if compared(key)}

    def named(keys: set[Key]) -> list[str]:
        return sorted("/".join((CREDENTIALS, numbers[key[1]]) if key[0] == CREDENTIALS else key) for key in keys)

    return {
        "added": named(new.keys() - old.keys()),
        "removed": named(old.keys() - new.keys()),
        "changed": named({key for key in old.keys() & new.keys() if old[key] != new[key]}),
    }


def _items(document: Document) -> Iterator[tuple[Key, Any]]:
    """Yield each item of a state with its place."""
    yield CLOCK, document["now"]
    yield ("settings", "org_group_limits_enabled"), document["org_group_limits_enabled"]
    for organization in document["organizations"]:
        yield ("organizations", organization["org_id"]), organization
    for user in document["users"]:
        yield ("users", user["user_id"]), user
    for token, account in document.get("accounts", {}).items():
        yield (CREDENTIALS, token), account
    for collection in document["collections"]:
        for key, record in collection["records"].items():
            yield (*collection["name"], key), record
