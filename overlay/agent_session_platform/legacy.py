"""Find the current operation for a legacy path (v1): part Versioning of the API's description, rule 5.

>>> from agent_session_platform import legacy
>>> print(legacy.current("/v1/session/abc"))
GET /v3/organizations/{org_id}/sessions/abc
"""

from __future__ import annotations

import attrs

from ._api import Operation
from .catalogue import operations
from .contract import PLACEHOLDER, load
from .errors import InvalidArgumentError
from .paths import pattern_of

__all__ = ("Current", "NoCurrentOperationError", "current")


class NoCurrentOperationError(InvalidArgumentError, LookupError):
    """The description names no current operation for the legacy path.

    Look for an operation in `agent_session_platform.operations`.
    """


@attrs.frozen
class Current:
    """The current operation for a legacy path: its method, its path with the ids, and the operation itself."""

    method: str
    path: str
    operation: Operation

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


def current(path: str, method: str = "GET") -> Current:
    """Return the current method and path for a legacy path.

    Args:
        path: The legacy path. Its ids are put into the current path; the organization, which the legacy API does not
            name, stays `{org_id}`.
        method: The HTTP method, in any case.

    Raises:
        NoCurrentOperationError: The description names no current operation.
    """
    endpoints = [endpoint for endpoint in load().endpoints.values() if "x-legacy" in endpoint.node]
    legacy_paths = {operations[endpoint.id]: endpoint.node["x-legacy"] for endpoint in endpoints}
    for operation, template in legacy_paths.items():
        match = pattern_of(template).fullmatch(path.rstrip("/"))
        if match is not None and operation.method == method.upper():
            current_path = operation.path
            # Fill the placeholders from the end: the first one is the organization, which the legacy API does not name.
            for name, value in zip(PLACEHOLDER.findall(current_path)[::-1], match.groups()[::-1], strict=False):
                current_path = current_path.replace(f"{{{name}}}", value)
            return Current(operation.method, current_path, operation)
    known = ", ".join(sorted(f"{operation.method} {template}" for operation, template in legacy_paths.items()))
    raise NoCurrentOperationError(f"{method.upper()} {path} has no current operation; the legacy API has {known}")
