"""What a sandbox was asked: every request and its status, without a credential or a secret."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import parse_qsl, urlencode

from ..operations import operation_named
from ..state.forgotten import Forgotten
from .redaction import HIDDEN, is_secret, without_secrets
from .secret_fields import without_marked

if TYPE_CHECKING:
    from ..._api import Operation

LONGEST_BODY = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Entry:
    """One request: its operation by name (None: none that the contract knows), and what it was answered with.

    `status` is None when the connection broke off; `body` is the JSON that came, or None. In `path`, `query` and `body`
    stands `[hidden]` in the place of a credential or a secret.
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
        """The same as JSON."""
        readable = urlencode(parse_qsl(self.query, keep_blank_values=True), safe="[]:,/")
        return {**asdict(self), "at": self.at.isoformat(), "query": readable}

    def __str__(self) -> str:
        target = f"{self.path}?{self.query}" if self.query else self.path
        return f"#{self.number} {self.method} {target} -> {self.status or 'broken off'} ({self.operation or 'unknown'})"


class Journal:
    """The requests of a sandbox in the order in which they came.

    *hide* takes the credentials that the sandbox knows out of JSON: nothing of a request is kept that it has not seen.
    What is cleared goes to what was *forgotten*.
    """

    def __init__(self, hide: Callable[[Any], Any], forgotten: Forgotten) -> None:
        self._entries: list[Entry] = []
        self._hide = hide
        self._forgotten = forgotten
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
        """The number of the last request, be it forgotten or not; 0 when none came."""
        return self._last

    @property
    def cleared(self) -> int:
        """How often it was cleared or reset: who follows it has to begin anew when this grows."""
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
    ) -> Entry:
        """Note a request."""
        self._forgotten.let_go()
        self._last += 1
        name, operation_id = (None, None) if operation is None else (operation.name, operation.id)
        entry = Entry(
            self._last,
            at,
            name,
            method,
            self._hide(without_secrets(path)),
            self._query(query),
            self._body(operation_id, path, body),
            status,
        )
        self._entries.append(entry)
        return entry

    def of(self, operation: str) -> list[Entry]:
        """The requests of one operation, by its name or id; raises UnknownOperationError (a KeyError)."""
        name = operation_named(operation).name
        return [entry for entry in self._entries if entry.operation == name]

    def expect(self, operation: str, times: int | None = None, **members: Any) -> list[Entry]:
        """The requests of *operation* whose bodies have *members*; raises AssertionError when there are none.

        With *times* there must be just so many. The message shows what came instead. Raises ValueError for a member
        that the journal hides, because it would be found in no request.
        """
        requests = self.of(operation)
        self._refuse_hidden(operation, members)
        found = [entry for entry in requests if has(entry.body, members)]
        if len(found) == times or (times is None and found):
            return found
        wanted = f"{operation} with {members}" if members else operation
        came = "\n".join(f"  {entry} {entry.body if entry.body is not None else ''}" for entry in self._entries)
        expected = "at least once" if times is None else f"{times} times"
        raise AssertionError(
            f"expected {wanted} {expected}, it came {len(found)} times; all requests:\n{came or '  none'}"
        )

    def clear(self) -> None:
        """Forget the requests; their numbers go on, so that each belongs to one request."""
        self._forgotten.add(self._entries)
        self._entries = []
        self._cleared += 1

    def reset(self) -> None:
        """Be as at the beginning: forget the requests, and begin again with number 1."""
        self.clear()
        self._last = 0

    def _query(self, query: str) -> str:
        given = parse_qsl(query, keep_blank_values=True)
        shown = [
            (self._hide(without_secrets(name)), HIDDEN if is_secret(name) else self._hide(without_secrets(text)))
            for name, text in given
        ]
        # As it came where nothing is hidden; but a credential may also stand across the signs that part a query.
        return str(self._hide(query if shown == given else urlencode(shown, safe="[]:,/")))

    def _body(self, operation_id: str | None, path: str, body: bytes) -> Any:
        if not body or len(body) > LONGEST_BODY:
            return None
        try:
            return self._hide(without_secrets(without_marked(operation_id, json.loads(body), path)))
        except (ValueError, RecursionError):
            return None

    def _refuse_hidden(self, operation: str, members: dict[str, Any]) -> None:
        shown = self._hide(without_secrets(without_marked(operation_named(operation).id, members)))
        hidden = [name for name in members if name not in shown or shown[name] != members[name]]
        if hidden:
            raise ValueError(f"the journal hides what {', '.join(hidden)} has: expect {operation} without it")


def has(body: Any, members: dict[str, Any]) -> bool:
    """Whether a body has these members with these values."""
    return not members or (isinstance(body, dict) and members.items() <= cast("dict[str, Any]", body).items())
