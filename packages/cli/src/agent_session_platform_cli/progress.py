"""A bar on stderr, where that is a terminal: how far, and how fast."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

from .settings import Settings

if TYPE_CHECKING:
    from rich.progress import Progress


class Bar:
    """A progress bar; where stderr is no terminal it shows nothing and imports nothing.

    Args:
        name: What is under way.
        settings: The global options.
        counts: The things that are counted: `items`, `bytes`, or empty for none.

    Attributes:
        is_shown: Whether there is a terminal to show it.

    Example:
        with Bar("organization.sessions.list", settings) as bar:
            bar.advance(200, total=1000)
            with bar.hidden():
                print(...)
    """

    def __init__(self, name: str, settings: Settings, *, counts: str = "items") -> None:
        self.is_shown = sys.stderr.isatty()
        self._progress = make_progress(settings, counts) if self.is_shown else None
        if self._progress is not None:
            self._progress.add_task(name, total=None)

    def advance(self, count: int, total: int | None = None) -> None:
        """Count what was done.

        Args:
            count: How many more.
            total: How many there will be; None: not known, or as before.
        """
        if self._progress is not None:
            self._progress.update(self._progress.task_ids[0], total=total, advance=count)

    @contextmanager
    def hidden(self) -> Generator[None]:
        """Take the bar away while something is printed on the same terminal."""
        progress = self._progress if sys.stdout.isatty() else None
        if progress is not None:
            progress.stop()
        try:
            yield
        finally:
            if progress is not None:
                progress.start()

    def __enter__(self) -> Self:
        if self._progress is not None:
            self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._progress is not None:
            self._progress.stop()


def make_progress(settings: Settings, counts: str) -> Progress:
    """Return the bar of rich, which is imported for a terminal only."""
    from rich import progress
    from rich.console import Console

    counting: dict[str, list[progress.ProgressColumn]] = {
        "items": [progress.MofNCompleteColumn(), progress.TaskProgressColumn(show_speed=True)],
        "bytes": [progress.DownloadColumn(), progress.TransferSpeedColumn()],
    }
    columns = [progress.TextColumn("{task.description}"), progress.BarColumn(), *counting.get(counts, ())]
    console = Console(stderr=True, no_color=settings.no_color or None)
    # Results are written as they are, and not by rich.
    return progress.Progress(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False)
