"""The observer of a client: it counts every response, and reads some of the bodies."""

from __future__ import annotations

import atexit
import logging
import os
import threading
from collections import Counter
from pathlib import Path
from typing import Any, Final, Self
from weakref import WeakSet

import attrs
from agent_session_platform import ExchangeRecord, InvalidArgumentError
from agent_session_platform.files import check_target
from agent_session_platform.text import format_value
from agent_session_platform.validators import is_number

from .contract import load_document
from .file import merge_into
from .order import Order
from .record import ObservedExchange, count_exchange, key_of, observed, read_bodies, response_of
from .shape import ITEMS, Reader
from .tally import Room, Tally

# So many bodies of each status of an operation are read, and of later ones one in so many: what reading costs is then
# a small part of what the call has cost, which has parsed the same body.
FIRST_BODIES: Final = 50
FIRST_ITEMS: Final = 1000
ONE_IN: Final = 512
LATER_ITEMS: Final = 8
# So many different exchanges are counted before they are added up.
MOST_PENDING: Final = 512
# Operations and statuses whose bodies are read; a deployment has not more.
MOST_STREAMS: Final = 4096
SECONDS: Final = 30.0
# Entries that one body takes at most, and one value of it.
HEADROOM: Final = 4000
ENTRIES: Final = 10
# The members of an exchange before its operation: two that have the same are alike but for their bodies.
ALIKE: Final = ObservedExchange._fields.index("operation")

logger = logging.getLogger("agent_session_platform")


@attrs.define
class Same:
    """Responses that are the same but for their bodies.

    Attributes:
        exchange: The first of them, without bodies.
        times: How many there were.
        is_usual: Whether enough bodies of this operation and status were read, so that one in so many is enough.
    """

    exchange: ObservedExchange
    times: int
    is_usual: bool


class Observations:
    """The form of what a client sends and receives, kept in a file: names, types and counts, and no values.

    The exceptions are values that the contract calls a set, such as those of `status`. A name is not kept where it may
    be a value: in an object that looks like a mapping, such as one by e-mail address. Several clients, threads and
    processes may add to one file. It costs a call about 3 % of its CPU time or less, after the first bodies of an
    operation. It never makes a call fail: what goes wrong is logged once.

    Args:
        path: The file, which need not exist; another one of the name with `.lock` stands beside it.
        values: True to also keep the values of other members that have few, and that are short identifiers. Never those
            of requests, of secrets, and of members whose name says that they are about a person or are an id.
        interval: Seconds after which what is new is written; more than 0. Also by `save`, at the
            end of a `with`, and at the end of the program.

    Raises:
        InvalidArgumentError: An argument is of the wrong type or out of range, or no file can be at the path.

    Example:
        async with AgentPlatform(on_exchange=Observations("observed.json")) as platform:
            ...
    """

    def __init__(self, path: str | os.PathLike[str], *, values: bool = False, interval: float = SECONDS) -> None:
        self.path = Path(os.path.abspath(check_target(path)[0]))
        if not isinstance(values, bool):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
            raise InvalidArgumentError(f"values must be True or False, not {format_value(values)}")
        if not (is_number(interval) and 0 < interval <= threading.TIMEOUT_MAX):
            most = f"{threading.TIMEOUT_MAX:.0f}"
            raise InvalidArgumentError(
                f"interval must be a number of seconds above 0 and at most {most}, not {format_value(interval)}"
            )
        self._values = values
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
        self._items: dict[tuple[str, int], int] = {}
        self._order = Order()
        self._has_warned = False
        self._empty()

    def _empty(self) -> None:
        self._room = Room()
        self._tally = Tally()
        self._pending: dict[Any, Same] = {}

    def __call__(self, record: ExchangeRecord, /) -> None:
        """Take note of an attempt, as `on_exchange` of a client; nothing is raised, whatever a server has sent.

        Args:
            record: The attempt; one without a response is left out.
        """
        if record.status is None:
            return
        try:
            exchange = observed(record, record.status)
            # The path is part of the key, because the operation of `AgentPlatform.request` has the id of its path.
            key = (exchange.operation.id, exchange[:ALIKE])
            with self._lock:
                same = self._pending.get(key)
                if same is not None:
                    same.times += 1
                    if same.is_usual and same.times % ONE_IN:
                        return
                self._see(exchange, key, same)
        except Exception as error:
            # Whatever a server sends, the call goes on.
            # Its message may have a value.
            self._warn("a response could not be observed (%s); calls are not affected", type(error).__name__)

    def _see(self, exchange: ObservedExchange, key: Any, same: Same | None) -> None:
        """Take note of a response unless there were enough like it."""
        operation = exchange.operation
        stream = (operation.id if operation.verb else operation.method, exchange.status)
        number = self._bodies.get(stream, 0)
        is_usual = number >= FIRST_BODIES
        if same is None:
            if len(self._pending) >= MOST_PENDING:
                self._add_up()
            # Without its bodies and its cursor, which are not kept.
            self._pending[key] = Same(exchange._replace(sent=None, content=None, cursor=None), 1, is_usual)
        else:
            same.is_usual = is_usual
        if number or len(self._bodies) < MOST_STREAMS:
            self._bodies[stream] = number + 1
            # One that is new is not read, or as many would be read as there are different headers.
            if not is_usual or (same is not None and same.times % ONE_IN == 0):
                self._read(exchange, stream)
        if self._timer is None:
            self._timer = threading.Timer(self._interval, self.save)
            self._timer.daemon = True
            self._timer.start()

    def _read(self, exchange: ObservedExchange, stream: tuple[str, int]) -> None:
        document = load_document()
        key = key_of(exchange, document)
        tally = self._room.below(self._tally, key)
        response = response_of(exchange, tally, self._room)
        read = self._items.get(stream, 0)
        if self._room.left < HEADROOM:
            # A body that is counted in part would look like one without required members.
            return
        reader = Reader(self._room, self._values, items=ITEMS if read < FIRST_ITEMS else LATER_ITEMS)
        reader.left = min(reader.left, self._room.left // ENTRIES)
        self._items[stream] = read + (exchange.content or b"").count(b"{")
        read_bodies(exchange, document, tally, response, reader, self._order)

    def _add_up(self) -> None:
        if not self._pending:
            return
        document = load_document()
        counts = Counter[str]()
        for each in self._pending.values():
            counts.update(dict.fromkeys(each.exchange.headers, each.times))
        frequent = {name for name, times in counts.items() if times > 1}
        for each in self._pending.values():
            key = key_of(each.exchange, document)
            tally = self._room.below(self._tally, key)
            count_exchange(each.exchange, document, tally, self._room, each.times, frequent)
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
                tally = self._tally
                self._empty()
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
