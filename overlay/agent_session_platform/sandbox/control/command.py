"""What a command of control is: a method of an address, and what it does with a sandbox."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from ..platform import Sandbox


class Asked(NamedTuple):
    """A request: the name in its path, its query, and its JSON (None for none)."""

    name: str
    query: Mapping[str, str]
    body: Any


class Command(NamedTuple):
    """What one method of one address does; what has no use for a body or a query refuses it."""

    method: str
    path: str
    does: str
    run: Callable[[Sandbox, Asked], Any]
    takes_body: bool = False
    takes_query: bool = False
