"""Find the current operation for a path of the legacy API (v1): part Versioning of the API's description, rule 5."""

from __future__ import annotations

import re

import attrs
from agent_session_platform import InvalidArgumentError, Operation, operations
from agent_session_platform.contract import PLACEHOLDER, load


@attrs.frozen
class CurrentOperation:
    """The current operation for a legacy path: its method, its path with the ids, and the operation itself."""

    method: str
    path: str
    operation: Operation

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


def current_operation(path: str, method: str = "GET") -> CurrentOperation:
    """Return the current method and path for a legacy path.

    Args:
        path: The legacy path. Its ids are put into the current path; the organization, which the legacy API does not
            name, stays `{org_id}`.
        method: The HTTP method, in any case.

    Raises:
        InvalidArgumentError: The description names no current operation.
    """
    known: list[str] = []
    for endpoint in load().endpoints.values():
        template = endpoint.node.get("x-legacy")
        if template is None:
            continue
        operation = operations[endpoint.id]
        known.append(f"{operation.method} {template}")
        ids = ids_in(path.rstrip("/"), template)
        if ids is not None and operation.method == method.upper():
            return CurrentOperation(operation.method, fill(operation.path, ids), operation)
    legacy_api = ", ".join(sorted(known))
    raise InvalidArgumentError(f"{method.upper()} {path} has no current operation; the legacy API has {legacy_api}")


def ids_in(path: str, template: str) -> list[str] | None:
    """Return the ids in a path, in their order; None if the path does not fit its template."""
    # The pattern of a placeholder has a group, so every other part is the name of a placeholder.
    literals = map(re.escape, PLACEHOLDER.split(template)[::2])
    match = re.fullmatch("([^/]+)".join(literals), path)
    if match is None:
        return None
    return list(match.groups())


def fill(path: str, ids: list[str]) -> str:
    """Fill the placeholders of a path from the end: the first one is the organization, which has no id here."""
    for name, value in zip(reversed(PLACEHOLDER.findall(path)), reversed(ids), strict=False):
        path = path.replace(f"{{{name}}}", value)
    return path
