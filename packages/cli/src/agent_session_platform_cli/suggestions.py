"""The nearest of the known names, for the message about an unknown one."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Final

# The time grows with the square of the length.
LONGEST: Final = 200
MOST: Final = 3


def nearest(name: str, known: Iterable[str]) -> str:
    """Return `; did you mean ...?` with the nearest of the known names; empty if none is near.

    Example:
        >>> nearest("cal", ["call", "show"])
        "; did you mean 'call'?"
    """
    names = [*known]
    close = difflib.get_close_matches(name[:LONGEST], names, n=MOST, cutoff=0.6)
    if not close:
        # Somebody who writes `sessions.list` means one of the scopes.
        close = [each for each in names if each.endswith(f".{name}")][:MOST]
    return f"; did you mean {' or '.join(map(repr, close))}?" if close else ""
