"""Warn about deprecated operations."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import deprecated

    from .operation import Operation
else:

    def deprecated(message: str) -> Any:
        """Mark a method for editors and type checkers only; `warn` warns at run time."""
        return lambda method: method


__all__ = ("deprecated", "warn")

_warned: set[str] = set()


def warn(operation: Operation) -> None:
    """Warn once about *operation*, at the line that calls its method."""
    if operation.id in _warned:
        return
    instead = f"; use {operation.successor}" if operation.successor else ""
    warnings.warn(f"{operation} is deprecated{instead}", DeprecationWarning, stacklevel=3)
    # After the warning: where warnings are errors, every call must raise one.
    _warned.add(operation.id)
