"""Errors about unknown names, and suggestions of the closest known name."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Final

# Characters of names that are compared: the time grows with the square of their length.
MAX_COMPARED: Final = 200


class UnknownNameError(KeyError):
    """Nothing has the given name. The message names what is known."""

    def __str__(self) -> str:
        # KeyError would show the message as a quoted string.
        return str(self.args[0])


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return "; did you mean ...?" with the closest known name, or an empty string.

    Example:
        >>> suggestion("sesions", ["sessions", "users"])
        "; did you mean 'sessions'?"
    """
    short = [] if len(name) > MAX_COMPARED else list(known)
    close = difflib.get_close_matches(name, short, n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else ""
