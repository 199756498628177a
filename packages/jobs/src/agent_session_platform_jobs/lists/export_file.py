"""The file of an export together with its state: after a crash at any moment they fit together."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Final

import attrs
from agent_session_platform.files import random_beside, regular_mode, replace

from .items import Item, item_of
from .line_file import End, LineFile
from .pages import ListPage
from .state_file import StateFile

PURPOSE: Final = "export"


@attrs.frozen
class Position:
    """The progress of an export.

    Attributes:
        end: Where the file ends.
        lines: How many lines it has.
        scan: The number of the scan.
        comparing: Whether items without an id are compared with all that are known, and not only with the last page.
        cursor: The cursor of the last page that was written.
        following: The cursor of the page after it; None if there was none.
        complete: Whether the list had ended.
        last_page: The digests of the items without an id that the next page may repeat.
        began: When the scan began, as the text of a time in UTC.
    """

    end: End = attrs.field(factory=End)
    lines: int = 0
    scan: int = 1
    comparing: bool = True
    cursor: str | None = None
    following: str | None = None
    complete: bool = False
    last_page: tuple[str, ...] = ()
    began: str = attrs.field(factory=lambda: datetime.now(UTC).isoformat())

    @classmethod
    def read(cls, kept: dict[str, Any]) -> Position:
        """Make a position of what `attrs.asdict` made of one."""
        converted: dict[str, Any] = {"end": End(**kept["end"]), "last_page": tuple(kept["last_page"])}
        return cls(**{**kept, **converted})


class ExportFile:
    """The file and the state of one run; all methods are for one thread.

    A page is appended to the file, and then the state is committed. What the file has beyond the state is from a page
    of which the state knows nothing, and is cut off.

    Args:
        target: The file.
        mode: The permissions of the file that is there; None if there is none.
        state: The file with the state; None to write a new file, which becomes the target with `finish`.
        source: The list; None where that is not known.
        key: The field with the id that the caller named.
        chronological: Whether new items are at the end of the list.

    Attributes:
        written: How many items this run wrote.
        position: How far the export is.
        resumed: When the scan began that this run continues; None if this run began it.
    """

    def __init__(
        self,
        target: str,
        mode: int | None,
        state: str | None,
        *,
        source: str | None,
        key: str | None,
        chronological: bool,
    ) -> None:
        self.written = 0
        self.position = Position()
        self.resumed: datetime | None = None
        self._target = target
        self._path = target if state is not None else random_beside(target, ".part")
        self._is_temporary = state is None
        self._chronological = chronological
        self._expected: Counter[str] = Counter()
        self._state = StateFile(state or "", {"purpose": PURPOSE, "key": key}, source=source, texts=False)
        self._file = LineFile(self._path, mode)

    @property
    def name(self) -> str:
        """The name of the file, for messages."""
        return os.path.basename(self._target)

    def open(self) -> None:
        """Open both files, cut off what a crash left, and keep others out.

        Raises:
            InvalidArgumentError: The file or the state is not that of this export.
            BlockingIOError: Another run uses one of them.
            OSError: One of them cannot be opened.
        """
        self._state.open()
        kept = self._state.fact("position")
        if kept is None:
            self._file.open(None)
            # From now on, what is in the file is known to be ours, also after a crash in the first page.
            self._save()
        else:
            self.position = Position.read(kept)
            self._file.open(self.position.end)
        if kept is not None and not self.position.complete:
            self.resumed = datetime.fromisoformat(self.position.began)
        if self.position.complete:
            self._begin_scan(self.next_cursor, comparing=not self._chronological)
        elif not self.position.comparing:
            self._expected = Counter(self.position.last_page)
        self._state.begin_scan(self.position.scan)

    @property
    def next_cursor(self) -> str | None:
        """The cursor of the page that comes next, in this run or the next one; None is the beginning of the list."""
        if not self.position.complete:
            return self.position.following
        return self.position.cursor if self._chronological else None

    def begin_anew(self) -> None:
        """Compare the whole list from its beginning on."""
        self.resumed = None
        self._begin_scan(None, comparing=True)

    def _begin_scan(self, cursor: str | None, *, comparing: bool) -> None:
        self._expected = Counter(() if comparing else self.position.last_page)
        self.position = attrs.evolve(
            self.position,
            scan=self.position.scan + 1,
            comparing=comparing,
            following=cursor,
            complete=False,
            began=Position().began,
        )
        self._state.begin_scan(self.position.scan)

    def take(self, page: ListPage, key: str | None) -> None:
        """Write those items of a page that are new or changed, and keep how far the export is.

        Raises:
            OSError: They cannot be written; the file is as it was before.
        """
        before = self._file.end
        try:
            items = [item_of(value, key) for value in page.items]
            lines = [item.line for item in items if self._is_wanted(item)]
            self._file.append(lines)
            ended = page.following is None
            without_id = [item.key.hex() for item in items if item.id is None] if ended else self._expected.elements()
            self.position = attrs.evolve(
                self.position,
                end=self._file.end,
                lines=self.position.lines + len(lines),
                cursor=page.cursor,
                following=page.following,
                complete=ended,
                last_page=tuple(without_id),
            )
            self._save()
        except BaseException:
            # The state is closed without a commit.
            self._file.cut(before)
            raise
        self.written += len(lines)

    def _is_wanted(self, item: Item) -> bool:
        if item.id is not None or self.position.comparing:
            return self._state.take(item) is not None
        digest = item.key.hex()
        if self._expected[digest] > 0:
            self._expected[digest] -= 1
            return False
        self._state.add(item)
        return True

    def _save(self) -> None:
        self._state.keep("position", attrs.asdict(self.position))
        self._state.commit()

    def finish(self) -> None:
        """Give a new file its name; one with a state has it already.

        Raises:
            InvalidArgumentError: Meanwhile something else than a regular file is there.
            OSError: It cannot be renamed.
        """
        if not self._is_temporary:
            return
        regular_mode(self._target, "path")
        self._file.close()
        replace(self._path, self._target)
        self._is_temporary = False

    def close(self) -> None:
        """Close the file and the state, and remove a new file that did not become complete."""
        self._file.close()
        self._state.close()
        if self._is_temporary:
            with suppress(OSError):
                os.unlink(self._path)
