"""Bounds on what a body may become in memory: its depth, its values and the size of its containers."""

from __future__ import annotations

import re
from gc import get_referents
from typing import Any

# A value that is nested deeper can be parsed, but not copied, shown or pickled: it is refused.
MAX_DEPTH = 100

# An empty array takes three bytes in a body, and 64 in memory. So many values and names take about half a gigabyte.
MAX_VALUES = 6_500_000

# The cyclic garbage collector stops the event loop while it goes through all arrays and objects that are alive.
MAX_CONTAINERS = 1_000_000

# Memory of one text. Python takes four bytes for each character as soon as one is beyond U+FFFF, such as an emoji, and
# putting the pieces together cannot be interrupted.
MAX_TEXT = 192 * 1024 * 1024

# Making a model of each member of an array cannot be interrupted. A page of the API has 200 items at the most.
MAX_MEMBERS = 250_000
# The model of a member that is no object takes longer, and more memory.
MAX_NON_OBJECTS = 50_000

# Compiled with the first long text.
BEYOND_TWO_BYTES = "[\U00010000-\U0010ffff]"


class TooManyValuesError(ValueError):
    """The body has more values than are held in memory; never leaves `response`."""


def check_depth(value: Any, depth: int = 0) -> None:
    """Raise RecursionError for a value that is nested more than MAX_DEPTH deep.

    Args:
        value: The value of any JSON.
        depth: How many containers it is in.
    """
    level = [value]
    for _ in range(MAX_DEPTH - depth):
        # The members of all containers of a level, in one step of C; text and numbers have none.
        level = get_referents(*level)
        if not level:
            return
    if any(each.__class__ in (dict, list) for each in level):
        raise RecursionError


def check_members(value: Any) -> None:
    """Raise TooManyValuesError if it would take too long to make models of the members of an array or object.

    Only the value and the members of an object at the top are looked at, because there are the items of a page.
    """
    for each in (value, *value.values()) if value.__class__ is dict else (value,):
        if each.__class__ not in (dict, list) or len(each) <= MAX_NON_OBJECTS:
            continue
        if len(each) > MAX_MEMBERS:
            raise TooManyValuesError(f"more than {MAX_MEMBERS} members in one array or object")
        if each.__class__ is list and len(each) - sum(member.__class__ is dict for member in each) > MAX_NON_OBJECTS:
            raise TooManyValuesError(f"more than {MAX_NON_OBJECTS} members of an array that are not objects")


class TextPieces:
    """The pieces of a long text."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self._width = 1

    def add(self, piece: str) -> None:
        """Append a piece; raise TooManyValuesError when the whole text would take too much memory."""
        self._pieces.append(piece)
        self._length += len(piece)
        if not piece.isascii():
            self._width = max(self._width, 4 if re.search(BEYOND_TWO_BYTES, piece) else 2)
        if self._length * self._width > MAX_TEXT:
            raise TooManyValuesError(f"a text of more than {MAX_TEXT} bytes in memory")

    def join(self) -> str:
        """Return the whole text."""
        return "".join(self._pieces)


class ValueCounter:
    """A counter of the values of a body, while it is parsed.

    Attributes:
        containers: Arrays and objects so far.
    """

    def __init__(self) -> None:
        self._values = 0
        self.containers = 0

    def add(self, values: list[Any], depth: int) -> None:
        """Count values with all that is in them.

        Args:
            values: Values that were parsed.
            depth: How many containers they are in.

        Raises:
            TooManyValuesError: There are too many by now.
            RecursionError: One is nested too deeply.
        """
        level = values
        while level:
            classes = list(map(type, level))
            objects = classes.count(dict)
            containers = objects + classes.count(list)
            self.containers += containers
            # A member of an object comes with a name.
            self._values += len(level)
            if self._values > MAX_VALUES:
                raise TooManyValuesError(f"more than {MAX_VALUES} values and names")
            if self.containers > MAX_CONTAINERS:
                raise TooManyValuesError(f"more than {MAX_CONTAINERS} arrays and objects")
            if not containers:
                return
            if depth >= MAX_DEPTH:
                raise RecursionError
            level = get_referents(*level)
            depth += 1
            if objects:
                self._values += len(level)
