"""What to do about a write that may have been carried out: which operation reads what it would have changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import OutcomeUnknownError

if TYPE_CHECKING:
    from datetime import datetime

    from .._api import Operation


def unknown_outcome(operation: Operation, sent_at: datetime, why: str) -> OutcomeUnknownError:
    """The error of a write that was sent at *sent_at*; *why* tells how it broke off."""
    reader = reader_of(operation)
    read = f"with {reader}" if reader is not None else "of what it would have changed"
    return OutcomeUnknownError(
        f"{why.removeprefix(f'{operation}: ')}; the write, sent at {sent_at:%Y-%m-%dT%H:%M:%S}Z, may have been carried "
        f"out and was not sent again: read the state {read} before you repeat it",
        operation=operation,
        sent_at=sent_at,
        reader=reader,
    )


def reader_of(operation: Operation) -> Operation | None:
    """The operation that reads the path that *operation* writes to, or the one above it; None when none is known."""
    from ..catalogue import Catalogue

    catalogue = Catalogue()
    return catalogue.reading(operation.path) or catalogue.reading(operation.path.rpartition("/")[0])
