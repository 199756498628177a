"""Suggestions in error messages: the known name that is closest to a misspelled one."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return "; did you mean ...?" with the closest known name, or an empty string.

    Example:
        >>> suggestion("sesions", ["sessions", "users"])
        "; did you mean 'sessions'?"
    """
    close = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else ""
