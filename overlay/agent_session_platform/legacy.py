"""What the paths of the legacy API (v1) became: part Versioning of the API's description, rule 5.

>>> from agent_session_platform import legacy
>>> print(legacy.current("/v1/session/abc"))
GET /v3/organizations/{org_id}/sessions/abc
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import import_module

from ._api import PACKAGE, Operation
from .catalogue import Catalogue
from .errors import InvalidArgumentError

PLACEHOLDER = re.compile(r"\\\{(\w+)\\\}")


class NoCurrentOperationError(InvalidArgumentError, LookupError):
    """The legacy path has no operation in the current API that the description tells of."""


@dataclass(frozen=True, slots=True)
class Current:
    """The current method and path of a legacy one, with its ids put in, and the operation that it is."""

    method: str
    path: str
    operation: Operation

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


def current(path: str, method: str = "GET") -> Current:
    """Tell the current method and path of a legacy one; raises NoCurrentOperationError when there is none.

    An id of the path is put into the current one; the organization, which the legacy API did not name, stays
    `{org_id}`.
    """
    table: tuple[tuple[str, str], ...] = import_module(f"{PACKAGE}.legacy").LEGACY
    catalogue = Catalogue()
    wanted = method.upper()
    others: set[str] = set()
    for template, operation_id in table:
        match = re.fullmatch(PLACEHOLDER.sub(r"([^/]+)", re.escape(template)), path.rstrip("/"))
        if match is None:
            continue
        operation = catalogue[operation_id]
        if operation.method == wanted:
            return Current(operation.method, filled(operation.path, match.groups()), operation)
        others.add(operation.method)
    if others:
        raise NoCurrentOperationError(
            f"{wanted} {path} has no current operation; that path has {', '.join(sorted(others))}"
        )
    raise NoCurrentOperationError(
        f"{path} has no current operation; of the legacy API there are {', '.join(sorted({each for each, _ in table}))}"
    )


def filled(path: str, ids: tuple[str, ...]) -> str:
    """Put the ids into the last placeholders of a path: the first is the organization's."""
    placeholders = re.findall(r"\{\w+\}", path)
    for placeholder, value in zip(placeholders[len(placeholders) - len(ids) :], ids, strict=True):
        path = path.replace(placeholder, value)
    return path
