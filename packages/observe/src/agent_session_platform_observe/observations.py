"""The observer of a client: it counts every response, and reads some of the bodies."""

from __future__ import annotations

import atexit
import json
import logging
import os
import threading
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from agent_session_platform import ExchangeRecord, InvalidArgumentError

from .contract import load_document, query_of
from .file import merge_into
from .shape import MOST_NODES, Reader, Tally, add, below, count, keep_names, take_unsure

OBSERVE: Final = "AGENT_PLATFORM_OBSERVE"
# So many bodies of each status of an operation are read, and of later ones one in so many: what reading costs is then
# a small part of what the call has cost, which has parsed the same body.
FIRST_BODIES: Final = 50
ONE_IN: Final = 512
# A larger body is not read: parsing this much takes about five milliseconds, in which nothing else runs.
LARGEST: Final = 512 * 1024
# So many values are read until the file is written, and so many different exchanges are counted before they are added
# up: neither memory nor the file grows without end.
MOST_VALUES: Final = 100_000
MOST_PENDING: Final = 512
SECONDS: Final = 30.0

METHODS: Final = ("GET", "PUT", "POST", "DELETE", "PATCH", "HEAD", "OPTIONS")
# The values of these statuses say what becomes of a request's form; a 401 or 404 says nothing about it.
REFUSING: Final = (400, 422)
MEDIA_TYPES: Final = frozenset(
    {
        "application/json",
        "application/octet-stream",
        "application/problem+json",
        "text/event-stream",
        "text/html",
        "text/plain",
    }
)
# Headers of HTTP that every server may send: that one came is no news.
USUAL_HEADERS: Final = frozenset(
    {
        "cache-control",
        "connection",
        "content-encoding",
        "content-length",
        "content-type",
        "date",
        "etag",
        "server",
        "strict-transport-security",
        "transfer-encoding",
        "vary",
    }
)

logger = logging.getLogger("agent_session_platform")


class Alike(NamedTuple):
    """Exchanges that are alike but for their bodies and the arguments of the path.

    Attributes:
        key: The id of the operation; of one that the contract does not have, method and template of the path.
        credential: The kind of the credential, such as `serviceUser`; None if its prefix is unknown.
        query: The names of the query parameters.
        status: The status of the response.
        content_type: The Content-Type of the response; empty when there is none.
        headers: The names of the headers of the response.
    """

    key: str
    credential: str | None
    query: tuple[str, ...]
    status: int
    content_type: str
    headers: tuple[str, ...]

    @property
    def media_type(self) -> str:
        """The media type of the response; `other` for an unusual one, empty for none."""
        name = self.content_type.partition(";")[0].strip().lower()
        return name if name in MEDIA_TYPES or not name else "other"

    @property
    def fate(self) -> str | None:
        """What the status says of the form of the request; None if it says nothing."""
        return "accepted" if 200 <= self.status < 300 else "refused" if self.status in REFUSING else None


class Observations:
    """The form of what a client sends and receives, kept in a file: names, types and counts, and no values.

    The exceptions are values that the contract calls a set, such as those of `status`. A name that the contract does
    not know is kept only where everything of its kind has it, several times: anything else may be a value, such as a
    key of a mapping by e-mail address. Several clients, threads and processes may add to one file. It never makes a
    call fail: what goes wrong is logged once.

    Args:
        path: The file, which need not exist; another one of the name with `.lock` stands beside it.
        interval: Seconds after which what is new is written; more than 0. Also by `save`, at the
            end of a `with`, and at the end of the program.

    Raises:
        InvalidArgumentError: `interval` is out of range, or no file can be at the path.

    Example:
        async with AgentPlatform(on_exchange=Observations("observed.json")) as platform:
            ...
    """

    def __init__(self, path: str | os.PathLike[str], *, interval: float = SECONDS) -> None:
        # The file that a link leads to is replaced, and not the link.
        self.path = Path(os.path.realpath(path))
        if self.path.exists() and not self.path.is_file():
            raise InvalidArgumentError(f"path must be a regular file or a new one, not {str(path)!r}")
        if not 0 < interval <= threading.TIMEOUT_MAX:
            most = f"{threading.TIMEOUT_MAX:.0f}"
            raise InvalidArgumentError(
                f"interval must be a number of seconds above 0 and at most {most}, not {interval}"
            )
        self._interval = interval
        self._begin()
        atexit.register(self.save)

    def _begin(self) -> None:
        """Begin with nothing."""
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._timer: threading.Timer | None = None
        self._counts: dict[tuple[str, int], int] = {}
        self._objects: set[int] = set()
        self._has_warned = False
        self._left = MOST_VALUES
        self._tally = Tally()
        self._pending: dict[Alike, int] = {}

    def _begin_in_child(self) -> None:
        """Begin with nothing in a forked process: its parent writes what was seen before, and may hold the locks."""
        if self._process != os.getpid():
            self._begin()

    def __call__(self, record: ExchangeRecord, /) -> None:
        """Take note of an attempt, as `on_exchange` of a client; nothing is raised, whatever a server has sent.

        Args:
            record: The attempt; one without a response is left out.
        """
        if record.status is None:
            return
        try:
            self._begin_in_child()
            with self._lock:
                self._see(record, record.status)
        except Exception as error:
            # Whatever a server sends, the call goes on. The message of the error may have a value.
            self._warn("a response could not be observed (%s); calls are not affected", type(error).__name__)

    def _see(self, record: ExchangeRecord, status: int) -> None:
        """Count a response, and read its bodies unless there were enough like it."""
        operation, document, headers = record.operation, load_document(), record.headers
        key = operation.id
        if key not in document.endpoints:
            method = operation.method if operation.method in METHODS else "OTHER"
            key = f"{method} {document.template(operation.path)}"
        content_type = next((value for name, value in headers if name.lower() == "content-type"), "")
        names = tuple(name for name, _ in headers)
        exchange = Alike(key, record.credential, tuple(record.query), status, content_type, names)
        self._pending[exchange] = self._pending.get(exchange, 0) + 1
        if len(self._pending) > MOST_PENDING:
            self._add_up()
        if self._timer is None:
            self._timer = threading.Timer(self._interval, self.save)
            self._timer.daemon = True
            self._timer.start()
        number = self._counts[key, status] = self._counts.get((key, status), 0) + 1
        # A body that is read in part would look like one without some of its members.
        if key in document.endpoints and (number <= FIRST_BODIES or number % ONE_IN == 0) and self._left > 0:
            self._read(record, exchange)

    def _read(self, record: ExchangeRecord, exchange: Alike) -> None:
        """Read the bodies of an exchange."""
        document = load_document()
        endpoint, tally = document.endpoints[exchange.key], below(self._tally, exchange.key)
        response = below(tally, "responses", str(exchange.status))
        # What a call creates is new each time; what it gets may be the same again.
        body = (record.path, repr(record.query)) if endpoint.method == "GET" else object()
        allowed = min(MOST_NODES, self._left)
        reader = Reader(document.vocabulary, body, self._objects, left=allowed)
        media_type = exchange.media_type
        outcome, value = parsed(record.content, media_type or "application/json")
        count(below(response, "bodies"), outcome)
        if outcome == "read":
            reader.read(value, document.response(endpoint, exchange.status, media_type), below(response, "body"))
        self._left -= allowed - reader.left
        if exchange.fate is not None and record.request_body and not endpoint.node.get("x-secret"):
            outcome, value = parsed(record.request_body, (record.request_type or "").partition(";")[0])
            sent = below(tally, "request", exchange.fate)
            count(below(sent, "bodies"), outcome)
            if outcome == "read":
                sender = Reader(document.vocabulary, body, self._objects, is_sent=True)
                sender.read(value, document.body(endpoint), below(sent, "body"))

    def _add_up(self) -> None:
        """Count what every exchange shows."""
        document = load_document()
        for exchange, times in self._pending.items():
            tally, endpoint = below(self._tally, exchange.key), document.endpoints.get(exchange.key)
            response = below(tally, "responses", str(exchange.status))
            seen_today(tally)
            seen_today(response)
            count(response, "count", times)
            if endpoint is None:
                # Of a path that the contract does not have, all names may be values.
                continue
            count(below(response, "media"), exchange.media_type or "none", times)
            headers = set(map(str.lower, exchange.headers)) - USUAL_HEADERS - document.vocabulary
            for name in keep_names(below(response, "headers"), headers, times).values():
                count(name, "n", times)
            if exchange.credential and (exchange.status in (401, 403) or exchange.status < 300):
                outcome = "accepted" if exchange.status < 300 else "refused"
                count(below(tally, "credentials", exchange.credential), outcome, times)
            parameters = set(exchange.query) - query_of(endpoint)
            if exchange.fate is not None and parameters:
                for name in keep_names(below(tally, "query", exchange.fate), parameters, times).values():
                    count(name, "n", times)
        self._pending.clear()

    def save(self) -> None:
        """Add what is new to the file, which may take a moment while other processes write.

        What cannot be written is kept for the next time, with a warning of the logger `agent_session_platform`.
        """
        self._begin_in_child()
        with self._writing:
            with self._lock:
                if self._timer is not None:
                    self._timer.cancel()
                    self._timer = None
                self._add_up()
                tally = self._tally
                self._tally = take_unsure(tally)
            if not tally:
                return
            try:
                merge_into(self.path, tally)
            except BaseException as error:
                # Also after Ctrl-C: they are written at the end of the program.
                with self._lock:
                    add(self._tally, tally)
                if not isinstance(error, Exception):
                    raise
                why = str(error) if isinstance(error, InvalidArgumentError) else getattr(error, "strerror", None)
                text = "the observations could not be written to %s (%s); they are kept, and written when that works"
                self._warn(text, self.path.name, why or type(error).__name__)
            else:
                self._left = MOST_VALUES

    def close(self) -> None:
        """Write what is new, and do not write at the end of the program any more.

        A program that makes many of these closes each, or they stay in memory until it ends.
        """
        self.save()
        atexit.unregister(self.save)

    def _warn(self, message: str, *details: object) -> None:
        if not self._has_warned:
            self._has_warned = True
            logger.warning(message, *details)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Observations {self.path.name}>"


def parsed(content: bytes | None, media_type: str) -> tuple[str, Any]:
    """Return what a body is, and its JSON where it was read."""
    if content is None:
        return "streamed", None
    if not content:
        return "empty", None
    if not media_type.endswith("json"):
        return "no json", None
    if len(content) > LARGEST:
        return "large", None
    try:
        return "read", json.loads(content)
    except (ValueError, RecursionError):
        return "undecodable", None


def seen_today(tally: Tally) -> None:
    """Note that something was seen today."""
    today = datetime.now(UTC).date().isoformat()
    add(tally, {"first": today, "last": today})


@cache
def shared(path: str) -> Observations:
    """Return the observations of a file, made once."""
    return Observations(path)


def observations_of(path: str) -> Observations:
    """Return the observations of a file, one for all clients of this process.

    Args:
        path: The file, as in `Observations`.

    Returns:
        The same object for the same path, whatever the current directory is now.

    Raises:
        InvalidArgumentError: No file can be at the path.
    """
    return shared(os.path.abspath(path))


def observations_from_environment() -> Observations | None:
    """Return the observations of the file that AGENT_PLATFORM_OBSERVE names; None if it is not set.

    Raises:
        InvalidArgumentError: No file can be at the path.

    Example:
        async with AgentPlatform(on_exchange=observations_from_environment()) as platform:
            ...
    """
    path = os.environ.get(OBSERVE)
    return observations_of(path) if path else None
