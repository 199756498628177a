"""The end of a batch: how many rows came to which end, what is left to do, and the exit code."""

from __future__ import annotations

import shlex
from collections import Counter
from typing import Any, Final

from agent_session_platform_jobs import BatchItem

from ..exit_codes import DEADLINE, GONE, OK, OUTCOME_UNKNOWN, ROWS_FAILED, STALLED, UNEXPECTED
from ..wording import in_words_of_asp

# The worst comes first: what a row has come to, and the exit code if one has.
ENDS: Final = (
    ("unknown", OUTCOME_UNKNOWN),
    ("failed", ROWS_FAILED),
    ("deadline", DEADLINE),
    ("unexpected", UNEXPECTED),
    ("gone", GONE),
    ("stalled", STALLED),
)


def row_of(item: BatchItem) -> dict[str, Any]:
    """Return a row as it is printed."""
    return {
        "key": item.key,
        "state": item.state,
        "id": item.id,
        "reason": item.reason,
        "error": in_words_of_asp(item.error) if item.error is not None else None,
        "result": item.result,
    }


class Summary:
    """Counts the rows of a run.

    Args:
        store: The file with their states.
    """

    def __init__(self, store: str) -> None:
        self._store = store
        self._states: Counter[str] = Counter()
        self._ends: Counter[str] = Counter()

    def count(self, item: BatchItem) -> None:
        """Count a row that has come to its end."""
        self._states[item.state] += 1
        self._ends[item.state if item.state in ("unknown", "failed") else item.reason or item.state] += 1

    @property
    def rows(self) -> int:
        """The number of rows that were counted."""
        return self._states.total()

    @property
    def exit_code(self) -> int:
        """The exit code of the worst end."""
        return next((code for end, code in ENDS if self._ends[end]), OK)

    def __str__(self) -> str:
        states = ", ".join(f"{count} {state}" for state, count in sorted(self._states.items()))
        reasons = [f"{self._ends[end]} {end}" for end, _ in ENDS[2:] if self._ends[end]]
        why = f" ({', '.join(reasons)})" if reasons else ""
        lines = [f"rows: {states}{why}; store: {self._store}"]
        if self._ends["unknown"]:
            lines.append(f"what the server did is not known: asp batch unknown --store {shlex.quote(self._store)}")
        if self._ends["failed"]:
            lines.append("the failed rows are sent again with --retry-failed")
        if self._ends["deadline"]:
            lines.append("the same command goes on waiting")
        return "\n".join(f"asp: {line}" for line in lines)
