"""The warning of a deprecated operation."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import deprecated

    from .operation import Operation
else:

    def deprecated(message: str) -> Any:
        """Mark a method for editors and type checkers; at runtime `warn` does the telling."""
        return lambda method: method


__all__ = ("deprecated", "warn")

_warned: set[str] = set()


def warn(operation: Operation) -> None:
    """Warn once of *operation*, pointing at whoever called its method."""
    if operation.id in _warned:
        return
    instead = f"; use {operation.successor}" if operation.successor else ""
    warnings.warn(f"{operation} is deprecated{instead}", DeprecationWarning, stacklevel=3)
    # Not before: where warnings are errors, every call is one.
    _warned.add(operation.id)
