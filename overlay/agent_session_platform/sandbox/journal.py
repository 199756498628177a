"""The journal: the requests that a sandbox received, without credentials and secrets."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import parse_qs, parse_qsl, urlencode

import attrs

from .contract import Kind, kind_of, operation_named
from .redaction import HIDDEN, is_secret, redact_secret_fields, redact_secrets, secret_parameters

if TYPE_CHECKING:
    from .._api import Operation

MAX_BODY = 1024 * 1024


@attrs.frozen
class Entry:
    """One request. `[hidden]` replaces credentials and secrets in `path`, `query` and `body`.

    Attributes:
        number: Number of the request, from 1.
        at: Time of the request on the sandbox's clock.
        operation: Name of the operation; None if the contract has none for the request.
        method: HTTP method.
        path: Path of the URL.
        query: Query string.
        body: The body that was sent: JSON, the fields of a form, or text; None for any other.
        status: Status of the response; None if the connection was broken off.
    """

    number: int
    at: datetime
    operation: str | None
    method: str
    path: str
    query: str
    body: Any
    status: int | None

    def to_dict(self) -> dict[str, Any]:
        """Return the entry as JSON."""
        readable = urlencode(parse_qsl(self.query, keep_blank_values=True), safe="[]:,/")
        return {**attrs.asdict(self, recurse=False), "at": self.at.isoformat(), "query": readable}

    def __str__(self) -> str:
        target = f"{self.path}?{self.query}" if self.query else self.path
        return f"#{self.number} {self.method} {target} -> {self.status or 'broken off'} ({self.operation or 'unknown'})"


class Journal:
    """The requests of a sandbox in the order of their arrival.

    Args:
        redact: A function that removes the known credentials from JSON.
    """

    def __init__(self, redact: Callable[[Any], Any]) -> None:
        self._entries: list[Entry] = []
        self._redact_known = redact
        self._last = 0
        self._cleared = 0

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries)

    def __getitem__(self, index: int) -> Entry:
        return self._entries[index]

    @property
    def last(self) -> int:
        """The number of the last request, even if it was cleared; 0 if there was none."""
        return self._last

    @property
    def cleared(self) -> int:
        """The number of times the journal was cleared or reset; a reader starts again when this grows."""
        return self._cleared

    def add(
        self,
        at: datetime,
        operation: Operation | None,
        method: str,
        path: str,
        query: str,
        body: bytes,
        status: int | None,
        content_type: str = "",
    ) -> Entry:
        """Add a request, redacted, and return its entry."""
        self._last += 1
        name, operation_id = (None, None) if operation is None else (operation.name, operation.id)
        shown_query, shown_body = self._redact_query(operation_id, query), None
        if len(body) <= MAX_BODY:
            shown_body = self._redact(redact_secret_fields(operation_id, _parse(body, content_type), path))
        entry = Entry(self._last, at, name, method, self._redact(path), shown_query, shown_body, status)
        self._entries.append(entry)
        return entry

    def of(self, operation: str) -> list[Entry]:
        """Return the requests of one operation.

        Args:
            operation: Name or id of the operation.

        Raises:
            UnknownOperationError: There is no such operation (a KeyError).
        """
        name = operation_named(operation).name
        return [entry for entry in self._entries if entry.operation == name]

    def expect(self, operation: str, times: int | None = None, **members: Any) -> list[Entry]:
        """Assert that an operation was requested, and return its requests.

        Args:
            operation: Name or id of the operation.
            times: Exact number of requests; None expects at least one.
            members: Members that the bodies must have. Only requests with these are counted.

        Raises:
            AssertionError: The number of requests is another. The message lists all requests.
            ValueError: The journal hides one of the members, so no request could match.
            UnknownOperationError: There is no such operation (a KeyError).

        Example:
            sandbox.journal.expect("enterprise.reviews.create", times=1, pr_url="https://...")
        """
        requests = self.of(operation)
        self._refuse_hidden(operation, members)
        found = [entry for entry in requests if _has(entry.body, members)]
        if len(found) == times or (times is None and found):
            return found
        wanted = f"{operation} with {members}" if members else operation
        received = "\n".join(f"  {entry} {entry.body if entry.body is not None else ''}" for entry in self._entries)
        expected = "at least once" if times is None else f"{times} times"
        raise AssertionError(
            f"expected {wanted} {expected}, it was requested {len(found)} times; all requests:\n{received or '  none'}"
        )

    def clear(self) -> None:
        """Remove all entries; the numbers continue."""
        self._entries = []
        self._cleared += 1

    def reset(self) -> None:
        """Remove all entries, and start again with number 1."""
        self.clear()
        self._last = 0

    def _redact(self, value: Any) -> Any:
        return self._redact_known(redact_secrets(value))

    def _redact_query(self, operation_id: str | None, query: str) -> str:
        given, secret = parse_qsl(query, keep_blank_values=True), secret_parameters(operation_id)
        redacted = [
            (self._redact(name), HIDDEN if is_secret(name) or name.partition("[")[0] in secret else self._redact(text))
            for name, text in given
        ]
        # A query without secrets stays as it was sent; but a credential may also contain the separators of a query.
        return str(self._redact_known(query if redacted == given else urlencode(redacted, safe="[]:,/")))

    def _refuse_hidden(self, operation: str, members: dict[str, Any]) -> None:
        redacted = self._redact(redact_secret_fields(operation_named(operation).id, members))
        hidden = [name for name in members if name not in redacted or redacted[name] != members[name]]
        if hidden:
            raise ValueError(f"the journal hides the values of {', '.join(hidden)}: expect {operation} without them")


def _parse(body: bytes, content_type: str) -> Any:
    """Return a body as JSON; None if it is empty, or neither JSON, a URL-encoded form nor text."""
    kind = kind_of(content_type)
    try:
        if kind is Kind.FORM:
            fields = parse_qs(body.decode(), keep_blank_values=True)
            return {name: values[0] if len(values) == 1 else values for name, values in fields.items()}
        if kind is Kind.TEXT:
            return body.decode() or None
        if kind is Kind.JSON_LINES:
            return [json.loads(line) for line in body.splitlines() if line.strip()]
        return json.loads(body) if body else None
    except (ValueError, RecursionError):
        return None


def _has(body: Any, members: dict[str, Any]) -> bool:
    return not members or (isinstance(body, dict) and members.items() <= cast("dict[str, Any]", body).items())
