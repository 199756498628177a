"""Write the page of the legacy paths: the operation of today for each."""

from __future__ import annotations

from typing import Final

from agent_session_platform import Operation, operations
from agent_session_platform.contract import load
from agent_session_platform.legacy import current

from docs.reference.markdown import bullets, code, document, fence, one_line, table
from docs.reference.operations import operation_link

PAGE: Final = "reference/legacy-paths.md"
LEGACY: Final = "x-legacy"
STATED: Final = "x-stated-path"
# The rules of the part Versioning.
CHANGED: Final = "versioning-"
EXAMPLE: Final = """\
from agent_session_platform import legacy

print(legacy.current("/v1/session/abc"))  # GET /v3/organizations/{org_id}/sessions/abc
"""


def pages() -> dict[str, str]:
    """Return the page of the legacy paths."""
    return {
        PAGE: document(
            "# Legacy paths",
            "The paths of the legacy API with the operations that replace them, as far as the API's description names "
            "them. Ids keep their places; the organization, which the legacy API does not name, is an argument of "
            "today's operation.",
            table(
                ("Legacy request", "Request of today", "Operation"),
                (
                    (code(f"{each.method} {path}"), code(str(current(path, each.method))), operation_link(each, PAGE))
                    for path, each in replaced(LEGACY)
                ),
            ),
            "The same in a program:",
            fence(EXAMPLE),
            "From a shell:",
            fence("asp legacy /v1/session/abc", "sh"),
            "## What else has changed",
            bullets(
                one_line(rule["text"]) for rule in load().document["info"]["x-rules"] if rule["id"].startswith(CHANGED)
            ),
            "## Beta paths that have moved",
            "The API's description states these operations at a beta path; its part Versioning has promoted them.",
            table(
                ("Stated request", "Request of today", "Operation"),
                (
                    (code(f"{each.method} {path}"), code(f"{each.method} {each.path}"), operation_link(each, PAGE))
                    for path, each in replaced(STATED)
                ),
            ),
        )
    }


def replaced(extension: str) -> list[tuple[str, Operation]]:
    """Return the paths that operations have in an extension of the contract, each with its operation."""
    marked = [each for each in load().endpoints.values() if extension in each.node]
    return [(each.node[extension], operations[each.id]) for each in marked]
