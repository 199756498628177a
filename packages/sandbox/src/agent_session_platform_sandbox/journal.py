"""The journal: the requests that a sandbox received, without credentials and secrets."""

from __future__ import annotations

import json
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import parse_qs, parse_qsl, urlencode

import attrs
from agent_session_platform import RequiredPermissions, permissions_for

from .contract import Kind, kind_of, operation_named
from .redaction import HIDDEN, is_secret, redact_secret_fields, redact_secrets, secret_parameters

if TYPE_CHECKING:
    from agent_session_platform import Operation

# Bytes of a body that the journal keeps; of a longer one it keeps only that it was received.
MAX_BODY = 1024 * 1024
# Entries that the journal keeps, and roughly the bytes that they take in memory; the oldest are dropped.
MAX_ENTRIES = 10_000
MAX_BYTES = 64 * 1024 * 1024
# What the value of one member or item takes in memory, besides its text.
VALUE_BYTES = 64
# What separates values, in JSON and in forms.
SEPARATORS = b",[{&"


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
        body: The body that was sent: JSON, the fields of a form, or text; None for any other, and for one that is too
            long to be kept.
        status: Status of the response; None if the connection was broken off.
        request_id: The id that the response had in X-Request-Id, and the message of an error of the SDK has.
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
        readable = urlencode(parse_qsl(self.query, keep_blank_values=True), safe="[]:,/")
        return {**attrs.asdict(self, recurse=False), "at": self.at.isoformat(), "query": readable}

    def __str__(self) -> str:
        target = f"{self.path}?{self.query}" if self.query else self.path
        return f"#{self.number} {self.method} {target} -> {self.status or 'broken off'} ({self.operation or 'unknown'})"


class Journal:
    """The latest requests of a sandbox in the order of their arrival. It may be used from several threads.

    Args:
        redact: A function that removes the known credentials from JSON.

    Attributes:
        max_entries: Entries that are kept; the oldest are dropped.
        max_bytes: Roughly the bytes of memory that they may take.
    """

    def __init__(self, redact: Callable[[Any], Any]) -> None:
        # Each entry with its size.
        self._kept: deque[tuple[Entry, int]] = deque()
        self._bytes = 0
        self.max_entries = MAX_ENTRIES
        self.max_bytes = MAX_BYTES
        # The number of dropped entries by operation.
        self._dropped: Counter[str | None] = Counter()
        self._redact_known = redact
        self._last = 0
        self._last_id = 0
        self._cleared = 0
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def __iter__(self) -> Iterator[Entry]:
        with self._lock:
            return iter([entry for entry, _ in self._kept])

    def __getitem__(self, index: int) -> Entry:
        return self._kept[index][0]

    @property
    def last(self) -> int:
        """The number of the last request, even if it was cleared; 0 if there was none."""
        return self._last

    @property
    def cleared(self) -> int:
        """The number of times the journal was cleared or reset; a reader starts again when this grows."""
        return self._cleared

    @property
    def dropped(self) -> int:
        """The number of requests that were dropped since the journal was cleared, because it was full."""
        return sum(self._dropped.values())

    def new_request_id(self) -> str:
        """Return the id of a request that has come: the same ones in each run."""
        with self._lock:
            self._last_id += 1
            return f"request-{self._last_id}"

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
        request_id: str = "",
    ) -> Entry:
        """Add a request, redacted, and return its entry; drop the oldest ones if there are too many."""
        name, operation_id = (None, None) if operation is None else (operation.name, operation.id)
        shown_query, shown_body = self._redact_query(operation_id, query), None
        size, body_size = VALUE_BYTES + len(path) + len(query), _size(body)
        if len(body) <= MAX_BODY and size + body_size <= self.max_bytes:
            shown_body = self.redact(redact_secret_fields(operation_id, _parse(body, content_type), path))
            size += body_size
        shown_path = self.redact(path)
        with self._lock:
            self._last += 1
            entry = Entry(self._last, at, name, method, shown_path, shown_query, shown_body, status, request_id)
            self._kept.append((entry, size))
            self._bytes += size
            while len(self._kept) > self.max_entries or self._bytes > self.max_bytes:
                oldest, freed = self._kept.popleft()
                self._bytes -= freed
                self._dropped[oldest.operation] += 1
        return entry

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
            members: Members that the bodies must have. Only requests with these are counted.

        Raises:
            AssertionError: The number of requests is another, or is not known because some were dropped. The message
                lists all requests.
            ValueError: The journal hides one of the members, so no request could match.
            UnknownOperationError: There is no such operation (a KeyError).

        Example:
            sandbox.journal.expect("enterprise.reviews.create", times=1, pr_url="https://...")
        """
        requests, dropped = self.of(operation), self._dropped[operation_named(operation).name]
        self._refuse_hidden(operation, members)
        found = [entry for entry in requests if _has(entry.body, members)]
        if (len(found) == times and not dropped) or (times is None and found):
            return found
        wanted = f"{operation} with {members}" if members else operation
        received = "\n".join(f"  {entry} {entry.body if entry.body is not None else ''}" for entry in self)
        expected = "at least once" if times is None else f"{times} times"
        unknown = f" ({dropped} requests of it were dropped: the journal was full; clear it in between)"
        raise AssertionError(
            f"expected {wanted} {expected}, it was requested {len(found)} times{unknown if dropped else ''}; "
            f"all requests:\n{received or '  none'}"
        )

    def permissions(self) -> RequiredPermissions:
        """Return the permissions that the requests required since the journal was cleared, also those of dropped ones.

        Requests that no operation of the contract matches are in `unmatched`.

        Example:
            print(sandbox.journal.permissions())  # at the end of a test suite
        """
        with self._lock:
            received = {entry.operation for entry, _ in self._kept} | self._dropped.keys()
            unmatched = {f"{each.method} {each.path}": None for each, _ in self._kept if each.operation is None}
            dropped = self._dropped[None]
        if dropped:
            unmatched[f"dropped requests: {dropped}"] = None
        return attrs.evolve(permissions_for(*filter(None, received)), unmatched=tuple(unmatched))

    def clear(self) -> None:
        """Remove all entries; the numbers continue."""
        self._clear(self._last)

    def reset(self) -> None:
        """Remove all entries, and start again with number 1."""
        self._clear(0)
        self._last_id = 0

    def _clear(self, last: int) -> None:
        with self._lock:
            self._kept.clear()
            self._dropped.clear()
            self._bytes = 0
            self._cleared += 1
            self._last = last

    def redact(self, value: Any) -> Any:
        """Return a copy of JSON without credentials and secrets."""
        return self._redact_known(redact_secrets(value))

    def _redact_query(self, operation_id: str | None, query: str) -> str:
        given, secret = parse_qsl(query, keep_blank_values=True), secret_parameters(operation_id)
        redacted = [
            (self.redact(name), HIDDEN if is_secret(name) or name.partition("[")[0] in secret else self.redact(text))
            for name, text in given
        ]
        # A query without secrets stays as it was sent; but a credential may also contain the separators of a query.
        return str(self._redact_known(query if redacted == given else urlencode(redacted, safe="[]:,/")))

    def _refuse_hidden(self, operation: str, members: dict[str, Any]) -> None:
        redacted = self.redact(redact_secret_fields(operation_named(operation).id, members))
        hidden = [name for name in members if name not in redacted or redacted[name] != members[name]]
        if hidden:
            raise ValueError(f"the journal hides the values of {', '.join(hidden)}: expect {operation} without them")


def _size(body: bytes) -> int:
    """Return roughly the bytes that the parsed body takes in memory: many small values take the most."""
    return len(body) + VALUE_BYTES * sum(body.count(each) for each in SEPARATORS)


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
