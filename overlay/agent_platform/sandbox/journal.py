"""What a sandbox was asked: every request and its status, without a credential or a secret."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, cast
from urllib.parse import parse_qsl, urlencode

from ..credentials import kind_of

HIDDEN = "[hidden]"

# Members of a body whose value is never kept, whatever the operation.
SECRET_MEMBERS = frozenset({"value", "secret", "token", "password", "credential", "api_key"})
LONGEST_BODY = 64 * 1024


@dataclass(frozen=True, slots=True)
class Entry:
    """One request: its operation by name (None: none that the contract knows), and what it was answered with.

    `status` is None when the connection broke off; `body` is the JSON that came, or None.
    """

    number: int
    at: datetime
    operation: str | None
    method: str
    path: str
    query: str
    body: Any
    status: int | None

    def shown(self) -> dict[str, Any]:
        """The same as JSON; a credential or a secret that someone put into the address is left out."""
        path = "/".join(str(without_secrets(part)) for part in self.path.split("/"))
        query = [(name, without_secrets({name: value})[name]) for name, value in parse_qsl(self.query, True)]
        readable = urlencode(query, safe="[]:,/")
        return {**asdict(self), "at": self.at.isoformat(), "path": path, "query": readable}

    def __str__(self) -> str:
        target = f"{self.path}?{self.query}" if self.query else self.path
        return f"#{self.number} {self.method} {target} -> {self.status or 'broken off'} ({self.operation or 'unknown'})"


class Journal:
    """The requests of a sandbox in the order in which they came."""

    def __init__(self) -> None:
        self._entries: list[Entry] = []

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries)

    def __getitem__(self, index: int) -> Entry:
        return self._entries[index]

    def add(
        self, at: datetime, operation: str | None, method: str, path: str, query: str, body: bytes, status: int | None
    ) -> Entry:
        """Note a request."""
        entry = Entry(len(self._entries) + 1, at, operation, method, path, query, shown(body), status)
        self._entries.append(entry)
        return entry

    def of(self, operation: str) -> list[Entry]:
        """The requests of one operation, by its name."""
        return [entry for entry in self._entries if entry.operation == operation]

    def expect(self, operation: str, times: int | None = None, **members: Any) -> list[Entry]:
        """The requests of *operation* whose bodies have *members*; raises AssertionError when there are none.

        With *times* there must be just so many. The message shows what came instead.
        """
        found = [entry for entry in self.of(operation) if has(entry.body, members)]
        if len(found) == times or (times is None and found):
            return found
        wanted = f"{operation} with {members}" if members else operation
        came = "\n".join(f"  {entry} {entry.body if entry.body is not None else ''}" for entry in self._entries)
        expected = "at least once" if times is None else f"{times} times"
        raise AssertionError(
            f"expected {wanted} {expected}, it came {len(found)} times; all requests:\n{came or '  none'}"
        )

    def clear(self) -> None:
        """Forget all."""
        self._entries.clear()


def has(body: Any, members: dict[str, Any]) -> bool:
    """Whether a body has these members with these values."""
    return not members or (isinstance(body, dict) and members.items() <= cast("dict[str, Any]", body).items())


def shown(body: bytes) -> Any:
    """The JSON of a body without its secrets; None for what is none or too long."""
    if not body or len(body) > LONGEST_BODY:
        return None
    try:
        return without_secrets(json.loads(body))
    except (ValueError, RecursionError):
        return None


def without_secrets(value: Any) -> Any:
    """The same with secrets and credentials taken out."""
    if isinstance(value, str):
        return HIDDEN if kind_of(value) else value
    if isinstance(value, list):
        return [without_secrets(each) for each in value]  # pyright: ignore[reportUnknownVariableType]  # any JSON
    if isinstance(value, dict):
        return {
            name: HIDDEN if name in SECRET_MEMBERS else without_secrets(member)
            for name, member in cast("dict[str, Any]", value).items()
        }
    return value
