"""Errors about unknown names, and suggestions of the closest known name."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


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
    close = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else ""
