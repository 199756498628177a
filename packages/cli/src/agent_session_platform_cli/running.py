"""Run the work of a command until it ends, or until a signal ends it as Ctrl-C does."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Coroutine, Generator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final, TypeVar

T = TypeVar("T")

# The signals of `kill` and `docker stop`, and of a terminal that is closed. Windows has no SIGHUP.
ENDING: Final = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


class TerminatedError(KeyboardInterrupt):
    """A signal has ended the command. Whatever handles Ctrl-C handles this error, too.

    Attributes:
        number: The number of the signal.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine until it ends. SIGTERM and SIGHUP cancel it, so that it can remove its temporary files.

    Args:
        work: The coroutine.

    Returns:
        The result of the coroutine.

    Raises:
        KeyboardInterrupt: Ctrl-C.
        TerminatedError: SIGTERM or SIGHUP.
    """
    received: list[int] = []
    with _handled(received):
        try:
            return asyncio.run(work)
        except KeyboardInterrupt:
            if received:
                raise TerminatedError(received[0]) from None
            raise


@contextmanager
def _handled(received: list[int]) -> Generator[None]:
    """Handle signals as Ctrl-C, and note their numbers. A signal that the process ignores is still ignored."""

    def end(number: int, frame: FrameType | None) -> None:
        received.append(number)
        as_ctrl_c = signal.getsignal(signal.SIGINT)
        if not callable(as_ctrl_c):
            # A process in the background of a shell ignores Ctrl-C.
            as_ctrl_c = signal.default_int_handler
        as_ctrl_c(signal.SIGINT, frame)

    is_main = threading.current_thread() is threading.main_thread()
    numbers = [number for number in ENDING if is_main and signal.getsignal(number) is signal.SIG_DFL]
    for number in numbers:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in numbers:
            signal.signal(number, signal.SIG_DFL)
