"""Methods that change the state of a sandbox, while clients in other threads use it."""

from __future__ import annotations

from functools import wraps
from inspect import isfunction
from typing import Any, TypeVar

C = TypeVar("C", bound=type)


def synchronized(cls: C) -> C:
    """Let each public method of a class hold the lock of its attribute `state`, a `State`."""
    for name, member in [*vars(cls).items()]:
        if isfunction(member) and not name.startswith("_"):
            setattr(cls, name, _synchronized(member))
    return cls


def _synchronized(method: Any) -> Any:
    @wraps(method)
    def call(self: Any, /, *arguments: Any, **settings: Any) -> Any:
        with self.state.lock:
            return method(self, *arguments, **settings)

    return call
