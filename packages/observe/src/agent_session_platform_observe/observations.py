"""The observer of a client: it counts every response, and reads some of the bodies."""

from __future__ import annotations

import atexit
import logging
import os
import threading
from pathlib import Path
from typing import Final, Self
from weakref import WeakSet

import attrs
from agent_session_platform import ExchangeRecord, InvalidArgumentError
from agent_session_platform.contract import is_object
from agent_session_platform.files import check_target
from agent_session_platform.text import format_value
from agent_session_platform.validators import is_number

from .contract import load_document
from .file import merge_into
from .record import Alike, Order, alike, count_exchange, key_of, read_bodies
from .shape import MOST_NODES, Reader
from .tally import Room, Tally, take_unsure

# So many bodies of each status of an operation are read, and of later ones one in so many: what reading costs is then
# a small part of what the call has cost, which has parsed the same body.
FIRST_BODIES: Final = 50
ONE_IN: Final = 512
# So many different exchanges are counted before they are added up.
MOST_PENDING: Final = 512
SECONDS: Final = 30.0
# Entries that one body takes at most, and one value of it.
HEADROOM: Final = 4000
ENTRIES: Final = 10

logger = logging.getLogger("agent_session_platform")


@attrs.define
class Same:
    """Responses that are the same but for their bodies.

    Attributes:
        key: The key of their operation in a file.
        times: How many there were.
        is_usual: Whether enough bodies of this operation and status were read, so that one in so many is enough.
    """

    key: str
    times: int = 0
    is_usual: bool = False


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
        InvalidArgumentError: An argument is of the wrong type or out of range, or no file can be at the path.

    Example:
        async with AgentPlatform(on_exchange=Observations("observed.json")) as platform:
            ...
    """

    def __init__(self, path: str | os.PathLike[str], *, interval: float = SECONDS) -> None:
        self.path = Path(os.path.abspath(check_target(path)[0]))
        if not (is_number(interval) and 0 < interval <= threading.TIMEOUT_MAX):
            most = f"{threading.TIMEOUT_MAX:.0f}"
            raise InvalidArgumentError(
                f"interval must be a number of seconds above 0 and at most {most}, not {format_value(interval)}"
            )
        self._interval = interval
        self._begin()
        OPEN.add(self)
        atexit.register(self.save)

    def _begin(self) -> None:
        """Begin with nothing."""
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._timer: threading.Timer | None = None
        self._bodies: dict[tuple[str, int], int] = {}
        self._order = Order()
        self._has_warned = False
        self._room = Room()
        self._tally = Tally()
        self._pending: dict[Alike, Same] = {}

    def __call__(self, record: ExchangeRecord, /) -> None:
        """Take note of an attempt, as `on_exchange` of a client; nothing is raised, whatever a server has sent.

        Args:
            record: The attempt; one without a response is left out.
        """
        if record.status is None:
            return
        try:
            exchange = alike(record, record.status)
            with self._lock:
                self._see(record, exchange)
        except Exception as error:
            # Whatever a server sends, the call goes on. The message of the error may have a value.
            self._warn("a response could not be observed (%s); calls are not affected", type(error).__name__)

    def _see(self, record: ExchangeRecord, exchange: Alike) -> None:
        """Count a response, and read its bodies unless there were enough like it."""
        same = self._pending.get(exchange)
        if same is None:
            if len(self._pending) >= MOST_PENDING:
                self._add_up()
            same = self._pending[exchange] = Same(key_of(record.operation, load_document()))
        same.times += 1
        if same.is_usual and same.times % ONE_IN:
            return
        if self._timer is None:
            self._timer = threading.Timer(self._interval, self.save)
            self._timer.daemon = True
            self._timer.start()
        endpoint = load_document().endpoints.get(exchange.operation)
        stream = (exchange.operation, exchange.status)
        same.is_usual = endpoint is None or self._bodies.get(stream, 0) >= FIRST_BODIES
        # One that is new is not read, or as many would be read as there are different headers. A body that is counted
        # in part would look like one without required members.
        if endpoint is None or (same.is_usual and same.times % ONE_IN) or self._room.left < HEADROOM:
            return
        self._bodies[stream] = self._bodies.get(stream, 0) + 1
        document = load_document()
        tally = self._room.below(self._tally, same.key)
        reader = Reader(self._room, document.vocabulary, left=min(MOST_NODES, self._room.left // ENTRIES))
        body = read_bodies(record, exchange, endpoint, document, tally, reader)
        if exchange.status < 300 and record.operation.method == "GET" and is_object(body):
            cursor = record.query.get(record.operation.cursor)
            self._order.read(body, cursor, document, self._room.below(tally, "order"), self._room)

    def _add_up(self) -> None:
        for exchange, same in self._pending.items():
            tally = self._room.below(self._tally, same.key)
            count_exchange(exchange, load_document(), tally, self._room, same.times)
        self._pending.clear()

    def save(self) -> None:
        """Add what is new to the file, which may take a moment while other processes write.

        What cannot be written is kept for the next time, with a warning of the logger `agent_session_platform`.
        """
        with self._writing:
            with self._lock:
                if self._timer is not None:
                    self._timer.cancel()
                    self._timer = None
                self._add_up()
                tally, self._room, self._tally = self._tally, Room(), Tally()
                self._room.add(self._tally, take_unsure(tally))
            if not tally:
                return
            try:
                merge_into(self.path, tally)
            except BaseException as error:
                # Also after Ctrl-C: they are written at the end of the program.
                with self._lock:
                    self._room.add(self._tally, tally)
                if not isinstance(error, Exception):
                    raise
                self._warn_of_file(error)

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

    def _warn_of_file(self, error: Exception) -> None:
        why = str(error) if isinstance(error, InvalidArgumentError) else getattr(error, "strerror", None)
        self._warn(
            "the observations could not be written to %s (%s); they are kept in memory, and written when that works",
            self.path.name,
            why or type(error).__name__,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Observations {self.path.name}>"


def observations_of(path: str) -> Observations:
    """Return the observations of a file, one for all clients of this process.

    Args:
        path: The file, as in `Observations`.

    Returns:
        The same object for the same path, whatever the current directory is now.

    Raises:
        InvalidArgumentError: No file can be at the path.
    """
    target = os.path.abspath(path)
    with CREATING:
        if target not in SHARED:
            SHARED[target] = Observations(target)
        return SHARED[target]


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


OBSERVE: Final = "AGENT_PLATFORM_OBSERVE"
CREATING: Final = threading.Lock()
SHARED: Final[dict[str, Observations]] = {}

OPEN: Final[WeakSet[Observations]] = WeakSet()


def begin_anew() -> None:
    """Begin with nothing in a child process: its parent writes what was seen before, and may hold the locks."""
    for observations in OPEN:
        observations._begin()  # pyright: ignore[reportPrivateUsage]  # of this module


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=begin_anew)
