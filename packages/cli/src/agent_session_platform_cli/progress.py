"""Show a progress bar on stderr, if stderr is a terminal."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import attrs

from .settings import Settings
from .terminal_text import one_line

if TYPE_CHECKING:
    from rich.progress import Progress

# The most characters of a text that changes: the line must not become two.
LONGEST: Final = 60


@attrs.frozen
class Bar:
    """A progress bar, which `show_bar` makes.

    Attributes:
        progress: The bar of rich; None if stderr is not a terminal.
    """

    progress: Progress | None

    def advance(self, count: int, total: int | None = None) -> None:
        """Move the bar.

        Args:
            count: How many things were done since the last call.
            total: How many things there are in all; None if the total is not known, or has not changed.
        """
        if self.progress is not None:
            self.progress.update(self.progress.task_ids[0], total=total, advance=count)

    def describe(self, text: str) -> None:
        """Replace the text beside the bar."""
        if self.progress is not None:
            shown = textwrap.shorten(one_line(text), LONGEST, placeholder=" ...")
            self.progress.update(self.progress.task_ids[0], description=shown)

    @contextmanager
    def hidden(self) -> Generator[None]:
        """Hide the bar while a result is printed on the same terminal."""
        progress = self.progress if sys.stdout.isatty() else None
        if progress is not None:
            progress.stop()
        yield
        if progress is not None:
            progress.start()


@contextmanager
def show_bar(name: str, settings: Settings, counts: str = "items") -> Generator[Bar]:
    """Show a progress bar. If stderr is not a terminal, do nothing.

    Args:
        name: The text beside the bar.
        settings: The global options.
        counts: The unit of the count, `items`, `bytes` or `seconds`; if it is empty, no count is shown.

    Example:
        with show_bar("organization.sessions.list", settings) as bar:
            bar.advance(200, total=1000)
            with bar.hidden():
                print(...)
    """
    if not sys.stderr.isatty():
        yield Bar(None)
        return
    from rich import progress
    from rich.console import Console

    counting: dict[str, list[progress.ProgressColumn]] = {
        "items": [progress.MofNCompleteColumn(), progress.TaskProgressColumn(show_speed=True)],
        "bytes": [progress.DownloadColumn(), progress.TransferSpeedColumn()],
        "seconds": [progress.TimeElapsedColumn()],
    }
    columns = [progress.TextColumn("{task.description}", markup=False), progress.BarColumn(), *counting.get(counts, ())]
    console = Console(stderr=True, no_color=settings.no_color or None)
    # Otherwise rich would wrap the lines of results.
    shown = progress.Progress(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False)
    with shown:
        shown.add_task(one_line(name), total=None)
        yield Bar(shown)
