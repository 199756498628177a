"""What two states of a sandbox differ in, by name: a credential is a number, and no value is shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

Document = dict[str, Any]
Key = tuple[str, ...]

CREDENTIALS: Final = "credentials"
CLOCK: Final = ("clock",)
SETTINGS: Final = ("org_group_limits_enabled",)


def compare(before: Document, after: Document, *, ticks: bool) -> dict[str, list[str]]:
    """What came, went and became other between two documents.

    The time is left out where it *ticks* by itself, and credentials where one of the documents has none.
    """
    numbers = numbered(before, after)
    whole = "accounts" in before and "accounts" in after

    def counts(key: Key) -> bool:
        return not (ticks and key == CLOCK) and (whole or key[0] != CREDENTIALS)

    old = {key: thing for key, thing in things(before) if counts(key)}
    new = {key: thing for key, thing in things(after) if counts(key)}

    def named(keys: set[Key]) -> list[str]:
        return sorted("/".join([CREDENTIALS, str(numbers[key[1]])] if key[0] == CREDENTIALS else key) for key in keys)

    return {
        "added": named(new.keys() - old.keys()),
        "removed": named(old.keys() - new.keys()),
        "changed": named({key for key in old.keys() & new.keys() if old[key] != new[key]}),
    }


def things(document: Document) -> Iterator[tuple[Key, Any]]:
    """Every thing of a state, by where it is."""
    yield CLOCK, document["now"]
    for name in SETTINGS:
        yield ("settings", name), document[name]
    for organization in document["organizations"]:
        yield ("organizations", organization["org_id"]), organization
    for user in document["users"]:
        yield ("users", user["user_id"]), user
    for token, account in document.get("accounts", {}).items():
        yield (CREDENTIALS, token), account
    for collection in document["collections"]:
        for key, record in collection["records"].items():
            yield (*collection["name"], key), record


def numbered(before: Document, after: Document) -> dict[str, int]:
    """The credentials of both, in the order in which they were made known."""
    tokens = dict.fromkeys([*before.get("accounts", {}), *after.get("accounts", {})])
    return {token: number for number, token in enumerate(tokens, start=1)}
