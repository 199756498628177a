"""The observer of a client: it counts every response, and reads some of them."""

from __future__ import annotations

import atexit
import logging
import os
import threading
from collections.abc import Iterable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from agent_session_platform import ExchangeRecord, InvalidArgumentError

from .file import merge_into
from .recorder import MOST_VALUES, Recorder, seen_on

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
        self._paths = tuple(paths)
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
        self._recorder = Recorder(self._paths)

    def __call__(self, record: ExchangeRecord, /) -> None:
        """Observe an attempt, as `on_exchange` of a client; nothing is raised, whatever a server has sent.

        Args:
            record: The attempt. An attempt without a response is not counted.
        """
        try:
            if record.status is not None:
                with self._lock:
                    self._recorder.record(record, record.status)
                    self._start_timer()
        except Exception as error:
            # The call goes on. Only the type of the error is logged, because its message may contain a value.
            self._warn("a response could not be observed (%s); calls are not affected", type(error).__name__)

    def _start_timer(self) -> None:
        if self._timer is None:
            self._timer = threading.Timer(self._interval, self.save)
            self._timer.daemon = True
            self._timer.start()

    def save(self) -> None:
        """Add new observations to the file, which may take a moment while other processes write.

        If they cannot be written, they are kept for the next time, and the logger `agent_session_platform` warns.
        """
        with self._writing:
            with self._lock:
                if self._timer is not None:
                    self._timer.cancel()
                    self._timer = None
                tally = self._recorder.tally
                self._recorder.tally = tally.take_rare()
            today = seen_on(datetime.now(UTC).date())
            for operation in tally.below.values():
                for status in operation.below.values():
                    status.add(today)
            if not tally:
                return
            try:
                merge_into(self.path, tally)
                self._recorder.left = MOST_VALUES
            except (OSError, InvalidArgumentError) as error:
                with self._lock:
                    self._recorder.tally.add(tally)
                    self._recorder.tally.settle()
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
    if not path:
        return None
    return observations_of(path, *paths)
