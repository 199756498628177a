"""Find the current operation of a legacy path (v1): part Versioning of the API's description, rule 5.

>>> from agent_session_platform import legacy
>>> print(legacy.current("/v1/session/abc"))
GET /v3/organizations/{org_id}/sessions/abc
"""

from __future__ import annotations

import re
from importlib import import_module

import attrs

from ._api import PACKAGE, Operation
from .catalogue import Catalogue
from .errors import InvalidArgumentError

PLACEHOLDER = re.compile(r"\\\{(\w+)\\\}")


class NoCurrentOperationError(InvalidArgumentError, LookupError):
    """The description names no current operation for the legacy path.

    Look for one in the catalogue: `asp operations WORD`.
    """


@attrs.frozen
class Current:
    """The current method and path of a legacy path with its ids, and the operation."""

    method: str
    path: str
    operation: Operation

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


def current(path: str, method: str = "GET") -> Current:
    """Return the current method and path of a legacy path.

    Args:
        path: The legacy path. Its ids are put into the current path; the organization, which the legacy API does not
            name, stays `{org_id}`.
        method: The HTTP method, in any case.

    Raises:
        NoCurrentOperationError: The description names none.
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
            return Current(operation.method, fill(operation.path, match.groups()), operation)
        others.add(operation.method)
    if others:
        raise NoCurrentOperationError(
            f"{wanted} {path} has no current operation; that path has {', '.join(sorted(others))}"
        )
    known = ", ".join(sorted({template for template, _ in table}))
    raise NoCurrentOperationError(f"{path} has no current operation; of the legacy API there are {known}")


def fill(path: str, ids: tuple[str, ...]) -> str:
    """Put *ids* into the last placeholders of a path; the first one is the organization's."""
    placeholders = re.findall(r"\{\w+\}", path)
    for placeholder, value in zip(placeholders[len(placeholders) - len(ids) :], ids, strict=True):
        path = path.replace(placeholder, value)
    return path
