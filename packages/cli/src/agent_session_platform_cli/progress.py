"""A bar on stderr, where that is a terminal: how far, how fast, and whether the rate limiter is closed."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

from agent_session_platform import RateLimiter

from .settings import Settings

if TYPE_CHECKING:
    from types import TracebackType

    from rich.progress import Progress, TaskID


class Bar:
    """A progress bar; where stderr is no terminal it shows nothing and imports nothing.

    Args:
        name: What is under way.
        settings: The global options.
        rate_limiter: Whose pauses are shown; None for none.
        counts: The things that are counted: `items`, `bytes`, or empty for none.

    Example:
        with Bar("organization.sessions.list", settings, platform.rate_limiter) as bar:
            bar.advance(200, total=1000)
            with bar.hidden():
                print(...)
    """

    def __init__(
        self, name: str, settings: Settings, rate_limiter: RateLimiter | None = None, *, counts: str = "items"
    ) -> None:
        self._progress: Progress | None = None
        self._task: TaskID | None = None
        if sys.stderr.isatty():
            self._progress = _progress(settings, rate_limiter, counts)
            self._task = self._progress.add_task(name, total=None)

    @property
    def is_shown(self) -> bool:
        """True if there is a terminal to show it."""
        return self._progress is not None

    def advance(self, count: int, total: int | None = None) -> None:
        """Count what was done.

        Args:
            count: How many more.
            total: How many there will be; None: not known, or as before.
        """
        if self._progress is not None and self._task is not None:
            # A total of None means: as before.
            self._progress.update(self._task, total=total, advance=count)

    @contextmanager
    def hidden(self) -> Generator[None]:
        """Take the bar away while something is printed on the same terminal."""
        if self._progress is None or not sys.stdout.isatty():
            yield
            return
        self._progress.stop()
        try:
            yield
        finally:
            self._progress.start()

    def __enter__(self) -> Self:
        if self._progress is not None:
            self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._progress is not None:
            self._progress.stop()


def _progress(settings: Settings, rate_limiter: RateLimiter | None, counts: str) -> Progress:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TransferSpeedColumn,
    )
    from rich.text import Text

    class Rate(ProgressColumn):
        """Items per second, and the pause of the rate limiter."""

        def render(self, task: Task) -> Text:
            """Write both."""
            rate = f"{task.speed:.0f}/s" if task.speed and counts == "items" else ""
            return Text(f"{rate} {pause_of(rate_limiter) if rate_limiter is not None else ''}".strip())

    counting: dict[str, list[ProgressColumn]] = {
        "items": [MofNCompleteColumn()],
        "bytes": [DownloadColumn(), TransferSpeedColumn()],
    }
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        *counting.get(counts, ()),
        Rate(),
        console=Console(stderr=True, no_color=settings.no_color or None),
        transient=True,
        # Results are written as they are, and not by rich.
        redirect_stdout=False,
        redirect_stderr=False,
    )


def pause_of(rate_limiter: RateLimiter) -> str:
    """Return how long the rate limiter is closed; empty while it is open."""
    closed_for = rate_limiter.stats().closed_for
    return f"rate limited: {closed_for:.0f} s" if closed_for > 0 else ""
