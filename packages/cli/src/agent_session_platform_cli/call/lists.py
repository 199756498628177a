"""A list, printed page by page: nothing is kept, and where it breaks off the cursor is known."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, Final

import attrs
from agent_session_platform import Pager, to_json

from ..output import ListWriter
from ..progress import Bar
from ..recent import note_ids
from ..terminal_text import shell_word
from .request import CallRequest

# The page size of the contract's lists, by default.
PAGE: Final = 100


@attrs.define
class Listing:
    """The state of a list that is printed.

    Attributes:
        call: The call.
        pager: The list; None before it has begun.
        printed: The number of items that were printed.
    """

    call: CallRequest
    pager: Pager[Any] | None = None
    printed: int = 0

    async def print_all(self, pager: Pager[Any], writer: ListWriter, bar: Bar) -> None:
        """Print the items as they come, up to the limit.

        Args:
            pager: The list.
            writer: What writes them.
            bar: Shows how far it is.
        """
        self.pager = pager
        limit = self.call.limit
        try:
            if limit is not None and limit <= (self.call.page_size or PAGE):
                # Of one page: iterating would fetch the next one before it is needed.
                self._print(await pager.collect(limit=limit), writer, bar)
                return
            async for page in pager.pages():
                left = None if limit is None else limit - self.printed
                self._print(page.items[:left], writer, bar)
                if limit is not None and self.printed >= limit:
                    return
        finally:
            with bar.hidden():
                writer.close()
                sys.stdout.flush()

    def _print(self, items: Sequence[Any], writer: ListWriter, bar: Bar) -> None:
        with bar.hidden():
            writer.write([to_json(item) for item in items])
            sys.stdout.flush()
        if not self.printed and bar.is_shown:
            note_ids(self.call.operation, items)
        self.printed += len(items)
        total = None if self.pager is None else self.pager.total
        limit = self.call.limit
        bar.advance(len(items), total if limit is None or total is None else min(limit, total))

    def how_to_continue(self, arguments: Sequence[str]) -> str | None:
        """Return the command that prints the rest; None if nothing was printed, or nothing is left.

        Args:
            arguments: Those of the interrupted command.
        """
        cursor = None if self.pager is None or self.pager.exhausted else self.pager.cursor
        if cursor is None or not self.printed:
            return None
        option = f"--{self.call.operation.cursor.replace('_', '-')}"
        words = without_option(without_option(arguments, option), "--limit")
        words += [option, cursor]
        if self.call.limit is not None:
            words += ["--limit", str(self.call.limit - self.printed)]
        return " ".join(["asp", *map(shell_word, words)])


def without_option(arguments: Sequence[str], option: str) -> list[str]:
    """Return the words of a command without an option and its value.

    Example:
        >>> without_option(["list", "--after", "c1", "--limit=5"], "--after")
        ['list', '--limit=5']
    """
    kept: list[str] = []
    skip = False
    for word in arguments:
        name, equals, _ = word.partition("=")
        if skip:
            skip = False
        elif name.replace("_", "-") == option:
            skip = not equals
        else:
            kept.append(word)
    return kept
