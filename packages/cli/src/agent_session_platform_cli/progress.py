"""A bar on stderr, where that is a terminal: how far, and how fast."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import attrs

from .settings import Settings

if TYPE_CHECKING:
    from rich.progress import Progress


@attrs.frozen
class Bar:
    """A progress bar, which `show_bar` makes.

    Attributes:
        progress: The bar of rich; None where stderr is no terminal.
    """

    progress: Progress | None

    def advance(self, count: int, total: int | None = None) -> None:
        """Count what was done.

        Args:
            count: How many more.
            total: How many there will be; None: not known, or as before.
        """
        if self.progress is not None:
            self.progress.update(self.progress.task_ids[0], total=total, advance=count)

    @contextmanager
    def hidden(self) -> Generator[None]:
        """Take the bar away while something is printed on the same terminal."""
        progress = self.progress if sys.stdout.isatty() else None
        if progress is not None:
            progress.stop()
        yield
        if progress is not None:
            progress.start()


@contextmanager
def show_bar(name: str, settings: Settings, counts: str = "items") -> Generator[Bar]:
    """Show a progress bar; where stderr is no terminal nothing is shown, and nothing imported.

    Args:
        name: What is under way.
        settings: The global options.
        counts: The things that are counted: `items`, `bytes`, or empty for none.

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
    }
    columns = [progress.TextColumn("{task.description}"), progress.BarColumn(), *counting.get(counts, ())]
    console = Console(stderr=True, no_color=settings.no_color or None)
    # Results are written as they are, and not by rich.
    shown = progress.Progress(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False)
    with shown:
        shown.add_task(name, total=None)
        yield Bar(shown)
