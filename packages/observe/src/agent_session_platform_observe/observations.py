"""The observer of a client: it counts every response, and reads some of them."""

from __future__ import annotations

import atexit
import json
import logging
import os
import re
import threading
from collections import Counter
from collections.abc import Iterable
from contextlib import AbstractContextManager, suppress
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Final

from agent_session_platform import ExchangeRecord, InvalidArgumentError
from agent_session_platform.contract import PLACEHOLDER, Endpoint

from .contract import Document, Schema, load_document
from .file import merge_into
from .shape import MOST_NODES, UNKNOWN, Reader, Tally

# The first responses of each status of an operation are read, and then one in 512, so that reading costs only a small
# part of the time of calls.
FIRST_READ: Final = 50
ONE_IN: Final = 512
# A larger body is not read, because parsing a body of this size already stops the event loop for five milliseconds.
LARGEST: Final = 512 * 1024
# At most this many values are read between two writes, so that memory and file stay bounded.
MOST_VALUES: Final = 100_000

MEDIA_TYPES: Final = ("", "application/json", "application/problem+json", "text/csv", "text/html", "text/plain")
# Usual headers of HTTP, which need no report.
USUAL_HEADER: Final = re.compile("cache-control|connection|content-.+|date|etag|server|strict-.+|transfer-.+|vary")

# Matches the template of a path, in characters that a file of observations may have.
TEMPLATE: Final = re.compile(r"(?=.{2,200}\Z)(/([A-Za-z0-9_.-]+|\{[A-Za-z][A-Za-z0-9_]*\}))+")

logger = logging.getLogger("agent_session_platform")


class Observations(AbstractContextManager["Observations"]):
    """The form of what a client sends and receives, kept in a file: names, types and counts, but no values.

    Every response is counted. For each status of an operation the first 50 responses are read, and then one in 512.
    Responses of a path that the contract does not have are read only if `paths` names the path. A value is kept only if
    the contract says that it comes from a set of values, as for `status`. A name that the contract does not know is
    kept only if its object also has a known name, and only while every such object has the name. The name of a query
    parameter is kept at once, unless an operation has very many. So read the file before you pass it on. Several
    clients, threads and processes may add to one file. An observer never makes a call fail: its first error is logged.

    Args:
        path: The file, which need not exist. A second file, with `.lock` after the name, stands beside it.
        interval: Seconds, more than 0, after which new observations are written. They are also written by `save`, at
            the end of a `with`, and at the end of the program.
        paths: Paths that the contract does not have, and that are read as well, so that their operations are proposed:
            templates such as `/v3/enterprise/widgets/{widget_id}`. Of any other unknown path only the words that the
            contract has are kept.

    Raises:
        InvalidArgumentError: `interval` is out of range, no file can be at the path, or `paths` has no templates.

    Example:
        async with AgentPlatform(on_exchange=Observations("observed.json")) as platform:
            ...
    """

    def __init__(self, path: str | os.PathLike[str], *, interval: float = 30.0, paths: Iterable[str] = ()) -> None:
        # If the path is a link, its target is replaced, not the link.
        self.path = Path(os.path.realpath(path))
        if self.path.exists() and not self.path.is_file():
            raise InvalidArgumentError(f"path must be a regular file or a new one, not {str(path)!r}")
        if not 0 < interval <= threading.TIMEOUT_MAX:
            raise InvalidArgumentError(f"interval must be a number of seconds above 0, not {interval}")
        self._templates = {template: pattern_of(template) for template in paths}
        self._interval = interval
        self._has_warned = False
        self._begin()
        atexit.register(self.save)
        if hasattr(os, "register_at_fork"):
            # After a fork, the child begins anew: the parent writes what was seen before, and may hold the locks.
            os.register_at_fork(after_in_child=self._begin)

    def _begin(self) -> None:
        """Begin with empty counts and new locks."""
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._timer: threading.Timer | None = None
        self._numbers: dict[tuple[str, int], int] = {}
        self._left = MOST_VALUES
        self._tally = Tally()

    def __call__(self, record: ExchangeRecord, /) -> None:
        """Observe an attempt, as `on_exchange` of a client; nothing is raised, whatever a server has sent.

        Args:
            record: The attempt. An attempt without a response is not counted.
        """
        try:
            if record.status is not None:
                with self._lock:
                    self._see(record, record.status)
        except Exception as error:
            # The call goes on. Only the type of the error is logged, because its message may contain a value.
            self._warn("a response could not be observed (%s); calls are not affected", type(error).__name__)

    def _see(self, record: ExchangeRecord, status: int) -> None:
        """Count a response, and read it unless enough similar responses were read."""
        document, operation = load_document(), record.operation
        endpoint, key = document.endpoints.get(operation.id), operation.id
        template = None if endpoint is not None else self._template_of(operation.path)
        if template is not None:
            key = f"{operation.method} {template}"
        elif endpoint is None:
            # A word that the contract does not know may be a value, and names in the file have a maximal length.
            words = [word if word in document.vocabulary else "{}" for word in operation.path[1:].split("/")[:12]]
            key = f"{operation.method} /{'/'.join(words)}"
        number = self._numbers[key, status] = self._numbers.get((key, status), 0) + 1
        seen = self._tally.at(key).at(str(status))
        seen.counts["count"] += 1
        if self._timer is None:
            self._timer = threading.Timer(self._interval, self.save)
            self._timer.daemon = True
            self._timer.start()
        is_read = endpoint is not None or template is not None
        if is_read and (number <= FIRST_READ or number % ONE_IN == 0) and self._left > 0:
            seen.add(self._read(record, status, endpoint, document))
            seen.settle()

    def _template_of(self, path: str) -> str | None:
        """Return the template of a path that the contract does not have; None if it is not to be read."""
        return next((template for template, pattern in self._templates.items() if pattern.fullmatch(path)), None)

    def _read(self, record: ExchangeRecord, status: int, endpoint: Endpoint | None, document: Document) -> Tally:
        """Return the tally of one exchange. Without an endpoint, the contract does not have the path."""
        found = Tally()
        headers = {name.lower(): value for name, value in record.headers}
        media_type = plain_type(headers.get("content-type"))
        found.at("media").counts[(media_type or "none") if media_type in MEDIA_TYPES else "other"] += 1
        unusual = [name for name in headers if name not in document.vocabulary and not USUAL_HEADER.fullmatch(name)]
        keep_names(unusual, found.at("header"))
        # Headers are counted for each response. Parameters are counted only if a program sends unknown parameters.
        parameters = [name for name in record.query if endpoint is None or not endpoint.parameter("query", name)]
        if parameters:
            found.at("query").keep_parameters(parameters)
        reader = Reader(document.vocabulary, left=min(MOST_NODES, self._left))
        self._left -= reader.left
        schema = None if endpoint is None else document.response(endpoint, status, media_type)
        read_body(record.content, media_type or "application/json", schema, found.at("body"), reader)
        self._left += reader.left
        if record.request_body and not (endpoint is not None and endpoint.node.get("x-secret")):
            sender = Reader(document.vocabulary, is_sent=True)
            media_type = plain_type(record.request_type)
            body = None if endpoint is None else document.body(endpoint)
            read_body(record.request_body, media_type, body, found.at("sent"), sender)
        return found

    def save(self) -> None:
        """Add new observations to the file, which may take a moment while other processes write.

        If they cannot be written, they are kept for the next time, and the logger `agent_session_platform` warns.
        """
        with self._writing:
            with self._lock:
                if self._timer is not None:
                    self._timer.cancel()
                    self._timer = None
                tally, self._tally = self._tally, self._tally.take_rare()
            today = int(f"{datetime.now(UTC):%Y%m%d}")
            for operation in tally.below.values():
                for status in operation.below.values():
                    status.add(Tally(Counter(first=today, last=today)))
            if not tally:
                return
            try:
                merge_into(self.path, tally)
                self._left = MOST_VALUES
            except (OSError, InvalidArgumentError) as error:
                with self._lock:
                    self._tally.add(tally)
                    self._tally.settle()
                text = "the observations could not be written to %s (%s); they are kept, and written when that works"
                self._warn(text, self.path.name, getattr(error, "strerror", None) or error)

    def close(self) -> None:
        """Write new observations, and do not write again at the end of the program.

        A program that makes many observers must close each one, or it stays in memory until the end.
        """
        self.save()
        atexit.unregister(self.save)

    def _warn(self, message: str, *details: object) -> None:
        if not self._has_warned:
            self._has_warned = True
            logger.warning(message, *details)

    def __exit__(self, *error: object) -> None:
        self.close()


def pattern_of(template: str) -> re.Pattern[str]:
    """Return the pattern of the paths that a template stands for.

    Raises:
        InvalidArgumentError: The text is no template of a path.
    """
    if not TEMPLATE.fullmatch(template):
        text = "paths must be templates such as '/v3/enterprise/widgets/{widget_id}'"
        raise InvalidArgumentError(f"{text}, not {template[:100]!r}")
    return re.compile(PLACEHOLDER.sub("[^/]+", template.replace(".", r"\.")))


def plain_type(content_type: str | None) -> str:
    """Return a media type without its parameters; empty if there is none."""
    return (content_type or "").partition(";")[0].strip().lower()


def keep_names(names: list[str], tally: Tally) -> None:
    """Count the unknown names that may be kept."""
    for name in tally.keep(names):
        tally.at(UNKNOWN + name).counts["n"] += 1


def read_body(content: bytes | None, media_type: str, schema: Schema | None, tally: Tally, reader: Reader) -> None:
    """Read a body if it is JSON, and count the outcome: `read`, `unread` or `empty`."""
    value, outcome = None, "unread" if content != b"" else "empty"
    if content and media_type.endswith("json") and len(content) <= LARGEST:
        with suppress(ValueError, RecursionError):
            value, outcome = json.loads(content), "read"
    tally.counts[outcome] += 1
    if outcome == "read":
        reader.read(value, schema, tally)


@cache
def observations_of(path: str, *paths: str) -> Observations:
    """Return the object for the observations in a file. All clients of this process share the object.

    Args:
        path: The file, as in `Observations`.
        paths: The templates of unknown paths to read, as in `Observations`.

    Returns:
        The same object for the same arguments, whatever the current directory is now.

    Raises:
        InvalidArgumentError: No file can be at the path.
    """
    return Observations(path, paths=paths)


def observations_from_environment() -> Observations | None:
    """Return the observations of the file that AGENT_PLATFORM_OBSERVE names; None if it is not set.

    AGENT_PLATFORM_OBSERVE_PATHS may have templates of unknown paths to read, with spaces between them.

    Raises:
        InvalidArgumentError: No file can be at the path.

    Example:
        async with AgentPlatform(on_exchange=observations_from_environment()) as platform:
            ...
    """
    path = os.environ.get("AGENT_PLATFORM_OBSERVE")
    paths = os.environ.get("AGENT_PLATFORM_OBSERVE_PATHS", "").split()
    return observations_of(path, *paths) if path else None
