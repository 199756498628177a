"""Check of the clock of this machine, against the Date header of a response."""

from __future__ import annotations

from collections.abc import Sequence
from email.utils import parsedate_to_datetime
from typing import Final

from .finding import Finding, not_tried, ok, problem, warning
from .reads import Read

CLOCK: Final = "clock"
# Seconds; the header has whole seconds, and a response travels for a while.
TOLERATED: Final = 60
WRONG: Final = 300

SET: Final = "Set the clock of this machine, or let NTP set it: times of schedules and certificates depend on it."


def judge_clock(reads: Sequence[Read]) -> Finding:
    """Return how far the clock of this machine is from that of the server."""
    offsets = [offset for each in reads if (offset := _offset(each)) is not None]
    if not offsets:
        return not_tried(CLOCK, "no response has a Date header")
    # The one that travelled for the shortest time is the nearest.
    offset = min(offsets, key=abs)
    facts = {"seconds_ahead": round(offset)}
    if abs(offset) <= TOLERATED:
        return ok(CLOCK, "The clock of this machine agrees with that of the server.", **facts)
    amount = f"{abs(offset) / 60:.0f} minutes" if abs(offset) < 2 * 3600 else f"{abs(offset) / 3600:.1f} hours"
    text = f"The clock of this machine is {amount} {'ahead of' if offset > 0 else 'behind'} that of the server."
    return problem(CLOCK, text, SET, **facts) if abs(offset) >= WRONG else warning(CLOCK, text, SET, **facts)


def _offset(read: Read) -> float | None:
    """Return by how many seconds this machine is ahead; None where it cannot be told."""
    try:
        date = parsedate_to_datetime(read.headers["date"])
        age = int(read.headers.get("age", "0"))
        return read.received - date.timestamp() - age
    except (KeyError, ValueError, OverflowError):
        return None
