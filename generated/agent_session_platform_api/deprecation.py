# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""Warn of a deprecated operation."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import deprecated

    from .operation import Operation
else:

    def deprecated(message: str) -> Any:
        """Mark a method for editors and type checkers; at run time `warn` does the warning."""
        return lambda method: method


__all__ = ("deprecated", "warn")

_warned: set[str] = set()


def warn(operation: Operation) -> None:
    """Warn once of *operation*, and point at the caller of its method."""
    if operation.id in _warned:
        return
    instead = f"; use {operation.successor}" if operation.successor else ""
    warnings.warn(f"{operation} is deprecated{instead}", DeprecationWarning, stacklevel=3)
    # Only now: where warnings are errors, every call must raise one.
    _warned.add(operation.id)
