"""One request as a family handles it, and what it answers with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from ..problems import invalid, nearest
from ..state.accounts import Account
from ..state.state import State
from .routes import Route


@dataclass(frozen=True, slots=True)
class Call:
    """A request that was admitted and is valid; *body* is {} when none came.

    Without *strict* nobody is asked for a permission, neither the caller nor who else the request names.
    """

    state: State
    route: Route
    account: Account
    path: dict[str, str]
    query: dict[str, Any]
    body: dict[str, Any]
    strict: bool = True

    @property
    def org_id(self) -> str:
        """The organization of the path."""
        return self.path["org_id"]

    def members(self) -> dict[str, Any]:
        """A body that the contract does not show; refuses one that is no object."""
        body: Any = self.body
        if not isinstance(body, dict):
            raise invalid((["body"], "an object is expected", "dict_type"))
        return cast("dict[str, Any]", body)

    def text(self, name: str) -> str:
        """A member of such a body that has to be text; refuses it otherwise."""
        value = self.members().get(name)
        if not isinstance(value, str):
            meant = [other for other in self.members() if name not in self.members() and nearest(other, [name])]
            hint = f"; {meant[0]!r} came, did you mean {name!r}?" if meant else ""
            raise invalid((["body", name], f"text is expected{hint}", "string_type"))
        return value

    def texts(self, name: str) -> list[str]:
        """A member of such a body that has to be a list of text; refuses it otherwise."""
        value = self.members().get(name)
        if not isinstance(value, list) or not all(isinstance(each, str) for each in cast("list[object]", value)):
            raise invalid((["body", name], "a list of text is expected", "list_type"))
        return cast("list[str]", value)

    def filter(self, name: str) -> str | None:
        """A query parameter whose type is not shown, None where it did not come; refuses it when it came twice."""
        value = self.query.get(name)
        if isinstance(value, list):
            times = len(cast("list[object]", value))
            raise invalid((["query", name], f"given {times} times; it takes one value", "multiple_values"))
        return value

    def flag(self, name: str) -> bool | None:
        """Such a parameter that has to be true or false; refuses it otherwise."""
        value = self.filter(name)
        if value not in (None, "true", "false"):
            raise invalid((["query", name], f"{value!r} is neither true nor false", "bool_parsing"))
        return None if value is None else value == "true"


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer: the body as JSON, or bytes as they are.

    *status* None is the one that the contract shows.
    """

    body: Any
    status: int | None = None


Handler: TypeAlias = Callable[[Call], Reply]
