"""One request as a family handles it, and what it answers with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from .accounts import Account
from .routes import Route
from .state import State


@dataclass(frozen=True, slots=True)
class Call:
    """A request that was admitted and is valid; *body* is {} when none came."""

    state: State
    route: Route
    account: Account
    path: dict[str, str]
    query: dict[str, Any]
    body: dict[str, Any]

    @property
    def org_id(self) -> str:
        """The organization of the path."""
        return self.path["org_id"]


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer: the body as JSON, bytes as they are, or nothing at all with None.

    *status* None is the one that the contract shows.
    """

    body: Any
    status: int | None = None


Handler: TypeAlias = Callable[[Call], Reply]
