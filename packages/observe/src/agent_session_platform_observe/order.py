"""In which order the items of lists come: on a page, and from one page to the next."""

from __future__ import annotations

from collections import OrderedDict
from itertools import pairwise
from typing import Any, Final

from agent_session_platform.contract import is_array, is_object

from .formats import PLAIN, number_format, text_format
from .tally import Room, Tally

ASCENDING: Final = "ascending"
DESCENDING: Final = "descending"
NEITHER: Final = "neither"

PAGES: Final = "pages"
SEAMS: Final = "seams"

# So many cursors are remembered, each with the times of the last item before it.
MOST_CURSORS: Final = 256

Times = dict[str, int | str]


class Order:
    """The order of the items that come, by each member that is a time."""

    def __init__(self) -> None:
        self._ends: OrderedDict[str, Times] = OrderedDict()

    def read(
        self, body: dict[str, Any], cursor: str | None, shown: tuple[str, ...], tally: Tally, room: Room, most: int
    ) -> None:
        """Note how the items of a page are ordered.

        Args:
            body: The body of the response.
            cursor: The cursor by which the page was requested.
            shown: The members of an item that the contract shows.
            tally: Where the order is counted.
            room: What bounds the entries.
            most: How many items are looked at.
        """
        items = next((each for each in body.values() if is_array(each)), list[Any]())
        rows = [times_of(item, shown) for item in items[:most] if is_object(item)]
        if not rows:
            return
        for name in rows[0]:
            values = [row[name] for row in rows if name in row]
            self._count(room.below(tally, PAGES), name, direction(values), room)
        before = self._ends.pop(cursor, None) if cursor is not None else None
        for name in rows[0].keys() & (before or {}).keys():
            assert before is not None
            self._count(room.below(tally, SEAMS), name, direction([before[name], rows[0][name]]), room)
        following = body.get("end_cursor")
        if isinstance(following, str) and len(items) <= most:
            self._ends[following] = rows[-1]
            if len(self._ends) > MOST_CURSORS:
                self._ends.popitem(last=False)

    @staticmethod
    def _count(tally: Tally, name: str, found: str | None, room: Room) -> None:
        if found is not None:
            room.count(room.below(tally, name), found)


def times_of(item: dict[str, Any], shown: tuple[str, ...]) -> Times:
    """Return the members of an item that are times."""
    found: Times = {}
    for name in shown:
        value = item.get(name)
        if (isinstance(value, int) and value is not True and number_format(value) != PLAIN) or (
            isinstance(value, str) and text_format(value, name) in ("date-time", "date")
        ):
            found[name] = value
    return found


def direction(values: list[int | str]) -> str | None:
    """Return how values are ordered; None if they are all the same, or of several types."""
    if len({each.__class__ for each in values}) != 1:
        return None
    pairs: list[tuple[Any, Any]] = list(pairwise(values))
    if all(one == other for one, other in pairs):
        return None
    if all(one <= other for one, other in pairs):
        return ASCENDING
    return DESCENDING if all(one >= other for one, other in pairs) else NEITHER
