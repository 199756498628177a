"""The journal: the requests that a sandbox received, without credentials and secrets."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import parse_qsl, quote, urlencode

import attrs
from agent_session_platform import RequiredPermissions, permissions_for

from .contract import Kind, kind_of, operation_named
from .redaction import HIDDEN, is_secret, redact_secret_fields, redact_secrets
from .validation import parse_json

if TYPE_CHECKING:
    from agent_session_platform import Operation
    from starlette.requests import Request

# Limits of the journal: entries, and roughly their bytes in memory. The oldest entries are dropped.
MAX_ENTRIES = 10_000
MAX_BYTES = 64 * 1024 * 1024
# Bytes that one member or item takes in memory, besides its text.
VALUE_BYTES = 64


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
        body: The body that was sent: JSON, the fields of a form, or text; None for other bodies, such as JSON that the
            sandbox refuses, and for a body that is too long to be kept.
        status: Status of the response; None if the connection was broken off.
        request_id: The id in the X-Request-Id header of the response; messages of SDK errors contain it.
    """

    number: int
    at: datetime
    operation: str | None
    method: str
    path: str
    query: str
    body: Any
    status: int | None
    request_id: str

    def to_dict(self) -> dict[str, Any]:
        """Return the entry as JSON."""
        return {**attrs.asdict(self, recurse=False), "at": self.at.isoformat()}

    def __str__(self) -> str:
        target = f"{self.path}?{self.query}" if self.query else self.path
        return f"#{self.number} {self.method} {target} -> {self.status or 'broken off'} ({self.operation or 'unknown'})"


class Journal:
    """The latest requests of a sandbox in the order of their arrival. It may be used from several threads.

    Args:
        redact: A function that removes the known credentials from JSON.

    Attributes:
        max_entries: Entries that are kept; the oldest are dropped.
        max_bytes: Roughly the bytes of memory that the entries may take.
        last: Number of the last request, even if it was cleared; 0 if there was none.
        cleared: Number of times the journal was cleared or reset; a reader must start again when this number grows.
        dropped: Number of requests that were dropped since the journal was cleared, because it was full.
    """

    def __init__(self, redact: Callable[[Any], Any]) -> None:
        self.max_entries = MAX_ENTRIES
        self.max_bytes = MAX_BYTES
        self.last = self.cleared = self.dropped = 0
        # Pairs of an entry and its size in bytes.
        self._kept: deque[tuple[Entry, int]] = deque()
        self._bytes = 0
        # The operations that were requested since the journal was cleared.
        self._operations: set[str] = set()
        self._redact_known = redact
        self._last_id = 0
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def __iter__(self) -> Iterator[Entry]:
        with self._lock:
            return iter([entry for entry, _ in self._kept])

    def __getitem__(self, index: int) -> Entry:
        return self._kept[index][0]

    def new_request_id(self) -> str:
        """Return the id of a new request; ids are the same in each run."""
        with self._lock:
            self._last_id += 1
            return f"request-{self._last_id}"

    def add(
        self,
        at: datetime,
        operation: Operation | None,
        request: Request,
        content: bytes,
        status: int | None,
        request_id: str,
    ) -> None:
        """Add a redacted request; drop the oldest requests if there are too many."""
        name, operation_id = (None, None) if operation is None else (operation.name, operation.id)
        path: str = request.scope["path"]
        query: str = request.scope["query_string"].decode("latin-1")
        size, body = VALUE_BYTES + len(path) + len(query), None
        # Many small values take more memory than their text.
        body_size = len(content) + VALUE_BYTES * sum(content.count(each) for each in b",[{&")
        if size + body_size <= self.max_bytes:
            size += body_size
            body = _parse(content, request.headers.get("content-type", ""))
        body = self.redact(redact_secret_fields(operation_id, body, path))
        path, query = self.redact(path), self._redact_query(query)
        with self._lock:
            self.last += 1
            entry = Entry(self.last, at, name, request.method, path, query, body, status, request_id)
            self._kept.append((entry, size))
            self._bytes += size
            while len(self._kept) > self.max_entries or self._bytes > self.max_bytes:
                self._bytes -= self._kept.popleft()[1]
                self.dropped += 1
            if name is not None:
                self._operations.add(name)

    def of(self, operation: str) -> list[Entry]:
        """Return the requests of one operation.

        Args:
            operation: Name or id of the operation.

        Raises:
            UnknownOperationError: There is no such operation (a KeyError).
        """
        name = operation_named(operation).name
        return [entry for entry in self if entry.operation == name]

    def expect(self, operation: str, times: int | None = None, **members: Any) -> list[Entry]:
        """Assert that an operation was requested, and return its requests.

        Args:
            operation: Name or id of the operation.
            times: Exact number of requests; None expects at least one.
            members: Only requests whose body has these members are counted.

        Raises:
            AssertionError: The number of requests differs, or is not known because some were dropped. The message lists
                all requests.
            ValueError: The journal hides one of the members, so no request could match.
            UnknownOperationError: There is no such operation (a KeyError).

        Example:
            sandbox.journal.expect("enterprise.reviews.create", times=1, pr_url="https://...")
        """
        redacted = self.redact(redact_secret_fields(operation_named(operation).id, members))
        hidden = [name for name in members if redacted.get(name) != members[name]]
        if hidden:
            raise ValueError(f"the journal hides the values of {', '.join(hidden)}: expect {operation} without them")
        found = [entry for entry in self.of(operation) if _has(entry.body, members)]
        if (len(found) == times and not self.dropped) or (times is None and found):
            return found
        wanted = f"{operation} with {members}" if members else operation
        expected = "at least once" if times is None else f"{times} times"
        dropped = f" ({self.dropped} requests were dropped: the journal was full; clear it in between)"
        received = "\n".join(f"  {entry} {entry.body if entry.body is not None else ''}" for entry in self)
        raise AssertionError(
            f"expected {wanted} {expected}, it was requested {len(found)} times{dropped if self.dropped else ''}; "
            f"all requests:\n{received or '  none'}"
        )

    def permissions(self) -> RequiredPermissions:
        """Return the permissions that were required since the journal was cleared, also by dropped requests.

        Requests that match no operation of the contract are in `unknown`, as long as the journal keeps them.

        Example:
            print(sandbox.journal.permissions().organization)  # at the end of a test suite
        """
        unmatched = dict.fromkeys(f"{entry.method} {entry.path}" for entry in self if entry.operation is None)
        required = permissions_for(*self._operations)
        return attrs.evolve(required, unknown={**required.unknown, **unmatched})

    def clear(self) -> None:
        """Remove all entries; the numbers continue."""
        with self._lock:
            self._kept.clear()
            self._operations.clear()
            self._bytes = self.dropped = 0
            self.cleared += 1

    def reset(self) -> None:
        """Remove all entries, and start again with number 1."""
        self.clear()
        self.last = self._last_id = 0

    def redact(self, value: Any) -> Any:
        """Return a copy of JSON without credentials and secrets."""
        return self._redact_known(redact_secrets(value))

    def _redact_query(self, query: str) -> str:
        redacted = [
            (self.redact(name), HIDDEN if is_secret(name) else self.redact(text))
            for name, text in parse_qsl(query, keep_blank_values=True)
        ]
        # A credential may also contain the separators of a query.
        return str(self._redact_known(urlencode(redacted, safe="[]:,/", quote_via=quote)))


def _parse(body: bytes, content_type: str) -> Any:
    """Return a body as JSON; None if it is empty, or neither JSON nor text."""
    kind = kind_of(content_type)
    try:
        if kind is Kind.TEXT:
            return body.decode() or None
        return parse_json(body) if body else None
    except ValueError:
        return None


def _has(body: Any, members: dict[str, Any]) -> bool:
    return not members or (isinstance(body, dict) and members.items() <= cast("dict[str, Any]", body).items())
